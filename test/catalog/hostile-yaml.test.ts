import { expect, test } from 'bun:test';
import fc from 'fast-check';
import { parseManifest } from '../../src/catalog/manifest.rule.ts';
import { parseYaml, type YamlValue } from '../../src/platform/base/field.ts';
import { runs } from '../helpers/runs.ts';

const laughs = [
  'a: &a [lol, lol]',
  ...'bcdefghi'.split('').map((name, n) => `${name}: &${name} [*${'abcdefgh'[n]}, *${'abcdefgh'[n]}]`),
].join('\n');

test.each([
  ['an anchor', 'a: &x 1', 'yaml-anchor'],
  ['an anchor on the whole', '&x\na: 1', 'yaml-anchor'],
  ['an anchor on a key', '&x a: 1', 'yaml-anchor'],
  ['an alias', 'a: *x', 'yaml-alias'],
  ['a billion laughs', laughs, 'yaml-anchor'],
  ['a merged alias', 'a: &x {b: c}\nd:\n  <<: *x', 'yaml-anchor'],
  ['a tag', 'a: !!str 1', 'yaml-tag'],
  ['a number tag', 'a: !!int 1', 'yaml-tag'],
  ['a tag of its own', 'a: !run x', 'yaml-tag'],
  ['the empty tag', 'a: ! x', 'yaml-tag'],
  ['a tag by directive', '%TAG ! tag:x,2000:\n---\na: !b c', 'yaml-tag'],
  ['a tag on a list', 'a: !!seq [x]', 'yaml-tag'],
  ['a tag on a mapping', '!!map\na: b', 'yaml-tag'],
  ['a second document', 'a: 1\n---\nb: 2', 'yaml-second-document'],
  ['a second document after an end', 'a: 1\n...\nb: 2', 'yaml-second-document'],
  ['a repeated key', 'a: 1\n"a": 2', 'repeated-key'],
  ['a nested repeated key', 'a: {b: 1, b: 2}', 'repeated-key'],
  ['a key that is a list', '? [a]\n: b', 'yaml-key'],
  ['a key that is an alias', '*x : b', 'yaml-key'],
  ['a tab as indentation', 'a:\n\tb: c', 'yaml-syntax'],
  ['an open quotation mark', 'a: "b', 'yaml-syntax'],
  ['a text with a colon', 'a: b: c', 'yaml-syntax'],
  ['a list', '- a', 'yaml-not-a-mapping'],
  ['a text', 'a', 'yaml-not-a-mapping'],
  ['nothing', '', 'yaml-not-a-mapping'],
  ['a comment alone', '# a: b', 'yaml-not-a-mapping'],
  ['13 levels', `a: ${'['.repeat(12)}x${']'.repeat(12)}`, 'yaml-too-deep'],
  ['lines without end', `a: 1\n${'#\n'.repeat(80_000)}`, 'yaml-too-dense'],
  ['10 MB', `a: ${'x'.repeat(10_000_000)}`, 'yaml-too-large'],
  ['1 MiB and a byte, counted in UTF-8', `a: ${'ü'.repeat(2 ** 19 - 1)}`, 'yaml-too-large'],
  ['a control sequence in a tag', 'a: !\u001b[31m x', 'yaml-syntax'],
])('%s is refused', (_, yaml, code) => {
  const { problems } = parseYaml(yaml, 'item.yaml');
  expect(problems[0]).toMatchObject({ severity: 'error', code, path: 'item.yaml' });
  expect(problems[0]?.sentence).not.toMatch(/\p{Cc}/u);
});

test.each([
  ['1e2', '1e2'],
  ['0x10', '0x10'],
  ['1.10', '1.10'],
  ['010', '010'],
  ['0o7', '0o7'],
  ['no', 'no'],
  ['true', 'true'],
  ['null', 'null'],
  ['~', '~'],
  ['', ''],
  ['2026-01-01', '2026-01-01'],
  ['12:30:00', '12:30:00'],
  ['.nan', '.nan'],
  ['9007199254740993', '9007199254740993'],
  ['"x\\0y"', 'x\0y'],
  ["'it''s'", "it's"],
])('the scalar %s is the text %p', (written, text) => {
  for (const yaml of [`a: ${written}`, `\uFEFFa: ${written}\r\n`, `%YAML 1.1\n---\na: ${written}`]) {
    const { entries, problems } = parseYaml(yaml, 'item.yaml');
    expect(problems).toEqual([]);
    expect(entries?.get('a')).toBe(text);
  }
});

test('a problem gives its line', () => {
  const { problems } = parseYaml('a: 1\nb: 2\n\na: 3\n', 'item.yaml');
  expect(problems.map((problem) => problem.sentence)).toEqual(['Cannot use the key "a" twice (line 4)']);
});

// Each of these takes the library's defaults many seconds: quadratic errors, quadratic key comparison, the stack.
test.each([
  ['quotation marks', '"'.repeat(131_072)],
  ['open lists', '['.repeat(131_072)],
  ['open mappings', '{a: '.repeat(32_768)],
  ['dashes', '- '.repeat(65_536)],
  ['commas', `a: [${','.repeat(131_000)}]`],
  ['keys', `{${Array.from({ length: 20_000 }, (_, n) => `k${n}`).join(',')}}`],
  ['aliases', `a: ${'*a '.repeat(43_000)}`],
  ['directives', '%Y\n'.repeat(43_000)],
  ['closing braces', `a: ${'}'.repeat(131_000)}`],
])(
  '128 KiB of %s is refused within seconds',
  (_, yaml) => {
    const { manifest, problems } = parseManifest({ kind: 'book', slug: 'x', yaml });
    expect(manifest).toBeNull();
    expect(problems.length).toBeGreaterThan(0);
  },
  60_000,
);

test('any bytes are read or refused, never thrown at the caller', () => {
  const noise = fc.string({
    unit: fc.constantFrom(...'ab:-[]{}&*!|>%@`"\'#,? \n\t\r\0\u{1F600}'),
    maxLength: 60,
  });
  const isPlain = (value: YamlValue): boolean =>
    typeof value === 'string' || [...value.values()].every((inner) => isPlain(inner));
  fc.assert(
    fc.property(noise, (yaml) => {
      const { entries, problems } = parseYaml(yaml, 'item.yaml');
      expect(entries === null ? problems.length > 0 : isPlain(entries)).toBe(true);
    }),
    { numRuns: runs(3000) },
  );
});
