import type { Layout } from './layout.ts';
import { isInHeading, offsetOf, passageOf, type Term } from './occurrence.ts';

/**
 * The occurrences of the terms in one passage: the count of each, whether its heading has it, and all places in the
 * text, in order.
 */
export type Evidence = {
  readonly counts: Uint32Array;
  readonly inHeading: Uint8Array;
  readonly places: (readonly [offset: number, term: number])[];
};

/** Gathers the evidence of the candidates and of their neighbours. */
export function gatherEvidence(
  candidates: readonly number[],
  terms: readonly Term[],
): ReadonlyMap<number, Evidence> {
  const gathered = new Map<number, Evidence>();
  for (const passage of candidates.flatMap((one) => [one - 1, one, one + 1]))
    gathered.set(passage, {
      counts: new Uint32Array(terms.length),
      inHeading: new Uint8Array(terms.length),
      places: [],
    });
  for (const [t, { places }] of terms.entries())
    for (const place of places) {
      const evidence = gathered.get(passageOf(place));
      if (evidence === undefined) continue;
      evidence.counts[t]!++;
      if (isInHeading(place)) evidence.inHeading[t] = 1;
      else evidence.places.push([offsetOf(place), t]);
    }
  for (const { places } of gathered.values()) places.sort(([a], [b]) => a - b);
  return gathered;
}

/** For each chapter of the candidates, the number of its passages that hold each term. */
export function gatherChapters(
  candidates: readonly number[],
  terms: readonly Term[],
  { chapter }: Layout,
): ReadonlyMap<number, Uint32Array> {
  const gathered = new Map<number, Uint32Array>();
  for (const passage of candidates) gathered.set(chapter[passage]!, new Uint32Array(terms.length));
  for (const [t, { places }] of terms.entries()) {
    let last = 0;
    for (const place of places) {
      const passage = passageOf(place);
      if (passage === last) continue;
      last = passage;
      const counts = gathered.get(chapter[passage]!);
      if (counts !== undefined) counts[t]!++;
    }
  }
  return gathered;
}

/** The greatest sum of the weights of distinct terms within `width` tokens. */
export function bestWindow(places: Evidence['places'], weights: readonly number[], width: number): number {
  const counts = new Uint32Array(weights.length);
  let sum = 0;
  let best = 0;
  let from = 0;
  for (const [offset, term] of places) {
    for (; places[from]![0] <= offset - width; from++) {
      const left = places[from]![1];
      if (--counts[left]! === 0) sum -= weights[left]!;
    }
    if (counts[term]!++ === 0) sum += weights[term]!;
    best = Math.max(best, sum);
  }
  return best;
}
