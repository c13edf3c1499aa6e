import type { FoundPassage, FoundQuote } from './split.ts';
import { countWords, cutToWords, type Range, sentencesOf, trim } from './words.ts';
import { closesFence, linesOf, opensFence } from './block.ts';

/** A passage, its sentences, and each one's share (0 to 1) of the question's weight. */
export type ScoredPassage = {
  readonly passage: FoundPassage;
  readonly sentences: readonly Sentence[];
  readonly overlaps: readonly number[];
};

type Test = (sentence: string) => boolean;
type Chance = Sentence & { readonly chance: number };
type Stretch = { readonly from: number; readonly to: number; readonly chance: number };
type Open = {
  readonly passage: FoundPassage;
  readonly sentences: readonly Sentence[];
  /** The sentences that no quote has yet. */
  readonly left: (Chance | null)[];
};
type Choice = Stretch & Open;

const MOST_SENTENCES = 3;
// The weights of a sentence's overlap with the question, of its neighbours' overlap, and of its length. They were chosen on
// SQuAD and XQuAD in English; half or twice these values hardly change the results.
const OVERLAP = 6;
const BESIDE = 0.3;
const LENGTH = 0.5;
/** Tables and code are quoted only if they are best by far, code by more, and only first. */
const KINDS: Readonly<Record<SentenceKind, number>> = { prose: 1, item: 1, table: 0.6, code: 0.3 };
// A definition wins over sentences that use the word, in its passage and over other passages.
const DEFINITION = 400;
const DEFINING_PASSAGE = 20;
// A sentence that holds the kind of thing asked for, such as a number: chosen on SQuAD and XQuAD, where 1.5 to 5 do the same.
const FITTING = 3;
// A sentence less likely than this share of the best one beside it would only lengthen the quote.
const LEAST = 0.1;
const PARTED = /\S|\n\s*\n/;

/**
 * The quotes most likely to hold the answer, the best first: at most `most`, each of one to three sentences and at most 60
 * words, without overlap, and none with the words of another; a sentence that introduces a list or code is quoted with it. A passage's score is its log-odds. A
 * passage without any of the question's terms gives none. `isDefinition` is for a question that asks for one, `fits` for one
 * whose answers can be told from other sentences.
 */
export function bestQuotes(
  scored: readonly ScoredPassage[],
  most: number,
  isDefinition: Test = () => false,
  fits: Test = () => false,
): readonly FoundQuote[] {
  const matching = scored.filter(({ overlaps }) => overlaps.some((overlap) => overlap > 0));
  const top = Math.max(...matching.map(({ passage }) => passage.score));
  const open = matching.map((one) => ({
    passage: one.passage,
    sentences: one.sentences,
    left: chancesOf(one, Math.exp(one.passage.score - top), isDefinition, fits) as (Chance | null)[],
  }));
  const quotes: FoundQuote[] = [];
  while (quotes.length < most) {
    const best = bestChoice(open, quotes.length === 0);
    if (best === null) break;
    const { from, to, end } = withLeadIn(best.passage.text, best.sentences, best);
    const quote = quoteOf(best, from, to, end);
    // A book may say the same in two places, as overloads in code do.
    if (!quotes.some(({ text }) => sameWords(text) === sameWords(quote.text))) quotes.push(quote);
    best.left.fill(null, from, to + 1);
  }
  return quotes;
}

