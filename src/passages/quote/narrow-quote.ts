import { QUOTE_WORDS } from './quote.ts';
import { type Range, sentencesOf, trim } from '../text/sentence.ts';
import { countWords, cutToWords } from '../text/words.ts';

const WORD = /[\p{L}\p{N}]{3,}/gu;

/**
 * The part of `text` (at most 60 words, whole sentences where they fit) that has most words in common with `claim`:
 * a model cites whole paragraphs. UTF-16 offsets into `text`; it is not empty unless `text` is blank.
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
  // Of two sentences with as many, the shorter says it more plainly.
  return count === 0 ? 0 : count + 1 / (1 + words.size);
}
