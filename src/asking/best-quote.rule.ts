import type { FoundPassage, FoundQuote } from './split.rule.ts';
import { countWords, cutToWords, type Range, sentencesOf, trim } from '../reading/sentence.rule.ts';
import { blocksOf, LEADS_IN, linesOf, REFERS_BACK } from '../reading/block.rule.ts';

type PlainPassage = {
  readonly passage: FoundPassage;
  readonly plain: string;
  /** Whether `questions.yaml` has questions for the passage's section, whose words alone may have found the passage. */
  readonly isAsked?: boolean;
  /** Whether the passage's vector is near the question's. */
  readonly isNear?: boolean;
};

/**
 * Tests of a sentence for one question. `overlap` returns the share, 0 to 1, of the question's words that the sentence has, by
 * their weight; `related` does so for words related to these. `isDefinition` tells whether the sentence defines the subject
 * asked for; null if the question asks for no definition.
 */
type Asked = {
  readonly overlap: (sentence: string) => number;
  readonly related: (sentence: string) => number;
  readonly isDefinition: ((sentence: string) => boolean) | null;
};
/**
 * A part that an excerpt takes whole or leaves out: a sentence, a table, or code with its introduction. `size` is its share of
 * the largest excerpt.
 */
type Unit = {
  readonly sentences: readonly Sentence[];
  readonly size: number;
  readonly isFirst: boolean;
};

/** The maximum numbers of words and of code lines in an excerpt. A single longer sentence or table is cut at EXCERPT_WORDS. */
const MOST_WORDS = 130;
const MOST_LINES = 60;
// The weights of a sentence's overlap with the question, of its neighbours' overlap, and of its length. They were chosen on
// SQuAD and XQuAD in English; half or twice these values hardly change the results.
const OVERLAP = 6;
const BESIDE = 0.3;
const LENGTH = 0.5;
/**
 * Factors of likelihood by kind of text: a table must be much better than the best prose to be chosen, and code better still.
 */
const KINDS: Readonly<Record<SentenceKind, number>> = { prose: 1, table: 0.6, code: 0.3 };
// Factors of likelihood for a sentence that defines the word asked for, and for its passage: they win over those that only use
// the word.
const DEFINITION = 400;
const DEFINING_PASSAGE = 20;
/** A second sentence is marked if it is at least half as likely as the first. */
const SECOND = 0.5;
/** A passage gives an excerpt only if it has at least this share of the best passage's likelihood. */
const LEAST = 0.05;
/** The factor for text before the likeliest sentence: in FairytaleQA and SQuAD it answers half as often as the text after. */
const BEFORE = 0.5;
/** The factor for an excerpt that begins inside a paragraph, which must be so much better than others. */
const WITHIN = 0.9;
/** The maximum bonus for an excerpt's length, as a share of its best sentence's likelihood: context helps to understand it. */
const FILL = 0.5;
const COMMENT = /<!--|-->/;
const PARAGRAPH = /\n\s*\n/;

/**
 * Returns at most `most` excerpts that most likely contain the answer, best first, each from another passage. The one or two
 * likeliest sentences are marked, unless they are code. A passage's score is its log-odds. A passage without the question's
 * words gives an excerpt without marks if
 * - it has related words,
 * - its vector is near the question's,
 * - it is the likeliest of a section that has questions in `questions.yaml`, or
 * - it is the best passage and its heading has the question's words.
 */
export function bestExcerpts(
  passages: readonly PlainPassage[],
  most: number,
  asked: Asked,
): readonly FoundQuote[] {
  const top = Math.max(...passages.map(({ passage }) => passage.score));
  const ranked = passages
    .map((one) => ({ ...one, chance: Math.exp(one.passage.score - top) * definingShare(one, asked) }))
    .sort((a, b) => b.chance - a.chance);
  const isHeaded = (one: PlainPassage): boolean =>
    one === ranked[0] && asked.overlap(one.passage.heading) > 0;
  const excerpts = new Map<string, FoundQuote>();
  for (const one of ranked) {
    if (excerpts.size === most || one.chance < LEAST * ranked[0]!.chance) break;
    const excerpt =
      excerptOf(one, asked) ??
      unmarked(excerptOf(one, { ...asked, overlap: asked.related })) ??
      (one.isNear === true || isFirstAsked(one, ranked) || isHeaded(one) ? wholeOf(one, asked) : null);
    // A book may have the same text twice, such as code with overloads: shows it once.
    if (excerpt !== null) excerpts.getOrInsert(excerpt.text.replace(/\s+/g, ' '), excerpt);
  }
  return [...excerpts.values()];
}

