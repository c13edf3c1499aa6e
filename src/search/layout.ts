/**
 * Facts about a book's passages that scoring needs, by passage number: from 1 to `total`, with an empty passage of no
 * chapter before and after. `penalty` is BM25's for the length of a text; `chapterSize` counts passages.
 */
export type Layout = {
  readonly total: number;
  readonly penalty: Float64Array;
  readonly chapter: Int32Array;
  readonly chapterSize: readonly number[];
};

const K1 = 1.2;
const B = 0.75;
/** A term counts at most this many times its weight, however often it occurs. */
export const MOST_PER_TERM = K1 + 1;

/** The layout of passages with these lengths in tokens and these chapters, the first passage first. */
export function layOut(lengths: ArrayLike<number>, chapters: ArrayLike<number>): Layout {
  const total = lengths.length;
  let sum = 0;
  for (let i = 0; i < total; i++) sum += lengths[i]!;
  const average = sum / Math.max(1, total);
  const penalty = new Float64Array(total + 2);
  const chapter = new Int32Array(total + 2).fill(-1);
  const chapterSize: number[] = [];
  for (let i = 0; i < total; i++) {
    penalty[i + 1] = K1 * (1 - B + (B * lengths[i]!) / average);
    const one = chapters[i]!;
    chapter[i + 1] = one;
    chapterSize[one] = (chapterSize[one] ?? 0) + 1;
  }
  return { total, penalty, chapter, chapterSize };
}

/** The score that `count` occurrences of a term of weight 1 add to a passage. */
export function saturate(count: number, penalty: number): number {
  return (count * MOST_PER_TERM) / (count + penalty);
}
