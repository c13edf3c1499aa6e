import { randomUUID } from 'node:crypto';
import type { KnownPrincipal } from '../platform/base/principal.ts';
import { findByKey, type Edition } from '../catalog/catalog.ts';
import { readingAddress } from './item-links.ts';
import { PART } from './page-file.ts';
import { sha256 } from '../platform/base/runtime.ts';
import { createOnce } from '../platform/base/cache.ts';
import type { TextSlice } from './markup/rendered.ts';
import { anchorAt, findAnchors, isRange, LONGEST_EXACT } from './anchor.rule.ts';
import { createCollector } from '../platform/base/garbage.ts';
import { Refusal, type RefusalKind } from '../platform/base/refusal.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import type { Words } from '../words/words.ts';
import { compareText, isLonger } from '../platform/base/text.ts';
import {
  MOST_NOTE_BYTES,
  MOST_NOTES,
  type NotePlace,
  type StoredNote,
  type UnplacedNote,
  ownNoteRow,
} from './note.sql.ts';
import { createQueue, createTurns } from '../platform/base/turn.ts';
import { access, may } from '../accounts/access.ts';
import { hasText, listTexts } from './contents.ts';
import type { Stall } from './stall.ts';
import { count, nullable, object, oneOf, optional, partial, text } from '../platform/http/shape.ts';

export const NOTE_STATES = ['here', 'moved', 'lost'] as const;

type NoteState = (typeof NOTE_STATES)[number];

/**
 * A note as the API gives it. `state` tells where the highlighted words are in the current edition: `here` where the reader
 * marked them, `moved` to another place, or `lost` if they were not found in any text.
 */
export type Note = Pick<
  StoredNote,
  'id' | 'path' | 'start' | 'exact' | 'prefix' | 'suffix' | 'text' | 'edition'
> & {
  readonly book: string;
  readonly end: number;
  readonly state: NoteState;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly url: string;
};

/** The action that keeping notes in a book, and seeing their words in lists and downloads, requires. */
const NOTES_NEED = 'read';

export const seesNotes = (stall: Stall, reader: KnownPrincipal, edition: Edition | undefined): boolean =>
  edition !== undefined && may(stall, reader, { edition, action: NOTES_NEED });

export const LONGEST_NOTE = 4_000;

const WORDS = nullable(text(), `The words of the note, up to ${LONGEST_NOTE} characters; null for none.`);

export const NOTE_BODY = object({
  path: text('The path of one of the book’s texts.'),
  start: count('The offset of the first character, in UTF-16 units.'),
  end: count('The offset behind the last character, in UTF-16 units.'),
  text: optional(WORDS),
  id: optional(text('A UUID by which the note is known if it is sent again.')),
});
export const NOTE_CHANGE_BODY = object({ text: WORDS });
export const NOTES_QUERY = partial({
  after: text('The note “next” of the page before.'),
  format: oneOf(['json', 'markdown', 'csv'], 'Markdown and CSV give all notes at once.'),
});

/** The queues for work on notes, one task of a kind at a time: accounts take turns, and other requests run in between. */
export const createNoteTurns = () => ({
  /** Lets requests at the same time share one search for the words of a reader's notes in a book. */
  placing: createOnce<void>(),
  place: createQueue(),
  /** `mark` is for the notes on one page, `list` for lists of notes: there may be thousands. */
  mark: createQueue(),
  list: createQueue(),
  make: createQueue(),
  /** Collects the garbage that the words of marked notes leave. Their places and tags take about twice as much. */
  collect: createCollector(8 * 1024 ** 2),
});

/** A book in which a reader has notes. Access to the book was checked when this was made. */
export type Notebook = Awaited<ReturnType<typeof openNotebook>>;

/** Opens a reader's notes in a book, and finds their words in the served edition. Refuses as reading the book does. */
export async function openNotebook(stall: Stall, principal: KnownPrincipal, edition: Edition) {
  access(stall, principal, { edition, action: NOTES_NEED });
  const { id, slug } = edition.manifest;
  if (id === null) throw Refusal.missing(`Cannot keep notes of "${slug}": it is no book`);
  const book = { stall, edition, accountId: principal.accountId, bookId: id };
  await stall.noteTurns.placing.run(`${book.accountId} ${id} ${edition.digest}`, () => placeNotes(book));
  return book;
}

