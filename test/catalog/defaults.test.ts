import { expect, test } from 'bun:test';
import { noDefaults, parseStallManifest } from '../../src/catalog/stall-manifest.rule.ts';
import { parseManifest } from '../../src/catalog/manifest.rule.ts';

const ALL = `defaults:
  publisher: Quince Press
  currency: jpy
  language: en-gb
  contact: ada@example.org
  license: MIT
  guarantee: Thirty days
`;
const { defaults } = parseStallManifest(ALL).stall;
const GIVEN = {
  publisher: 'Quince Press',
  currency: 'jpy',
  language: 'en-GB',
  contact: 'ada@example.org',
  license: 'MIT',
  guarantee: 'Thirty days',
};

const read = (yaml: string, given = defaults) =>
  parseManifest({
    kind: 'book',
    slug: 'heron',
    yaml: `id: heron\ntitle: Heron\ndescription: A bird\n${yaml}`,
    defaults: given,
  });

test('stall.yaml gives the keys that an item.yaml lacks', () => {
  expect(parseStallManifest(ALL)).toMatchObject({ stall: { defaults: GIVEN }, problems: [] });
  expect(read('unitAmountCents: 500')).toMatchObject({ manifest: GIVEN, problems: [] });
});

test('a key of item.yaml beats its default', () => {
  const { manifest } = read('unitAmountCents: 500\npublisher: Ada\ncurrency: usd\nlanguage: de');
  expect(manifest).toMatchObject({ publisher: 'Ada', currency: 'usd', language: 'de', license: 'MIT' });
});

test('one default leaves the other keys as they are', () => {
  const { stall } = parseStallManifest('defaults: {license: MIT}');
  const { manifest, problems } = read('unitAmountCents: 500', stall.defaults);
  expect(manifest).toBeNull();
  expect(problems).toMatchObject([{ severity: 'error', sentence: 'Cannot find the key "publisher"' }]);
});

test.each([
  ['defaults: Ada', 'Cannot read "defaults" as a mapping', 'Indent its keys: "publisher"'],
  ['defaults: {unitAmountCents: 5}', 'Cannot read "unitAmountCents" in "defaults"', 'it is never a default'],
  ['defaults: {licence: MIT}', 'Cannot read "licence" in "defaults"', 'Did you mean "license"?'],
  ['defaults: {currency: US}', 'Cannot use "US" as "defaults.currency"', 'ISO 4217'],
  ['defaults: {publisher: [a]}', 'Cannot read "defaults.publisher"', 'one text'],
])('%p gives no default', (yaml, sentence, remedy) => {
  const { stall, problems } = parseStallManifest(yaml);
  expect(stall.defaults).toEqual(noDefaults);
  expect(problems).toMatchObject([
    {
      severity: 'error',
      path: 'stall.yaml',
      sentence: expect.stringContaining(sentence),
      remedy: expect.stringContaining(remedy),
    },
  ]);
});

test('a draft may lack its price and publisher, with a warning each', () => {
  const { manifest, problems } = read('status: draft', noDefaults);
  expect(manifest).toMatchObject({ publisher: '', unitAmountCents: null, status: 'draft' });
  expect(problems.map(({ severity, sentence }) => [severity, sentence])).toEqual([
    ['warning', 'The draft has no "publisher" yet'],
    ['warning', 'The draft has no "unitAmountCents" yet'],
  ]);
});

test.each(['published', 'archived'])('a %s item may lack neither', (status) => {
  const { manifest, problems } = read(`status: ${status}`, noDefaults);
  expect(manifest).toBeNull();
  expect(problems.map(({ severity }) => severity)).toEqual(['error', 'error']);
});

test('a draft lacks nothing else', () => {
  const { manifest, problems } = parseManifest({ kind: 'book', slug: 'heron', yaml: 'status: draft' });
  expect(manifest).toBeNull();
  expect(problems.filter(({ severity }) => severity === 'error')).toHaveLength(3);
});
