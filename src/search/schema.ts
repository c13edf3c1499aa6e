import type { Tokenizer } from '../passages/text/tokenizer.ts';

/** The format of the index files that this program writes. */
export const FORMAT = 4;

/**
 * The tables of one book's index. `posting` holds the occurrences of each token, `passage` the position and text of each
 * passage with its sentences, `book` the lengths and chapters of all passages; see `postings.ts`, `sentences.ts`,
 * `layout.ts` for their bytes.
 */
export function indexSchema(): string {
  return `
    PRAGMA user_version = ${FORMAT};
    CREATE TABLE posting(
      token TEXT NOT NULL, part INTEGER NOT NULL, passages INTEGER NOT NULL, bytes BLOB NOT NULL,
      PRIMARY KEY (token, part)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE chapter(id INTEGER PRIMARY KEY, path TEXT NOT NULL) STRICT;
    CREATE TABLE passage(
      id INTEGER PRIMARY KEY, chapter INTEGER NOT NULL, heading TEXT NOT NULL,
      start INTEGER NOT NULL, end INTEGER NOT NULL, text TEXT NOT NULL, sentences BLOB NOT NULL
    ) STRICT;
    CREATE TABLE book(tokenizer TEXT NOT NULL, lengths BLOB NOT NULL, chapters BLOB NOT NULL, aliases TEXT NOT NULL) STRICT;
  `;
}

/** One row of `book`. */
export type BookRow = {
  readonly tokenizer: Tokenizer;
  readonly lengths: Uint8Array;
  readonly chapters: Uint8Array;
  readonly aliases: string;
};
