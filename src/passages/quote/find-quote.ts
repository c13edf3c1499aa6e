import { isQuoteBoundary } from './quote-boundary.ts';
import type { NormalizedText } from './normalized-text.ts';
import { QUOTE_WORDS } from './quote.ts';
import { countQuoteWords, LEAST_WORDS, findMatches } from './quote-match.ts';
import type { Range } from '../text/sentence.ts';
import { cutToWords } from '../text/words.ts';

/** No quote of 60 words is longer, whatever its markup. */
export const LONGEST = 4_000;
// Punctuation that belongs to the words before it.
const CLOSING = /^[,;:.!?)\]}]/;

/**
 * The book's slice (UTF-16 offsets into `source.text`) that matches `quote`, or null. They may differ only in white space,
 * quotation marks, dashes, hyphenation at a line's end, Markdown, the case of the quote's first letter and ellipses
 * (`gapsAreEquivalent`, `hideMarkup`). Words left out for an ellipsis belong to the slice. With `within`, the slice begins and
 * ends in one of these ranges; without, it is the first.
 *
 * Refuses fewer than 3 or more than 60 words, and a slice that begins or ends inside a word or number (`isQuoteBoundary`).
 */
export function findQuote(
  source: NormalizedText,
  quote: NormalizedText,
  within?: readonly Range[],
): Range | null {
  if (quote.text.length > LONGEST) return null;
  const ranges = within ?? [{ start: 0, end: source.text.length }];
  const reach = {
    start: Math.min(...ranges.map(({ start }) => start)),
    end: Math.max(...ranges.map(({ end }) => end)),
  };
  for (const range of findMatches(source, quote, reach))
    if (isWithin(ranges, range) && isQuotable(source.text, range)) return range;
  return null;
}

/** The first place of a word or two, which prove nothing but may be quoted as a term; null if the text lacks them. */
export function findTerm(source: NormalizedText, term: NormalizedText): Range | null {
  if (term.text.length > LONGEST || countQuoteWords(term.text) === 0) return null;
  for (const { start, end } of findMatches(source, term, { start: 0, end: source.text.length }))
    if (isQuoteBoundary(source.text, start) && isQuoteBoundary(source.text, end)) return { start, end };
  return null;
}

function isWithin(ranges: readonly Range[], { start, end }: Range): boolean {
  return (
    ranges.some((one) => one.start <= start && start < one.end) &&
    ranges.some((one) => one.start < end && end <= one.end)
  );
}

function isQuotable(text: string, { start, end }: Range): boolean {
  const slice = text.slice(start, end);
  return (
    countQuoteWords(slice) >= LEAST_WORDS &&
    cutToWords(slice, QUOTE_WORDS) === slice.length &&
    isQuoteBoundary(text, start) &&
    isQuoteBoundary(text, end) &&
    !(CLOSING.test(slice) && /\S$/.test(text.slice(Math.max(0, start - 1), start)))
  );
}
