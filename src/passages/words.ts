// Scripts written without spaces count two characters as a word, other runs one every 24 characters, blanks one every
// 100: neither a Chinese chapter nor 5 MB of base64 or of spaces is one "word". Never fewer than white space tells.
const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';
const WORD = new RegExp(`\\s{100}|[${UNSPACED}]{1,2}|[^\\s${UNSPACED}]{1,24}`, 'gu');

/** The number of words of `text`, in linear time. */
export function countWords(text: string): number {
  let count = 0;
  WORD.lastIndex = 0;
  while (WORD.test(text)) count++;
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
