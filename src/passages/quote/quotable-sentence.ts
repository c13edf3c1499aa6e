import { linesOf } from '../text/line.ts';
import { closesFence, opensFence } from '../text/fence.ts';
import { type Range, sentencesOf, trim } from '../text/sentence.ts';
import { countWords, cutToWords } from '../text/words.ts';
import { QUOTE_WORDS } from './quote.ts';

/** Whether a sentence is prose, an item of a list, a row of a table, or lines of code. */
export type SentenceKind = 'prose' | 'item' | 'table' | 'code';

/**
 * A sentence that may be quoted, or at most 60 words of a longer one; offsets into its text. It is cut before or after if
 * the sentence goes on there.
 */
export type Sentence = Range & {
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
