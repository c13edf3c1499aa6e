import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { stringify } from 'yaml';
import { isFree, itemKey } from '../../src/catalog/item.rule.ts';
import { openingOf, parseManifest } from '../../src/catalog/manifest.rule.ts';
import { runs } from '../helpers/runs.ts';

const lines = {
  id: 'id: bk_notes',
  title: 'title: Field Notes',
  description: 'description: Notes from the field',
  publisher: 'publisher: Ada',
  unitAmountCents: 'unitAmountCents: 1900',
};

const book = (changes: Record<string, string> = {}) =>
  parseManifest({
    kind: 'book',
    slug: 'field-notes',
    yaml: Object.values({ ...lines, ...changes }).join('\n'),
  });

const codes = (result: { problems: readonly { code: string }[] }) =>
  result.problems.map((problem) => problem.code);

test('a minimal book takes the defaults', () => {
  const { manifest, problems } = book();
  expect(problems).toEqual([]);
  expect(manifest).toEqual({
    kind: 'book',
    id: 'bk_notes',
    slug: 'field-notes',
    title: 'Field Notes',
    description: 'Notes from the field',
    publisher: 'Ada',
    unitAmountCents: 1900,
    suggestedAmountCents: null,
    currency: 'usd',
    status: 'published',
    formerly: [],
    expected: null,
    progress: null,
    version: null,
    changes: null,
    language: null,
    math: false,
    license: null,
    tags: [],
    authors: [],
    praise: [],
    guarantee: null,
    cover: null,
    aliases: {},
    accessibility: null,
    chapters: null,
    sample: [],
    checkoutUrl: null,
    sell: null,
    contact: null,
    include: [],
    formats: [],
  });
});

test('every key is read', () => {
  const { manifest, problems } = book({
    more: [
      'currency: jpy',
      'status: archived',
      'version: 1.10',
      'language: pt-br',
      'license: CC-BY-4.0',
      'tags: [a, no, "1e2"]',
      'authors:\n  - Ada\n  - name: Grace\n    about: |\n      Wrote *it*.\n\n      ![her](grace.png)\n    url: https://grace.example',
      'praise:\n  - {quote: Read it twice., by: Lin}\n  - {quote: Good., by: Lin, url: https://lin.example}',
      'guarantee: Thirty days',
      'cover: img/cover.PNG',
      'accessibility: {certifiedBy: Quince Press}',
      'chapters:\n  - one.md\n  - path: two.md\n    title: The second',
      'sample: [one.md]',
      'checkoutUrl: https://pay.example/b?x=1#y',
      'contact: ada@example.org',
      'include: [.nojekyll]',
      'formats: [out/notes.EPUB, notes.pdf]',
    ].join('\n'),
  });
  expect(problems).toEqual([]);
  expect(manifest).toMatchObject({
    currency: 'jpy',
    status: 'archived',
    version: '1.10',
    language: 'pt-BR',
    license: 'CC-BY-4.0',
    tags: ['a', 'no', '1e2'],
    authors: [
      { name: 'Ada', about: null, url: null },
      { name: 'Grace', about: 'Wrote *it*.\n\n![her](grace.png)\n', url: 'https://grace.example' },
    ],
    praise: [
      { quote: 'Read it twice.', by: 'Lin', url: null },
      { quote: 'Good.', by: 'Lin', url: 'https://lin.example' },
    ],
    guarantee: 'Thirty days',
    cover: 'img/cover.PNG',
    accessibility: { certifiedBy: 'Quince Press' },
    chapters: [
      { path: 'one.md', title: null },
      { path: 'two.md', title: 'The second' },
    ],
    sample: ['one.md'],
    checkoutUrl: 'https://pay.example/b?x=1#y',
    contact: 'ada@example.org',
    include: ['.nojekyll'],
    formats: ['out/notes.EPUB', 'notes.pdf'],
  });
});

