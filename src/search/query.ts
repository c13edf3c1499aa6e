import { bestQuotes } from '../passages/quote/best-quote.ts';
import type { FoundPassage, FoundQuote } from '../passages/text/passage.ts';
import { findCandidates } from './candidate.ts';
import { coverageOf } from './coverage.ts';
import { openIndexFile, type IndexFile, type StoredPassage } from './index-file.ts';
import { overlapsOf } from './overlap.ts';
import { rerankScore } from './rerank.ts';
import type { Terms } from './terms.ts';

/** The result of a search, best first. `coverage` is 0 to 1, and 0 when nothing was found. */
export type Found = {
  readonly passages: readonly FoundPassage[];
  readonly quotes: readonly FoundQuote[];
  readonly coverage: number;
};

/** An open index; `search` returns at most `limit` passages and three quotes. No question makes it throw. */
export type Index = {
  readonly search: (question: string, limit: number) => Found;
  readonly close: () => void;
};

type Ranked = StoredPassage & { readonly number: number; readonly score: number };

const NOTHING: Found = { passages: [], quotes: [], coverage: 0 };
const MOST_QUOTES = 3;
/** Passages whose sentences are weighed. */
const QUOTED = 8;

/** Opens the index that `buildIndex` wrote; the file is never written and must not change while it is open. */
export function openIndex(file: string): Index {
  const opened = openIndexFile(file);
  return { search: (question, limit) => search(opened, question, limit), close: opened.close };
}

function search(file: IndexFile, question: string, limit: number): Found {
  const { terms, candidates } = findCandidates(file, question);
  if (candidates.length === 0) return NOTHING;
  const ranked = candidates
    .map(({ passage, features }) => ({ number: passage, score: rerankScore(features) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
    .map((one) => ({ ...one, ...file.passage(one.number) }));
  return {
    passages: ranked.map(foundPassage),
    quotes: quotesOf(ranked.slice(0, QUOTED), terms),
    coverage: coverageOf(candidates, terms),
  };
}

function foundPassage({ path, heading, start, end, text, score }: Ranked): FoundPassage {
  return { path, heading, start, end, text, score };
}

function quotesOf(ranked: readonly Ranked[], terms: Terms): readonly FoundQuote[] {
  const judged = ranked.map((one) => ({
    passage: foundPassage(one),
    sentences: one.sentences,
    overlaps: overlapsOf(one.number, one.sentences, terms),
  }));
  return bestQuotes(judged, MOST_QUOTES);
}
