import { describe, expect, test } from 'bun:test';
import { check } from '../../src/publishing/publishing-session.ts';
import {
  type Files,
  itemYaml,
  openStall,
  skillMd,
  temporaryDirectory,
  writeFiles,
} from '../helpers/harness.ts';

const book = (slug: string, keys: Record<string, string | number>): Files => ({
  [`books/${slug}/item.yaml`]: itemYaml({ id: `${slug}-id`, ...keys }),
  [`books/${slug}/01.md`]: '# One\n\nWords.\n',
});
const skill = (slug: string, keys: Record<string, string | number>): Files => ({
  [`skills/${slug}/item.yaml`]: itemYaml(keys),
  [`skills/${slug}/SKILL.md`]: skillMd(slug),
});

/** The slugs below each heading of a page's shelves, in order; under '' if the only shelf has none. */
function shelvesOf(page: string): Record<string, string[]> {
  const parts = page.split(/<h2>([A-Z][a-z]+)<\/h2>/);
  const slugs = (html: string): string[] =>
    [...html.matchAll(/<h[23][^>]*><a href="\/(?:books|skills)\/([a-z0-9-]+)"/g)].map(
      ([, slug = '']) => slug,
    );
  const shelves: Record<string, string[]> = {};
  if (parts.length === 1) return { '': slugs(page) };
  const [lead] = slugs(parts[0]!);
  if (lead !== undefined) shelves['First'] = [lead];
  for (let n = 1; n < parts.length; n += 2) shelves[parts[n]!] = slugs(parts[n + 1]!);
  return shelves;
}

const openWith = async (stallYaml: string, files: Files) => {
  const stall = await openStall({ files: { 'stall.yaml': stallYaml, ...files } });
  const page = async (path: string): Promise<string> => (await stall.fetch(path)).text();
  return { ...stall, page, shelves: async (path: string) => shelvesOf(await page(path)) };
};

describe('featured items', async () => {
  const stall = await openWith('featured: [zebra, a-skill, hidden, nowhere, apple]\n', {
    ...book('apple', { title: 'Apple' }),
    ...book('middle', { title: 'Middle' }),
    ...book('zebra', { title: 'Zebra' }),
    ...book('hidden', { title: 'Hidden', status: 'draft' }),
    ...skill('a-skill', { title: 'A skill' }),
    ...skill('b-skill', { title: 'B skill' }),
  });

  test('come before the others, the first of them large, in the order of stall.yaml, and on no second shelf', async () => {
    expect(await stall.shelves('/')).toEqual({
      First: ['zebra'],
      Featured: ['a-skill', 'apple'],
      Books: ['middle'],
      Skills: ['b-skill'],
    });
    expect(await stall.page('/')).toContain('placeholder="5 items and their texts"');
  });

  test('have no shelf in a search', async () => {
    expect(await stall.shelves('/?kind=book')).toEqual({ '': ['apple', 'middle', 'zebra'] });
    expect(await stall.shelves('/?q=skill')).toEqual({ '': ['a-skill', 'b-skill'] });
  });

  test('that the window cannot show are warnings which name them', async () => {
    const directory = temporaryDirectory();
    writeFiles(directory, {
      'stall.yaml': 'featured: [the-herron, hidden, the-heron, nowhere]\n',
      ...book('the-heron', {}),
      ...book('hidden', { status: 'archived' }),
    });
    const [entry] = await check(directory);
    expect(entry?.problems.map(({ severity, sentence, remedy }) => [severity, sentence, remedy])).toEqual([
      ['warning', 'Cannot feature "the-herron": no item has this slug', 'Did you mean "the-heron"?'],
      ['warning', 'Cannot feature "hidden": it is archived', 'Publish it, or remove it from "featured"'],
      [
        'warning',
        'Cannot feature "nowhere": no item has this slug',
        'Name the folder of a book or skill, or remove it',
      ],
    ]);
  });
});

