import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { createPostings, mergePostings, type Postings, readPostings } from '../../src/search/postings.ts';

type Place = readonly [passage: number, isHeading: boolean, offset: number];
/** For each passage a text and a heading of tokens. */
type Texts = readonly (readonly [text: readonly number[], heading: readonly number[]])[];

const TOKENS = 4;
const anyTexts: fc.Arbitrary<Texts> = fc.array(
  fc.tuple(fc.array(fc.nat(TOKENS - 1), { maxLength: 400 }), fc.array(fc.nat(TOKENS - 1), { maxLength: 4 })),
  { maxLength: 6 },
);

function storedPostings(texts: Texts): ReadonlyMap<number, Postings> {
  const postings = createPostings();
  texts.forEach((both, passage) =>
    both.forEach((tokens, heading) => {
      tokens.forEach(postings.tokens.push);
      postings.endText(passage + 1, heading === 1);
    }),
  );
  const order = Array.from({ length: TOKENS }, (_, token) => token);
  return new Map(Array.from(postings.parts(order), (part) => [part.token, readPostings(part)]));
}

function placesOf({ passages, starts, headings, offsets }: Postings): readonly Place[] {
  return Array.from(passages).flatMap((passage, entry) =>
    Array.from(offsets.subarray(starts[entry], starts[entry + 1]), (offset, i): Place => [
      passage,
      starts[entry]! + i >= headings[entry]!,
      offset,
    ]),
  );
}

function expected(texts: Texts, wanted: readonly number[]): readonly Place[] {
  return texts.flatMap((both, passage) =>
    both.flatMap((tokens, heading) =>
      tokens.flatMap((token, offset): Place[] =>
        wanted.includes(token) ? [[passage + 1, heading === 1, offset]] : [],
      ),
    ),
  );
}

describe('postings', () => {
  test('are read as they were written', () => {
    fc.assert(
      fc.property(anyTexts, (texts) => {
        for (const [token, postings] of storedPostings(texts))
          expect(placesOf(postings)).toEqual(expected(texts, [token]));
      }),
    );
  });

  test('of several tokens merge to those of either', () => {
    fc.assert(
      fc.property(anyTexts, (texts) => {
        const stored = storedPostings(texts);
        const merged = mergePostings([0, 1, 2].map((token) => stored.get(token)!));
        expect(placesOf(merged)).toEqual(expected(texts, [0, 1, 2]));
      }),
    );
  });

  test('of no token are empty', () => {
    expect(placesOf(mergePostings([]))).toEqual([]);
  });
});