describe('the price', () => {
  test.each([
    ['0', 0],
    ['1', 1],
    ['1900', 1900],
    ['"1900"', 1900],
    ['1900 # a comment', 1900],
    ['999999999', 999_999_999],
  ])('%s is read as %d', (written, cents) => {
    const { manifest } = book({ unitAmountCents: `unitAmountCents: ${written}` });
    expect(manifest?.unitAmountCents).toBe(cents);
  });

  test.each([
    ['29', 'usd', 'The price is $0.29: "unitAmountCents" counts hundredths', '2900" if you meant $29'],
    ['1', 'eur', 'The price is €0.01: "unitAmountCents" counts hundredths', '100" if you meant €1'],
    ['99', 'usd', 'The price is $0.99: "unitAmountCents" counts hundredths', '9900" if you meant $99'],
  ])('of %s %s is a warning: %s', (cents, currency, sentence, remedy) => {
    const { manifest, problems } = book({
      unitAmountCents: `unitAmountCents: ${cents}\ncurrency: ${currency}`,
    });
    expect(manifest?.unitAmountCents).toBe(Number(cents));
    expect(problems).toMatchObject([{ code: 'low-price', severity: 'warning', path: 'item.yaml', sentence }]);
    expect(problems[0]?.remedy).toEndWith(remedy);
  });

  test.each([
    ['0', 'usd'],
    ['100', 'usd'],
    ['29', 'jpy'],
    ['99', 'kwd'],
  ])('of %s %s is no warning', (cents, currency) => {
    const { problems } = book({ unitAmountCents: `unitAmountCents: ${cents}\ncurrency: ${currency}` });
    expect(problems).toEqual([]);
  });

  test.each([
    ['1000000000', 'bad-price'],
    ['1e2', 'bad-price'],
    ['0x10', 'bad-price'],
    ['0o17', 'bad-price'],
    ['017', 'bad-price'],
    ['00', 'bad-price'],
    ['-0', 'bad-price'],
    ['-1', 'bad-price'],
    ['+1', 'bad-price'],
    ['1.10', 'bad-price'],
    ['19.00', 'bad-price'],
    ['1_000', 'bad-price'],
    ['1,000', 'bad-price'],
    ['" 5"', 'bad-price'],
    ['٥', 'bad-price'],
    ['no', 'bad-price'],
    ['null', 'bad-price'],
    ['~', 'bad-price'],
    ['.inf', 'bad-price'],
    ['free', 'bad-price'],
    ['2026-01-01', 'bad-price'],
    ['$19', 'bad-price'],
    ['"5\\n"', 'control-character'],
    ['|\n  5', 'control-character'],
    ['"5\\0"', 'control-character'],
    ['""', 'blank-value'],
    ['', 'blank-value'],
    ['[5]', 'not-a-text'],
    ['{amount: 5}', 'not-a-text'],
    ['!!int 5', 'yaml-tag'],
  ])('%s is refused as %s and never makes an item free', (written, code) => {
    const result = book({ unitAmountCents: `unitAmountCents: ${written}` });
    expect(codes(result)).toEqual([code]);
    expect(result.manifest).toBeNull();
  });

  test('a missing one is refused', () => {
    const result = book({ unitAmountCents: '' });
    expect(result.manifest).toBeNull();
    expect(result.problems[0]).toMatchObject({
      code: 'missing-key',
      sentence: 'Cannot find the key "unitAmountCents"',
    });
  });
});

