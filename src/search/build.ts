import { Database } from 'bun:sqlite';
import { searchable } from '../passages/question/searchable.ts';
import { splitPassages } from '../passages/text/split.ts';
import { tokenizerFor } from '../passages/text/tokenizer.ts';
import { indexSchema } from './schema.ts';

/** A text file of a book, in reading order; `title` is used as heading if the text has none. */
export type Chapter = { readonly path: string; readonly content: string; readonly title: string | null };

/** The contents of an index; `language` is a BCP 47 tag, or null to detect the script. */
export type IndexedBook = { readonly language: string | null; readonly chapters: Iterable<Chapter> };

/** Characters of the first chapters that are read to detect the script. */
const SAMPLE = 20_000;

/**
 * Writes the search index of one book to `file`, which must not exist: one SQLite file, nothing beside it, the same
 * bytes for the same book. Returns the number of passages. A failure leaves a broken `file` for the caller to remove.
 */
export function buildIndex(file: string, { language, chapters }: IndexedBook): { readonly passages: number } {
  const db = new Database(file, { create: true, readwrite: true, strict: true });
  try {
    db.run('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;');
    return { passages: db.transaction(() => fill(db, language, chapters))() };
  } finally {
    db.close();
  }
}

function fill(db: Database, language: string | null, chapters: Iterable<Chapter>): number {
  const { first, rest } = peek(chapters);
  db.run(
    indexSchema(tokenizerFor(language, first.map(({ content }) => content.slice(0, SAMPLE)).join('\n'))),
  );
  const addText = db.prepare('INSERT INTO passage(rowid, text, heading) VALUES (?, ?, ?)');
  const addPlace = db.prepare('INSERT INTO place VALUES (?, ?, ?, ?, ?, ?)');
  const addChapter = db.prepare('INSERT INTO chapter VALUES (?, ?)');
  let passages = 0;
  let number = 0;
  const add = ({ path, content, title }: Chapter): void => {
    addChapter.run(number, path);
    for (const { heading: own, start, end, plain } of splitPassages(content, path)) {
      const heading = own || (title ?? '');
      passages++;
      addText.run(passages, searchable(plain), searchable(heading));
      addPlace.run(passages, number, heading, start, end, content.slice(start, end));
    }
    number++;
  };
  for (const chapter of first) add(chapter);
  for (const chapter of rest) add(chapter);
  db.run(`INSERT INTO passage(passage) VALUES ('optimize')`);
  return passages;
}

/** Separates the first chapters, enough to detect the script, from the others: a book is never whole in memory. */
function peek(chapters: Iterable<Chapter>): {
  readonly first: readonly Chapter[];
  readonly rest: Iterable<Chapter>;
} {
  const rest = Iterator.from(chapters);
  const first: Chapter[] = [];
  for (let seen = 0; seen < SAMPLE;) {
    const { value, done } = rest.next();
    if (done === true) break;
    first.push(value);
    seen += value.content.length + 1;
  }
  return { first, rest };
}
