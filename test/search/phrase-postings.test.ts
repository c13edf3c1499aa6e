import { expect, test } from 'bun:test';
import { createPostings, type Postings, readPostings } from '../../src/search/postings.ts';
import { lookUpTerms, phrasePostings } from '../../src/search/terms.ts';

/** The postings of tokens 0 and 1 in passages, each of a text and a heading. */
function postingsOf(...passages: readonly (readonly [readonly number[], readonly number[]])[]): Postings[] {
  const all = createPostings();
  for (const [i, texts] of passages.entries())
    for (const [which, tokens] of texts.entries()) {
      for (const token of tokens) all.tokens.push(token);
      all.endText(i + 1, which === 1);
    }
  return Array.from(all.parts([0, 1, 2]), (part) =>
    readPostings({ passages: part.passages, bytes: part.bytes.slice() }),
  ).slice(0, 2);
}

test('a phrase occurs where its tokens follow one another, in a text or a heading', () => {
  const [a, b] = postingsOf(
    [[0, 1, 2, 0, 1], [2]],
    [[1, 0, 2, 1], [0]],
    [[0], [1, 0, 1]],
    [
      [2, 2],
      [0, 1],
    ],
  );
  const { passages, starts, headings, offsets } = phrasePostings([a!, b!]);
  expect([...passages]).toEqual([1, 3, 4]);
  expect([...starts]).toEqual([0, 2, 3, 4]);
  expect([...headings]).toEqual([2, 2, 3]);
  expect([...offsets]).toEqual([0, 3, 1, 0]);
});

test.each([
  ['that fill a very long book', 25_000, ['w0', 'w1']],
  ['of which one alone is too much', 400_000, ['w0']],
  ['of a book of a thousand passages', 1000, ['w0', 'w1', 'w2', 'w3', 'w4']],
])('of words %s, the rarest are read', (_, count, expected) => {
  const read: string[] = [];
  const [none] = postingsOf([[], []]);
  const asked = [4, 1, 3, 0, 2].map((at) => ({ at: [at], share: 1, isName: false, tokens: [`w${at}`] }));
  const { held } = lookUpTerms(
    {
      tokenizer: 'word',
      aliases: new Map(),
      layout: { total: count, penalty: new Float64Array(), chapter: new Int32Array(), chapterSize: [] },
      count: (token) => count + Number(token.slice(1)),
      postings: (token) => (read.push(token), none!),
      passage: () => {
        throw new Error('no passage is read');
      },
      close: () => {},
    },
    asked,
  );
  expect(read).toEqual(expected);
  expect(held).toHaveLength(expected.length);
});
