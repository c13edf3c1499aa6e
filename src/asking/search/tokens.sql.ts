import { Database } from 'bun:sqlite';
import type { Tokenizer } from '../../reading/sentence.rule.ts';

/**
 * The FTS5 tokenizers that split the words of a book, https://sqlite.org/fts5.html §4.3. Marks belong to words: otherwise Hindi
 * words would split at their vowel signs.
 */
export const TOKENIZE: Readonly<Record<Tokenizer, string>> = {
  porter: `porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'`,
  word: `unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'`,
};

const MOST_KNOWN = 50_000;
const known = new Map<string, readonly string[]>();
const spellers = new Map<Tokenizer, (text: string) => readonly string[]>();

export function tokenize(text: string, tokenizer: Tokenizer): readonly string[] {
  const key = `${tokenizer} ${text}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  let spell = spellers.get(tokenizer);
  if (spell === undefined) spellers.set(tokenizer, (spell = createSpeller(tokenizer)));
  const tokens = spell(text);
  if (known.size >= MOST_KNOWN) known.clear();
  known.set(key, tokens);
  return tokens;
}

// Without a stemmer, words are searched for by their beginnings. In German, Greek, Romanian, Russian, Spanish and Turkish, five
// letters find the forms of a word as well as trigrams do, and detect questions about other subjects better. Arabic words are
// shorter; in Korean, two syllables are a word without its particles: test/bench/qa.md.
const STEM =
  /^([\p{scx=Latin}\p{scx=Cyrillic}\p{scx=Greek}\p{scx=Hebrew}\p{scx=Armenian}\p{scx=Georgian}]{5}|\p{scx=Arabic}{1,4}|\p{scx=Hangul}{2}).*/u;

/** Returns the tokens to look for; without a stemmer, the beginning of a longer word with `*` for any ending. */
export function soughtTokens(text: string, tokenizer: Tokenizer): readonly string[] {
  const tokens = tokenize(text, tokenizer);
  return tokenizer === 'porter' ? tokens : tokens.map((token) => token.replace(STEM, '$1*'));
}

/** Makes a function that splits texts with SQLite's own tokenizer, through an index of one text. */
function createSpeller(tokenizer: Tokenizer): (text: string) => readonly string[] {
  const db = new Database(':memory:');
  db.run(`CREATE VIRTUAL TABLE own USING fts5(text, tokenize = "${TOKENIZE[tokenizer]}");
    CREATE VIRTUAL TABLE token USING fts5vocab(own, instance)`);
  const put = db.prepare('INSERT OR REPLACE INTO own(rowid, text) VALUES (1, ?)');
  const spelled = db.prepare('SELECT term FROM token ORDER BY offset');
  return (text) => {
    put.run(text);
    return (spelled.values() as [string][]).map(([term]) => term);
  };
}