async function placeNotes({ stall, edition, accountId, bookId }: Notebook): Promise<void> {
  const notes = stall.store.listUnplacedNotes(accountId, bookId, edition.digest);
  if (notes.length === 0) return;
  await stall.store.write.placeNotes(JSON.stringify(await findNotePlaces(stall, edition, accountId, notes)));
}

/**
 * Finds where the words of notes, or of copies of notes, are in an edition. One search runs at a time; accounts take
 * turns.
 */
export async function findNotePlaces(
  { artefacts, noteTurns }: Stall,
  edition: Edition,
  asker: string,
  notes: readonly UnplacedNote[],
): Promise<readonly NotePlace[]> {
  const paths = listTexts(edition).map(({ path }) => path);
  const found = await noteTurns.place(asker, () =>
    findAnchors(notes, paths, (path) => artefacts.read(edition, path)),
  );
  return notes.map(({ id, path }, n) => {
    const place = found[n] ?? { path, start: null };
    return { id, placedIn: edition.digest, placedPath: place.path, placedStart: place.start };
  });
}

export const MOST_MARKED = 500;

/**
 * Finds a reader's notes in one text: how many there are, and of how many the words are gone. For notes with words in the part
 * of the text that begins at `from`, also returns where the words begin and end.
 */
export async function notesOfText(
  { stall, edition, accountId, bookId }: Notebook,
  path: string,
  from: number,
) {
  const text = { accountId, bookId, edition: edition.digest, path };
  const stretch = { from: from - LONGEST_EXACT, to: from + PART, most: MOST_MARKED };
  const { count, lost } = stall.store.countNotedText(text);
  if (count === lost) return { count, lost, shown: [] };
  const words = await stall.noteTurns.mark(accountId, async () => stall.store.listNotedWords(text, stretch));
  stall.noteTurns.collect(words.reduce((sum, { exact }) => sum + exact.length, 0));
  const shown = words.map(({ id, exact, start, isWritten }) => ({
    id,
    start,
    end: start + exact.length,
    isWritten: isWritten === 1,
  }));
  return { count, lost, shown };
}

type Listed = { readonly edition: Edition; readonly id: string };

function listBook({ stall, edition, accountId, bookId }: Notebook): readonly Listed[] {
  const texts = new Map(listTexts(edition).map(({ path }, n) => [path, n]));
  const rankOf = (path: string): number => texts.get(path) ?? texts.size;
  return [...Map.groupBy(stall.store.listNotePlaces(accountId, bookId), ({ path }) => path)]
    .sort(([a], [b]) => rankOf(a) - rankOf(b) || compareText(a, b))
    .flatMap(([, own]) => own.toSorted((a, b) => a.at - b.at || compareText(a.id, b.id)))
    .map(({ id }) => ({ edition, id }));
}

/**
 * A query for notes: those whose marked words or comment contain `words` ('' matches all), after the note with the id
 * `after`.
 */
export type NotesQuery = {
  readonly principal: KnownPrincipal;
  readonly editions: readonly Edition[];
  readonly words?: string;
  readonly after?: string | null;
};

/**
 * Opens the books with notes that a reader may read now, by title, or only the book `one`. `closed` counts the books with
 * notes that they may not read. Refuses `one` if they may not read it.
 */
export async function openNotebooks(stall: Stall, principal: KnownPrincipal, one: Edition | null) {
  if (one !== null) {
    await openNotebook(stall, principal, one);
    return { editions: [one], closed: 0 };
  }
  const found = listNotedBooks(stall, principal);
  const editions = found
    .flatMap(({ edition, isOpen }) => (edition !== undefined && isOpen ? [edition] : []))
    .sort((a, b) => compareText(a.manifest.title, b.manifest.title));
  return { editions, closed: found.length - editions.length };
}

/** Lists notes in reading order, book by book. Refuses if the note `after` does not exist. */
async function* listNotes(stall: Stall, { principal, editions, words = '', after = null }: NotesQuery) {
  const begin = after === null ? null : stall.store.findNotedBook(principal.accountId, after);
  const first = editions.findIndex(({ manifest }) => manifest.id === begin);
  if (after !== null && first === -1) throw told('invalid-request', ({ noPage }) => noPage);
  for (const [n, edition] of editions.slice(Math.max(0, first)).entries()) {
    const book = await openNotebook(stall, principal, edition);
    const all = await stall.noteTurns.list(principal.accountId, async () => listBook(book));
    const listed = after === null || n > 0 ? all : all.slice(1 + all.findIndex(({ id }) => id === after));
    if (words.trim() === '') yield* listed;
    else yield* readNotes(stall, principal, listed, words.trim().toLowerCase());
  }
}

