import type { Postings } from './postings.ts';
import type { IndexedSentence } from './sentences.ts';
import type { Terms } from './terms.ts';

/** The share of the question's weight, 0 to 1, that each sentence of a passage holds. */
export function overlapsOf(
  passage: number,
  sentences: readonly IndexedSentence[],
  { held, weight }: Terms,
): readonly number[] {
  const overlaps = Array<number>(sentences.length).fill(0);
  for (const { postings, weight: own } of held) {
    const entry = entryIn(postings, passage);
    if (entry < 0) continue;
    const { starts, headings, offsets } = postings;
    let s = 0;
    let last = -1;
    for (let i = starts[entry]!; i < headings[entry]!; i++) {
      while (s < sentences.length && sentences[s]!.to <= offsets[i]!) s++;
      if (s === last || s === sentences.length || sentences[s]!.from > offsets[i]!) continue;
      overlaps[s] = overlaps[s]! + own / weight;
      last = s;
    }
  }
  return overlaps;
}

/** The entry of a passage among the ascending passages of a term, or -1. */
function entryIn({ passages }: Postings, passage: number): number {
  let [low, high] = [0, passages.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (passages[middle]! < passage) low = middle + 1;
    else high = middle;
  }
  return passages[low] === passage ? low : -1;
}
