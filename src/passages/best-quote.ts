import type { FoundPassage, FoundQuote } from './split.ts';
import { countWords, cutToWords, type Range, sentencesOf, trim } from './words.ts';
import { closesFence, LEADS_IN, linesOf, opensFence, REFERS_BACK } from './block.ts';

/** A passage, its sentences, and each one's share (0 to 1) of the question's weight. */
export type ScoredPassage = {
  readonly passage: FoundPassage;
  readonly sentences: readonly Sentence[];
  readonly overlaps: readonly number[];
};

type Test = (sentence: string) => boolean;
/** What an excerpt has whole or not at all: a paragraph, a table, code with what it needs, or a sentence of a long paragraph. */
type Unit = { readonly sentences: readonly Sentence[]; readonly size: number; readonly isParted: boolean };

/** An excerpt has at most so many words, or lines of code, unless its only paragraph, sentence or table has more. */
const MOST_WORDS = 120;
const MOST_LINES = 60;
// The weights of a sentence's overlap with the question, of its neighbours' overlap, and of its length. They were chosen on
// SQuAD and XQuAD in English; half or twice these values hardly change the results.
const OVERLAP = 6;
const BESIDE = 0.3;
const LENGTH = 0.5;
/** Tables and code are chosen only if they are best by far, code by more. */
const KINDS: Readonly<Record<SentenceKind, number>> = { prose: 1, item: 1, table: 0.6, code: 0.3 };
// A definition wins over sentences that use the word, in its passage and over other passages.
const DEFINITION = 400;
const DEFINING_PASSAGE = 20;
/** A second sentence is marked if it is at least so likely beside the first. */
const SECOND = 0.5;
/** Another excerpt is shown if its passage is at least so likely beside the best. */
const LEAST = 0.05;
const COMMENT = /<!--|-->/;
const PARAGRAPH = /\n\s*\n/;

/**
 * The excerpts most likely to hold the answer, the best first: at most `most`, each a part of another passage cut at paragraphs, of
 * about 120 words, its likeliest sentence or two marked. A passage's score is its log-odds. A passage without any of the
 * question's terms gives none. `isDefinition` is for a question that asks for one.
 */
export function bestExcerpts(
  scored: readonly ScoredPassage[],
  most: number,
  isDefinition: Test = () => false,
): readonly FoundQuote[] {
  const matching = scored.filter(({ overlaps }) => overlaps.some((overlap) => overlap > 0));
  const top = Math.max(...matching.map(({ passage }) => passage.score));
  const ranked = matching
    .map((one) => weigh(one, Math.exp(one.passage.score - top), isDefinition))
    .sort((a, b) => b.chance - a.chance);
  const excerpts = new Map<string, FoundQuote>();
  for (const { passage, chances, chance } of ranked) {
    if (excerpts.size === most || chance < LEAST * ranked[0]!.chance) break;
    const excerpt = excerptOf(passage, chances);
    // A book may say the same in two places, as overloads in code do.
    excerpts.getOrInsert(excerpt.text.replace(/\s+/g, ' '), excerpt);
  }
  return [...excerpts.values()];
}

/** How likely a passage answers, and each of its sentences. */
function weigh({ passage, sentences, overlaps }: ScoredPassage, odds: number, isDefinition: Test) {
  const texts = sentences.map(({ start, end }) => passage.text.slice(start, end));
  const chances = new Map(
    sentences.map((sentence, i) => {
      const beside = (overlaps[i - 1] ?? 0) + (overlaps[i + 1] ?? 0);
      const own = Math.exp(OVERLAP * (overlaps[i]! + BESIDE * beside)) * sentence.words ** LENGTH;
      return [sentence, KINDS[sentence.kind] * (isDefinition(texts[i]!) ? DEFINITION : 1) * own] as const;
    }),
  );
  return { passage, chances, chance: texts.some(isDefinition) ? DEFINING_PASSAGE * odds : odds };
}

/** The paragraph of the likeliest sentence, and the likelier of those beside it as long as there is room. */
function excerptOf(passage: FoundPassage, chances: ReadonlyMap<Sentence, number>): FoundQuote {
  const { text, start } = passage;
  const likeliest = [...chances.keys()].sort((a, b) => chances.get(b)! - chances.get(a)!);
  const units = unitsOf(text, [...chances.keys()]);
  let from = units.findIndex(({ sentences }) => sentences.includes(likeliest[0]!));
  let to = from;
  let { size } = units[from]!;
  const chanceOf = (unit: Unit | undefined, isParted = true): number =>
    unit === undefined || isParted || size + unit.size > 1
      ? 0
      : unit.sentences.reduce((sum, one) => sum + chances.get(one)!, 0);
  for (;;) {
    const [before, after] = [units[from - 1], units[to + 1]];
    const chance = chanceOf(before, units[from]!.isParted);
    const other = chanceOf(after, after?.isParted);
    if (Math.max(chance, other) === 0) break;
    size += chance > other ? units[--from]!.size : units[++to]!.size;
  }
  const shown = units.slice(from, to + 1).flatMap(({ sentences }) => sentences);
  const marked = likeliest
    .filter((one, n) => n === 0 || chances.get(one)! >= SECOND * chances.get(likeliest[0]!)!)
    .filter((one) => one.kind !== 'code' && shown.includes(one))
    .slice(0, 2)
    .map((one): readonly [number, number] => [start + one.start, start + one.end])
    .sort(([a], [b]) => a - b);
  const [first, last] = [shown[0]!.start, shown.at(-1)!.end];
  return { passage, start: start + first, end: start + last, text: text.slice(first, last), marked };
}

