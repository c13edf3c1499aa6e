// BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the k1 and b
// of SQLite's ext/fts5/fts5_aux.c.
import { type Layout, saturate } from './layout.ts';
import type { Postings } from './postings.ts';
import type { Term } from './terms.ts';

/** Scores by passage number: `bm25` sums the terms, `phrase` the pairs of terms at the same distance as in the question. */
export type Scores = { readonly bm25: Float64Array; readonly phrase: Float64Array };

/** Two words of the question at most this far apart are a pair. */
const NEAR = 3;

/** Scores every passage of the book. */
export function scorePassages(terms: readonly Term[], layout: Layout): Scores {
  const bm25 = new Float64Array(layout.total + 2);
  const phrase = new Float64Array(layout.total + 2);
  for (const term of terms) addTerm(bm25, term, layout);
  for (const first of terms)
    for (const second of terms)
      for (const distance of distances(first, second)) addPairs(phrase, first, second, distance);
  return { bm25, phrase };
}

function addTerm(scores: Float64Array, { postings, weight }: Term, { penalty }: Layout): void {
  const { passages, starts } = postings;
  for (let entry = 0; entry < passages.length; entry++) {
    const passage = passages[entry]!;
    const count = starts[entry + 1]! - starts[entry]!;
    scores[passage] = scores[passage]! + weight * saturate(count, penalty[passage]!);
  }
}

function distances(first: Term, second: Term): ReadonlySet<number> {
  const found = new Set<number>();
  for (const from of first.at)
    for (const to of second.at) if (to > from && to - from <= NEAR) found.add(to - from);
  return found;
}

/** Adds the lesser weight of a pair to each passage that holds it at this distance. */
function addPairs(scores: Float64Array, first: Term, second: Term, distance: number): void {
  const weight = Math.min(first.weight, second.weight);
  const [a, b] = [first.postings, second.postings];
  for (let i = 0, j = 0; i < a.passages.length && j < b.passages.length;) {
    const [left, right] = [a.passages[i]!, b.passages[j]!];
    if (left === right && hasPair(a, i, b, j, distance)) scores[left] = scores[left]! + weight;
    if (left <= right) i++;
    if (right <= left) j++;
  }
}

function hasPair(a: Postings, i: number, b: Postings, j: number, distance: number): boolean {
  return (
    hasDistance(a.offsets, a.starts[i]!, a.headings[i]!, b.offsets, b.starts[j]!, b.headings[j]!, distance) ||
    hasDistance(
      a.offsets,
      a.headings[i]!,
      a.starts[i + 1]!,
      b.offsets,
      b.headings[j]!,
      b.starts[j + 1]!,
      distance,
    )
  );
}

/** Whether two ascending ranges hold a pair of offsets at this distance. */
function hasDistance(
  a: Int32Array,
  fromA: number,
  toA: number,
  b: Int32Array,
  fromB: number,
  toB: number,
  distance: number,
): boolean {
  for (let i = fromA, j = fromB; i < toA && j < toB;) {
    const gap = b[j]! - a[i]!;
    if (gap === distance) return true;
    if (gap < distance) j++;
    else i++;
  }
  return false;
}