function sameWords(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function chancesOf(
  { passage, sentences, overlaps }: ScoredPassage,
  chance: number,
  isDefinition: Test,
  fits: Test,
): readonly Chance[] {
  const texts = sentences.map(({ start, end }) => passage.text.slice(start, end));
  const defines = texts.map(isDefinition);
  const odds = sentences.map(({ words }, i) => {
    const beside = (overlaps[i - 1] ?? 0) + (overlaps[i + 1] ?? 0);
    const own = Math.exp(OVERLAP * (overlaps[i]! + BESIDE * beside)) * words ** LENGTH;
    return defines[i] ? own * DEFINITION : own;
  });
  const all = odds.reduce((sum, one) => sum + one, 0);
  const whole = defines.includes(true) ? chance * DEFINING_PASSAGE : chance;
  return sentences.map((sentence, i) => ({
    ...sentence,
    chance: (KINDS[sentence.kind] * (fits(texts[i]!) ? FITTING : 1) * whole * odds[i]!) / all,
  }));
}

function bestChoice(open: readonly Open[], isFirst: boolean): Choice | null {
  let best: Choice | null = null;
  for (const one of open)
    for (const stretch of stretchesOf(one, isFirst))
      if (best === null || stretch.chance > best.chance) best = { ...one, ...stretch };
  return best;
}

function* stretchesOf({ passage, left }: Open, isFirst: boolean): Generator<Stretch> {
  for (let from = 0; from < left.length; from++) {
    let words = 0;
    let chances: readonly number[] = [];
    for (let to = from; to < Math.min(from + MOST_SENTENCES, left.length); to++) {
      const sentence = left[to];
      if (!sentence || (!isFirst && KINDS[sentence.kind] < 1)) break;
      // Different paragraphs, or something between them that may not be quoted.
      if (to > from && PARTED.test(passage.text.slice(left[to - 1]!.end, sentence.start))) break;
      if ((words += sentence.words) > QUOTE_WORDS) break;
      chances = [...chances, sentence.chance];
      if (Math.min(...chances) < LEAST * Math.max(...chances)) continue;
      yield { from, to, chance: chances.reduce((sum, one) => sum + one, 0) };
    }
  }
}

function quoteOf({ passage, sentences }: Choice, from: number, to: number, last: number): FoundQuote {
  const { start, isCutBefore, kind } = sentences[from]!;
  // Counts the words again, with the blanks between sentences.
  const end = cutToWords(passage.text, QUOTE_WORDS, start, last);
  return {
    passage,
    start: passage.start + start,
    end: passage.start + end,
    text: passage.text.slice(start, end),
    isCutBefore,
    isCutAfter: end < sentences[to]!.end || sentences[to]!.isCutAfter,
    isCode: kind === 'code',
  };
}

/** Sentences of a passage by number; `end` is an offset within the last one, or its end. */
type LeadIn = { readonly from: number; readonly to: number; readonly end: number };

const LEADS_IN = /[:：][*_`"”»]*$/;
/** White space and the fence of a code block may stand between a lead-in and what it introduces. */
const NOTHING_BETWEEN = /^\s*(?:[`~]{3}[^\n]*(?:\n\s*)?)?$/;

/** A stretch with the list or code it introduces, or with the sentence that introduces it, as far as 60 words allow. */
function withLeadIn(
  text: string,
  sentences: readonly Sentence[],
  { from, to }: { readonly from: number; readonly to: number },
): LeadIn {
  const first = leadInOf(text, sentences, from, to);
  const start = sentences[first]!.start;
  const fits = (end: number): boolean => countWords(text.slice(start, end)) <= QUOTE_WORDS;
  let last = to;
  let end = sentences[to]!.end;
  const isOpen = LEADS_IN.test(text.slice(sentences[to]!.start, end)) || first < from;
  while (isOpen && isIntroduced(text, sentences, last + 1)) {
    const next = sentences[last + 1]!;
    const lines = lineEnds(text, next).filter(fits);
    if (lines.length === 0) break;
    last++;
    end = lines.at(-1)!;
    if (end < next.end) break;
  }
  return { from: first, to: last, end };
}

/** The number of the sentence that introduces the list or code of a stretch, or the stretch's first. */
function leadInOf(text: string, sentences: readonly Sentence[], from: number, to: number): number {
  let first = from;
  while (isIntroduced(text, sentences, first)) first--;
  const { start, end } = sentences[first]!;
  const isLeadIn = first < from && LEADS_IN.test(text.slice(start, end));
  return isLeadIn && countWords(text.slice(start, sentences[to]!.end)) <= QUOTE_WORDS ? first : from;
}

/** Whether a sentence is an item or code right after the sentence before it. */
function isIntroduced(text: string, sentences: readonly Sentence[], n: number): boolean {
  const [before, one] = [sentences[n - 1], sentences[n]];
  if (before === undefined || one === undefined || one.kind === 'prose') return false;
  return NOTHING_BETWEEN.test(text.slice(before.end, one.start));
}

