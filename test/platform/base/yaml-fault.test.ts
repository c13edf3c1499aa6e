import { expect, test } from 'bun:test';
import { parseYaml } from '../../../src/platform/base/field.ts';

const QUOTE = 'quotation mark " that opens there is not closed';

test.each([
  ['an open quotation mark', 'title: "Foo\npublisher: P\n', 1, QUOTE],
  ['one before other quotation marks', 'title: "Foo\npublisher: P\nversion: "1.0"\n', 1, QUOTE],
  ['one before an empty line', 'title: "Foo\n\npublisher: "P"\n', 1, QUOTE],
  ['one before a key', '"title: Foo\npublisher: "P"\nversion: 1\n', 1, QUOTE],
  ['an open single one', "title: Foo\npublisher: 'P\nversion: 1\n", 2, "quotation mark ' that opens"],
  ['an apostrophe between single ones', "title: 'It's here'\n", 1, 'after a closing quotation mark'],
  ['an open bracket', 'title: Foo\ntags: [one, two\npublisher: P\n', 2, 'bracket [ that opens there'],
  ['an open brace', 'sell: {stripe: plink_1\ntitle: Foo\n', 1, 'bracket { that opens there'],
  ['an open bracket at the end', 'title: Foo\ntags: [\n', 2, 'bracket [ that opens there'],
  ['a colon in a value', 'title: Foo: a story\n', 1, 'has a ": " in it'],
  ['an indented key', 'title: Foo\n  publisher: P\n', 1, 'lines below it that are indented'],
  ['a line without a key', 'title: Foo\njust words\nversion: 1\n', 2, 'not a "key: value" line'],
  ['a last line without a key', 'title: Foo\nwords\n', 2, 'not a "key: value" line'],
  ['a tab', 'sell:\n\tstripe: plink_1\n', 2, 'with a tab'],
  ['a sign at the beginning', 'title: @foo\n', 1, 'cannot begin with that sign'],
])('%s is told with the line where it is', (_, yaml, line, said) => {
  const [problem] = parseYaml(yaml, 'item.yaml').problems;
  expect(problem?.sentence).toStartWith(`Cannot parse line ${line}: `);
  expect(problem?.sentence).toContain(said);
  expect(`${problem?.sentence} ${problem?.remedy}`).not.toMatch(/implicit|compact|flow|scalar|node|token/i);
});

test('a text in quotation marks over several lines is no fault, and none is blamed on it', () => {
  const text = 'title: "Foo\n  and more"\npublisher: P\n';
  expect(parseYaml(text, 'item.yaml').problems).toEqual([]);
  expect(parseYaml(`${text}version: 1: 2\n`, 'item.yaml').problems).toMatchObject([
    { sentence: expect.stringContaining('line 4') },
  ]);
});

test.each(['"', '[', '{', "a: '\n", 'a: [\n', '"a\n'])(
  'a megabyte of %j has at most five problems',
  (one) => {
    const { problems } = parseYaml(one.repeat(2 ** 18 / one.length), 'item.yaml');
    expect(problems.length).toBeLessThanOrEqual(5);
    expect(problems.length).toBeGreaterThan(0);
  },
);
