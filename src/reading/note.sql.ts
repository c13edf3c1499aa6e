import { selected, sql, type Statements, values } from '../platform/store/statements.ts';

/**
 * A reader's mark in a book: the words `exact` of an `edition` with the text around them, and in `text` the reader's comment,
 * if any. `placedStart` is the place of the words in the edition `placedIn`, null if they are not there. Offsets and lengths
 * are UTF-16 units, editions digests, times milliseconds since 1970 UTC.
 */
export type StoredNote = {
  readonly id: string;
  readonly accountId: string;
  readonly bookId: string;
  readonly path: string;
  readonly start: number;
  readonly exact: string;
  readonly prefix: string;
  readonly suffix: string;
  readonly alike: number;
  readonly text: string | null;
  readonly edition: string;
  readonly placedIn: string;
  readonly placedPath: string;
  readonly placedStart: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

export type UnplacedNote = Pick<
  StoredNote,
  'id' | 'path' | 'start' | 'exact' | 'prefix' | 'suffix' | 'alike'
>;

export type NotePlace = Pick<StoredNote, 'id' | 'placedIn' | 'placedPath' | 'placedStart'>;

/**
 * The fields of a note that its reader gets with a download of their own data: 'open' ones only while they may read the book.
 */
const OWN: Readonly<Record<keyof StoredNote, 'always' | 'open' | null>> = {
  bookId: 'always',
  path: 'always',
  text: 'always',
  createdAt: 'always',
  updatedAt: 'always',
  exact: 'open',
  id: null,
  accountId: null,
  start: null,
  prefix: null,
  suffix: null,
  alike: null,
  edition: null,
  placedIn: null,
  placedPath: null,
  placedStart: null,
};

/** The maximum number of an account's notes in one book, and the maximum bytes of all its notes. */
export const MOST_NOTES = 5_000;
export const MOST_NOTE_BYTES = 5_000_000;

/** The column of each field of a note. A report to the owner has the same, since it is a copy of a note. */
const COLUMNS: Readonly<Record<keyof StoredNote, string>> = {
  id: 'id',
  accountId: 'account_id',
  bookId: 'book_id',
  path: 'path',
  start: 'start',
  exact: 'exact',
  prefix: 'prefix',
  suffix: 'suffix',
  alike: 'alike',
  text: 'text',
  edition: 'edition',
  placedIn: 'placed_in',
  placedPath: 'placed_path',
  placedStart: 'placed_start',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
};

export const NOTE_COLUMNS = selected(COLUMNS);

export const noteReads = (db: Statements) => ({
  /**
   * Lists the places of an account's notes in a book, present or last known. Leaves out their texts, since there may be
   * thousands.
   */
  listNotePlaces: (accountId: string, bookId: string) =>
    db.all<{
      readonly id: string;
      readonly path: string;
      readonly at: number;
    }>`SELECT id, placed_path AS path, ifnull(placed_start, start) AS at FROM notes
        WHERE account_id = ${accountId} AND book_id = ${bookId}`,
  listNotedWords: (
    { accountId, bookId, edition, path }: NotedText,
    { from, to, most }: { readonly from: number; readonly to: number; readonly most: number },
  ) =>
    db.all<{
      readonly id: string;
      readonly exact: string;
      readonly start: number;
      readonly isWritten: number;
    }>`SELECT id, exact, placed_start AS start, text IS NOT NULL AS isWritten FROM notes
        WHERE account_id = ${accountId} AND book_id = ${bookId} AND placed_in = ${edition} AND placed_path = ${path}
          AND placed_start >= ${from} AND placed_start < ${to} ORDER BY placed_start LIMIT ${most}`,
  countNotedText: ({ accountId, bookId, edition, path }: NotedText) =>
    db.one<{ readonly count: number; readonly lost: number }>`
        SELECT count(*) AS count, count(*) - count(placed_start) AS lost FROM notes
        WHERE account_id = ${accountId} AND book_id = ${bookId} AND placed_in = ${edition} AND placed_path = ${path}`!,
  findNote: (accountId: string, bookId: string, id: string) =>
    db.one<StoredNote>`SELECT ${NOTE_COLUMNS} FROM notes
        WHERE id = ${id} AND account_id = ${accountId} AND book_id = ${bookId}`,
  listUnplacedNotes: (accountId: string, bookId: string, edition: string) =>
    db.all<UnplacedNote>`SELECT id, path, start, exact, prefix, suffix, alike FROM notes
        WHERE account_id = ${accountId} AND book_id = ${bookId} AND placed_in <> ${edition}`,
  findNotedBook: (accountId: string, id: string) =>
    db.value<string>`SELECT book_id FROM notes WHERE id = ${id} AND account_id = ${accountId}`,
  whyNoNote: (accountId: string, bookId: string) => lackOfRoom(db, accountId, bookId),
  listNotedBooks: (accountId: string): readonly string[] =>
    db.all<{
      readonly bookId: string;
    }>`SELECT DISTINCT book_id AS bookId FROM notes WHERE account_id = ${accountId}`.map(
      ({ bookId }) => bookId,
    ),
  countNotes: (accountId: string) =>
    db.value<number>`SELECT count(*) FROM notes WHERE account_id = ${accountId}`!,
});

/**
 * Returns why an account may not add a note of `more` bytes to a book, or null if it may: `many` if it already has `MOST_NOTES`
 * notes in the book, `full` if its notes in all books would exceed `MOST_NOTE_BYTES`.
 */
function lackOfRoom(db: Statements, accountId: string, bookId: string, more = 0): 'many' | 'full' | null {
  const [all, count] = [
    sumOf(db, accountId),
    db.value<number>`SELECT count(*) FROM notes
    WHERE account_id = ${accountId} AND book_id = ${bookId}`!,
  ];
  if (count >= MOST_NOTES) return 'many';
  return all + more > MOST_NOTE_BYTES ? 'full' : null;
}

/** Returns the total bytes of an account's notes. SQLite reads only an index for it. */
const sumOf = (db: Statements, accountId: string): number =>
  db.value<number>`SELECT total(bytes) FROM notes WHERE account_id = ${accountId}`!;

type NoteRow = Readonly<Record<string, string | number | null>>;

const rowOf = (note: StoredNote, fields: readonly (keyof StoredNote)[]): NoteRow =>
  Object.fromEntries(fields.map((field) => [COLUMNS[field], note[field]]));

const fieldsOf = <Fields extends object>(fields: Fields) => Object.keys(fields) as (keyof Fields)[];

export const noteValues = (note: StoredNote): NoteRow => rowOf(note, fieldsOf(COLUMNS));

export const ownNoteRow = (note: StoredNote, isOpen: boolean): NoteRow =>
  rowOf(
    note,
    fieldsOf(OWN).filter((field) => OWN[field] === 'always' || (isOpen && OWN[field] === 'open')),
  );

export const noteWrites = (db: Statements) => ({
  addNote(note: StoredNote): 'many' | 'full' | 'taken' | null {
    const { accountId, bookId, path, exact, prefix, suffix, text } = note;
    if (db.value<number>`SELECT 1 FROM notes WHERE id = ${note.id}` !== null) return 'taken';
    const bytes = Buffer.byteLength([path, exact, prefix, suffix, text].join(''));
    const lack = lackOfRoom(db, accountId, bookId, bytes);
    if (lack !== null) return lack;
    db.run`INSERT INTO notes ${values({ ...noteValues(note), bytes })}`;
    return null;
  },
  /**
   * Changes the comment of a note, if there is such a note. If the account's notes would exceed `MOST_NOTE_BYTES`, returns
   * `full` and changes nothing.
   */
  editNote({ id, accountId, bookId, text, at }: NoteEdit): 'full' | null {
    const own = sql`id = ${id} AND account_id = ${accountId} AND book_id = ${bookId}`;
    const more = db.value<number>`SELECT ifnull(octet_length(${text}), 0) - ifnull(octet_length(text), 0)
        FROM notes WHERE ${own}`;
    if (more !== null && more > 0 && sumOf(db, accountId) + more > MOST_NOTE_BYTES) return 'full';
    db.run`UPDATE notes SET text = ${text}, updated_at = ${at},
        bytes = bytes - ifnull(octet_length(text), 0) + ifnull(octet_length(${text}), 0) WHERE ${own}`;
    return null;
  },
  deleteNote: ({ id, accountId, bookId }: Omit<NoteEdit, 'text' | 'at'>): boolean =>
    db.run`DELETE FROM notes WHERE id = ${id} AND account_id = ${accountId} AND book_id = ${bookId}`.changes >
    0,
  /** Stores where the words of notes are; `places` is a JSON array of NotePlace. */
  placeNotes(places: string): void {
    for (const { id, placedIn, placedPath, placedStart } of JSON.parse(places) as NotePlace[])
      db.run`UPDATE notes SET placed_in = ${placedIn}, placed_path = ${placedPath}, placed_start = ${placedStart}
          WHERE id = ${id}`;
  },
});

type NotedText = Pick<StoredNote, 'accountId' | 'bookId' | 'edition' | 'path'>;

type NoteEdit = Pick<StoredNote, 'id' | 'accountId' | 'bookId' | 'text'> & { readonly at: number };
