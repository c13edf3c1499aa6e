import { QUOTE_WORDS } from './quote.ts';
import { type Range, sentencesOf, trim } from '../text/sentence.ts';
import { countWords, cutToWords } from '../text/words.ts';

const WORD = /[\p{L}\p{N}]{3,}/gu;

/**
 * The part of `text` with the most words in common with `claim`: at most 60 words, in whole sentences if they fit. A model
 * cites whole paragraphs. Returns UTF-16 offsets into `text`; the part is empty only if `text` is blank.
 */
export function narrowQuote(text: string, claim: string): Range {
  const whole = trim(text, 0, text.length);
  if (cutToWords(text, QUOTE_WORDS, whole.start, whole.end) === whole.end) return whole;
  const wanted = wordsOf(claim);
  const sentences = sentencesOf(text);
  const scores = sentences.map(({ start, end }) => common(wordsOf(text.slice(start, end)), wanted));
  const best = scores.indexOf(Math.max(...scores));
  let last = Math.max(0, best);
  const { start } = sentences[last] ?? whole;
  while (
    last + 1 < sentences.length &&
    countWords(text.slice(start, sentences[last + 1]!.end)) <= QUOTE_WORDS
  )
    last++;
  return { start, end: cutToWords(text, QUOTE_WORDS, start, (sentences[last] ?? whole).end) };
}

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.toLowerCase().match(WORD) ?? []);
}

function common(words: ReadonlySet<string>, wanted: ReadonlySet<string>): number {
  let count = 0;
  for (const word of words) if (wanted.has(word)) count++;
  // Prefer the shorter of two sentences with as many.
  return count === 0 ? 0 : count + 1 / (1 + words.size);
}
