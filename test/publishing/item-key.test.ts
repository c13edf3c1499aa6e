import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ManifestValues } from '../../src/catalog/manifest-key.rule.ts';
import { FORM_KEYS } from '../../src/publishing/item-form.ts';
import { strFromU8, unzipSync } from 'fflate';
import { openStall, temporaryDirectory } from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';

/** A book with a word of its own in every key that takes one. */
const BOOK = `id: zzid
title: zztitle
description: zzdescription
publisher: zzpublisher
authors: [{name: zzauthors, about: zzabout}]
praise: [{quote: zzpraise, by: Ada}]
tags: [zztags]
license: zzlicense
guarantee: zzguarantee
contact: zzcontact
version: zzversion
changes: zzchanges
formerly: zzformerly
aliases: {zzaliases: [heron]}
accessibility: {certifiedBy: zzaccessibility}
sell: {stripe: [price_zzsell]}
checkoutUrl: https://pay.example/zzcheckouturl
unitAmountCents: 4711
suggestedAmountCents: 4811
currency: chf
language: cy
`;
const stall = await openStall({
  files: {
    'books/marsh/item.yaml': BOOK,
    'books/marsh/a.md': '# A\n\nA heron.\n',
    'books/soon/item.yaml':
      'id: soon\ntitle: Soon\ndescription: A.\npublisher: Ada\nunitAmountCents: 0\nstatus: announced\nexpected: zzexpected\nprogress: 61\n',
    'books/soon/a.md': '# A\n',
  },
});
const read = async (...paths: string[]): Promise<string> =>
  (await Promise.all(paths.map(async (path) => (await stall.fetch(path)).text()))).join('\n');
await stall.reader('ann@example.org', 'marsh');
const headers = await stall.signIn('ann@example.org');
const epub = unzipSync(await (await stall.fetch('/api/books/zzid/epub', { headers })).bytes());
const entry = (end: string): string =>
  strFromU8(epub[Object.keys(epub).find((path) => path.endsWith(end))!]!);
const directory = temporaryDirectory();
const flags = ['--free', '--publisher', 'Ada', '--description', 'A.'];
await type(['new', 'book', 'made', '--content', directory, '--data', join(directory, 'data'), ...flags]);
const made = readFileSync(join(directory, 'books/made/item.yaml'), 'utf8');

/** The texts in which a key may stand, by their place. */
const TEXTS = {
  page: await read('/books/marsh', '/books/soon'),
  data: /ld\+json">([^<]*)/.exec(await read('/books/marsh'))![1]!,
  api: await read('/api/items'),
  opds: await read('/opds/all'),
  feed: await read('/feed.xml'),
  llms: await read('/llms.txt'),
  epub: entry('package.opf'),
  title: entry('title.xhtml'),
};
/** The value of a key there that takes no word. */
const OTHERS: Partial<Record<string, RegExp>> = {
  unitAmountCents: /47[.,]?11/,
  suggestedAmountCents: /48[.,]?11/,
  currency: /CHF/i,
  language: /\bcy\b/,
  progress: /\b61\b/,
  status: /announced/,
};

/**
 * Where each key of item.yaml stands: in the office's form, in a new item, in what search finds, and in what is given out: `data` is
 * the page's structured data, `epub` and `title` are the package document and the title page of its e-book.
 */
const PLACES: Readonly<Record<keyof ManifestValues, string>> = {
  id: 'new page api',
  description: 'form new search page data api opds feed epub',
  aliases: '',
  accessibility: 'page epub',
  title: 'form new search page data api opds feed epub title',
  publisher: 'form new search page data api opds feed epub title',
  unitAmountCents: 'form new page data api opds',
  suggestedAmountCents: 'form api',
  currency: 'form new page data api opds',
  status: 'form new api',
  expected: 'form page api',
  progress: 'form page api',
  formerly: 'api',
  version: 'form page api opds feed',
  changes: 'form page feed',
  language: 'form new page data opds feed epub title',
  math: 'form',
  license: 'form page data opds epub title',
  tags: 'form search page opds feed epub',
  authors: 'form search page data opds epub title',
  praise: 'form page',
  guarantee: 'form page',
  cover: 'form',
  chapters: 'form new',
  sample: 'form',
  checkoutUrl: 'form page',
  sell: 'form',
  contact: 'form',
  include: '',
  formats: '',
};

test.each(Object.entries(PLACES))('the key %s stands in: %s', async (key, places) => {
  const word = OTHERS[key] ?? new RegExp(`zz${key}`, 'i');
  const results = await read(`/?q=zz${key}`);
  const stands: Readonly<Record<string, boolean>> = {
    form: FORM_KEYS.some((one) => one === key || one.startsWith(`${key}.`)),
    new: made.includes(`\n${key}:`),
    search: results.includes('href="/books/marsh"'),
    ...Object.fromEntries(Object.entries(TEXTS).map(([place, text]) => [place, word.test(text)])),
  };
  const found = Object.keys(stands).filter((place) => stands[place]);
  expect(found.join(' ')).toBe(places);
});
