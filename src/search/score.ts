// BM25 as in Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond" (2009), with the k1 and b
// of SQLite's ext/fts5/fts5_aux.c; FTS5's own function returns one number for all terms and phrases.
import type { Layout } from './layout.ts';
import { passageOf, type Term } from './occurrence.ts';

/** Scores by passage number: `bm25` sums the terms, `phrase` the pairs of terms at the same distance as in the question. */
export type Scores = { readonly bm25: Float64Array; readonly phrase: Float64Array };

const K1 = 1.2;
const B = 0.75;
/** A term counts at most this many times its weight, however often it occurs. */
export const MOST_PER_TERM = K1 + 1;

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

/** The score that `count` occurrences of a term of weight 1 add to a passage. */
export function saturate(count: number, passage: number, { length, average }: Layout): number {
  return (count * (K1 + 1)) / (count + K1 * (1 - B + (B * length[passage]!) / average));
}

function addTerm(scores: Float64Array, { places, weight }: Term, layout: Layout): void {
  for (let i = 0; i < places.length;) {
    const passage = passageOf(places[i]!);
    const from = i;
    while (i < places.length && passageOf(places[i]!) === passage) i++;
    scores[passage]! += weight * saturate(i - from, passage, layout);
  }
}

function distances(first: Term, second: Term): ReadonlySet<number> {
  const all = first.at.flatMap((from) => second.at.map((to) => to - from));
  return new Set(all.filter((distance) => distance > 0 && distance <= NEAR));
}

/** Adds the lesser weight of a pair to each passage that holds it at this distance, in one pass over both. */
function addPairs(scores: Float64Array, first: Term, second: Term, distance: number): void {
  const weight = Math.min(first.weight, second.weight);
  let last = 0;
  for (let i = 0, j = 0; i < first.places.length && j < second.places.length;) {
    const gap = second.places[j]! - first.places[i]!;
    const passage = passageOf(first.places[i]!);
    if (gap === distance && passage !== last) {
      scores[passage]! += weight;
      last = passage;
    }
    if (gap <= distance) j++;
    else i++;
  }
}
