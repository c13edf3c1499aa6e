// Highlights and notes of readers (contract/notes.md).
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountPrincipal, AgentPrincipal } from '../access/principal.ts';
import { findByKey, type Edition } from '../catalog/catalog.ts';
import { readingAddress } from '../catalog/item-links.ts';
import { PART } from '../catalog/page-file.ts';
import { plainTitle } from '../item/marketplace.ts';
import { createOnce } from '../kept.ts';
import { anchorAt, findAnchors, LONGEST_EXACT } from '../passages/anchor.ts';
import { Refusal } from '../refusal.ts';
import { compareText } from '../text.ts';
import { MOST_NOTES, type NotePlace, type StoredNote } from '../store/tables/notes.ts';
import { access, may, servedBySlug, unauthenticated } from './access.ts';
import { listContents, listTexts, titleOf } from './contents.ts';
import type { Stall } from './stall.ts';

/** A note as the API gives it: `here` stands where it was made, `moved` elsewhere, and the words of a `lost` one are in no text now. */
export type Note = Pick<
  StoredNote,
  'id' | 'path' | 'start' | 'exact' | 'prefix' | 'suffix' | 'text' | 'edition'
> & {
  /** The book's slug. */
  readonly book: string;
  readonly end: number;
  readonly state: 'here' | 'moved' | 'lost';
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly url: string;
};

/** The longest text of a note, in code points. */
export const LONGEST_NOTE = 4_000;

/** A book as a reader's notes are kept in it: that they may read it was checked. */
type Notebook = {
  readonly stall: Stall;
  readonly edition: Edition;
  readonly accountId: string;
  readonly bookId: string;
};

/** Opens a reader's notes in a book, each at its place in the edition. Refuses as reading the book does. */
export async function openNotebook(
  stall: Stall,
  principal: AccountPrincipal,
  edition: Edition,
): Promise<Notebook> {
  await access(stall, principal, edition, 'read');
  const { id, slug } = edition.manifest;
  if (id === null) throw Refusal.missing(`Cannot keep notes of "${slug}": it is no book`);
  const book = { stall, edition, accountId: principal.accountId, bookId: id };
  await placing.run(`${book.accountId} ${id} ${edition.digest}`, () => placeNotes(book));
  return book;
}

/** Pages that are opened at once wait for the same places. */
const placing = createOnce<void>();

/** Looks for the words of notes in an edition that is new to them. */
async function placeNotes({ stall, edition, accountId, bookId }: Notebook): Promise<void> {
  const { store, artefacts } = stall;
  const { digest: placedIn } = edition;
  if (!(await store.hasUnplacedNotes(accountId, bookId, placedIn))) return;
  const notes = (await store.listNotes(accountId, bookId)).filter((note) => note.placedIn !== placedIn);
  const paths = listTexts(edition).map(({ path }) => path);
  const found = await findAnchors(notes, paths, (path) => artefacts.read(edition, path));
  const places = notes.map(({ id, path }, n): NotePlace => {
    const place = found[n] ?? { path, start: null };
    return { id, placedIn, placedPath: place.path, placedStart: place.start };
  });
  await store.write.placeNotes(JSON.stringify(places));
}

/** Where the words of notes stand in a text; `start` is null if they do not any more. */
export async function listPlaces({ stall, edition, accountId, bookId }: Notebook, path: string) {
  const words = await stall.store.listNotedWords(accountId, bookId, edition.digest, path);
  return words.map(({ id, exact, placedStart, isWritten }) => ({
    id,
    start: placedStart,
    length: exact.length,
    isWritten: isWritten === 1,
  }));
}

/** The notes of a book in reading order. */
async function listNotes({ stall, edition, accountId, bookId }: Notebook): Promise<readonly Note[]> {
  const order = new Map(listTexts(edition).map((text, n) => [text.path, n]));
  const rankOf = ({ path: one }: Note): number => order.get(one) ?? order.size;
  return (await stall.store.listNotes(accountId, bookId))
    .map((note) => toNote(note, edition, stall.origin()))
    .sort((a, b) => rankOf(a) - rankOf(b) || compareText(a.path, b.path) || a.start - b.start);
}

/**
 * The notes that hold some words, in the text or in what was written to it ('' is in all): of one book, or of all that the
 * reader may read, by title; `closed` counts the others. Refuses as `openNotebook` does.
 */
export async function gatherNotes(
  stall: Stall,
  principal: AccountPrincipal,
  one: Edition | null,
  words = '',
) {
  const wanted = words.trim().toLowerCase();
  const found = one === null ? await listNotedBooks(stall, principal) : [{ edition: one, isOpen: true }];
  const editions = found.flatMap(({ edition, isOpen }) => (edition !== undefined && isOpen ? [edition] : []));
  const books: { readonly edition: Edition; readonly notes: readonly Note[] }[] = [];
  for (const edition of editions) {
    const notes = (await listNotes(await openNotebook(stall, principal, edition))).filter(({ exact, text }) =>
      `${exact}\n${text ?? ''}`.toLowerCase().includes(wanted),
    );
    if (notes.length > 0) books.push({ edition, notes });
    // Thousands of notes take a while: others are served before the next book, and before these are written.
    await nextTurn();
  }
  books.sort((a, b) => compareText(a.edition.manifest.title, b.edition.manifest.title));
  return { books, closed: found.length - editions.length };
}

