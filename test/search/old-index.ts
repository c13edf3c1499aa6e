import { Database } from 'bun:sqlite';
import { searchable } from '../../src/passages/question/searchable.ts';
import { splitPassages } from '../../src/passages/text/split.ts';
import type { Chapter } from '../../src/search/build.ts';

/** Writes an English index in format 3, as version 0.2 did. */
export function buildOldIndex(file: string, chapters: readonly Chapter[]): void {
  using db = new Database(file, { create: true, readwrite: true });
  db.run(`
    CREATE VIRTUAL TABLE passage USING fts5(text, heading, content = '',
      tokenize = "porter unicode61 remove_diacritics 2 categories 'L* N* Co Mn Mc'");
    CREATE VIRTUAL TABLE token USING fts5vocab(passage, instance);
    CREATE VIRTUAL TABLE term USING fts5vocab(passage, row);
    CREATE TABLE chapter(id INTEGER PRIMARY KEY, path TEXT NOT NULL) STRICT;
    CREATE TABLE place(
      id INTEGER PRIMARY KEY, chapter INTEGER NOT NULL, heading TEXT NOT NULL,
      start INTEGER NOT NULL, end INTEGER NOT NULL, text TEXT NOT NULL
    ) STRICT;
    CREATE TABLE book(tokenizer TEXT NOT NULL) STRICT;
    INSERT INTO book VALUES ('porter');
  `);
  let passages = 0;
  for (const [number, { path, content, title }] of chapters.entries()) {
    db.prepare('INSERT INTO chapter VALUES (?, ?)').run(number, path);
    for (const { heading: own, start, end, plain } of splitPassages(content, path)) {
      const heading = own || (title ?? '');
      passages++;
      const tokens = [searchable(plain), searchable(heading)];
      db.prepare('INSERT INTO passage(rowid, text, heading) VALUES (?, ?, ?)').run(passages, ...tokens);
      const place = [passages, number, heading, start, end, content.slice(start, end)] as const;
      db.prepare('INSERT INTO place VALUES (?, ?, ?, ?, ?, ?)').run(...place);
    }
  }
  db.run(`INSERT INTO passage(passage) VALUES ('optimize')`);
}
