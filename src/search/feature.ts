import { bestWindow, type Evidence, gatherChapters, gatherEvidence } from './evidence.ts';
import type { Layout } from './layout.ts';
import type { Term, Terms } from './occurrence.ts';
import { MOST_PER_TERM, saturate, type Scores } from './score.ts';

/**
 * The features a candidate is ranked by, each about 0 to 1: shares of the weight of all terms asked for, so that books
 * and questions compare. `before` and `after` score the neighbouring passage of the chapter, `around` the better of the
 * two; `local` weighs terms by how rare they are in the chapter; `chapter` and `chapterBest` show which chapter is meant.
 */
export type Features = Readonly<Record<FeatureName, number>>;

export type FeatureName =
  | 'bm25'
  | 'phrase'
  | 'coverage'
  | 'window'
  | 'narrow'
  | 'heading'
  | 'before'
  | 'after'
  | 'around'
  | 'withBefore'
  | 'withAfter'
  | 'chapter'
  | 'chapterBest'
  | 'local';

/** Widths of the windows in words: about a long sentence, and a clause. */
const WIDE = 30;
const NARROW = 10;
// As with the weights of the whole book: in a chapter of three passages rarity says little.
const PRIOR_PASSAGES = 10;

/** The features of each candidate; `unit` is the number of tokens a word makes. */
export function featuresOf(
  candidates: readonly number[],
  terms: Terms,
  scores: Scores,
  layout: Layout,
  unit: number,
): readonly Features[] {
  const { held, weight } = terms;
  const weights = held.map((term) => term.weight / weight);
  const evidence = gatherEvidence(candidates, held);
  const chapters = gatherChapters(candidates, held, layout);
  const best = bestOfChapters(scores, layout);
  const most = scores.bm25.reduce((a, b) => Math.max(a, b), Number.MIN_VALUE);
  const share = (passage: number): number => scores.bm25[passage]! / (MOST_PER_TERM * weight);
  const sum = (has: (term: number) => boolean): number =>
    weights.reduce((total, one, term) => (has(term) ? total + one : total), 0);
  return candidates.map((passage) => {
    const own = evidence.get(passage)!;
    const chapter = layout.chapter[passage]!;
    const [before, after] = [passage - 1, passage + 1].map((beside) =>
      layout.chapter[beside] === chapter ? { share: share(beside), ...evidence.get(beside)! } : null,
    );
    const withBeside = (beside: Evidence | null | undefined): number =>
      sum((term) => own.counts[term]! > 0 || (beside?.counts[term] ?? 0) > 0);
    const inChapter = chapters.get(chapter)!;
    return {
      bm25: share(passage),
      phrase: scores.phrase[passage]! / weight,
      coverage: withBeside(null),
      window: bestWindow(own.places, weights, WIDE * unit),
      narrow: bestWindow(own.places, weights, NARROW * unit),
      heading: sum((term) => own.inHeading[term] === 1),
      before: before?.share ?? 0,
      after: after?.share ?? 0,
      around: Math.max(before?.share ?? 0, after?.share ?? 0),
      withBefore: withBeside(before),
      withAfter: withBeside(after),
      chapter: sum((term) => inChapter[term]! > 0),
      chapterBest: best[chapter]! / most,
      local: local(passage, own, held, inChapter, layout),
    };
  });
}

/** BM25 within the chapter: a name that all its passages hold weighs little, an event that happens once weighs much. */
function local(
  passage: number,
  { counts }: Evidence,
  terms: readonly Term[],
  inChapter: Uint32Array,
  layout: Layout,
): number {
  const size = layout.chapterSize[layout.chapter[passage]!]!;
  let most = 0;
  let score = 0;
  for (const [t, { share }] of terms.entries()) {
    const holding = inChapter[t]!;
    if (holding === 0) continue;
    const weight = share * Math.log(1 + (size + PRIOR_PASSAGES - holding + 0.5) / (holding + 0.5));
    most += MOST_PER_TERM * weight;
    score += weight * saturate(counts[t]!, passage, layout);
  }
  return most === 0 ? 0 : score / most;
}

function bestOfChapters({ bm25 }: Scores, { total, chapter, chapterSize }: Layout): Float64Array {
  const best = new Float64Array(chapterSize.length);
  for (let passage = 1; passage <= total; passage++) {
    const one = chapter[passage]!;
    best[one] = Math.max(best[one]!, bm25[passage]!);
  }
  return best;
}