/** The books in which a reader has notes; no edition of one that is not served. */
async function listNotedBooks(stall: Stall, principal: AccountPrincipal) {
  return Promise.all(
    (await stall.store.listNotedBooks(principal.accountId)).map(async (bookId) => {
      const edition = findByKey(stall.catalog(), 'book', bookId);
      return {
        bookId,
        edition,
        isOpen: edition !== undefined && (await may(stall, principal, edition, 'read')),
      };
    }),
  );
}

/** A reader's notes as their own download has them, book by book: with the words only of books that they may read now. */
export async function* walkOwnNotes(stall: Stall, principal: AccountPrincipal) {
  for (const { bookId, isOpen } of await listNotedBooks(stall, principal))
    yield (await stall.store.listNotes(principal.accountId, bookId)).map(
      ({ path, text, exact, createdAt, updatedAt }) => ({
        ...{ book_id: bookId, path, text, created_at: createdAt, updated_at: updatedAt },
        ...(isOpen ? { exact } : {}),
      }),
    );
}

type NewNote = Pick<StoredNote, 'path' | 'start' | 'text'> & { readonly end: number };

/** Keeps a slice of a text, with what the reader wrote to it. Refuses a slice that is none, and too many. */
export async function addNote(
  { stall, edition, accountId, bookId }: Notebook,
  { path, start, end, text: written }: NewNote,
): Promise<Note> {
  if (edition.files.find((file) => file.path === path)?.text !== true)
    throw Refusal.invalid(`Cannot find a text at "${path.slice(0, 200)}": "path" is one of the book's texts`);
  const text = await stall.artefacts.read(edition, path);
  const anchor = anchorAt(path, text, { start, end }, await readOthers(stall, edition, path));
  if (anchor === null)
    throw Refusal.invalid(
      `Cannot keep these words: a note is on 1 to ${LONGEST_EXACT} characters of one text, and on no part of a letter; choose others`,
    );
  const at = stall.now();
  const note: StoredNote = {
    ...{
      ...anchor,
      id: randomUUID(),
      accountId,
      bookId,
      text: readNoteText(written),
      edition: edition.digest,
    },
    ...{ placedIn: edition.digest, placedPath: path, placedStart: start, createdAt: at, updatedAt: at },
  };
  refuseMore(await stall.store.write.addNote(note));
  return toNote(note, edition, stall.origin());
}

/** The longest book that is searched for the same words when some are kept, in bytes of its texts. */
const SHORT = 2 ** 20;

/** The other texts of a book that is short; null of a longer one. */
async function readOthers({ artefacts }: Stall, edition: Edition, own: string) {
  const texts = edition.files.filter(({ text }) => text);
  if (texts.reduce((bytes, { size }) => bytes + size, 0) > SHORT) return null;
  const others = texts.filter(({ path }) => path !== own);
  return Promise.all(others.map(({ path }) => artefacts.read(edition, path)));
}

/** Changes what was written to a note. Refuses not-found for a note that is not the reader's. */
export async function editNote(book: Notebook, id: string, text: string | null): Promise<Note> {
  const { stall, accountId, bookId } = book;
  const change = { id, accountId, bookId, text: readNoteText(text), at: stall.now() };
  refuseMore(await stall.store.write.editNote(change));
  return findNote(book, id);
}

/** One note of a reader. Refuses as `editNote`. */
export async function findNote({ stall, edition, accountId, bookId }: Notebook, id: string): Promise<Note> {
  const note = await stall.store.findNote(accountId, bookId, id);
  if (note === null) throw noNote();
  return toNote(note, edition, stall.origin());
}

/** Deletes a note. Refuses as `editNote`. */
export async function deleteNote({ stall, accountId, bookId }: Notebook, id: string): Promise<void> {
  if (!(await stall.store.write.deleteNote({ id, accountId, bookId }))) throw noNote();
}

const noNote = (): Refusal => Refusal.missing('Cannot find this note: it was deleted, or it is not yours');

function refuseMore(outcome: 'done' | 'many' | 'full'): void {
  if (outcome === 'done') return;
  const most = outcome === 'many' ? `${MOST_NOTES} notes of one book` : '20 MB of notes';
  throw new Refusal('conflict', `Cannot keep more than ${most}: delete some of them first`);
}

