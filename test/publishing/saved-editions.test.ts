import { describe, expect, test } from 'bun:test';
import { mkdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { manifestKeys } from '../../src/catalog/manifest-key.rule.ts';
import type { Edition } from '../../src/catalog/catalog.ts';
import { editionFile, openSavedEditions } from '../../src/publishing/saved-editions.ts';
import { writeChecksummed } from '../../src/platform/base/checksummed-file.ts';
import {
  itemYaml,
  openStall,
  SHELF,
  type Stall,
  temporaryDirectory,
  writeFiles,
} from '../helpers/harness.ts';

const SLUGS = Object.keys(SHELF)
  .flatMap((path) => /^\w+\/([^/]+)\/item.yaml$/.exec(path)?.[1] ?? [])
  .toSorted();

function slugsOf({ app }: Stall): string[] {
  return app
    .catalog()
    .editions.map(({ manifest }) => manifest.slug)
    .toSorted();
}

function saidOf({ log }: Stall, event: string): string {
  return log
    .filter((entry) => entry.event === event)
    .map(({ message }) => message)
    .join('\n');
}

const restart = (stall: Stall, config = {}) =>
  stall.close().then(() => openStall({ directory: stall.directory, files: {}, config }));

async function filesOf(stall: Stall, slug: string): Promise<string> {
  const response = await stall.fetch(`/api/install/${slug}`);
  return response.status === 200
    ? Buffer.from(Bun.gunzipSync(await response.arrayBuffer())).toString('latin1')
    : String(response.status);
}

describe('an item that broke', () => {
  test.each<[string, (folder: string) => void]>([
    ['by its item.yaml', (folder) => writeFiles(folder, { 'item.yaml': 'title: [' })],
    [
      'by a lost price',
      (folder) => writeFiles(folder, { 'item.yaml': itemYaml({ id: 'free-id' }).replace(/unit.*\n/, '') }),
    ],
    ['by a link', (folder) => symlinkSync('01.md', join(folder, 'link.md'))],
    ['by a secret', (folder) => writeFiles(folder, { 'x.md': '-----BEGIN PRIVATE KEY-----' })],
    ['by losing its item.yaml', (folder) => rmSync(join(folder, 'item.yaml'))],
  ])('%s keeps its last good edition, also after a restart, and is reported', async (_, harm) => {
    const first = await openStall();
    harm(join(first.content, 'books/free-book'));
    writeFiles(join(first.content, 'books/free-book'), { '01.md': 'half done' });
    const [broken] = (await first.app.publish()).filter(({ problems }) => problems.length > 0);
    expect(broken?.slug).toBe('free-book');
    expect(saidOf(first, 'item-problem')).toContain('books/free-book');
    expect(await filesOf(first, 'free-book')).toContain('The grey heron');
    const second = await restart(first);
    expect(saidOf(second, 'item-problem')).toContain('its last good edition continues to be served');
    expect(await filesOf(second, 'free-book')).toContain('The grey heron');
    expect(await filesOf(second, 'free-book')).not.toContain('half done');
    await second.close();
  });

  test('keeps its last good price too, so that a broken paid item never becomes free', async () => {
    const stall = await openStall();
    writeFiles(stall.content, {
      'skills/paid-skill/item.yaml': itemYaml({ unitAmountCents: 0, mistake: 1 }),
    });
    await stall.app.publish();
    expect(await filesOf(stall, 'paid-skill')).toBe('401');
  });

  test('is served again after it was repaired', async () => {
    const stall = await openStall();
    writeFiles(stall.content, {
      'books/free-book/item.yaml': 'x',
      'books/free-book/01.md': 'The mended text',
    });
    await stall.app.publish();
    writeFiles(stall.content, { 'books/free-book/item.yaml': itemYaml({ id: 'free-id' }) });
    await stall.app.publish();
    expect(await filesOf(stall, 'free-book')).toContain('The mended text');
  });

  test('that never was good is not served, and takes no other with it', async () => {
    const stall = await openStall({ files: { ...SHELF, 'books/bad/item.yaml': 'x' } });
    expect(slugsOf(stall)).toEqual(SLUGS);
    expect(saidOf(stall, 'item-problem')).toContain('it is not served');
  });
});

test('an edition that a program saved which knew no key has them all', async () => {
  const stall = await openStall();
  const { manifest, ...rest } = stall.app.catalog().bySlug.get('free-book')!;
  const { id, slug, kind, title, authors } = manifest;
  const data = temporaryDirectory();
  mkdirSync(dirname(editionFile(data, 'book', slug)), { recursive: true });
  const old = { format: 1, ...rest, manifest: { id, slug, kind, title, authors } };
  await writeChecksummed(editionFile(data, 'book', slug), old);
  const [edition] = [...(await openSavedEditions(data)).editions().values()];
  const unknown = Object.keys(manifestKeys.book).filter(
    (key) => edition?.manifest[key as 'id'] === undefined,
  );
  expect([edition?.manifest.title, unknown]).toEqual([title, []]);
});

test('an edition that 0.2.0 saved has its authors by name, and neither praise nor guarantee', async () => {
  const stall = await openStall();
  const { manifest, ...rest } = stall.app.catalog().bySlug.get('free-book')!;
  const { praise: _, guarantee: __, ...old } = manifest;
  const data = temporaryDirectory();
  const file = editionFile(data, 'book', 'free-book');
  mkdirSync(dirname(file), { recursive: true });
  await writeChecksummed(file, { format: 1, ...rest, manifest: { ...old, authors: ['Ada', 'Bob'] } });
  const [edition] = [...(await openSavedEditions(data)).editions().values()];
  const names = ['Ada', 'Bob'].map((name) => ({ name, about: null, url: null }));
  expect(edition?.manifest).toMatchObject({ authors: names, praise: [], guarantee: null });
});

describe('a content root', () => {
  const harms: [string, (content: string) => void][] = [
    ['missing', (content) => rmSync(content, { recursive: true })],
    [
      'suddenly empty',
      (content) => {
        rmSync(content, { recursive: true });
        mkdirSync(content);
      },
    ],
    [
      'a dangling link',
      (content) => {
        rmSync(content, { recursive: true });
        symlinkSync('gone', content);
      },
    ],
  ];

  test.each(harms)('that is %s changes nothing and is reported', async (_, harm) => {
    const stall = await openStall();
    const before = stall.app.catalog();
    harm(stall.content);
    await stall.app.publish();
    expect(saidOf(stall, 'content-missing')).toContain(stall.content);
    expect(stall.app.catalog()).toBe(before);
    expect(await filesOf(stall, 'free-book')).toContain('The grey heron');
  });

  test.each(['missing', 'empty'])(
    'that is %s at the start leaves the last content in place',
    async (state) => {
      const first = await openStall();
      rmSync(first.content, { recursive: true });
      const second = await restart(first, state === 'missing' ? { content: `${first.content}/gone` } : {});
      expect(slugsOf(second)).toEqual(SLUGS);
      expect(saidOf(second, 'content-missing')).toContain(state);
      expect(await filesOf(second, 'free-book')).toContain('The grey heron');
      await second.close();
    },
  );

  test('that was never there serves nothing, and says so', async () => {
    const stall = await openStall({ config: { content: '/nowhere/at/all' } });
    expect(slugsOf(stall)).toEqual([]);
    expect(saidOf(stall, 'content-missing')).toContain('missing');
  });
});

test('a removed item leaves the catalog, and is not back after a restart', async () => {
  const first = await openStall();
  rmSync(join(first.content, 'books/free-book'), { recursive: true });
  await first.app.publish();
  expect(await filesOf(first, 'free-book')).toBe('404');
  const second = await restart(first);
  expect(slugsOf(second)).toEqual(SLUGS.filter((slug) => slug !== 'free-book'));
  await second.close();
});

test('a renamed book folder keeps its grants, under the new slug and the old', async () => {
  const stall = await openStall();
  const reader = await stall.reader('anna@example.org', 'paid-book');
  renameSync(join(stall.content, 'books/paid-book'), join(stall.content, 'books/marsh-book'));
  await stall.app.publish();
  const status = async (slug: string) => (await stall.fetch(`/api/install/${slug}`, reader)).status;
  expect([await status('marsh-book'), await status('paid-book')]).toEqual([200, 200]);
  expect(stall.app.admin.grants.list(null).map(({ slug }) => slug)).toEqual(['marsh-book']);
  expect((await stall.app.admin.grants.add({ email: reader.email, slug: 'marsh-book' })).itemKey).toBe(
    'paid-id',
  );
});

test('a shelf that is a link changes nothing when its disk is gone', async () => {
  const stall = await openStall();
  const [shelf, disk] = [join(stall.content, 'books'), join(stall.directory, 'disk')];
  renameSync(shelf, disk);
  symlinkSync(disk, shelf);
  await stall.app.publish();
  expect(slugsOf(stall)).toEqual(SLUGS);
  rmSync(disk, { recursive: true });
  await stall.app.publish();
  expect(slugsOf(stall)).toEqual(SLUGS);
  expect(saidOf(stall, 'content-missing')).toContain('leads to no directory');
  expect(slugsOf(await restart(stall))).toEqual(SLUGS);
});

test('an edition of an older version has the fields that came later', async () => {
  const stall = await openStall();
  const saved = await openSavedEditions(stall.data);
  const edition = saved.editions().get('book free-book')!;
  const { aliases: _, formerly: __, ...manifest } = edition.manifest;
  const chapters = edition.chapters.map(({ path, title }) => ({ path, title }));
  await stall.close();
  await saved.save({ ...edition, manifest, chapters } as unknown as Edition);
  const read = (await openSavedEditions(stall.data)).editions().get('book free-book');
  expect(read?.manifest.aliases).toEqual({});
  expect(read?.manifest.formerly).toEqual([]);
  expect(read?.chapters).toEqual(edition.chapters);
});
