import type { Language } from '../../src/words/words.ts';
import {
  defaultStallManifest,
  noDefaults,
  parseStallManifest,
  stallFiles,
} from '../../src/catalog/stall-manifest.rule.ts';
import { describe, expect, test } from 'bun:test';

test('every key is read', () => {
  const yaml = [
    'name: The Heron & Egret',
    'logo: stall/logo.SVG',
    'awning: "#7A1F2b"',
    'contact: ada@shop.example.org',
    'terms: stall/terms.md',
    'imprint: stall/imprint.md',
    'intro: |',
    '  Books about **birds**.',
    'language: sv-se',
    'featured: [the-heron, a-skill]',
  ].join('\n');
  const { stall, problems } = parseStallManifest(yaml);
  expect(problems).toEqual([]);
  expect(stall).toEqual({
    name: 'The Heron & Egret',
    logo: 'stall/logo.SVG',
    awning: '#7a1f2b',
    contact: 'ada@shop.example.org',
    terms: 'stall/terms.md',
    privacy: null,
    imprint: 'stall/imprint.md',
    postalAddress: null,
    taxLine: null,
    intro: 'Books about **birds**.\n',
    language: 'sv-SE',
    languages: ['en'],
    featured: ['the-heron', 'a-skill'],
    bundles: [],
    notOurs: [],
    accounts: 'closed',
    signers: [],
    requireSignatures: 'false',
    defaults: noDefaults,
  });
  expect(stallFiles(stall)).toEqual([
    { key: 'logo', path: 'stall/logo.SVG' },
    { key: 'terms', path: 'stall/terms.md' },
    { key: 'imprint', path: 'stall/imprint.md' },
  ]);
});

test('keys that are left out take their defaults', () => {
  expect(parseStallManifest('awning: "#000000"')).toEqual({
    stall: { ...defaultStallManifest, name: 'Bookstall', awning: '#000000' },
    given: ['awning'],
    problems: [],
  });
});

test.each(['', '\n', '\uFEFF', '# name: The Heron\r\n\n  # awning\n'])('%p says nothing', (yaml) => {
  expect(parseStallManifest(yaml)).toEqual({ stall: defaultStallManifest, given: [], problems: [] });
});

test.each([
  ['', ['en'], []],
  ['language: de-CH', ['de'], []],
  ['language: sv', ['en'], []],
  ['language: de\nlanguages: [de, en]', ['de', 'en'], []],
  ['language: de\nlanguages: [en, de]', ['en', 'de'], ['other-language']],
  ['language: pt-PT', ['pt-BR'], []],
  ['language: zh-CN', ['zh-Hans'], []],
  ['languages: [en, sv]', ['en'], ['no-such-language']],
  ['languages: [de, de]', ['en'], ['repeated-entry']],
  ['languages: []', ['en'], []],
])('%j has pages in %j', (yaml, languages, codes) => {
  const { stall, problems } = parseStallManifest(`name: A stall\n${yaml}\n`);
  expect([...stall.languages]).toEqual(languages as typeof languages & Language[]);
  expect(problems.map(({ code }) => code)).toEqual(codes);
});

test('contact and terms may be https URLs, which are no files', () => {
  const { stall, problems } = parseStallManifest(
    'contact: https://a.example/contact\nterms: https://a.example/terms.md',
  );
  expect(problems).toEqual([]);
  expect(stall).toMatchObject({ contact: 'https://a.example/contact', terms: 'https://a.example/terms.md' });
  expect(stallFiles(stall)).toEqual([]);
});

describe('a wrong value is an error, and the rest is read', () => {
  test.each([
    ['nam: x', 'unknown-key', 'Did you mean "name"?'],
    ['colour: x', 'unknown-key', 'Remove it'],
    ['constructor: x', 'unknown-key', 'Remove it'],
    ['contact: a@b.example\ncontact: c@d.example', 'repeated-key', 'Keep one'],
    ['logo: logo.txt', 'bad-image', 'png'],
    ['logo: ../logo.png', 'bad-path', 'content directory'],
    ['logo: /logo.png', 'bad-path', 'content directory'],
    ['logo: stall//logo.png', 'bad-path', 'content directory'],
    ['logo: .hidden/logo.png', 'bad-path', 'content directory'],
    ['logo: "stall\\\\logo.png"', 'bad-path', 'content directory'],
    ['logo: https://a.example/logo.png', 'bad-path', 'content directory'],
    ['awning: #7a1f2b', 'blank-value', 'quotation marks'],
    ['awning: 7a1f2b', 'bad-colour', '"#7a1f2b"'],
    ['awning: "#7a1"', 'bad-colour', '"#7a1f2b"'],
    ['awning: "#7a1f2b; x"', 'bad-colour', '"#7a1f2b"'],
    ['awning: red', 'bad-colour', '"#7a1f2b"'],
    ['contact: ada', 'bad-contact', 'e-mail'],
    ['contact: a@b', 'bad-contact', 'e-mail'],
    ['contact: "a b@c.example"', 'bad-contact', 'e-mail'],
    ['contact: "a@b.example?cc=c"', 'bad-contact', 'e-mail'],
    ['contact: http://a.example', 'bad-contact', 'https://'],
    ['contact: javascript:alert(1)', 'bad-contact', 'https://'],
    ['contact: https://a:b@c.example', 'bad-url', 'password'],
    ['terms: terms.html', 'bad-path', 'Markdown'],
    ['terms: ../terms.md', 'bad-path', 'Markdown'],
    ['terms: http://a.example/terms.md', 'bad-path', 'https'],
    ['terms: https://', 'bad-url', 'https://'],
    ['language: Swedish please', 'bad-language', 'BCP 47'],
    ['featured: heron', 'not-a-list', 'featured: [one, two]'],
    ['featured: [heron, heron]', 'repeated-entry', 'Keep one'],
    [`featured: [${Array.from({ length: 13 }, (_, n) => `book-${n}`)}]`, 'too-many', 'at most 12'],
    ['awning: [x]', 'not-a-text', 'one text'],
    ['logo: {a: b}', 'not-a-text', 'one text'],
    ['contact: "a\\0@b.example"', 'control-character', 'Remove'],
    ['awning: &a "#000000"', 'yaml-anchor', 'Remove'],
  ])('%p is refused as %p', (yaml, code, remedy) => {
    const { stall, problems } = parseStallManifest(`name: The Heron\n${yaml}`);
    expect(problems.map((problem) => problem.code)).toEqual([code]);
    expect(stall.name).toBe('The Heron');
    for (const problem of problems) {
      expect(problem).toMatchObject({ severity: 'error', path: 'stall.yaml', client: null });
      expect(problem.remedy).toContain(remedy);
    }
  });

  test.each(['name: ""', 'name: [x]', `name: ${'x'.repeat(81)}`, 'name: "a\\nb"'])(
    '%p leaves the name as it is',
    (yaml) => {
      const { stall, problems } = parseStallManifest(`${yaml}\nawning: "#000000"`);
      expect(problems).toHaveLength(1);
      expect(stall).toEqual({ ...defaultStallManifest, awning: '#000000' });
    },
  );

  test.each(['- a', 'name', 'name: x\n---\nname: y', 'a: "', '\u0000'])('%p is no stall.yaml', (yaml) => {
    const { stall, problems } = parseStallManifest(yaml);
    expect(stall).toEqual(defaultStallManifest);
    expect(problems.length).toBeGreaterThan(0);
  });
});