/** The ends of a sentence's lines if it is code, else its end. */
function lineEnds(text: string, { start, end, kind }: Sentence): readonly number[] {
  if (kind !== 'code') return [end];
  const breaks = Array.from(text.slice(start, end).matchAll(/\n/g), ({ index }) => start + index);
  return [...breaks, end].filter((one) => one > start);
}

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

/** Whether a sentence is prose, an item of a list, a row of a table, or lines of code. */
type SentenceKind = 'prose' | 'item' | 'table' | 'code';

/**
 * A sentence that may be quoted, or at most 60 words of a longer one; offsets into its text. It is cut before or after if
 * the sentence goes on there.
 */
type Sentence = Range & {
  readonly words: number;
  readonly kind: SentenceKind;
  readonly isCutBefore: boolean;
  readonly isCutAfter: boolean;
};

const TABLE = /^[ \t]*\|/;
const ITEM = /^[ \t]*(?:>[ \t]?)*(?:[-*+•]|\d{1,3}[.)])[ \t]/;
// Of a picture `maskMarkup` leaves the text in its place, which the book does not say: `![alt` and blanks, or `![alt][name]`.
const PICTURE = /!\[(?:[^[\]\n]|\n(?=\S)){0,1000}?(?: {3,}|\]\[[^[\]\n]{0,200}\])/g;
const READABLE = /[\p{L}\p{N}]/u;

/** The sentences of a text without comments and markup, in order; `isProgram` for a file of code, which has no fences. */
export function quotableSentences(plain: string, isProgram = false): readonly Sentence[] {
  if (isProgram) return piecesOf(plain, sentencesOf(plain), 'prose');
  const prose = plain.replace(PICTURE, (picture) => ' '.repeat(picture.length));
  return partsOf(plain).flatMap(({ start, end, isCode }) =>
    isCode
      ? piecesOf(plain, [trimLines(plain, start, end)], 'code')
      : sentencesOf(prose, start, end).flatMap((range) => piecesOf(prose, [range], kindOf(prose, range))),
  );
}

/** The fenced parts of a text, without their fences, and those between. */
function partsOf(plain: string): readonly (Range & { readonly isCode: boolean })[] {
  const parts: (Range & { isCode: boolean })[] = [];
  let fence = '';
  let start = 0;
  for (const line of linesOf(plain)) {
    const opened = fence === '' ? opensFence(line.text) : '';
    if (opened === '' && (fence === '' || !closesFence(line.text, fence))) continue;
    parts.push({ start, end: line.start, isCode: fence !== '' });
    fence = opened;
    start = line.end;
  }
  parts.push({ start, end: plain.length, isCode: fence !== '' });
  return parts;
}

/** Code keeps the blanks before its first line. */
function trimLines(plain: string, start: number, end: number): Range {
  const range = trim(plain, start, end);
  const line = plain.lastIndexOf('\n', range.start - 1) + 1;
  return { start: Math.max(start, line), end: range.end };
}

function piecesOf(plain: string, ranges: readonly Range[], kind: SentenceKind): readonly Sentence[] {
  return ranges.flatMap((range) => {
    const pieces: Sentence[] = [];
    for (let at = range.start; at < range.end;) {
      const { start } = kind === 'code' ? { start: at } : trim(plain, at, range.end);
      const all = countWords(plain.slice(start, range.end));
      const end = all <= QUOTE_WORDS ? range.end : cutToWords(plain, QUOTE_WORDS, start, range.end);
      const words = Math.min(all, QUOTE_WORDS);
      if (READABLE.test(plain.slice(start, end)))
        pieces.push({ start, end, words, kind, isCutBefore: at > range.start, isCutAfter: end < range.end });
      at = end;
    }
    return pieces;
  });
}

function kindOf(plain: string, { start }: Range): SentenceKind {
  const from = plain.lastIndexOf('\n', start - 1) + 1;
  const line = plain.slice(from, from + 400);
  if (TABLE.test(line)) return 'table';
  return ITEM.test(line) ? 'item' : 'prose';
}