describe('the order of the window', async () => {
  let now = Date.UTC(2026, 0, 1);
  const stall = await openStall({ files: { ...book('older', { title: 'B older' }) }, now: () => now });
  const add = async (slug: string, title: string): Promise<void> => {
    now += 60_000;
    writeFiles(stall.content, book(slug, { title }));
    await stall.app.publish();
  };
  await add('newer', 'C newer');
  await add('newest', 'A newest');
  const page = async (path: string): Promise<string> => (await stall.fetch(path)).text();
  const shelves = async (path: string) => shelvesOf(await page(path));

  test('is by title, or the newest first', async () => {
    expect(await shelves('/')).toEqual({ First: ['newest'], Books: ['older', 'newer'] });
    expect(await shelves('/?sort=newest')).toEqual({ '': ['newest', 'newer', 'older'] });
    expect(await shelves('/?sort=oldest')).toEqual(await shelves('/'));
  });

  test('stays as it was when an old item changes', async () => {
    now += 60_000;
    writeFiles(stall.content, { 'books/older/01.md': 'More words.\n' });
    await stall.app.publish();
    expect(await shelves('/?sort=newest')).toEqual({ '': ['newest', 'newer', 'older'] });
  });

  test('is in the address, and kept by a search and its choices', async () => {
    const newest = await page('/?sort=newest&kind=book');
    expect(newest).toContain('<a href="/?kind=book&amp;sort=newest" aria-current="true">Newest first</a>');
    expect(newest).toContain('<a href="/?kind=book">A to Z</a>');
    expect(newest).toContain('<input type="hidden" name="sort" value="newest"/>');
    expect(await page('/')).not.toContain('name="sort"');
    // The same items again: search engines need them once.
    expect(newest).toContain('<meta name="robots" content="noindex"/>');
  });

  test('is kept by the next page', async () => {
    const many = await openStall({
      files: Object.assign({}, ...Array.from({ length: 40 }, (_, n) => skill(`item-${n}`, {}))) as Files,
    });
    const first = await (await many.fetch('/?sort=newest')).text();
    expect(first).toContain('rel="next" href="/?sort=newest&amp;page=2"');
    expect(await (await many.fetch('/?sort=newest&page=2')).text()).toContain(
      'rel="prev" href="/?sort=newest"',
    );
  });
});

describe('titles', () => {
  const ENGLISH = {
    ...book('zoo', { title: 'Zoo', language: 'en' }),
    ...book('bee', { title: 'Bee', language: 'en' }),
    ...book('cat', { title: 'Cat', language: 'en' }),
  };
  const SWEDISH = {
    ...book('al', { title: 'Ål', language: 'sv' }),
    ...book('zebra', { title: 'Zebra', language: 'sv-FI' }),
  };

  test.each<[string, string, string, string[]]>([
    ['of most items', 'name: x', '/', ['al', 'bee', 'cat', 'zebra', 'zoo']],
    ['of the stall', 'language: sv', '/', ['bee', 'cat', 'zebra', 'zoo', 'al']],
    ['that was looked for', 'name: x', '/?language=sv', ['zebra', 'al']],
  ])('are sorted by the collation of the language %s', async (_, yaml, path, slugs) => {
    const stall = await openWith(`${yaml}\n`, { ...ENGLISH, ...SWEDISH });
    const { First = [], Books = [], '': all = [] } = await stall.shelves(path);
    expect([...First, ...Books, ...all]).toEqual(slugs);
  });

  test('in Chinese are sorted by their sounds, whatever most items are in', async () => {
    const stall = await openWith('name: x\n', {
      ...ENGLISH,
      ...book('north', { title: '北方', language: 'zh-CN' }),
      ...book('middle', { title: '中文', language: 'zh-CN' }),
      ...book('a', { title: '阿', language: 'zh-CN' }),
    });
    expect(await stall.shelves('/?language=zh-CN')).toEqual({ '': ['a', 'north', 'middle'] });
    expect(await stall.shelves('/?language=zh')).toEqual({ '': ['a', 'north', 'middle'] });
    for (const language of ['tlh', 'zh-', 'x', '%00', 'en-u-co-'])
      expect((await stall.fetch(`/?language=${language}`)).status).toBe(200);
  });
});

describe('a card', async () => {
  const stall = await openWith('name: x\n', {
    ...book('arabic', { title: 'مرحبا؟', language: 'ar' }),
    ...book('unknown', { title: 'Who knows' }),
    ...skill('cooking', { description: `"Cooks soup. ${'And more soup. '.repeat(40)}"`, language: 'en' }),
  });

  test('has its title in its language and direction', async () => {
    const page = await stall.page('/');
    expect(page).toContain('<h2 lang="ar" dir="rtl"><a href="/books/arabic"');
    expect(page).toContain('<h3 dir="auto"><a href="/books/unknown"');
  });

  test('says of a skill what it does', async () => {
    const page = await stall.page('/');
    expect(page).toMatch(/<p class="summary" lang="en" dir="ltr">[^<]+<\/p>/);
    expect(page.match(/class="summary"/g)).toHaveLength(1);
  });
});

test('without a choice the newest book is large, though a skill came after it', async () => {
  const stall = await openWith('name: x\n', {
    ...book('apple', { title: 'Apple' }),
    ...book('zebra', { title: 'Zebra' }),
  });
  const later = skill('loaf-log', { title: 'Loaf log', unitAmountCents: 500 });
  writeFiles(stall.content, later);
  await stall.app.publish();
  expect((await stall.shelves('/'))['First']).toEqual(['apple']);
});
