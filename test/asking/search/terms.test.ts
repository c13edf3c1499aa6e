import { expect, test } from 'bun:test';
import { type IndexFile, PASSAGE } from '../../../src/asking/search/index-file.sql.ts';
import { lookUpTerms } from '../../../src/asking/search/terms.ts';

const FILE: Omit<IndexFile, 'total' | 'count' | 'places'> = {
  tokenizer: 'word',
  aliases: new Map(),
  lengths: new Float64Array(),
  sections: [],
  sectionOf: new Int32Array(),
  vocabulary: () => '\n',
  headings: () => [],
  shrink: () => {},
  passage: () => {
    throw new Error('no passage is read');
  },
  close: () => {},
};
/** A token that each of so many passages has once. */
const inEach = (passages: number) => ({ passages, places: passages });
const asked = (...tokens: readonly string[]) =>
  tokens.map((token, at) => ({
    ...{ word: token, at: [at], share: 1, tokens: [token] },
    ...{ isName: false, isPart: false, isTitle: false },
  }));

test.each([
  ['that fill a very long book', 20_000, ['w0', 'w1']],
  ['of which one alone is too much', 400_000, ['w0']],
  ['of a book of a thousand passages', 1000, ['w0', 'w1', 'w2', 'w3', 'w4']],
])('of words %s, the rarest are read', (_, count, expected) => {
  const read: string[] = [];
  const { held } = lookUpTerms(
    {
      ...FILE,
      total: 4 * count,
      count: (token) => inEach(count + Number(token.slice(1))),
      places: (token) => (read.push(token), []),
    },
    asked('w4', 'w1', 'w3', 'w0', 'w2'),
  );
  expect(read).toEqual(expected);
  expect(held).toHaveLength(expected.length);
});

test('compounds are looked for of 64 words at most, each through the whole vocabulary', () => {
  let read = 0;
  const vocabulary = () => (read++, '\nwarndreieck\n');
  const file = { ...FILE, vocabulary, total: 10, places: () => [1 * PASSAGE] };
  const words = Array.from({ length: 1300 }, (_, n) =>
    `dreieck${n}`.replace(/\d/g, (d) => 'abcdefghij'[+d]!),
  );
  lookUpTerms({ ...file, count: () => inEach(1) }, asked(...words));
  expect(read).toBeWithin(1, 65);
  const [held] = lookUpTerms(
    { ...file, count: (token) => inEach(Number(token === 'warndreieck')) },
    asked('dreieck'),
  ).held;
  expect(held!.tokens).toContain('warndreieck');
});

test('a phrase is where its words follow one another in a passage', () => {
  const words = [['a', 'b', 'c', 'a', 'b'], ['b', 'a', 'c', 'b'], ['a'], ['b', 'a', 'b']];
  const { held } = lookUpTerms(
    {
      ...FILE,
      total: words.length,
      count: () => inEach(1),
      places: (token) =>
        words.flatMap((passage, n) =>
          passage.flatMap((word, offset) => (word === token ? [(n + 1) * PASSAGE + offset] : [])),
        ),
    },
    asked('a b'),
  );
  expect(held.map(({ places }) => places)).toEqual([[PASSAGE, PASSAGE + 3, 4 * PASSAGE + 1]]);
});
