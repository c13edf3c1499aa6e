// Full-text tables of SQLite: https://sqlite.org/fts5.html (tokenizers §4.3, contentless tables §4.4.1, fts5vocab §5).
import type { Tokenizer } from '../passages/text/tokenizer.ts';

// Marks must be token characters, or Hindi words split at their vowel signs.
const CLAUSES: Readonly<Record<Tokenizer, string>> = {
  porter: `porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'`,
  word: `unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'`,
  trigram: 'trigram remove_diacritics 1',
};

/** The tables of one book's index: `passage` holds tokens only, `place` the position and text of each passage. */
export function indexSchema(tokenizer: Tokenizer): string {
  return `
    CREATE VIRTUAL TABLE passage USING fts5(text, heading, content = '', tokenize = "${CLAUSES[tokenizer]}");
    CREATE VIRTUAL TABLE token USING fts5vocab(passage, instance);
    CREATE VIRTUAL TABLE term USING fts5vocab(passage, row);
    CREATE TABLE chapter(id INTEGER PRIMARY KEY, path TEXT NOT NULL) STRICT;
    CREATE TABLE place(
      id INTEGER PRIMARY KEY, chapter INTEGER NOT NULL, heading TEXT NOT NULL,
      start INTEGER NOT NULL, end INTEGER NOT NULL, text TEXT NOT NULL
    ) STRICT;
    CREATE TABLE book(tokenizer TEXT NOT NULL) STRICT;
    INSERT INTO book VALUES ('${tokenizer}');
  `;
}

/** A table in memory, beside the index, that tokenizes texts as the index does. */
export function tokensSchema(tokenizer: Tokenizer): string {
  return `
    PRAGMA temp_store = MEMORY;
    CREATE VIRTUAL TABLE temp.asked USING fts5(text, content = '', tokenize = "${CLAUSES[tokenizer]}");
    CREATE VIRTUAL TABLE temp.asked_token USING fts5vocab(temp, asked, instance);
  `;
}
