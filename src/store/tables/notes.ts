import { sql, type Statements, values } from '../statements.ts';

/**
 * What a reader marked in a book: the words of an edition with what stood around them, `text` if they wrote something to it,
 * and where the words are in the edition `placedIn`; `placedStart` is null if they are not there. Offsets
 * and lengths are UTF-16 units, editions digests, times milliseconds since 1970 UTC.
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

/** Where the words of a note are in an edition. */
export type NotePlace = Pick<StoredNote, 'id' | 'placedIn' | 'placedPath' | 'placedStart'>;

/** The most notes of a book, and bytes of all notes, that an account may have. */
export const MOST_NOTES = 5_000;
const MOST_BYTES = 20 * 1024 * 1024;

const COLUMNS = sql`id, account_id AS accountId, book_id AS bookId, path, start, exact, prefix, suffix, alike, text, edition,
  placed_in AS placedIn, placed_path AS placedPath, placed_start AS placedStart, created_at AS createdAt,
  updated_at AS updatedAt`;

export function noteReads(db: Statements) {
  return {
    listNotes: async (accountId: string, bookId: string) =>
      db.all<StoredNote>`SELECT ${COLUMNS} FROM notes WHERE account_id = ${accountId} AND book_id = ${bookId}`,
    /** The words of the notes in one text of an edition, and of those that were in it before they were lost. */
    listNotedWords: async (accountId: string, bookId: string, edition: string, path: string) =>
      db.all<
        Pick<StoredNote, 'id' | 'exact' | 'placedStart'> & { readonly isWritten: number }
      >`SELECT id, exact, placed_start AS placedStart, text IS NOT NULL AS isWritten FROM notes
        WHERE account_id = ${accountId} AND book_id = ${bookId} AND placed_in = ${edition} AND placed_path = ${path}`,
    findNote: async (accountId: string, bookId: string, id: string) =>
      db.one<StoredNote>`SELECT ${COLUMNS} FROM notes
        WHERE id = ${id} AND account_id = ${accountId} AND book_id = ${bookId}`,
    /** Whether the place of a note of the account in the book is not known in an edition. */
    hasUnplacedNotes: async (accountId: string, bookId: string, edition: string) =>
      db.has`SELECT 1 FROM notes WHERE account_id = ${accountId} AND book_id = ${bookId} AND placed_in <> ${edition}`,
    /** The books in which an account has notes. */
    listNotedBooks: async (accountId: string): Promise<readonly string[]> =>
      db.all<{
        readonly bookId: string;
      }>`SELECT DISTINCT book_id AS bookId FROM notes WHERE account_id = ${accountId}`.map(
        ({ bookId }) => bookId,
      ),
    countNotes: async (accountId: string) =>
      db.value<number>`SELECT count(*) FROM notes WHERE account_id = ${accountId}`!,
  };
}

export function noteWrites(db: Statements) {
  const isFull = (accountId: string): boolean =>
    db.value<number>`SELECT total(bytes) FROM notes WHERE account_id = ${accountId}`! >= MOST_BYTES;
  return {
    /** `many` or `full` if the account's limit of the book's notes, or of bytes, is reached. */
    addNote(note: StoredNote): 'done' | 'many' | 'full' {
      const { accountId, bookId, path, start, exact, prefix, suffix, alike, text, edition } = note;
      const count = db.value<number>`SELECT count(*) FROM notes
        WHERE account_id = ${accountId} AND book_id = ${bookId}`!;
      if (count >= MOST_NOTES) return 'many';
      if (isFull(accountId)) return 'full';
      const bytes = Buffer.byteLength([path, exact, prefix, suffix, text].join(''));
      db.run`INSERT INTO notes ${values({
        ...{ id: note.id, account_id: accountId, book_id: bookId, path, start, exact, prefix, suffix, alike },
        ...{ text, edition, placed_in: note.placedIn, placed_path: note.placedPath, bytes },
        ...{ placed_start: note.placedStart, created_at: note.createdAt, updated_at: note.updatedAt },
      })}`;
      return 'done';
    },
    /** Changes what was written to a note, if there is such a note: `full` as above, for more than there was. */
    editNote({ id, accountId, bookId, text, at }: NoteEdit): 'done' | 'full' {
      const own = sql`id = ${id} AND account_id = ${accountId} AND book_id = ${bookId}`;
      const isLonger = db.has`SELECT 1 FROM notes
        WHERE ${own} AND octet_length(${text}) > ifnull(octet_length(text), 0)`;
      if (isLonger && isFull(accountId)) return 'full';
      db.run`UPDATE notes SET text = ${text}, updated_at = ${at},
        bytes = bytes - ifnull(octet_length(text), 0) + ifnull(octet_length(${text}), 0) WHERE ${own}`;
      return 'done';
    },
    /** Whether the account had such a note in the book. */
    deleteNote: ({ id, accountId, bookId }: Omit<NoteEdit, 'text' | 'at'>): boolean =>
      db.run`DELETE FROM notes WHERE id = ${id} AND account_id = ${accountId} AND book_id = ${bookId}`
        .changes > 0,
    /** `places` is a JSON array of NotePlace. */
    placeNotes(places: string): void {
      for (const { id, placedIn, placedPath, placedStart } of JSON.parse(places) as NotePlace[])
        db.run`UPDATE notes SET placed_in = ${placedIn}, placed_path = ${placedPath}, placed_start = ${placedStart}
          WHERE id = ${id}`;
    },
  };
}

type NoteEdit = Pick<StoredNote, 'id' | 'accountId' | 'bookId' | 'text'> & { readonly at: number };