const isFirstAsked = (one: PlainPassage, ranked: readonly PlainPassage[]): boolean =>
  one.isAsked === true &&
  ranked.find(({ passage }) => isSameSection(passage, one.passage))?.passage === one.passage;

const isSameSection = (a: FoundPassage, b: FoundPassage): boolean =>
  a.path === b.path && a.heading === b.heading;

const wholeOf = (one: PlainPassage, asked: Asked): FoundQuote | null =>
  unmarked(excerptOf(one, { ...asked, overlap: () => 1 }));

const unmarked = (quote: FoundQuote | null): FoundQuote | null =>
  quote === null ? null : { ...quote, marked: [] };

const definingShare = ({ passage, plain }: PlainPassage, { isDefinition }: Asked): number =>
  isDefinition !== null &&
  quotableSentences(plain, passage.isCode).some(({ start, end }) =>
    isDefinition(passage.text.slice(start, end)),
  )
    ? DEFINING_PASSAGE
    : 1;

/**
 * Returns the part of a passage around its likeliest sentence that most likely has the answer; null without a word in common.
 */
function excerptOf({ passage, plain }: PlainPassage, asked: Asked): FoundQuote | null {
  const { text, start } = passage;
  const sentences = quotableSentences(plain, passage.isCode);
  const chances = chancesOf(text, sentences, asked);
  if (chances === null) return null;
  const likeliest = sentences.toSorted((a, b) => chances.get(b)! - chances.get(a)!);
  const top = chances.get(likeliest[0]!)!;
  const chanceOf = (unit: Unit): number =>
    unit.sentences.reduce((sum, one) => sum + chances.get(one)!, FILL * top * unit.size);
  const units = unitsOf(text, sentences);
  const at = units.findIndex((unit) => unit.sentences.includes(likeliest[0]!));
  let best: { readonly units: readonly Unit[]; readonly chance: number } = { units: [units[at]!], chance: 0 };
  for (let from = at; from >= 0; from--) {
    let size = 0;
    const over = units.findIndex((unit, n) => n >= from && (size += unit.size) > 1 && n > from);
    const room = units.slice(from, over < 0 ? units.length : over);
    if (from + room.length <= at) break;
    const chance = room.reduce((sum, unit, n) => sum + (from + n < at ? BEFORE : 1) * chanceOf(unit), 0);
    const worth = units[from]!.isFirst ? chance : WITHIN * chance;
    if (worth > best.chance) best = { units: room, chance: worth };
  }
  // Drops units at the end that only introduce the next one, such as "she said:".
  const last = best.units.findLastIndex(
    (unit) => unit === units[at] || !leadsIn(text, unit.sentences.at(-1)),
  );
  const all = best.units.slice(0, last + 1).flatMap((unit) => unit.sentences);
  // Counts the words again, with the targets of links: the counts of sentences leave them out.
  const endOf = (some: readonly Sentence[]): number =>
    cutToWords(text, EXCERPT_WORDS, some[0]!.start, some.at(-1)!.end);
  const shown = endOf(all) < all.at(-1)!.end ? likeliest.slice(0, 1) : all;
  const [first, end] = [shown[0]!.start, endOf(shown)];
  const marked = likeliest
    .filter((one, n) => n === 0 || chances.get(one)! >= SECOND * chances.get(likeliest[0]!)!)
    .filter((one) => one.kind !== 'code' && shown.includes(one))
    .slice(0, 2)
    .map((one): readonly [number, number] => [start + one.start, start + Math.min(one.end, end)])
    .sort(([a], [b]) => a - b);
  return { passage, start: start + first, end: start + end, text: text.slice(first, end), marked };
}

const leadsIn = (text: string, sentence: Sentence | undefined): boolean =>
  LEADS_IN.test(text.slice(sentence?.start, sentence?.end));

function chancesOf(
  text: string,
  sentences: readonly Sentence[],
  { overlap, isDefinition }: Asked,
): ReadonlyMap<Sentence, number> | null {
  const texts = sentences.map(({ start, end }) => text.slice(start, end));
  const overlaps = texts.map(overlap);
  if (!overlaps.some((share) => share > 0)) return null;
  return new Map(
    sentences.map((sentence, i) => {
      const beside = (overlaps[i - 1] ?? 0) + (overlaps[i + 1] ?? 0);
      const own = Math.exp(OVERLAP * (overlaps[i]! + BESIDE * beside)) * sentence.words ** LENGTH;
      return [sentence, KINDS[sentence.kind] * (isDefinition?.(texts[i]!) === true ? DEFINITION : 1) * own];
    }),
  );
}