function unitsOf(text: string, sentences: readonly Sentence[]): readonly Unit[] {
  const units: { sentences: Sentence[]; isParted: boolean }[] = [];
  for (const [n, sentence] of sentences.entries()) {
    const before = sentences[n - 1];
    const between = text.slice(before?.end ?? 0, sentence.start);
    const isParted = COMMENT.test(between);
    const isSame =
      sentence.kind === 'code'
        ? LEADS_IN.test(text.slice(before?.start, before?.end))
        : before?.kind === 'code'
          ? REFERS_BACK.test(text.slice(sentence.start, sentence.end))
          : !PARAGRAPH.test(between);
    if (before !== undefined && isSame && !isParted) units.at(-1)!.sentences.push(sentence);
    else units.push({ sentences: [sentence], isParted });
  }
  return units.flatMap((unit) => {
    const size = sizeOf(unit.sentences);
    const isWhole = size <= 1 || unit.sentences.some(({ kind }) => kind === 'table' || kind === 'code');
    if (isWhole) return { ...unit, size };
    return unit.sentences.map((one, n) => ({
      sentences: [one],
      size: sizeOf([one]),
      isParted: n === 0 && unit.isParted,
    }));
  });
}

const sizeOf = (sentences: readonly Sentence[]): number =>
  sentences.reduce(
    (sum, { kind, words, lines }) => sum + (kind === 'code' ? lines / MOST_LINES : words / MOST_WORDS),
    0,
  );

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
/** No excerpt, of a passage, has more. */
export const EXCERPT_WORDS = 400;

/**
 * Whether `quote` is exactly the slice `start..end` (UTF-16 offsets) of `content`, splits no surrogate pair at either
 * end, is not empty and has at most `most` words, 60 by default.
 */
export function verifyQuote(claim: {
  readonly content: string;
  readonly start: number;
  readonly end: number;
  readonly quote: string;
  readonly most?: number;
}): boolean {
  const { content, start, end, quote, most = QUOTE_WORDS } = claim;
  if (!Number.isInteger(start) || !Number.isInteger(end) || start < 0 || end <= start || end > content.length)
    return false;
  if (splitsPair(content, start) || splitsPair(content, end)) return false;
  return content.slice(start, end) === quote && cutToWords(quote, most) === quote.length;
}

function splitsPair(text: string, offset: number): boolean {
  return offset > 0 && offset < text.length && text.codePointAt(offset - 1)! > 0xffff;
}

/** Whether a sentence is prose, an item of a list, a row of a table, or lines of code. */
type SentenceKind = 'prose' | 'item' | 'table' | 'code';

/** A sentence, an item, a row, or the lines of a block of code with the fence around them; offsets into its text. */
type Sentence = Range & { readonly words: number; readonly lines: number; readonly kind: SentenceKind };

const TABLE = /^[ \t]*\|/;
const ITEM = /^[ \t]*(?:>[ \t]?)*(?:[-*+•]|\d{1,3}[.)])[ \t]/;
// Of a picture `maskMarkup` leaves the text in its place, which the book does not say: `![alt` and blanks, or `![alt][name]`.
const PICTURE = /!\[(?:[^[\]\n]|\n(?=\S)){0,1000}?(?: {3,}|\]\[[^[\]\n]{0,200}\])/g;
const READABLE = /[\p{L}\p{N}]/u;

/** The sentences of a text without comments and markup, in order; `isCode` for one that is lines of code, without a fence. */
export function quotableSentences(plain: string, isCode = false): readonly Sentence[] {
  if (isCode) return sentenceOf(plain, codeLines(plain, 0, plain.length), 'code');
  const prose = plain.replace(PICTURE, (picture) => ' '.repeat(picture.length));
  return partsOf(plain).flatMap(({ start, end, isFenced }) =>
    isFenced
      ? sentenceOf(plain, codeLines(plain, start, end), 'code')
      : sentencesOf(prose, start, end).flatMap((range) => sentenceOf(prose, range, kindOf(prose, range))),
  );
}

/** The fenced parts of a text with their fences, and those between. */
function partsOf(plain: string): readonly (Range & { readonly isFenced: boolean })[] {
  const parts: (Range & { isFenced: boolean })[] = [];
  let fence = '';
  let start = 0;
  for (const line of linesOf(plain)) {
    const opened = fence === '' ? opensFence(line.text) : '';
    if (opened === '' && (fence === '' || !closesFence(line.text, fence))) continue;
    const end = opened === '' ? line.end : line.start;
    parts.push({ start, end, isFenced: fence !== '' });
    fence = opened;
    start = end;
  }
  parts.push({ start, end: plain.length, isFenced: fence !== '' });
  return parts;
}

/** As many lines as an excerpt may have. */
function codeLines(plain: string, start: number, end: number): Range {
  const lines = [...linesOf(plain.slice(start, end))].slice(0, MOST_LINES);
  return { start, end: start + (lines.at(-1)?.end ?? 0) };
}

function sentenceOf(plain: string, range: Range, kind: SentenceKind): readonly Sentence[] {
  const text = plain.slice(range.start, range.end);
  if (!READABLE.test(text)) return [];
  return [{ ...range, words: countWords(text), lines: text.split('\n').length, kind }];
}

function kindOf(plain: string, { start }: Range): SentenceKind {
  const from = plain.lastIndexOf('\n', start - 1) + 1;
  const line = plain.slice(from, from + 400);
  if (TABLE.test(line)) return 'table';
  return ITEM.test(line) ? 'item' : 'prose';
}
