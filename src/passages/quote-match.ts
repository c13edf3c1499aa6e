import { countQuoteWords, isQuoteBoundary } from './quote-boundary.ts';
import { endOf, gapBefore, gapsAreEquivalent, hasGapBefore, type NormalizedText } from './normalized-text.ts';
import { countWords, cutToWords, type Range } from './words.ts';
import { QUOTE_WORDS } from './best-quote.ts';

/** A quote, or a piece of one, with fewer words is found anywhere and proves nothing. */
export const LEAST_WORDS = 3;
const MOST_PIECES = 4;
const MOST_SKIPPED = 30;
const SKIP_UNITS = 1_000;
// Limits the cost of repetitive text: comparing a gap costs 1, trying an offset 10.
const BUDGET = 50_000;
const TRY = 10;
const MOST_TRIES = BUDGET / TRY;

const WORDED = /[\p{L}\p{N}]/u;
// The first letter, behind an opening bracket.
const INITIAL = /^[^\p{L}\p{N}]{0,2}\p{L}/u;
const OUTER = /^(?:\p{Quotation_Mark}|\p{Dash}|[*_`])$/u;
const QUOTATION_MARK = /^\p{Quotation_Mark}$/u;
const DASH = /^\p{Dash}$/u;

/** Letters `from..to` of a normalized text. */
type Letters = { readonly from: number; readonly to: number };

/** The search for one quote in one text. */
type Search = { readonly source: NormalizedText; readonly quote: NormalizedText; left: number };

/**
 * The slices of `source` that match `quote` and begin within `reach`: exact ones first, then those that differ in gaps, then
 * those with the words that an ellipsis of the quote leaves out: at most 30 at each ellipsis, between at most 4 pieces of 3
 * words or more.
 */
function* findMatches(source: NormalizedText, written: NormalizedText, reach: Range): Generator<Range> {
  yield* exactMatches(source.text, written.text.trim(), reach);
  const pieces = piecesOf(written);
  const [first, ...others] = pieces;
  if (first === undefined) return;
  const whole = { from: first.from, to: pieces.at(-1)!.to };
  const search = { source, quote: written, left: BUDGET };
  for (const from of beginningsOf(search, whole, reach))
    yield* sliceOf(search, { from, to: from + whole.to - whole.from }, whole);
  if (others.length === 0 || pieces.some((piece) => !isLongEnough(written, piece))) return;
  for (const from of beginningsOf(search, first, reach)) {
    const to = follow(search, others, from + first.to - first.from);
    if (to !== null) yield* sliceOf(search, { from, to }, whole);
  }
}

function* exactMatches(text: string, quote: string, reach: Range): Generator<Range> {
  if (quote === '') return;
  let start = text.indexOf(quote, reach.start);
  for (let tries = 0; start >= 0 && start < reach.end && tries < MOST_TRIES; tries++) {
    yield { start, end: start + quote.length };
    start = text.indexOf(quote, start + 1);
  }
}

/** The quote without the ellipses at its ends, split at those between; nothing if there are too many pieces. */
function piecesOf({ letters }: NormalizedText): readonly Letters[] {
  const pieces = [...letters.matchAll(/[^…]+/g)]
    .filter(([piece]) => WORDED.test(piece))
    .map(({ 0: { length }, index }) => ({ from: index, to: index + length }));
  return pieces.length > MOST_PIECES ? [] : pieces;
}

function isLongEnough(piece: NormalizedText, { from, to }: Letters): boolean {
  const { text, at } = piece;
  return countQuoteWords(text.slice(at[from], endOf(piece, to - 1))) >= LEAST_WORDS;
}

/** The indexes of the text's letters where `piece` is found, its first letter in either case. */
function* beginningsOf(search: Search, piece: Letters, reach: Range): Generator<number> {
  const { source, quote } = search;
  const written = quote.letters.slice(piece.from, piece.to);
  const [initial = ''] = INITIAL.exec(written) ?? [];
  const rest = written.slice(initial.length);
  let next = source.letters.indexOf(rest, letterAt(source, reach.start) + initial.length);
  for (; next >= 0 && spend(search, TRY); next = source.letters.indexOf(rest, next + 1)) {
    const from = next - initial.length;
    if (source.at[from]! >= reach.end) return;
    const found = source.letters.slice(from, next);
    if (found.toLowerCase() === initial.toLowerCase() && agrees(search, from, piece)) yield from;
  }
}

/** The index of the first letter at or after an offset. */
function letterAt({ at }: NormalizedText, offset: number): number {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function agrees(search: Search, begin: number, { from, to }: Letters): boolean {
  const { source, quote } = search;
  for (let [here, there] = [begin + 1, from + 1]; there < to; here++, there++) {
    if (!hasGapBefore(source, here) && !hasGapBefore(quote, there)) continue;
    if (!spend(search, 1) || !gapsAreEquivalent(gapBefore(source, here), gapBefore(quote, there)))
      return false;
  }
  return true;
}

/** The index after the last of `pieces`, each the nearest after the one before it; null if one is missing. */
function follow(search: Search, pieces: readonly Letters[], from: number): number | null {
  let end = from;
  for (const piece of pieces) {
    const next = nearest(search, piece, end);
    if (next === null) return null;
    end = next + piece.to - piece.from;
  }
  return end;
}

function nearest(search: Search, piece: Letters, from: number): number | null {
  const { source, quote } = search;
  const written = quote.letters.slice(piece.from, piece.to);
  const near = source.letters.slice(from, from + SKIP_UNITS + written.length);
  for (
    let skip = near.indexOf(written);
    skip >= 0 && spend(search, TRY);
    skip = near.indexOf(written, skip + 1)
  ) {
    const next = from + skip;
    if (isQuoteBoundary(source.text, source.at[next]!) && agrees(search, next, piece))
      return mayBeLeftOut(source, from, next) ? next : null;
  }
  return null;
}

function spend(search: Search, cost: number): boolean {
  search.left -= cost;
  return search.left >= 0;
}

function mayBeLeftOut(source: NormalizedText, from: number, to: number): boolean {
  const { text, at } = source;
  const start = endOf(source, from - 1);
  const skipped = text.slice(start, at[to]);
  return isQuoteBoundary(text, start) && countWords(skipped) <= MOST_SKIPPED;
}

/** The slice of those letters, with the outer quotation marks, dashes and emphasis that both quote and book have. */
function* sliceOf({ source, quote }: Search, found: Letters, whole: Letters): Generator<Range> {
  const { text, at } = source;
  let start = at[found.from]!;
  let end = endOf(source, found.to - 1);
  let [before, after] = [quote.at[whole.from]!, endOf(quote, whole.to - 1)];
  const isSigned = DASH.test(quote.text[before - 1] ?? '') && /\p{N}/u.test(quote.text[before] ?? '');
  if (isSigned && !DASH.test(text[start - 1] ?? '')) return;
  while (isSameMark(text[start - 1], quote.text[before - 1])) [start, before] = [start - 1, before - 1];
  while (isSameMark(text[end], quote.text[after])) [end, after] = [end + 1, after + 1];
  yield { start, end };
}

function isSameMark(one = '', other = ''): boolean {
  if (!OUTER.test(one) || !OUTER.test(other)) return false;
  return one === other || [QUOTATION_MARK, DASH].some((kind) => kind.test(one) && kind.test(other));
}

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
