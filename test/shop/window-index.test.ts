import { describe, expect, test } from 'bun:test';
import { createCatalog, type Edition } from '../../src/catalog/catalog.ts';
import { ANONYMOUS } from '../../src/platform/base/principal.ts';
import { findInStorefront } from '../../src/shop/storefront.ts';
import { createStorefrontIndexes } from '../../src/catalog/storefront-index.ts';
import { compile, makeItem } from '../publishing/item-folder.ts';
import { itemYaml, openStall, temporaryDirectory, writeFiles } from '../helpers/harness.ts';

const pattern = compile(makeItem({ 'item.yaml': itemYaml({ id: 'heron-id' }) }), temporaryDirectory());

function editionOf(slug: string, title: string, keys: object = {}): Edition {
  return { ...pattern, manifest: { ...pattern.manifest, id: slug, slug, title, ...keys } };
}

/** Editions whose titles are in another order than their slugs; every third title occurs twice. */
function manyEditions(count: number): readonly Edition[] {
  return Array.from({ length: count }, (_, n) => {
    const number = (n * 7919) % count;
    return editionOf(`slug-${n}`, `Volume ${number - (number % 3 === 1 ? 1 : 0)}`, {
      tags: n % 2 === 0 ? ['birds', 'even'] : ['birds'],
      language: n % 10 === 0 ? 'de' : 'en',
    });
  });
}

const collator = new Intl.Collator('en', { numeric: true });
const sorted = (editions: readonly Edition[]): readonly string[] =>
  editions
    .toSorted(
      ({ manifest: a }, { manifest: b }) => collator.compare(a.title, b.title) || (a.slug < b.slug ? -1 : 1),
    )
    .map(({ manifest }) => manifest.slug);

describe('a window index', () => {
  test('has all items by title, then slug, and tags and languages by frequency', async () => {
    const editions = manyEditions(1000);
    const { rows, tags, languages } = await createStorefrontIndexes()(createCatalog(editions));
    expect(rows.map(({ edition }) => edition.manifest.slug)).toEqual([...sorted(editions)]);
    expect([tags, languages]).toEqual([
      ['birds', 'even'],
      ['en', 'de'],
    ]);
  });

  test('of the next catalog has added, changed and removed items in their places', async () => {
    const index = createStorefrontIndexes();
    const editions = manyEditions(500);
    await index(createCatalog(editions));
    const changed = [
      ...editions
        .slice(3)
        .map((one, n) => (n % 50 === 0 ? editionOf(one.manifest.slug, `Volume ${n}.5`) : one)),
      editionOf('new', 'Volume 250'),
      editionOf('draft', 'Volume 1', { status: 'draft' }),
    ];
    const { rows } = await index(createCatalog(changed));
    expect(rows.map(({ edition }) => edition.manifest.slug)).toEqual([...sorted(changed.slice(0, -1))]);
    expect(rows.every(({ edition, title }) => title === edition.manifest.title.toLowerCase())).toBe(true);
  });

  test('is made once for a catalog, in slices between which others have their turn', async () => {
    const index = createStorefrontIndexes();
    const catalog = createCatalog(manyEditions(3000));
    let turns = 0;
    let isDone = false;
    const turn = (): void => void (isDone || (turns++, setImmediate(turn)));
    turn();
    const made = index(catalog);
    expect(index(catalog)).toBe(made);
    await made;
    isDone = true;
    expect(turns).toBeGreaterThan(3000 / 50);
  });
});

test('a catalog is prepared before it is served', async () => {
  const { app, content } = await openStall();
  const before = app.stall.catalog();
  writeFiles(content, {
    'books/new-book/item.yaml': itemYaml({ id: 'new-id', title: 'New' }),
    'books/new-book/01.md': 'x',
  });
  await app.publish();
  expect(app.stall.catalog()).not.toBe(before);
  // No turn of the event loop is needed any more.
  const page = findInStorefront(app.stall, ANONYMOUS, {
    words: 'new',
    kind: null,
    price: null,
    tag: null,
    language: null,
    order: 'title',
    page: 1,
  });
  let isAnswered = false;
  void page.then(() => (isAnswered = true));
  for (let n = 0; n < 20; n++) await Promise.resolve();
  expect(isAnswered).toBe(true);
  expect((await page).items.map(({ manifest }) => manifest.slug)).toContain('new-book');
});
