import { UNSPACED } from './script.ts';

// Two characters of an unspaced script count as a word, as do 24 characters of any other run and 100 blanks: neither a
// Chinese chapter nor 5 MB of base64 or of spaces is one "word". The count is never below that of white space.
const WORD = new RegExp(`\\s{100}|[${UNSPACED}]{1,2}|[^\\s${UNSPACED}]{1,24}`, 'gu');

const LONGEST_RUN = 24;
const LONGEST_BLANK = 100;
const BLANKS = new Set(
  Array.from('\t\n\v\f\r \u00a0\u1680\u2028\u2029\u202f\u205f', (one) => one.charCodeAt(0)),
);
const isBlank = (code: number): boolean =>
  code < 128
    ? code === 32 || (code < 14 && code > 8)
    : BLANKS.has(code) || (code >= 0x2000 && code <= 0x200a);

/** The number of words of `text`, in linear time. */
export function countWords(text: string): number {
  const spaced = countSpaced(text);
  if (spaced !== null) return spaced;
  let count = 0;
  WORD.lastIndex = 0;
  while (WORD.test(text)) count++;
  return count;
}

/** The same without the regular expression, which takes half of an index's build time; null if a script may be unspaced. */
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
 * The offset where the first `limit` words of `start..end` end; `end` itself when there are not more than `limit`.
 * Never inside a surrogate pair.
 */
export function cutToWords(text: string, limit: number, start = 0, end = text.length): number {
  let cut = start;
  WORD.lastIndex = start;
  for (let count = 0; WORD.test(text) && cut < end; count++) {
    if (count === limit) return Math.min(cut, end);
    cut = WORD.lastIndex;
  }
  return end;
}