test.each([
  ['titel: x', 'unknown-key', 'Did you mean "title"?'],
  ['unit_amount_cents: 5', 'unknown-key', 'Did you mean "unitAmountCents"?'],
  ['Tags: [x]', 'unknown-key', 'Did you mean "tags"?'],
  ['constructor: x', 'unknown-key', 'Remove it'],
  ['__proto__: x', 'unknown-key', 'Remove it'],
  ['kind: skill', 'unknown-key', 'Remove it'],
  ['"\\e[31m": x', 'unknown-key', 'Remove it'],
  ['title: again', 'repeated-key', 'Keep one'],
  ['status: publish', 'bad-choice', '"published"'],
  ['status: Draft', 'bad-choice', 'Did you mean "draft"?'],
  ['status: hidden', 'bad-choice', 'Write one of "draft", "announced", "published", "private", "archived"'],
  ['currency: us', 'bad-currency', 'ISO 4217'],
  ['currency: zzz', 'bad-currency', 'ISO 4217'],
  ['language: en_US', 'bad-language', 'BCP 47'],
  ['language: "english language"', 'bad-language', 'BCP 47'],
  ['checkoutUrl: http://pay.example', 'bad-url', 'https://'],
  ['checkoutUrl: javascript:alert(1)', 'bad-url', 'https://'],
  ['checkoutUrl: https:pay.example', 'bad-url', 'https://'],
  ['checkoutUrl: https://', 'bad-url', 'https://'],
  ['checkoutUrl: https://a:b@pay.example', 'bad-url', 'password'],
  ['checkoutUrl: "https://pay.example/a b"', 'bad-url', 'https://'],
  ['cover: run.sh', 'bad-image', 'png'],
  ['tags: one', 'not-a-list', '[one, two]'],
  ['tags:', 'not-a-list', '[one, two]'],
  ['tags: {a: b}', 'not-a-list', '[one, two]'],
  ['tags: [a, [b]]', 'not-a-text', 'one text'],
  ['tags: [a, a]', 'repeated-entry', 'Keep one'],
  ['tags: [a, ""]', 'blank-value', 'remove'],
  ['authors: [{about: x}]', 'blank-value', 'Give it a value'],
  ['authors: [{name: Ada, abuot: x}]', 'unknown-key', 'Did you mean "about"?'],
  ['authors: [{name: Ada, url: "javascript:1"}]', 'bad-url', 'https://'],
  ['authors: [Ada, {name: Ada}]', 'repeated-entry', 'Keep one'],
  ['praise: Good.', 'not-a-list', '[one, two]'],
  ['praise: [Good.]', 'not-a-mapping', '"praise: [{quote: '],
  ['praise: [{quote: Good.}]', 'blank-value', 'Give it a value'],
  [`praise: [{quote: ${'x'.repeat(601)}, by: Lin}]`, 'too-long', 'at most 600'],
  [`praise: [${Array.from({ length: 13 }, (_, n) => `{quote: "${n}", by: Lin}`).join()}]`, 'too-many', '12'],
  ['guarantee: [30, days]', 'not-a-text', 'one text'],
  ['accessibility: AA', 'not-a-mapping', 'certifiedBy: Quince Press'],
  ['accessibility: {certifiedBy: A, conformsTo: AA}', 'unknown-key', 'certifiedBy'],
  ['accessibility: {}', 'blank-value', 'Give it a value'],
  ['guarantee: "a\\nb"', 'control-character', 'Remove'],
  ['version:', 'blank-value', 'remove'],
  ['version: [1]', 'not-a-text', 'one text'],
  ['contact: "a\\u202801"', 'control-character', 'Remove the character'],
  ['license: "\\ud800"', 'control-character', 'Remove the character'],
  ['contact: "a\\u0085b"', 'control-character', 'Remove the character'],
  [`license: ${'x'.repeat(201)}`, 'too-long', '200'],
  ['chapters: one.md', 'not-a-list', '[one, two]'],
  ['chapters: [{title: T}]', 'blank-value', 'value'],
  ['chapters: [{path: a.md, titel: T}]', 'unknown-key', '"path", "title", "level" and "number"'],
  ['chapters: [a.md, {path: a.md}]', 'repeated-entry', 'Keep one'],
  ['<<: {title: x}', 'unknown-key', 'Remove it'],
])('%s is refused as %s', (more, code, remedy) => {
  const result = book({ more });
  expect(codes(result)).toEqual([code]);
  expect(result.manifest).toBeNull();
  expect(result.problems[0]?.remedy).toContain(remedy);
  expect(result.problems[0]?.sentence).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
});

