import type { FoundPassage, WeightedTerm } from './passage.ts';
import { QUOTE_WORDS } from './quote.ts';
import { type Range, sentencesOf } from './sentence.ts';
import { countWords, cutToWords } from './words.ts';

/** A stretch of `passage`; `start` and `end` are UTF-16 offsets into its file, as those of the passage are. */
export type FoundQuote = {
  readonly passage: FoundPassage;
  readonly start: number;
  readonly end: number;
  readonly text: string;
};

type Scored = FoundQuote & { readonly score: number };

const MOST_SENTENCES = 3;
const WORD = /[\p{L}\p{N}]+/gu;
const ENDING = /(?:ies|ied|ing|ed|es|ly|e|s|y)$/;
const DOUBLED = /(\p{L})\1$/u;

/**
 * At most `most` quotes, best first and one a passage: its sentence with the greatest sum of term weights, with its
 * neighbours while there are at most three sentences and 60 words. A passage that holds no term gives none.
 */
export function bestQuotes(
  passages: readonly FoundPassage[],
  terms: readonly WeightedTerm[],
  most: number,
): readonly FoundQuote[] {
  const weights = new Map(terms.map(({ term, weight }) => [root(term), weight]));
  const scored = passages.flatMap((passage) => bestQuote(passage, weights) ?? []);
  return scored.sort((a, b) => b.score - a.score).slice(0, most);
}

function bestQuote(passage: FoundPassage, weights: ReadonlyMap<string, number>): Scored | null {
  const sentences = sentencesOf(passage.text);
  const scores = sentences.map(({ start, end }) => overlap(passage.text.slice(start, end), weights));
  const score = Math.max(0, ...scores);
  if (score === 0) return null;
  const range = widen(passage.text, sentences, scores, scores.indexOf(score));
  const text = passage.text.slice(range.start, range.end);
  return { passage, start: passage.start + range.start, end: passage.start + range.end, text, score };
}

function overlap(sentence: string, weights: ReadonlyMap<string, number>): number {
  const roots = new Set(
    Array.from(sentence.normalize('NFKC').toLowerCase().matchAll(WORD), ([word]) => root(word)),
  );
  let sum = 0;
  for (const one of roots) sum += weights.get(one) ?? 0;
  return sum;
}

function widen(text: string, sentences: readonly Range[], scores: readonly number[], best: number): Range {
  let first = best;
  let last = best;
  const fits = (from: number, to: number) =>
    from >= 0 &&
    to < sentences.length &&
    to - from < MOST_SENTENCES &&
    countWords(text.slice(sentences[from]!.start, sentences[to]!.end)) <= QUOTE_WORDS;
  for (;;) {
    const after = fits(first, last + 1);
    const before = fits(first - 1, last);
    if (after && !(before && scores[first - 1]! > scores[last + 1]!)) last++;
    else if (before) first--;
    else break;
  }
  const { start } = sentences[first]!;
  return { start, end: cutToWords(text, QUOTE_WORDS, start, sentences[last]!.end) };
}

// A rough stem: the index has its own (porter), this one only weighs sentences of passages already found.
function root(word: string): string {
  const plain = word.normalize('NFKD').replace(/\p{M}/gu, '');
  return plain.length <= 3 ? plain : plain.replace(ENDING, '').replace(DOUBLED, '$1');
}
