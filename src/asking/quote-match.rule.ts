import { countQuoteWords, isQuoteBoundary } from './quote-boundary.rule.ts';
import { hiddenWords, type NormalizedText } from './normalized-text.rule.ts';
import { countWords, cutToWords, type Range } from '../reading/sentence.rule.ts';
import { QUOTE_WORDS } from './best-quote.rule.ts';

/** The minimum number of words of a quote, or of a piece of one: fewer may be found anywhere and prove nothing. */
export const LEAST_WORDS = 3;
const MOST_PIECES = 4;
const MOST_SKIPPED = 30;
const SKIP_UNITS = 1_000;
// Maximum numbers of attempts, so that repetitive text does not cost too much time.
const MOST_TRIES = 1_000;
const MOST_TRIES_A_PIECE = 10;

const WORDED = /[\p{L}\p{N}]/u;
// Matches the characters that a piece of a quote may not begin or end with; a minus that is a number's sign stays.
const OUTER_GAP = /^(?:[ '"…-]|\u2212(?![\p{N}.\p{Sc}]))+|(?<![ '"…\u2212-])[ '"…\u2212-]+$/gu;
// Matches a beginning up to the first letter, as `(A` or, in a table, `| A`.
const INITIAL = /^[^\p{L}\p{N}]{0,4}\p{L}/u;
const OUTER = [/^\p{Quotation_Mark}$/u, /^\p{Dash}$/u, /^\*$/, /^_$/, /^`$/];

/**
 * Yields the slices of `source` that match `quote`: first exact ones, then those with the same normal form, then those with
 * extra words where the quote has an ellipsis. An ellipsis stands for at most 30 words, and splits the quote into at most 4
 * pieces of at least 3 words.
 */
function* findMatches(source: NormalizedText, quote: NormalizedText): Generator<Range> {
  yield* placesOf(source.text, quote.text.trim());
  yield* findNormal(source, quote);
  if (source.asWritten !== null || quote.asWritten !== null)
    yield* findNormal(source.asWritten?.() ?? source, quote.asWritten?.() ?? quote);
}

function* findNormal(source: NormalizedText, quote: NormalizedText): Generator<Range> {
  const pieces = quote.normal
    .split('…')
    .map((piece) => piece.replace(OUTER_GAP, ''))
    .filter((piece) => WORDED.test(piece));
  const [first, ...others] = pieces;
  if (first === undefined || pieces.length > MOST_PIECES) return;
  const last = pieces.at(-1)!;
  const whole = { start: quote.normal.indexOf(first), end: quote.normal.lastIndexOf(last) + last.length };
  for (const found of placesOf(source.normal, ...eitherCase(quote.normal.slice(whole.start, whole.end))))
    yield* sliceOf(source, found, quote, whole);
  if (others.length === 0 || pieces.some((piece) => countQuoteWords(piece) < LEAST_WORDS)) return;
  for (const { start, end: from } of placesOf(source.normal, ...eitherCase(first))) {
    const end = follow(source, others, from);
    if (end !== null) yield* sliceOf(source, { start, end }, quote, whole);
  }
}

function* placesOf(text: string, ...needles: readonly string[]): Generator<Range> {
  for (const needle of needles) {
    let start = needle === '' ? -1 : text.indexOf(needle);
    for (let tries = 0; start >= 0 && tries < MOST_TRIES; tries++) {
      yield { start, end: start + needle.length };
      start = text.indexOf(needle, start + 1);
    }
  }
}

function eitherCase(text: string): readonly [string, string] {
  const other = (initial: string): string => {
    const lower = initial.toLowerCase();
    return initial === lower ? initial.toUpperCase() : lower;
  };
  return [text, text.replace(INITIAL, other)];
}

/**
 * Finds each of `pieces` as near as possible after the one before it, and returns the index after the last; null if one is
 * missing or more than 30 words away.
 */
function follow(
  { text, normal, at, ends }: NormalizedText,
  pieces: readonly string[],
  from: number,
): number | null {
  let end = from;
  for (const piece of pieces) {
    const left = ends[end - 1]!;
    const next = placesOf(normal.slice(end, end + SKIP_UNITS + piece.length), piece)
      .take(MOST_TRIES_A_PIECE)
      .find(({ start }) => isQuoteBoundary(text, at[end + start]!));
    if (next === undefined || !isQuoteBoundary(text, left)) return null;
    if (countWords(text.slice(left, at[end + next.start])) > MOST_SKIPPED) return null;
    end += next.end;
  }
  return end;
}

/**
 * Yields the slice of the source that `found`, a range of its normal form, stands for. Includes outer quotation marks, dashes
 * and emphasis that both the quote and the book have. Yields nothing if a link has another target in the quote than in the
 * book.
 */
function* sliceOf(
  source: NormalizedText,
  found: Range,
  quote: NormalizedText,
  whole: Range,
): Generator<Range> {
  let [start, end] = [source.at[found.start]!, source.ends[found.end - 1]!];
  let [before, after] = [quote.at[whole.start]!, quote.ends[whole.end - 1]!];
  const own = hiddenWords(source, start, end);
  if (own.length > 0 && hiddenWords(quote, before, after).some((words) => !own.includes(words))) return;
  while (isSameMark(source.text[start - 1], quote.text[before - 1]))
    [start, before] = [start - 1, before - 1];
  while (isSameMark(source.text[end], quote.text[after])) [end, after] = [end + 1, after + 1];
  yield { start, end };
}

const isSameMark = (one = '', other = ''): boolean =>
  OUTER.some((kind) => kind.test(one) && kind.test(other));

const CLOSING = /^[,;:.!?)\]}]/;

/**
 * Returns the first slice of the book (UTF-16 offsets into `source.text`) that matches `quote`, has 3 to 60 words, neither
 * begins nor ends inside a word or number (`isQuoteBoundary`), and does not begin with punctuation of the words before; null if
 * there is none. It may differ from the quote only in what `normalizeText` makes alike, the case of the first letter, and words
 * in place of an ellipsis.
 */
export const findQuote = (source: NormalizedText, quote: NormalizedText): Range | null =>
  findMatches(source, quote).find((range) => isQuotable(source.text, range)) ?? null;

/** Returns the first place of a word or two, which may be quoted as a term but prove nothing; null if the text lacks them. */
export function findTerm(source: NormalizedText, term: NormalizedText): Range | null {
  if (countQuoteWords(term.text) === 0) return null;
  return findMatches(source, term).find((range) => isBounded(source.text, range)) ?? null;
}

const isBounded = (text: string, { start, end }: Range): boolean =>
  isQuoteBoundary(text, start) && isQuoteBoundary(text, end);

function isQuotable(text: string, range: Range): boolean {
  const slice = text.slice(range.start, range.end);
  return (
    countQuoteWords(slice) >= LEAST_WORDS &&
    cutToWords(slice, QUOTE_WORDS) === slice.length &&
    isBounded(text, range) &&
    !(CLOSING.test(slice) && /\S$/.test(text.slice(Math.max(0, range.start - 1), range.start)))
  );
}
