import { askedTerms, UNITS } from './asked-terms.ts';
import { type Features, featuresOf } from './feature.ts';
import type { IndexFile } from './index-file.ts';
import { type Scores, scorePassages } from './score.ts';
import { lookUpTerms, type Terms } from './terms.ts';

/** The number of a passage that may answer, and its features. */
export type Candidate = { readonly passage: number; readonly features: Features };

/** Candidates for ranking; 98 % of 1,025 questions on FairytaleQA's validation books have their answer among them. */
const MOST = 60;
const PHRASE = 0.7;
const BESIDE = 0.1;

/** The passages with the best plain score: BM25, pairs of words, and a little of their neighbours. */
export function findCandidates(
  file: IndexFile,
  question: string,
): { readonly terms: Terms; readonly candidates: readonly Candidate[] } {
  const { layout, tokenizer } = file;
  const terms = lookUpTerms(file, askedTerms(question, tokenizer));
  const scores = scorePassages(terms.held, layout);
  const passages = bestPassages(scores, layout.total);
  const features = featuresOf(passages, terms, scores, layout, UNITS[tokenizer]);
  return { terms, candidates: passages.map((passage, i) => ({ passage, features: features[i]! })) };
}

/** The passages with the highest scores, the best first, and of equals the first. */
function bestPassages({ bm25, phrase }: Scores, total: number): readonly number[] {
  const best: { readonly passage: number; readonly score: number }[] = [];
  for (let passage = 1; passage <= total; passage++) {
    const beside = bm25[passage - 1]! + bm25[passage + 1]!;
    const score = bm25[passage]! + PHRASE * phrase[passage]! + BESIDE * beside;
    if (score <= (best.length < MOST ? 0 : best[MOST - 1]!.score)) continue;
    let at = best.length;
    while (at > 0 && best[at - 1]!.score < score) at--;
    best.splice(at, 0, { passage, score });
    if (best.length > MOST) best.pop();
  }
  return best.map(({ passage }) => passage);
}
