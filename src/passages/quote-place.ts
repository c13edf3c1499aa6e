import { isEdge } from './edge.ts';
import { type FoldedText, foldText, gapBefore, hasGapBefore } from './fold.ts';
import { gapsAgree } from './gap.ts';
import { hasNegation } from './negation.ts';
import type { Range } from './sentence.ts';
import { countWords } from './words.ts';

/** Fewer words, of a quote or of a piece of one, are found anywhere and show nothing. */
export const LEAST_WORDS = 3;
const MOST_PIECES = 4;
const MOST_SKIPPED = 30;
const SKIP_UNITS = 1_000;
// What a text that repeats itself without end may cost.
const MOST_TRIES = 10_000;

const NO_WORD = /[^\p{L}\p{N}\p{M}\s]+/gu;
// The first letter, behind an opening bracket.
const INITIAL = /^[^\p{L}\p{N}]{0,2}\p{L}/u;
const OUTER = /^(?:\p{Quotation_Mark}|\p{Dash}|[*_`])$/u;
const QUOTATION_MARK = /^\p{Quotation_Mark}$/u;
const DASH = /^\p{Dash}$/u;

/** Letters `from..to` of a folded text. */
type Letters = { readonly from: number; readonly to: number };

/**
 * Where `source` says what `quote` says, beginning within `reach`: places of the very same text first, then those that
 * differ in what is folded, then those that hold the words an ellipsis of the quote leaves out. Such words, at most 30
 * in one place, hold no negation and part at most 4 pieces of 3 words or more; they belong to the place.
 */
export function* placesOf(source: FoldedText, quote: string, reach: Range): Generator<Range> {
  yield* samePlaces(source.text, quote.trim(), reach);
  const written = foldText(quote);
  const pieces = piecesOf(written);
  const first = pieces[0];
  if (first === undefined) return;
  const whole = { from: first.from, to: pieces.at(-1)!.to };
  for (const from of beginningsOf(source, written, whole, reach))
    yield* unfold(source, { from, to: from + whole.to - whole.from }, written, whole);
  if (pieces.length === 1 || pieces.some((piece) => !isLongEnough(written, piece))) return;
  for (const from of beginningsOf(source, written, first, reach)) {
    const to = follow(source, from + first.to - first.from, written, pieces.slice(1));
    if (to !== null) yield* unfold(source, { from, to }, written, whole);
  }
}

/** Words without their punctuation, so that a lone dash or bullet is none. */
export function countQuoteWords(text: string): number {
  return countWords(text.replace(NO_WORD, ' ').trim());
}

function* samePlaces(text: string, quote: string, reach: Range): Generator<Range> {
  if (quote === '') return;
  let start = text.indexOf(quote, reach.start);
  for (let tries = 0; start >= 0 && start < reach.end && tries < MOST_TRIES; tries++) {
    yield { start, end: start + quote.length };
    start = text.indexOf(quote, start + 1);
  }
}

/** The quote without the ellipses at its ends, cut at those between; nothing where that makes too many pieces. */
function piecesOf({ letters }: FoldedText): readonly Letters[] {
  const pieces = Array.from(letters.matchAll(/[^…]+/g), ({ 0: { length }, index }) => ({
    from: index,
    to: index + length,
  }));
  return pieces.length > MOST_PIECES ? [] : pieces;
}

function isLongEnough({ text, at }: FoldedText, { from, to }: Letters): boolean {
  return countQuoteWords(text.slice(at[from], at[to - 1]! + 1)) >= LEAST_WORDS;
}

/** Every letter of `source` where `piece`, which begins the quote, is found, its first letter in either case. */
function* beginningsOf(
  source: FoldedText,
  quote: FoldedText,
  piece: Letters,
  reach: Range,
): Generator<number> {
  const written = quote.letters.slice(piece.from, piece.to);
  const [initial = ''] = INITIAL.exec(written) ?? [];
  const rest = written.slice(initial.length);
  let next = source.letters.indexOf(rest, letterAt(source, reach.start) + initial.length);
  for (let tries = 0; next >= 0 && tries < MOST_TRIES; tries++) {
    const from = next - initial.length;
    if (source.at[from]! >= reach.end) return;
    const found = source.letters.slice(from, next);
    if (found.toLowerCase() === initial.toLowerCase() && agrees(source, from, quote, piece)) yield from;
    next = source.letters.indexOf(rest, next + 1);
  }
}

/** The index of the first letter at or behind an offset. */
function letterAt({ at }: FoldedText, offset: number): number {
  let [low, high] = [0, at.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (at[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

function agrees(source: FoldedText, begin: number, quote: FoldedText, { from, to }: Letters): boolean {
  for (let [here, there] = [begin + 1, from + 1]; there < to; here++, there++) {
    const isGap = hasGapBefore(source, here) || hasGapBefore(quote, there);
    if (isGap && !gapsAgree(gapBefore(source, here), gapBefore(quote, there))) return false;
  }
  return true;
}

/** The index behind the last of `pieces`, found in their order from letter `from` on; null where one is missing. */
function follow(
  source: FoldedText,
  from: number,
  quote: FoldedText,
  pieces: readonly Letters[],
): number | null {
  const [piece, ...others] = pieces;
  if (piece === undefined) return from;
  const wanted = quote.letters.slice(piece.from, piece.to);
  const near = source.letters.slice(from, from + SKIP_UNITS + wanted.length);
  for (let skip = near.indexOf(wanted); skip >= 0; skip = near.indexOf(wanted, skip + 1)) {
    const next = from + skip;
    if (!mayBeLeftOut(source, from, next)) return null;
    if (!isEdge(source.text, source.at[next]!) || !agrees(source, next, quote, piece)) continue;
    const to = follow(source, next + wanted.length, quote, others);
    if (to !== null) return to;
  }
  return null;
}

function mayBeLeftOut({ text, at }: FoldedText, from: number, to: number): boolean {
  const start = at[from - 1]! + 1;
  const skipped = text.slice(start, at[to]);
  return isEdge(text, start) && countWords(skipped) <= MOST_SKIPPED && !hasNegation(skipped);
}

/** The slice of those letters, with the outer quotation marks, dashes and emphasis that quote and book both have. */
function* unfold(source: FoldedText, found: Letters, quote: FoldedText, whole: Letters): Generator<Range> {
  const { text, at } = source;
  let start = at[found.from]!;
  let end = at[found.to - 1]! + 1;
  let [before, after] = [quote.at[whole.from]!, quote.at[whole.to - 1]! + 1];
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
