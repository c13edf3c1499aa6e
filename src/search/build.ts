import { Database } from 'bun:sqlite';
import { splitPassages } from '../passages/split.ts';

/** A text file of a book in reading order; `title` stands in where the text has no heading. */
export type Chapter = { readonly path: string; readonly content: string; readonly title: string | null };

const SCHEMA = `
  PRAGMA journal_mode = OFF;
  PRAGMA synchronous = OFF;
  CREATE VIRTUAL TABLE passage USING fts5(text, heading, tokenize = 'porter unicode61 remove_diacritics 2');
  CREATE TABLE place(id INTEGER PRIMARY KEY, path TEXT NOT NULL, start INTEGER NOT NULL, end INTEGER NOT NULL) STRICT;
`;

/**
 * Writes the search index of one book to `file`, which must not exist: one SQLite file, nothing beside it, the same
 * bytes for the same chapters. Returns the number of passages. A failure leaves a broken `file` for the caller to remove.
 */
export function buildIndex(file: string, chapters: Iterable<Chapter>): { readonly passages: number } {
  const db = new Database(file, { create: true, readwrite: true, strict: true });
  try {
    db.run(SCHEMA);
    const passages = db.transaction(() => fill(db, chapters))();
    db.run(`INSERT INTO passage(passage) VALUES ('optimize')`);
    db.run('VACUUM');
    return { passages };
  } finally {
    db.close();
  }
}

function fill(db: Database, chapters: Iterable<Chapter>): number {
  const addText = db.prepare('INSERT INTO passage(rowid, text, heading) VALUES (?, ?, ?)');
  const addPlace = db.prepare('INSERT INTO place(id, path, start, end) VALUES (?, ?, ?, ?)');
  let id = 0;
  for (const { path, content, title } of chapters)
    for (const { heading, start, end } of splitPassages(content)) {
      id++;
      addText.run(id, content.slice(start, end), heading || (title ?? ''));
      addPlace.run(id, path, start, end);
    }
  return id;
}