function readNoteText(text: string | null): string | null {
  const written = text?.toWellFormed().replaceAll('\r\n', '\n').trim() ?? '';
  if (written.length > LONGEST_NOTE && [...written].length > LONGEST_NOTE)
    throw Refusal.invalid(`Cannot keep a note of more than ${LONGEST_NOTE} characters: shorten it`);
  return written === '' ? null : written;
}

function toNote(found: StoredNote, edition: Edition, origin: string): Note {
  // A request that began in another edition may have placed it there since.
  const stored = found.placedIn === edition.digest ? found : { ...found, placedStart: null };
  const { id, exact, prefix, suffix, text, edition: digest, placedPath: path, placedStart } = stored;
  const start = placedStart ?? stored.start;
  const isHere = path === stored.path && start === stored.start;
  return {
    ...{ id, book: edition.manifest.slug, path, start, end: start + exact.length },
    ...{ exact, prefix, suffix, text, edition: `sha256:${digest}` },
    state: placedStart === null ? 'lost' : isHere ? 'here' : 'moved',
    createdAt: new Date(stored.createdAt).toISOString(),
    updatedAt: new Date(stored.updatedAt).toISOString(),
    url: origin + addressOf(stored, edition),
  };
}

/** The place of a note on its reading page, or on the page of the book's notes if its words are gone. */
function addressOf({ id, placedPath, placedStart }: StoredNote, { manifest, files }: Edition): string {
  if (placedStart === null) return `${notesAddress(manifest)}#note-${id}`;
  const isLong = files.some(({ path, size }) => path === placedPath && size > PART);
  return `${readingAddress(manifest, placedPath)}${isLong ? `?at=${placedStart}` : ''}#note-${id}`;
}

/** The address of the page of a book's notes. */
export const notesAddress = ({ slug }: Pick<Edition['manifest'], 'slug'>): string => `/books/${slug}/notes`;

/** Where a note is on this stall: its url without the origin. */
export const placeOf = ({ url }: Note): string => url.slice(new URL(url).origin.length);

/** Notes by chapter, in the order given. */
export async function byChapter(stall: Stall, edition: Edition, notes: readonly Note[]) {
  const contents = await listContents(stall, edition);
  return [...Map.groupBy(notes, ({ path }) => path)].map(([path, own]) => ({
    title: titleOf(contents, path),
    notes: own,
  }));
}

const LINE_END = /\r\n|[\n\r]/;

/** Notes as a Markdown text: by book and chapter, each with the words, what was written to them, and a link. */
export async function notesAsMarkdown(
  stall: Stall,
  { books }: Pick<Awaited<ReturnType<typeof gatherNotes>>, 'books'>,
): Promise<string> {
  let markdown = '';
  for (const { edition, notes: all } of books) {
    markdown += `# ${plainTitle(edition.manifest.title) || edition.manifest.slug}: notes\n\n`;
    for (const { title, notes } of await byChapter(stall, edition, all)) {
      markdown += `## ${plainTitle(title)}\n\n`;
      for (const { exact, text, url, createdAt, state } of notes) {
        const lost = state === 'lost' ? '; these words are not in the book now' : '';
        const words = exact.trim().split(LINE_END).join('\n> ');
        // An item holds what it says: no fence or heading of it is one of the whole.
        const written = text === null ? '' : `- ${text.split(LINE_END).join('\n  ')}\n\n`;
        markdown += `> ${words}\n\n${written}`;
        markdown += `[${createdAt.slice(0, 10)}](${url})${lost}\n\n`;
      }
    }
  }
  return markdown || 'No notes.\n';
}

/** A reader's notes that hold some words, as their agent reads them: of a book, or of all. Refuses tokens, and as `gatherNotes`. */
export async function agentNotes(
  stall: Stall,
  asker: AgentPrincipal,
  slug: string | null,
  words?: string,
): Promise<string> {
  if (asker.kind !== 'account')
    throw unauthenticated(
      'Cannot read notes without an API key',
      'a link or an install token opens none; send a key, svc_…',
    );
  const one = slug === null ? null : servedBySlug(stall, slug, 'book');
  return notesAsMarkdown(stall, await gatherNotes(stall, asker, one, words));
}

/** Notes as a page of Web Annotations (https://www.w3.org/TR/annotation-model/). */
export function notesAsAnnotations(notes: readonly Note[], address: string) {
  return {
    '@context': 'http://www.w3.org/ns/anno.jsonld',
    id: address,
    type: 'AnnotationPage',
    items: notes.map(({ id, text, createdAt, updatedAt, url, exact, prefix, suffix }) => ({
      id: `urn:uuid:${id}`,
      type: 'Annotation',
      motivation: text === null ? 'highlighting' : 'commenting',
      created: createdAt,
      modified: updatedAt,
      ...(text === null ? {} : { body: { type: 'TextualBody', value: text, format: 'text/plain' } }),
      target: {
        source: url.split(/[?#]/, 1)[0],
        selector: { type: 'TextQuoteSelector', exact, prefix, suffix },
      },
    })),
  };
}
