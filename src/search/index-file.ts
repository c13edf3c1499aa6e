import { constants, Database } from 'bun:sqlite';
import { pathToFileURL } from 'node:url';
import type { Passage } from '../passages/split.ts';
import type { Tokenizer } from '../passages/words.ts';
import { Refusal } from '../refusal.ts';
import { type Aliases, readAliases } from './aliases.ts';
import { type Layout, layOut, mergePostings, type Postings, readPostings, readVarints } from './postings.ts';
import { type IndexedSentence, readSentences } from './sentences.ts';

/** A passage as an index stores it; `text` is exactly `start..end` of the file at `path`. */
export type StoredPassage = Passage & {
  readonly path: string;
  readonly text: string;
  readonly sentences: readonly IndexedSentence[];
};

/** The contents of an open index. */
export type IndexFile = {
  readonly tokenizer: Tokenizer;
  /** The publisher's words for words of readers, all as tokens. */
  readonly aliases: Aliases;
  readonly layout: Layout;
  /** The number of passages that hold a token. */
  readonly count: (token: string) => number;
  readonly postings: (token: string) => Postings;
  readonly passage: (number: number) => StoredPassage;
  readonly close: () => void;
};

/** Opens a file that `buildIndex` wrote; it is never written and must not change while open. Refuses overloaded if it has another format. */
export function openIndexFile(file: string): IndexFile {
  const uri = `${pathToFileURL(file).href}?immutable=1`;
  const db = new Database(uri, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
  try {
    // In KiB: many books are open at once, and the system keeps their pages anyway.
    db.run('PRAGMA cache_size = -256');
    const { user_version } = db.query<{ user_version: number }, []>('PRAGMA user_version').get()!;
    if (user_version !== FORMAT) throw outdated();
    return openTables(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** After an update of the program, until the book is compiled again. */
function outdated(): Refusal {
  return new Refusal(
    'overloaded',
    'Cannot search this book now: its index is made again after an update; try again in a minute',
    10,
  );
}

function openTables(db: Database): IndexFile {
  const { tokenizer, lengths, chapters, aliases } = db.query<BookRow, []>('SELECT * FROM book').get()!;
  const counted = db.prepare('SELECT sum(passages) FROM posting WHERE token = ?');
  const found = db.prepare<{ passages: number; bytes: Uint8Array }, [string]>(
    'SELECT passages, bytes FROM posting WHERE token = ? ORDER BY part',
  );
  const passage = db.prepare<Omit<StoredPassage, 'sentences'> & { sentences: Uint8Array }, [number]>(
    `SELECT path, heading, start, end, text, sentences FROM passage JOIN chapter ON chapter.id = chapter
     WHERE passage.id = ?`,
  );
  return {
    tokenizer,
    aliases: readAliases(JSON.parse(aliases) as Record<string, readonly string[]>, tokenizer),
    layout: layOut(readVarints(lengths), readVarints(chapters)),
    count: (token) => (counted.values(token) as [[number | null]])[0][0] ?? 0,
    postings: (token) => mergePostings(found.all(token).map(readPostings)),
    passage: (number) => {
      const row = passage.get(number)!;
      return { ...row, sentences: readSentences(row.sentences) };
    },
    close() {
      // SQLite keeps a closed database open until its last statement ends, which would wait for a garbage collection.
      for (const statement of [counted, found, passage]) statement.finalize();
      db.close();
    },
  };
}

/** The format of the index files that this program writes. */
const FORMAT = 4;

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
type BookRow = {
  readonly tokenizer: Tokenizer;
  readonly lengths: Uint8Array;
  readonly chapters: Uint8Array;
  readonly aliases: string;
};