/** Reports whether a unit is a short heading at the beginning of a paragraph or list item, such as "Long jump." */
const isRunIn = (unit: Omit<Unit, 'size'> | undefined): boolean =>
  unit?.isFirst === true && unit.sentences.length === 1 && unit.sentences[0]!.words <= 3;

function unitsOf(text: string, sentences: readonly Sentence[]): readonly Unit[] {
  const units: { sentences: Sentence[]; isFirst: boolean }[] = [];
  for (const [n, sentence] of sentences.entries()) {
    const before = sentences[n - 1];
    const between = text.slice(before?.end ?? 0, sentence.start);
    // Adds a unit without sentences, whose size is infinite, so that no excerpt spans a comment.
    if (COMMENT.test(between)) units.push({ sentences: [], isFirst: true });
    const isTied =
      sentence.kind === 'code'
        ? leadsIn(text, before)
        : before?.kind === 'code'
          ? REFERS_BACK.test(text.slice(sentence.start, sentence.end))
          : before?.kind === 'table'
            ? sentence.kind === 'table'
            : isRunIn(units.at(-1)) && !between.includes('\n');
    const last = units.at(-1)?.sentences ?? [];
    if (isTied && last.length > 0) last.push(sentence);
    else units.push({ sentences: [sentence], isFirst: n === 0 || PARAGRAPH.test(between) });
  }
  return units.map((unit) => ({
    ...unit,
    size: unit.sentences.reduce(
      (sum, { kind, words, lines }) => sum + (kind === 'code' ? lines / MOST_LINES : words / MOST_WORDS),
      unit.sentences.length === 0 ? Infinity : 0,
    ),
  }));
}

const WORD = /[\p{L}\p{N}]{3,}/gu;

/**
 * Returns `text` if it has at most 60 words; otherwise its sentence that shares the most words with `claim`, cut at 60 words,
 * and as many of the following sentences as fit. For models that cite whole paragraphs. Empty only if `text` is blank.
 */
export function narrowQuote(text: string, claim: string): Range {
  const whole = trim(text, 0, text.length);
  if (cutToWords(text, QUOTE_WORDS, whole.start, whole.end) === whole.end) return whole;
  const wanted = new Set(claim.toLowerCase().match(WORD));
  const sentences = sentencesOf(text);
  const scores = sentences.map(({ start, end }) => {
    const words = new Set(text.slice(start, end).toLowerCase().match(WORD));
    const common = wanted.intersection(words).size;
    // Of two sentences that share as many words, prefers the one with fewer words.
    return common === 0 ? 0 : common + 1 / (1 + words.size);
  });
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

/** The maximum number of words of a quote, as `cutToWords` counts them. */
export const QUOTE_WORDS = 60;
export const EXCERPT_WORDS = 400;

/**
 * Reports whether `quote` is exactly the slice `start..end` (UTF-16 offsets) of `content`, splits no surrogate pair at either
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

const splitsPair = (text: string, offset: number): boolean =>
  offset > 0 && offset < text.length && text.codePointAt(offset - 1)! > 0xffff;

type SentenceKind = 'prose' | 'table' | 'code';

/** A sentence, a list item, a table row, or the first MOST_LINES lines of a code block. Offsets are into the passage. */
type Sentence = Range & { readonly words: number; readonly lines: number; readonly kind: SentenceKind };

const TABLE = /^[ \t]*\|/;
const READABLE = /[\p{L}\p{N}]/u;

/**
 * Returns the sentences of a passage whose comments and markup are blanked out, in order. `isCode` is for code without fences.
 */
function quotableSentences(plain: string, isCode = false): readonly Sentence[] {
  if (isCode) return sentenceOf(plain, codeLines(plain, 0, plain.length), 'code');
  return [...blocksOf(plain)].flatMap(({ start, end, kind }) =>
    kind === 'fence'
      ? sentenceOf(plain, codeLines(plain, start, end), 'code')
      : sentencesOf(plain, start, end).flatMap((range) => sentenceOf(plain, range, kindOf(plain, range))),
  );
}

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
  return TABLE.test(line) ? 'table' : 'prose';
}
