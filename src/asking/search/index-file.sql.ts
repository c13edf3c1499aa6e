import { constants, Database } from 'bun:sqlite';
import { pathToFileURL } from 'node:url';
import { searchable } from '../searchable.rule.ts';
import type { Passage } from '../split.rule.ts';
import type { Tokenizer } from '../../reading/sentence.rule.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { soughtTokens, TOKENIZE } from './tokens.sql.ts';

/** A passage as an index stores it; `text` is exactly `start..end` of the file at `path`. */
type StoredPassage = Passage & {
  readonly path: string;
  readonly text: string;
  /** The text with comments and markup blanked out, of the same length; null if the text has neither. */
  readonly plain: string | null;
  readonly isCode: 0 | 1;
  /** 1 if questions that are listed for its section also find the passage, else 0. */
  readonly isAsked: 0 | 1;
};

/**
 * A place in a book is a number: that of the passage, from 1, times PASSAGE, plus the offset of the token in the passage.
 * Tokens of the headings have offsets from HEADING on, those of the section's questions from twice HEADING on.
 */
export const PASSAGE = 2 ** 20;
export const HEADING = 2 ** 18;

/** Passages under the same headings: the first one, the number of words in the headings above the last, and in the last. */
export type Section = readonly [first: number, above: number, name: number];

/**
 * Opens a file that `buildIndex` wrote, and that must not change while it is open. Refuses an index of another format as
 * overloaded, until the book is compiled again.
 */
export function openIndexFile(file: string) {
  const uri = `${pathToFileURL(file).href}?immutable=1`;
  const db = new Database(uri, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);
  try {
    // The cache's size in KiB: small, since many books are open at once, and the operating system caches their pages anyway.
    db.run('PRAGMA cache_size = -256');
    const { user_version } = db.query<{ user_version: number }, []>('PRAGMA user_version').get()!;
    if (user_version !== FORMAT) throw outdated();
    return openTables(db);
  } catch (error) {
    db.close();
    throw error;
  }
}

function outdated(): Refusal {
  return new Refusal(
    'overloaded',
    'Cannot search this book now: its index is made again after an update; try again in a minute',
    10,
  );
}

export type IndexFile = ReturnType<typeof openTables>;

function openTables(db: Database) {
  const { tokenizer, aliases, ...book } = db.query<BookRow, []>('SELECT * FROM book').get()!;
  const lengths = JSON.parse(book.lengths) as readonly number[];
  const sections = JSON.parse(book.sections) as readonly Section[];
  const passages = lengths.length;
  const average = lengths.reduce((sum, length) => sum + length, 0) / passages;
  const sectionOf = new Int32Array(passages + 2).fill(-1);
  for (const [section, [first]] of sections.entries()) sectionOf.fill(section, first, passages + 1);
  const counted = db.prepare('SELECT sum(passages), sum(places) FROM count WHERE term >= ? AND term <= ?');
  // Selects all places as one JSON text, since a hundred thousand rows would be as many arrays.
  const found = db.prepare<{ places: string }, [string, string, number]>(
    `SELECT json_group_array(place) AS places FROM
     (SELECT doc * ${PASSAGE} + offset + CASE col WHEN 'text' THEN 0 WHEN 'heading' THEN ${HEADING} ELSE ${2 * HEADING} END
      AS place FROM place WHERE term >= ? AND term <= ? LIMIT ?)`,
  );
  const passage = db.prepare<StoredPassage, [number]>(
    `SELECT path, heading, start, end, text, plain, isCode, isAsked FROM passage JOIN chapter ON chapter.id = chapter
     WHERE passage.id = ?`,
  );
  const long = db.query('SELECT term FROM word WHERE length(term) >= 9 OR term >= ?');
  let vocabulary: string | null = null;
  let headings: readonly string[] | null = null;
  return {
    tokenizer,
    /** The publisher's synonyms: maps the token of a word that readers use to tokens of words in the book. */
    aliases: readAliases(JSON.parse(aliases) as Record<string, readonly string[]>, tokenizer),
    total: passages,
    /** The length of each passage divided by the average, by the passage's number. */
    lengths: Float64Array.from([1, ...lengths], (length) => length / average),
    sections,
    /** The section of each passage, by the passage's number; -1 at both ends, where there is no passage. */
    sectionOf,
    count(token: string) {
      const [[passages, places]] = counted.values(...rangeOf(token)) as [[number | null, number | null]];
      return { passages: passages ?? 0, places: places ?? 0 };
    },
    places: (token: string, most: number) =>
      JSON.parse(found.get(...rangeOf(token), most)!.places) as readonly number[],
    /**
     * Returns the tokens that may be compound words, one per line: those of at least nine characters, and those of any length
     * that begin with U+05D0, the first Hebrew letter, or a later code point.
     */
    vocabulary: () => (vocabulary ??= `\n${long.values('א').join('\n')}\n`),
    passage: (number: number) => passage.get(number)!,
    shrink: () => void db.run('PRAGMA shrink_memory'),
    /** Lists the names of headings, each once, the highest levels first and then in reading order. */
    headings: () => (headings ??= listHeadings(db)),
    close() {
      // SQLite closes a database only after its last statement was finalized, which would otherwise happen at some garbage
      // collection.
      for (const statement of [counted, found, passage]) statement.finalize();
      db.close();
    },
  };
}