/**
 * Reads listed notes one by one, as the caller takes them. Skips deleted ones. Refuses once the reader may not read
 * their book.
 */
export async function* readNotes(
  stall: Stall,
  principal: KnownPrincipal,
  listed: AsyncIterable<Listed> | Iterable<Listed>,
  words = '',
) {
  const turn = createTurns();
  for await (const { edition, id } of listed) {
    await turn();
    access(stall, principal, { edition, action: NOTES_NEED });
    const note = stall.store.findNote(principal.accountId, edition.manifest.id ?? '', id);
    if (note !== null && `${note.exact}\n${note.text ?? ''}`.toLowerCase().includes(words))
      yield { edition, id, note: toNote(note, edition, stall.origin()) };
  }
}

export type ReadNote = { readonly edition: Edition; readonly note: Note };

export const walkNotes = (stall: Stall, query: NotesQuery): AsyncGenerator<ReadNote> =>
  readNotes(stall, query.principal, listNotes(stall, query));

const A_PAGE = 100;

export async function listPage(stall: Stall, query: NotesQuery) {
  const page: Listed[] = [];
  for await (const { edition, id } of listNotes(stall, query)) {
    if (page.length === A_PAGE) return { page, next: page.at(-1)!.id };
    page.push({ edition, id });
  }
  return { page, next: null };
}

const listNotedBooks = (stall: Stall, principal: KnownPrincipal) =>
  stall.store.listNotedBooks(principal.accountId).map((bookId) => {
    const edition = findByKey(stall.catalog(), 'book', bookId);
    return { bookId, edition, isOpen: seesNotes(stall, principal, edition) };
  });

/**
 * Reads all notes of a reader by book, for the download of their own data. The marked words are included only for books
 * that they may read now.
 */
export async function* walkOwnNotes(stall: Stall, principal: KnownPrincipal) {
  const { accountId } = principal;
  for (const { bookId, edition } of listNotedBooks(stall, principal)) {
    const listed = await stall.noteTurns.list(accountId, async () =>
      stall.store.listNotePlaces(accountId, bookId),
    );
    for (const { id } of listed) {
      const note = stall.store.findNote(accountId, bookId, id);
      if (note !== null) yield ownNoteRow(note, seesNotes(stall, principal, edition));
    }
  }
}

type NoteWords = Pick<StoredNote, 'exact' | 'prefix' | 'suffix'>;

type NewNote = Pick<StoredNote, 'path' | 'text'> & {
  /**
   * The place of the words, or a function that finds it when it is this note's turn, or the words themselves, if the note was
   * made in an earlier edition: they are looked for when the notebook is next opened.
   */
  readonly slice: TextSlice | (() => Promise<TextSlice>) | NoteWords;
  /** The id of a note that was made without a network: sent twice, it is one note. */
  readonly id?: string | undefined;
};

/** Returns the ids to try for a note, in order: if its own id belongs to another note, both notes are kept. */
function idsOf({ accountId, bookId }: Notebook, id: string | undefined, text: string | null) {
  if (id === undefined) return [randomUUID()];
  if (!/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/.test(id))
    throw Refusal.invalid('Cannot keep these words: "id" is no UUID in lower case');
  const hash = sha256([accountId, bookId, id, text].join('\n'));
  const second = hash.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
  return [id, second, randomUUID()];
}

/**
 * Saves a marked range of a text as a note, with the reader's comment. Refuses a malformed range and too many notes, if
 * possible before it reads the text.
 */
export async function addNote(book: Notebook, made: NewNote): Promise<Note> {
  const { path, slice } = made;
  const { stall, edition, accountId, bookId } = book;
  const text = readNoteText(made.text);
  const ids = idsOf(book, made.id, text);
  const known = ids
    .map((id) => stall.store.findNote(accountId, bookId, id))
    .find((one) => one?.text === text);
  if (known != null) return toNote(known, edition, stall.origin());
  const isFound = !('exact' in slice);
  const file = edition.files.find((one) => one.path === path);
  if (isFound && (file === undefined || !hasText(edition, path)))
    throw told('invalid-request', ({ noText }) => noText({ path: path.slice(0, 200) }));
  // A quick check before the text is read: a text has no more UTF-16 units than the file has bytes.
  if ('start' in slice && !isRange(slice, file?.size ?? 0)) throw noWords();
  refuseMore(stall.store.whyNoNote(accountId, bookId));
  const anchor = await stall.noteTurns.make(accountId, async () => {
    if ('exact' in slice) return { ...slice, path, start: 0, alike: -1 };
    const range = typeof slice === 'function' ? await slice() : slice;
    return anchorAt(path, await stall.artefacts.read(edition, path), range);
  });
  if (anchor === null) throw noWords();
  const at = stall.now();
  const note = {
    ...anchor,
    accountId,
    bookId,
    text,
    edition: edition.digest,
    placedIn: isFound ? edition.digest : '',
    placedPath: path,
    placedStart: isFound ? anchor.start : null,
    createdAt: at,
    updatedAt: at,
  };
  for (const id of ids) {
    const outcome = await stall.store.write.addNote({ ...note, id });
    if (outcome === 'taken') continue;
    refuseMore(outcome);
    return toNote({ ...note, id }, edition, stall.origin());
  }
  throw new Error('A random id was taken');
}

