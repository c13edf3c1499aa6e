import type { Layout } from './layout.ts';
import type { Term } from './terms.ts';

const NONE = -1;

/** The occurrences of terms in some passages: the entry of a term's postings in a passage, or -1. */
export type Evidence = { readonly entryOf: (passage: number, term: number) => number };

/** Gathers the evidence of the candidates and of their neighbours. */
export function gatherEvidence(
  candidates: readonly number[],
  terms: readonly Term[],
  { total }: Layout,
): Evidence {
  const slots = new Int32Array(total + 2);
  let used = 0;
  for (const passage of candidates)
    for (let beside = passage - 1; beside <= passage + 1; beside++) slots[beside] ||= ++used;
  const entries = new Int32Array((used + 1) * terms.length).fill(NONE);
  for (const [t, { postings }] of terms.entries()) {
    const { passages } = postings;
    for (let entry = 0; entry < passages.length; entry++) {
      const slot = slots[passages[entry]!]!;
      if (slot > 0) entries[slot * terms.length + t] = entry;
    }
  }
  return { entryOf: (passage, term) => entries[slots[passage]! * terms.length + term]! };
}

/** For each chapter of the candidates, the number of its passages that hold each term. */
export function gatherChapters(
  candidates: readonly number[],
  terms: readonly Term[],
  { chapter }: Layout,
): ReadonlyMap<number, Uint32Array> {
  const gathered = new Map<number, Uint32Array>();
  for (const passage of candidates)
    if (!gathered.has(chapter[passage]!)) gathered.set(chapter[passage]!, new Uint32Array(terms.length));
  for (const [t, { postings }] of terms.entries())
    for (const passage of postings.passages) {
      const counts = gathered.get(chapter[passage]!);
      if (counts !== undefined) counts[t] = counts[t]! + 1;
    }
  return gathered;
}

const TERMS = 64;

/** The offsets of all terms in the text of a passage, ascending, each as 64 times the offset plus the term. */
export function placesIn(passage: number, terms: readonly Term[], { entryOf }: Evidence): Int32Array {
  const places: number[] = [];
  for (const [t, { postings }] of terms.entries()) {
    const entry = entryOf(passage, t);
    if (entry === NONE) continue;
    const { starts, headings, offsets } = postings;
    for (let i = starts[entry]!; i < headings[entry]!; i++) places.push(offsets[i]! * TERMS + t);
  }
  return Int32Array.from(places).sort();
}

/** The greatest sum of the weights of distinct terms within `width` tokens of those places. */
export function bestWindow(places: Int32Array, weights: Float64Array, width: number): number {
  const counts = new Uint32Array(weights.length);
  let sum = 0;
  let best = 0;
  for (let to = 0, from = 0; to < places.length; to++) {
    const offset = Math.floor(places[to]! / TERMS);
    for (; Math.floor(places[from]! / TERMS) <= offset - width; from++) {
      const left = places[from]! % TERMS;
      counts[left] = counts[left]! - 1;
      if (counts[left] === 0) sum -= weights[left]!;
    }
    const term = places[to]! % TERMS;
    if (counts[term] === 0) sum += weights[term]!;
    counts[term] = counts[term]! + 1;
    if (sum > best) best = sum;
  }
  return best;
}
