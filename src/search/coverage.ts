import type { Candidate } from './candidate.ts';
import type { Terms } from './terms.ts';

// Chosen on FairytaleQA's train split and SQuAD, each question also asked of another book: test/bench/qa.md.
const PHRASE = 0.3;
const RICHNESS = 0.4;
const RICH = 40;
/** No question counts as poorer than this: the name of a book's hero is in all its passages and weighs nothing. */
const POOR = 5;

/**
 * How well the best passage matches the question, 0 to 1: normalised BM25 with pairs of words. A name that the book
 * lacks counts twice. A question of few or common words needs a better match than one of many rare words.
 */
export function coverageOf(candidates: readonly Candidate[], { weight, lackingNames }: Terms): number {
  if (candidates.length === 0) return 0;
  const best = Math.max(...candidates.map(({ features: { bm25, phrase } }) => bm25 + PHRASE * phrase));
  const held = (best * weight) / (weight + lackingNames);
  return Math.min(1, held * (Math.max(POOR, weight) / RICH) ** RICHNESS);
}
