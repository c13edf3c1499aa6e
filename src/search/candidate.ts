import type { Database } from 'bun:sqlite';
import type { Tokenizer } from '../passages/text/tokenizer.ts';
import { askedTerms, UNITS } from './asked-terms.ts';
import { type Features, featuresOf } from './feature.ts';
import { type Layout, readLayout } from './layout.ts';
import { openOccurrences, type Terms } from './occurrence.ts';
import { type Scores, scorePassages } from './score.ts';
import type { Tokens } from './tokens.ts';

/** The number of a passage that may answer, and its features. */
export type Candidate = { readonly passage: number; readonly features: Features };

/** Candidates for ranking; 98 % of 1,025 questions on FairytaleQA's validation books have their answer among them. */
const MOST = 60;
const PHRASE = 0.7;
const BESIDE = 0.1;

/** The passages with the best plain score: BM25, pairs of words, and a little of their neighbours. */
export function openCandidates(db: Database, tokenizer: Tokenizer, tokens: Tokens) {
  const layout = readLayout(db);
  const termsOf = openOccurrences(db, layout.total);
  return (question: string): { readonly terms: Terms; readonly candidates: readonly Candidate[] } => {
    const terms = termsOf(askedTerms(question, tokenizer, tokens));
    return { terms, candidates: findCandidates(terms, layout, UNITS[tokenizer]) };
  };
}

function findCandidates(terms: Terms, layout: Layout, unit: number): readonly Candidate[] {
  const scores = scorePassages(terms.held, layout);
  const passages = bestPassages(scores, layout.total);
  const features = featuresOf(passages, terms, scores, layout, unit);
  return passages.map((passage, i) => ({ passage, features: features[i]! }));
}

function bestPassages({ bm25, phrase }: Scores, total: number): readonly number[] {
  const found: { readonly passage: number; readonly score: number }[] = [];
  for (let passage = 1; passage <= total; passage++) {
    const beside = bm25[passage - 1]! + bm25[passage + 1]!;
    const score = bm25[passage]! + PHRASE * phrase[passage]! + BESIDE * beside;
    if (score > 0) found.push({ passage, score });
  }
  found.sort((a, b) => b.score - a.score || a.passage - b.passage);
  return found.slice(0, MOST).map(({ passage }) => passage);
}
