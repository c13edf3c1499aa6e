import { type Range, sentencesOf, trim } from '../text/sentence.ts';
import { countWords, cutToWords } from '../text/words.ts';
import { QUOTE_WORDS } from './quote.ts';

/** A sentence that may be quoted, or at most 60 words of a longer one; offsets into its text. */
export type Sentence = Range & { readonly words: number };

/** The sentences of a text without comments and markup, in order. */
export function quotableSentences(plain: string): readonly Sentence[] {
  return sentencesOf(plain).flatMap((range) => {
    const pieces: Sentence[] = [];
    for (let at = range.start; at < range.end;) {
      const { start } = trim(plain, at, range.end);
      const end = cutToWords(plain, QUOTE_WORDS, start, range.end);
      pieces.push({ start, end, words: countWords(plain.slice(start, end)) });
      at = end;
    }
    return pieces;
  });
}
