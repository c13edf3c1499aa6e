import { bestWindow, type Evidence, gatherChapters, gatherEvidence, placesIn } from './evidence.ts';
import { type Layout, MOST_PER_TERM, saturate } from './layout.ts';
import type { Scores } from './score.ts';
import type { Term, Terms } from './terms.ts';

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

/** The features of each candidate; `unit` is the number of tokens in a word. */
export function featuresOf(
  candidates: readonly number[],
  terms: Terms,
  scores: Scores,
  layout: Layout,
  unit: number,
): readonly Features[] {
  const { held, weight } = terms;
  const weights = Float64Array.from(held, (term) => term.weight / weight);
  const evidence = gatherEvidence(candidates, held, layout);
  const chapters = gatherChapters(candidates, held, layout);
  const best = bestOfChapters(scores, layout);
  const most = Math.max(Number.MIN_VALUE, ...best);
  const share = (passage: number): number => scores.bm25[passage]! / (MOST_PER_TERM * weight);
  const has = (passage: number, term: number): boolean => evidence.entryOf(passage, term) >= 0;
  const sum = (holds: (term: number) => boolean): number => {
    let total = 0;
    for (let term = 0; term < weights.length; term++) if (holds(term)) total += weights[term]!;
    return total;
  };
  return candidates.map((passage) => {
    const chapter = layout.chapter[passage]!;
    const isBefore = layout.chapter[passage - 1] === chapter;
    const isAfter = layout.chapter[passage + 1] === chapter;
    const before = isBefore ? share(passage - 1) : 0;
    const after = isAfter ? share(passage + 1) : 0;
    const places = placesIn(passage, held, evidence);
    const inChapter = chapters.get(chapter)!;
    return {
      bm25: share(passage),
      phrase: scores.phrase[passage]! / weight,
      coverage: sum((term) => has(passage, term)),
      window: bestWindow(places, weights, WIDE * unit),
      narrow: bestWindow(places, weights, NARROW * unit),
      heading: sum((term) => isInHeading(held[term]!, evidence.entryOf(passage, term))),
      before,
      after,
      around: Math.max(before, after),
      withBefore: sum((term) => has(passage, term) || (isBefore && has(passage - 1, term))),
      withAfter: sum((term) => has(passage, term) || (isAfter && has(passage + 1, term))),
      chapter: sum((term) => inChapter[term]! > 0),
      chapterBest: best[chapter]! / most,
      local: localScore(passage, evidence, held, inChapter, layout),
    };
  });
}

function isInHeading({ postings }: Term, entry: number): boolean {
  return entry >= 0 && postings.headings[entry]! < postings.starts[entry + 1]!;
}

/** BM25 within the chapter: a name that all its passages hold weighs little, an event that happens once weighs much. */
function localScore(
  passage: number,
  { entryOf }: Evidence,
  terms: readonly Term[],
  inChapter: Uint32Array,
  { chapter, chapterSize, penalty }: Layout,
): number {
  const size = chapterSize[chapter[passage]!]!;
  let most = 0;
  let score = 0;
  for (let t = 0; t < terms.length; t++) {
    const { share, postings } = terms[t]!;
    const holding = inChapter[t]!;
    if (holding === 0) continue;
    const weight = share * Math.log(1 + (size + PRIOR_PASSAGES - holding + 0.5) / (holding + 0.5));
    most += MOST_PER_TERM * weight;
    const entry = entryOf(passage, t);
    if (entry < 0) continue;
    score += weight * saturate(postings.starts[entry + 1]! - postings.starts[entry]!, penalty[passage]!);
  }
  return most === 0 ? 0 : score / most;
}

function bestOfChapters({ bm25 }: Scores, { total, chapter, chapterSize }: Layout): Float64Array {
  const best = new Float64Array(chapterSize.length);
  for (let passage = 1; passage <= total; passage++) {
    const one = chapter[passage]!;
    if (bm25[passage]! > best[one]!) best[one] = bm25[passage]!;
  }
  return best;
}