const noWords = (): Refusal => told('invalid-request', ({ noWords }) => noWords({ most: LONGEST_EXACT }));

export async function editNote(book: Notebook, id: string, text: string | null): Promise<Note> {
  const { stall, accountId, bookId } = book;
  const change = { id, accountId, bookId, text: readNoteText(text), at: stall.now() };
  refuseMore(await stall.store.write.editNote(change));
  return findNote(book, id);
}

export const findNote = (book: Notebook, id: string): Note =>
  toNote(findStoredNote(book, id), book.edition, book.stall.origin());

/** Finds one note of a reader as it is stored. Refuses not-found for a note of another reader. */
export function findStoredNote({ stall, accountId, bookId }: Notebook, id: string): StoredNote {
  const note = stall.store.findNote(accountId, bookId, id);
  if (note === null) throw noNote();
  return note;
}

export async function deleteNote({ stall, accountId, bookId }: Notebook, id: string): Promise<void> {
  if (!(await stall.store.write.deleteNote({ id, accountId, bookId }))) throw noNote();
}

const noNote = (): Refusal => told('not-found', (notes) => notes.noNote);

type Say = (notes: Words['refusals']['reading']['notes']) => string;

const told = (kind: RefusalKind, say: Say): Refusal =>
  new ToldRefusal(kind, ({ reading }) => say(reading.notes));

function refuseMore(outcome: 'many' | 'full' | null): void {
  if (outcome === null) return;
  throw told('conflict', ({ many, full }) =>
    outcome === 'many' ? many({ most: MOST_NOTES }) : full({ megabytes: MOST_NOTE_BYTES / 1e6 }),
  );
}

function readNoteText(text: string | null): string | null {
  const written = text?.toWellFormed().replaceAll('\r\n', '\n').trim() ?? '';
  if (isLonger(written, LONGEST_NOTE))
    throw told('invalid-request', ({ tooLong }) => tooLong({ most: LONGEST_NOTE }));
  return written === '' ? null : written;
}

function toNote(found: StoredNote, edition: Edition, origin: string): Note {
  // The stored place may be in another edition, if a request for that one was still running. Version 0.3.0 also stored
  // places in texts that are too long to be read.
  const isPlaced = found.placedIn === edition.digest && hasText(edition, found.placedPath);
  const stored = isPlaced ? found : { ...found, placedStart: null };
  const { id, exact, prefix, suffix, text, edition: digest, placedPath: path, placedStart } = stored;
  const start = placedStart ?? stored.start;
  const isHere = path === stored.path && start === stored.start;
  return {
    id,
    book: edition.manifest.slug,
    path,
    start,
    end: start + exact.length,
    exact,
    prefix,
    suffix,
    text,
    edition: `sha256:${digest}`,
    state: placedStart === null ? 'lost' : isHere ? 'here' : 'moved',
    createdAt: new Date(stored.createdAt).toISOString(),
    updatedAt: new Date(stored.updatedAt).toISOString(),
    url: origin + addressOf(stored, edition),
  };
}

function addressOf({ id, placedPath, placedStart }: StoredNote, { manifest, files }: Edition): string {
  if (placedStart === null) return `${notesAddress(manifest)}#note-${id}`;
  const isLong = files.some(({ path, size }) => path === placedPath && size > PART);
  return `${readingAddress(manifest, placedPath)}${isLong ? `?at=${placedStart}` : ''}#note-${id}`;
}

export const notesAddress = ({ slug }: Pick<Edition['manifest'], 'slug'>): string => `/books/${slug}/notes`;

export const placeOf = ({ url }: Note): string => url.slice(new URL(url).origin.length);