test.each(['bk notes', 'bk.notes', 'ü', 'x'.repeat(65), 'a/b'])('the id %p is refused', (id) => {
  expect(codes(book({ id: `id: "${id}"` }))).toEqual(['bad-id']);
});

test.each([
  ['😀'.repeat(200), []],
  ['😀'.repeat(201), ['too-long']],
])('a title is counted in code points', (title, expected) => {
  expect(codes(book({ title: `title: ${title}` }))).toEqual(expected);
});

test('a description may have several lines', () => {
  const { manifest } = book({ description: 'description: |\n  One\n\n  Two\tthree' });
  expect(manifest?.description).toBe('One\n\nTwo\tthree\n');
});

test('every problem is named at once', () => {
  const result = parseManifest({
    kind: 'book',
    slug: 'x',
    yaml: 'titel: x\nunitAmountCents: 1e2\nstatus: gone\ntags: [a, a]\nversion: &v 1\nid: ""\n',
  });
  expect(codes(result).sort()).toEqual(
    [
      'bad-choice',
      'bad-price',
      'blank-value',
      'missing-key',
      'missing-key',
      'missing-key',
      'repeated-entry',
      'unknown-key',
      'yaml-anchor',
    ].sort(),
  );
  for (const problem of result.problems) {
    expect(problem).toMatchObject({ severity: 'error', path: 'item.yaml' });
    expect(problem.sentence).toMatch(/^Cannot .*"/);
    expect(`${problem.sentence}${problem.remedy}`).not.toEndWith('.');
  }
});

describe('a skill', () => {
  const skill = { name: 'field-kit', description: 'Tells how' };
  const parse = (yaml: string, frontMatter: typeof skill | null = skill) =>
    parseManifest({ kind: 'skill', slug: 'field-kit', yaml, skill: frontMatter });

  test('takes title and description from SKILL.md', () => {
    const { manifest } = parse('publisher: Ada\nunitAmountCents: 0');
    expect(manifest).toMatchObject({ id: null, title: 'field-kit', description: 'Tells how' });
    expect(manifest && [isFree(manifest), itemKey(manifest)]).toEqual([true, 'field-kit']);
  });

  test('may give its own title and description', () => {
    const { manifest } = parse('publisher: Ada\nunitAmountCents: 5\ntitle: Kit\ndescription: D');
    expect(manifest).toMatchObject({ title: 'Kit', description: 'D', unitAmountCents: 5 });
  });

  test('is refused with an id, and with a description over 1024 characters', () => {
    const { manifest, problems } = parse(
      `publisher: Ada\nunitAmountCents: 0\nid: x\ndescription: ${'x'.repeat(1025)}`,
    );
    expect(manifest).toBeNull();
    expect(problems.map((problem) => problem.code)).toEqual(['skill-id', 'too-long']);
  });

  test('without readable front matter has no manifest, and no second complaint', () => {
    expect(parse('publisher: Ada\nunitAmountCents: 0', null)).toEqual({ manifest: null, problems: [] });
  });
});

test('a book is named by its id, whatever its folder', () => {
  const { manifest } = book();
  expect(manifest && itemKey(manifest)).toBe('bk_notes');
});

test('texts come back unchanged', () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 30 })
    .filter((value) => value.trim() !== '' && !/[\p{Cc}\u2028\u2029]/u.test(value));
  const item = fc.record({
    title: text,
    description: text,
    publisher: text,
    version: text,
    contact: text,
    tags: fc.uniqueArray(text, { maxLength: 5 }),
    sample: fc.uniqueArray(text, { maxLength: 5 }),
    unitAmountCents: fc.integer({ min: 0, max: 999_999_999 }),
  });
  fc.assert(
    fc.property(
      item,
      fc.constantFrom('PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE', 'BLOCK_FOLDED'),
      (source, style) => {
        const options = { schema: 'failsafe', defaultStringType: style, defaultKeyType: 'PLAIN' } as const;
        const yaml = stringify({ id: 'b', ...source, unitAmountCents: `${source.unitAmountCents}` }, options);
        const { manifest, problems } = parseManifest({ kind: 'book', slug: 'b', yaml });
        // A price below one unit is only a warning, of which the test of prices knows.
        expect(problems.filter(({ code }) => code !== 'low-price')).toEqual([]);
        expect(manifest).toMatchObject(source);
      },
    ),
    { numRuns: runs(500) },
  );
});

