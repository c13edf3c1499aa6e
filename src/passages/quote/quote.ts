import { cutToWords } from '../text/words.ts';

/** No quote is longer than this many words (see `cutToWords` for what a word is). */
export const QUOTE_WORDS = 60;

/**
 * Whether `quote` is exactly the slice `start..end` (UTF-16 offsets) of `content`, splits no surrogate pair at either
 * end, is not empty and has at most 60 words.
 */
export function verifyQuote(claim: {
  readonly content: string;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
}): boolean {
  const { content, start, end, quote } = claim;
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end <= start || end > content.length)
    return false;
  if (splitsPair(content, start) || splitsPair(content, end)) return false;
  return content.slice(start, end) === quote && cutToWords(quote, QUOTE_WORDS) === quote.length;
}

function splitsPair(text: string, offset: number): boolean {
  return offset > 0 && offset < text.length && text.codePointAt(offset - 1)! > 0xffff;
}
