import { Database } from 'bun:sqlite';
import { searchable } from '../passages/searchable.ts';
import { splitPassages } from '../passages/split.ts';
import { shownText } from '../passages/shown-text.ts';
import { tokenizerFor } from '../passages/words.ts';
import { indexSchema } from './index-file.ts';

/** A text file of a book, in reading order; `title` leads the headings of its text. */
export type Chapter = { readonly path: string; readonly content: string; readonly title: string | null };

/**
 * The contents of an index; `language` is a BCP 47 tag, or null to detect the script. `aliases` are words of readers, each
 * with the words that the book uses instead.
 */
type IndexedBook = {
  readonly language: string | null;
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** Gone through twice. */
  readonly chapters: Iterable<Chapter>;
};

/** Characters of the first chapters that are read to detect the script. */
const SAMPLE = 20_000;

/**
 * Writes the search index of one book to `file`, which must not exist: one SQLite file, nothing beside it, the same
 * bytes for the same book. Returns the number of passages. A failure leaves a broken `file` for the caller to remove.
 */
export function buildIndex(file: string, book: IndexedBook): { readonly passages: number } {
  const db = new Database(file, { create: true, readwrite: true, strict: true });
  try {
    db.run('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;');
    return { passages: db.transaction(() => fill(db, book))() };
  } finally {
    db.close();
  }
}

function fill(db: Database, { language, aliases = {}, chapters }: IndexedBook): number {
  const tokenizer = tokenizerFor(language, beginningOf(chapters));
  db.run(indexSchema(tokenizer));
  const addChapter = db.prepare('INSERT INTO chapter VALUES (?, ?, ?)');
  const addPassage = db.prepare('INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const addWords = db.prepare('INSERT INTO words(rowid, text) VALUES (?, ?)');
  const lengths: number[] = [];
  let number = 0;
  const add = ({ path, content, title }: Chapter): void => {
    addChapter.run(number, path, lengths.length + 1);
    const passages = splitPassages(content, path);
    // A text that shows its title as a heading may have others beside it.
    const isShown = title === null || passages.some((one) => isIn(one.heading, title));
    for (const { heading: own, start, end, plain, isCode } of passages) {
      const heading = shownText(isShown ? own : [title, own].filter((one) => one !== '').join(' › '));
      const text = content.slice(start, end);
      const id = lengths.push(plain.length);
      addPassage.run(id, number, heading, start, end, text, plain === text ? null : plain, isCode);
      addWords.run(id, `${searchable(plain)} ${searchable(heading)}`);
    }
    number++;
  };
  for (const chapter of chapters) add(chapter);
  db.run(`INSERT INTO words(words) VALUES ('optimize')`);
  db.prepare('INSERT INTO book VALUES (?, ?, ?)').run(
    tokenizer,
    JSON.stringify(lengths),
    JSON.stringify(aliases),
  );
  return lengths.length;
}

/** Whether a title is one of the headings of a path. */
const isIn = (headings: string, title: string): boolean =>
  headings.split(' › ').some((heading) => letters(shownText(heading)) === letters(title));

const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();

/** The beginning of a book, enough to detect the script. */
function beginningOf(chapters: Iterable<Chapter>): string {
  let text = '';
  for (const { content } of chapters) {
    text += `${content.slice(0, SAMPLE)}\n`;
    if (text.length > SAMPLE) break;
  }
  return text;
}
