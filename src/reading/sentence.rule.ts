import { lazySegmenter } from '../platform/base/text.ts';

/** Scripts written without spaces between words, as the inside of a regular expression's character class (flag `u`). */
export const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';

export type Range = { readonly start: number; readonly end: number };

const segmenter = lazySegmenter('en', 'sentence');
// Matches line breaks, at which UAX #29 ends a sentence. Single ones become spaces, since prose may be hard-wrapped, except
// before a list.
const SOFT_BREAK = /\r\n|[\n\r\u0085\u2028\u2029]/g;
const BLOCK_BEGIN = /[ \t]{0,40}(?:[\n\r]|[-*+|>#•]|\d{1,3}[.)]\s)/y;
const QUOTED_LINE = /^[ \t]{0,3}>(?:[ \t]?>)*/;
const CODE_SPAN = /(`{1,3})(?!`)[^`\n]{1,300}\1(?!`)/g;
// Matches closing marks of emphasis. They are treated as quotation marks, so that they belong to the sentence that they close.
const CLOSING_MARKS = /(?<=[.!?…。！？])[*_]{1,3}(?=\s|$)/g;
const ENDING = /[.!?。！？]/g;
const ABBREVIATION =
  /(?:^|[\s("“[])(?:Mrs?|Ms|Dr|St|Mt|Prof|Rev|Capt|Col|Gen|Sr|Jr|No|Nr|vol|Vol|Fig|fig|cf|vs|al|e\.\s?g|i\.\s?e|ca|approx|pp?|eds?|Eq|Sec|Ch|bzw|vgl|Vgl|ggf|Abs|Art|art|Buchst|Mme|Sra|núm|pág|см|z\.\s?B|d\.\s?h|\p{Lu})\.\s*$/u;
// Matches a day before its month in German, as in "ab dem 1. Januar": its full stop ends no sentence.
const DAY = /(?:^|[\s(])\d{1,2}\.\s*$/;
const MONTH =
  /^(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)(?!\p{L})/u;
const LIST_NUMBER = /^\s*(?:\d{1,3}|\p{L})[.)]\s*$/u;
// Matches quoted speech that is part of a longer sentence, as in Japanese before と: 「…。」と.
const QUOTED_SPEECH = /[。！？…][」』]$/;
// Matches quoted speech that is part of a longer sentence in languages other than Japanese: “Why?” said he.
const SPEECH = /[?!…]['"”’»“]\s*$/;
const LOWER = /^\p{Ll}/u;
const HIRAGANA = /^\p{scx=Hiragana}/u;
const SPACED_END = new RegExp(`[${UNSPACED}]`, 'u');

/** Returns the sentences of `start..end` without the white space around them, in linear time (Unicode UAX #29). */
export function sentencesOf(text: string, start = 0, end = text.length): readonly Range[] {
  const found: Range[] = [];
  let begin = -1;
  const slice = joinLines(text.slice(start, end));
  for (const { segment, index } of segmenter().segment(slice)) {
    if (begin < 0) begin = index;
    const next = index + segment.length;
    if (isUnfinished(slice, begin, next, segment)) continue;
    push(found, trim(text, start + begin, start + next));
    begin = -1;
  }
  if (begin >= 0) push(found, trim(text, start + begin, end));
  return found;
}

export function trim(text: string, start: number, end: number): Range {
  const slice = text.slice(start, end);
  const from = start + slice.length - slice.trimStart().length;
  return { start: from, end: Math.max(from, start + slice.trimEnd().length) };
}

function isUnfinished(text: string, begin: number, next: number, segment: string): boolean {
  if (/[\n\r]$/.test(segment)) return false;
  const last = segment.slice(-12);
  if (ABBREVIATION.test(last)) return true;
  if (SPEECH.test(last) && LOWER.test(text.slice(next, next + 2))) return true;
  if (DAY.test(last) && MONTH.test(text.slice(next, next + 12))) return true;
  if (next - begin <= 8 && LIST_NUMBER.test(text.slice(begin, next))) return true;
  return (
    SPACED_END.test(text[next] ?? '') && QUOTED_SPEECH.test(last) && HIRAGANA.test(text.slice(next, next + 1))
  );
}

function push(ranges: Range[], range: Range): void {
  if (range.end > range.start) ranges.push(range);
}

/** Joins the lines of each paragraph or quotation, and hides punctuation in code that would end a sentence. Keeps offsets. */
function joinLines(text: string): string {
  const unquoted = text.includes('>') ? hideQuotationMarks(text) : text;
  const joined = unquoted.includes('`')
    ? unquoted.replace(CODE_SPAN, (code) => code.replace(ENDING, '_'))
    : unquoted;
  const closed = joined.replace(CLOSING_MARKS, (marks) => '"'.repeat(marks.length));
  return closed.replace(SOFT_BREAK, (mark, offset: number) => {
    BLOCK_BEGIN.lastIndex = offset + mark.length;
    return BLOCK_BEGIN.test(joined) ? mark : ' '.repeat(mark.length);
  });
}

function hideQuotationMarks(text: string): string {
  let isWithin = false;
  return text
    .split('\n')
    .map((line) => {
      const [mark = ''] = QUOTED_LINE.exec(line) ?? [];
      const shown = isWithin ? ' '.repeat(mark.length) + line.slice(mark.length) : line;
      isWithin = mark !== '';
      return shown;
    })
    .join('\n');
}

/** How a book's words are indexed: as English stems, or as they are written. */
export type Tokenizer = 'porter' | 'word';

/** Returns the tokenizer for a book's `language` (BCP 47); if that is null or "und", for the script of most of `sample`. */
export function tokenizerFor(language: string | null, sample: string): Tokenizer {
  const main = language?.split('-')[0]?.toLowerCase() ?? 'und';
  if (main !== 'und') return main === 'en' ? 'porter' : 'word';
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const latin = sample.match(/\p{scx=Latin}/gu)?.length ?? 0;
  return 2 * latin >= letters ? 'porter' : 'word';
}

// Matches a word. Two characters of a script without spaces count as one, as do 24 characters of any other run and 100 blanks:
// neither a Chinese chapter nor 5 MB of base64 or blanks is one "word". There are never fewer words than white space separates.
const WORD = new RegExp(`\\s{100}|[${UNSPACED}]{1,2}|[^\\s${UNSPACED}]{1,24}`, 'gu');

// Characters that belong to the character before them, in Thai, Lao and Khmer too.
const JOINED = /[\p{M}\p{Emoji_Modifier}\u0e33\u0eb3\u200d]|(?<=[\u17d2\u200d])./uy;

const LONGEST_RUN = 24;
const LONGEST_BLANK = 100;
const BLANKS = new Set(
  Array.from('\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f', (one) => one.charCodeAt(0)),
);
const isBlank = (code: number): boolean =>
  code < 128
    ? code === 32 || (code < 14 && code > 8)
    : BLANKS.has(code) || (code >= 0x2000 && code <= 0x200a);

export function countWords(text: string): number {
  const spaced = countSpaced(text);
  if (spaced !== null) return spaced;
  let count = 0;
  WORD.lastIndex = 0;
  while (WORD.test(text)) count++;
  return count;
}

/**
 * Counts words without the regular expression: with it, counting would take half the time of building an index. Null if a
 * script without spaces may occur.
 */
function countSpaced(text: string): number | null {
  let count = 0;
  let run = 0;
  let blanks = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code >= 0x0e00 && (code < 0x2000 || code >= 0x2e80)) return null;
    if (isBlank(code)) {
      run = 0;
      blanks = (blanks + 1) % LONGEST_BLANK;
      if (blanks === 0) count++;
    } else {
      blanks = 0;
      if (run === 0) count++;
      run = (run + 1) % LONGEST_RUN;
    }
  }
  return count;
}

/**
 * Returns the offset where the first `limit` words of `start..end` end; `end` if there are not more. The offset is never inside
 * a surrogate pair, nor, after the first word, between a letter and its marks.
 */
export function cutToWords(text: string, limit: number, start = 0, end = text.length): number {
  // Each word has at least one character, so there are at most `limit` words.
  if (end - start <= limit) return end;
  let cut = start;
  WORD.lastIndex = start;
  for (let count = 0; WORD.test(text) && cut < end; count++) {
    if (count === limit) return Math.min(cut, end);
    JOINED.lastIndex = WORD.lastIndex;
    if (cut === start || !JOINED.test(text)) cut = WORD.lastIndex;
  }
  return end;
}