describe('formerly', () => {
  test.each([
    ['one slug', 'formerly: old-name', ['old-name']],
    ['a list', 'formerly: [one, two-2]', ['one', 'two-2']],
    ['an empty list', 'formerly: []', []],
    ['names of JavaScript', 'formerly: [constructor, valueof]', ['constructor', 'valueof']],
    [
      'as many as are taken',
      `formerly: [${Array.from({ length: 100 }, (_, n) => `s${n}`).join(', ')}]`,
      expect.any(Array),
    ],
  ])('reads %s', (_, line, expected) => {
    const { manifest, problems } = book({ formerly: line });
    expect([manifest?.formerly, problems]).toEqual([expected, []]);
  });

  test.each([
    [
      '10,000 slugs',
      `formerly: [${Array.from({ length: 10_000 }, (_, n) => `s${n}`).join(', ')}]`,
      'too-many',
    ],
    ['a way out of the folder', 'formerly: ../etc', 'bad-former-slug'],
    ['a path', 'formerly: [books/old]', 'bad-former-slug'],
    ['a device of Windows', 'formerly: [con]', 'bad-former-slug'],
    ['the prototype', 'formerly: __proto__', 'bad-former-slug'],
    ['letters beyond ASCII', 'formerly: "b\u00fccher"', 'bad-former-slug'],
    ['capitals', 'formerly: Old', 'bad-former-slug'],
    ['a slug that is too long', `formerly: ${'a'.repeat(65)}`, 'bad-former-slug'],
    ['a slug twice', 'formerly: [one, one]', 'repeated-entry'],
    ['a blank', 'formerly: ""', 'blank-value'],
    ['a mapping', 'formerly: {a: b}', 'not-a-text'],
    ['lists in a list', 'formerly: [[one]]', 'not-a-text'],
  ])('refuses %s', (_, line, code) => {
    const result = book({ formerly: line });
    expect([result.manifest, codes(result)]).toEqual([null, [code]]);
  });

  test('warns of the slug that the item has now', () => {
    const result = book({ formerly: 'formerly: [field-notes, notes]' });
    expect([result.manifest?.formerly, codes(result)]).toEqual([
      ['field-notes', 'notes'],
      ['own-former-slug'],
    ]);
  });
});

test.each<[string, string, string]>([
  ['One heron stands in the reeds all day. It waits.', 'One heron stands in the reeds all day.', 'It waits.'],
  [
    'A heron\nstands in the reeds, all day long.\n\n- It waits',
    'A heron stands in the reeds, all day long.',
    '- It waits',
  ],
  ['By Dr. Heron, who stood in the reeds. Then home.', 'By Dr. Heron, who stood in the reeds.', 'Then home.'],
  ['沼泽里的苍鹭整天一动不动地站着。它在等待。', '沼泽里的苍鹭整天一动不动地站着。', '它在等待。'],
  ['A *heron* stands in the reeds, all day long. Oh.', 'A heron stands in the reeds, all day long.', 'Oh.'],
  [
    'A *heron stands in the reeds all day. It* waits.',
    '',
    'A *heron stands in the reeds all day. It* waits.',
  ],
  ['See [the heron](a.md) stand and wait.', '', 'See [the heron](a.md) stand and wait.'],
  ['# Heron\n\nIt waits.', '', '# Heron\n\nIt waits.'],
  ['![a map](map.png)', '', '![a map](map.png)'],
  ['x'.repeat(400), '', 'x'.repeat(400)],
  ['', '', ''],
])('the opening of %j is %j', (description, sentence, rest) => {
  expect(openingOf({ kind: 'book', description })).toEqual({ sentence, rest });
});
