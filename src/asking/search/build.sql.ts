import { Database } from 'bun:sqlite';
import { searchable } from '../searchable.rule.ts';
import { splitPassages } from '../split.rule.ts';
import { shownText } from '../../reading/shown-text.rule.ts';
import { countWords, tokenizerFor } from '../../reading/sentence.rule.ts';
import { indexSchema, type Section } from './index-file.sql.ts';

/**
 * A text file of a book; `title` is put before the path of its headings. `asked` has words of readers for ranges of the text
 * (UTF-16 offsets); they also find the passages in their range.
 */
export type Chapter = {
  readonly path: string;
  readonly content: string;
  readonly title: string | null;
  readonly asked?: readonly { readonly start: number; readonly end: number; readonly words: string }[];
};

/**
 * The book to index. `language` is a BCP 47 tag; null to tell it by the script. `aliases` maps words of readers to the words
 * that the book uses instead.
 */
type IndexedBook = {
  readonly language: string | null;
  readonly math?: boolean;
  readonly aliases?: Readonly<Record<string, readonly string[]>>;
  /** The book's texts in reading order; iterated twice. */
  readonly chapters: Iterable<Chapter>;
};

/** The script is told from the book's beginning: at most so many UTF-16 units of each file, until there are more than that. */
const SAMPLE = 20_000;

/**
 * Writes the search index of one book to `file`, which must not exist. It is a single SQLite file, byte for byte the same for
 * the same book. Returns the number of passages. After a failure the caller must remove the broken `file`.
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

function fill(db: Database, { language, math, aliases = {}, chapters }: IndexedBook): number {
  const tokenizer = tokenizerFor(language, beginningOf(chapters));
  db.run(indexSchema(tokenizer));
  const addChapter = db.prepare('INSERT INTO chapter VALUES (?, ?)');
  const addPassage = db.prepare('INSERT INTO passage VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
  const addWords = db.prepare('INSERT INTO words(rowid, text, heading, asked) VALUES (?, ?, ?, ?)');
  const lengths: number[] = [];
  const sections: Section[] = [];
  let number = 0;
  const add = ({ path, content, title, asked = [] }: Chapter): void => {
    addChapter.run(number, path);
    const passages = splitPassages(content, path, math);
    // A title that is also a heading in the text is not put before the other headings.
    const isShown = title === null || passages.some((one) => isIn(one.heading, title));
    const wordsFor = askedOf(passages, asked);
    let above: string | null = null;
    for (const [n, { heading: own, start, end, plain, isCode }] of passages.entries()) {
      const heading = shownText(isShown ? own : [title, own].filter((one) => one !== '').join(' › '));
      const text = content.slice(start, end);
      const id = lengths.push(plain.length);
      const words = wordsFor.get(n) ?? '';
      const shown = plain === text ? null : plain;
      addPassage.run(id, number, heading, start, end, text, shown, isCode, words !== '');
      addWords.run(id, searchable(plain), searchable(heading), searchable(words));
      if (heading !== above) sections.push(sectionOf(id, heading));
      above = heading;
    }
    number++;
  };
  for (const chapter of chapters) add(chapter);
  db.run(`INSERT INTO words(words) VALUES ('optimize')`);
  db.run("INSERT INTO count SELECT term, doc, cnt FROM word WHERE term <> ''");
  db.prepare('INSERT INTO book VALUES (?, ?, ?, ?)').run(
    tokenizer,
    JSON.stringify(lengths),
    JSON.stringify(sections),
    JSON.stringify(aliases),
  );
  return lengths.length;
}

function sectionOf(first: number, heading: string): Section {
  const names = heading.split(' › ');
  const name = countWords(names.pop()!);
  return [first, countWords(names.join(' ')), name];
}

/**
 * Returns readers' words by the index of the passage to which they lead; for a range without passages, that is the next one.
 */
function askedOf(
  passages: readonly { readonly start: number }[],
  asked: NonNullable<Chapter['asked']>,
): ReadonlyMap<number, string> {
  const words = new Map<number, string>();
  for (const range of asked) {
    const first = passages.findIndex(({ start }) => start >= range.start);
    const after = passages.findIndex(({ start }) => start >= range.end);
    const end = Math.max(first + 1, after < 0 ? passages.length : after);
    for (let n = first; n >= 0 && n < end; n++) words.set(n, `${words.get(n) ?? ''}\n${range.words}`);
  }
  return words;
}

const isIn = (headings: string, title: string): boolean =>
  headings.split(' › ').some((heading) => letters(shownText(heading)) === letters(title));

const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();

function beginningOf(chapters: Iterable<Chapter>): string {
  let text = '';
  for (const { content } of chapters) {
    text += `${content.slice(0, SAMPLE)}\n`;
    if (text.length > SAMPLE) break;
  }
  return text;
}