function listHeadings(db: Database): readonly string[] {
  const paths = db.query('SELECT heading FROM passage GROUP BY heading ORDER BY min(id)').values() as [
    string,
  ][];
  const names = paths.flatMap(([path]) => path.split(' › ').map((name, level) => ({ name, level })));
  return [...new Set(names.sort((a, b) => a.level - b.level).map(({ name }) => name))];
}

/** Returns the aliases of an index as tokens; leaves out words that are more than one token. */
function readAliases(
  words: Readonly<Record<string, readonly string[]>>,
  tokenizer: Tokenizer,
): ReadonlyMap<string, readonly string[]> {
  const single = (word: string): readonly string[] => {
    const tokens = soughtTokens(searchable(word.toLowerCase()), tokenizer);
    return tokens.length === 1 ? tokens : [];
  };
  const aliases = new Map<string, readonly string[]>();
  for (const [word, others] of Object.entries(words))
    for (const token of single(word))
      aliases.set(token, [...(aliases.get(token) ?? []), ...others.flatMap(single)]);
  return aliases;
}

/** Returns the first and last token of the range that a search token stands for: `wort*` for all that begin with `wort`. */
function rangeOf(token: string): readonly [string, string] {
  if (!token.endsWith('*')) return [token, token];
  const beginning = token.slice(0, -1);
  return [beginning, `${beginning}\u{10ffff}`];
}

const FORMAT = 7;

/**
 * Returns the SQL that creates the tables of a book's index. `words` is the full-text index of the passages, `word` counts its
 * tokens and `place` lists their places. `count` is a faster copy of `word`, which takes 13 microseconds for a token.
 */
export const indexSchema = (tokenizer: Tokenizer): string => `
    PRAGMA user_version = ${FORMAT};
    CREATE TABLE book(
      tokenizer TEXT NOT NULL, lengths TEXT NOT NULL, sections TEXT NOT NULL, aliases TEXT NOT NULL
    ) STRICT;
    CREATE TABLE chapter(id INTEGER PRIMARY KEY, path TEXT NOT NULL) STRICT;
    CREATE TABLE passage(
      id INTEGER PRIMARY KEY, chapter INTEGER NOT NULL, heading TEXT NOT NULL,
      start INTEGER NOT NULL, end INTEGER NOT NULL, text TEXT NOT NULL, plain TEXT,
      isCode INTEGER NOT NULL, isAsked INTEGER NOT NULL
    ) STRICT;
    CREATE VIRTUAL TABLE words USING fts5(
      text, heading, asked, content = '', columnsize = 0, tokenize = "${TOKENIZE[tokenizer]}"
    );
    CREATE VIRTUAL TABLE word USING fts5vocab(words, row);
    CREATE TABLE count(term TEXT PRIMARY KEY, passages INTEGER NOT NULL, places INTEGER NOT NULL) STRICT, WITHOUT ROWID;
    CREATE VIRTUAL TABLE place USING fts5vocab(words, instance);
  `;

type BookRow = Readonly<Record<'lengths' | 'sections' | 'aliases', string>> & {
  readonly tokenizer: Tokenizer;
};
