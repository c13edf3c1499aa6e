/** Scripts written without spaces between words, as the inside of a regular expression's character class (flag `u`). */
export const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';

/** The way a book's words are indexed: as English stems, whole words, or trigrams. */
export type Tokenizer = 'porter' | 'word' | 'trigram';

const WHOLE_WORDS = new Set('zh yue ja th lo km my hi mr ne sa bn ta te kn ml gu pa si ko vi'.split(' '));
const SCRIPTS: readonly (readonly [RegExp, Tokenizer])[] = [
  [/\p{scx=Latin}/gu, 'porter'],
  [/[\p{scx=Cyrillic}\p{scx=Greek}\p{scx=Arabic}\p{scx=Armenian}\p{scx=Georgian}\p{scx=Hebr}]/gu, 'trigram'],
  [
    /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/gu,
    'word',
  ],
  [
    /[\p{scx=Deva}\p{scx=Beng}\p{scx=Taml}\p{scx=Telu}\p{scx=Knda}\p{scx=Mlym}\p{scx=Gujr}\p{scx=Guru}]/gu,
    'word',
  ],
];

/**
 * The tokenizer for a book's `language` (BCP 47), else for the most frequent script of `sample`. Only English has a
 * stemmer; other languages that inflect are indexed by trigrams.
 */
export function tokenizerFor(language: string | null, sample: string): Tokenizer {
  const main = language?.split('-')[0]?.toLowerCase();
  if (main === 'en') return 'porter';
  if (main !== undefined && main !== 'und') return WHOLE_WORDS.has(main) ? 'word' : 'trigram';
  const counts = SCRIPTS.map(([script, tokenizer]) => ({
    tokenizer,
    count: sample.match(script)?.length ?? 0,
  }));
  return counts.reduce((best, one) => (one.count > best.count ? one : best)).tokenizer;
}

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
