import { definitionAsked } from '../passages/question/definition.ts';
import { answerAsked } from '../passages/question/answer-type.ts';
import { bestQuotes } from '../passages/quote/best-quote.ts';
import type { FoundPassage, FoundQuote } from '../passages/text/passage.ts';
import { findCandidates } from './candidate.ts';
import { coverageOf } from './coverage.ts';
import { neededCoverage } from './gate.ts';
import { openIndexFile, type IndexFile, type StoredPassage } from './index-file.ts';
import { overlapsOf } from './overlap.ts';
import { rerankScore } from './rerank.ts';
import type { Terms } from './terms.ts';

/**
 * The result of a search, best first. `coverage` is 0 to 1, and 0 if nothing was found; below `neededCoverage` the book
 * does not seem to answer.
 */
export type Found = {
  readonly passages: readonly FoundPassage[];
  readonly quotes: readonly FoundQuote[];
  readonly coverage: number;
  readonly neededCoverage: number;
};

/** An open index; `search` returns at most `limit` passages and three quotes. No question makes it throw. */
export type Index = {
  readonly search: (question: string, limit: number) => Found;
  readonly close: () => void;
};

type IsDefinition = ReturnType<typeof definitionAsked>;
type Ranked = StoredPassage & { readonly number: number; readonly score: number };

const MOST_QUOTES = 3;
/** Passages whose sentences are weighed. */
const QUOTED = 8;
/** Passages that are looked through for a definition, if the question asks for one. */
const QUOTED_FOR_DEFINITION = 24;

/** Opens the index that `buildIndex` wrote; the file is never written and must not change while it is open. */
export function openIndex(file: string): Index {
  const opened = openIndexFile(file);
  return {
    search: (question, limit) => search(opened, question, limit),
    close: opened.close,
  };
}

function search(file: IndexFile, question: string, limit: number): Found {
  const { terms, candidates } = findCandidates(file, question);
  const needed = neededCoverage(file.layout.total);
  if (candidates.length === 0) return { passages: [], quotes: [], coverage: 0, neededCoverage: needed };
  const ranked = candidates
    .map(({ passage, features }) => ({ number: passage, score: rerankScore(features) }))
    .sort((a, b) => b.score - a.score);
  const isDefinition = definitionAsked(question);
  const read = ranked
    .slice(0, Math.max(limit, isDefinition === null ? QUOTED : QUOTED_FOR_DEFINITION))
    .map((one) => ({ ...one, ...file.passage(one.number) }));
  const quoted = read.filter((one, rank) => rank < QUOTED || defines(one, isDefinition));
  return {
    passages: read.slice(0, limit).map(foundPassage),
    quotes: quotesOf(quoted, terms, isDefinition, answerAsked(question)),
    coverage: coverageOf(candidates, terms),
    neededCoverage: needed,
  };
}

function defines({ text, sentences }: Ranked, isDefinition: IsDefinition): boolean {
  return isDefinition !== null && sentences.some(({ start, end }) => isDefinition(text.slice(start, end)));
}

function foundPassage({ number, path, heading, start, end, text, score }: Ranked): FoundPassage {
  return { path, heading, start, end, text, score, order: number };
}

function quotesOf(
  ranked: readonly Ranked[],
  terms: Terms,
  isDefinition: IsDefinition,
  fits: ReturnType<typeof answerAsked>,
): readonly FoundQuote[] {
  const scored = ranked.map((one) => ({
    passage: foundPassage(one),
    sentences: one.sentences,
    overlaps: overlapsOf(one.number, one.sentences, terms),
  }));
  return bestQuotes(scored, MOST_QUOTES, isDefinition ?? undefined, fits ?? undefined);
}
