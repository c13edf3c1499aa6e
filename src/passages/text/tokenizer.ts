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
