import { answerAsked, definitionAsked } from '../passages/question-words.ts';
import { bestQuotes } from '../passages/best-quote.ts';
import type { FoundPassage, FoundQuote } from '../passages/split.ts';
import { type IndexFile, openIndexFile, type StoredPassage } from './index-file.ts';
import { type Features, featuresOf, rerankScore, scorePassages, type Scores } from './score.ts';
import { askedTerms, lookUpTerms, type Terms, UNITS } from './terms.ts';
import trained from './gate.json';
import type { Postings } from './postings.ts';
import type { IndexedSentence } from './sentences.ts';

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

type IsDefinition = ((sentence: string) => boolean) | null;
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
function coverageOf(candidates: readonly Candidate[], { weight, lackingNames }: Terms): number {
  if (candidates.length === 0) return 0;
  const best = Math.max(...candidates.map(({ features: { bm25, phrase } }) => bm25 + PHRASE * phrase));
  const held = (best * weight) / (weight + lackingNames);
  return Math.min(1, held * (Math.max(POOR, weight) / RICH) ** RICHNESS);
}

/**
 * The coverage below which a book of so many passages does not seem to answer: the more passages a book has, the better
 * one of them matches any question. Trained by `bun run train:gate`. It detects other subjects, not gaps in the book.
 */
export function neededCoverage(passages: number): number {
  const { base, from, exponent, most } = trained;
  return base * (Math.max(from, Math.min(passages, most)) / from) ** exponent;
}

/** The share of the question's weight, 0 to 1, that each sentence of a passage holds. */
function overlapsOf(
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

/** The number of a passage that may answer, and its features. */
type Candidate = { readonly passage: number; readonly features: Features };

/** Candidates for ranking; 98 % of 1,025 questions on FairytaleQA's validation books have their answer among them. */
const MOST = 60;
const PHRASE_SHARE = 0.7;
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
    const score = bm25[passage]! + PHRASE_SHARE * phrase[passage]! + BESIDE * beside;
    if (score <= (best.length < MOST ? 0 : best[MOST - 1]!.score)) continue;
    let at = best.length;
    while (at > 0 && best[at - 1]!.score < score) at--;
    best.splice(at, 0, { passage, score });
    if (best.length > MOST) best.pop();
  }
  return best.map(({ passage }) => passage);
}
