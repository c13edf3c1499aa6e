// Highlights and notes of readers (contract/notes.md).
import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AccountPrincipal, AgentPrincipal } from '../access/principal.ts';
import { findByKey, type Edition } from '../catalog/catalog.ts';
import { readingAddress } from '../catalog/item-links.ts';
import { PART } from '../catalog/page-file.ts';
import { anchorAt, findAnchor, LONGEST_EXACT } from '../passages/anchor.ts';
import { Refusal } from '../refusal.ts';
import { MOST_NOTES, type NotePlace, type StoredNote } from '../store/tables/notes.ts';
import { access, may, servedById, servedBySlug, unauthenticated } from './access.ts';
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

type NewNote = {
  readonly path: string;
  readonly start: number;
  readonly end: number;
  readonly text: string | null;
};

/** The notes of a reader in a book in reading order, or in one text of it. Refuses as reading the book does. */
export async function listNotes(
  stall: Stall,
  principal: AccountPrincipal,
  edition: Edition,
  path: string | null = null,
): Promise<readonly Note[]> {
  await access(stall, principal, edition, 'read');
  await placeNotes(stall, principal, edition);
  const bookId = idOf(edition);
  const order = new Map(listTexts(edition).map((text, n) => [text.path, n]));
  const rankOf = ({ path: one }: Note): number => order.get(one) ?? order.size;
  return (await stall.store.listNotes(principal.accountId, bookId, path))
    .map((note) => toNote(note, edition, stall.origin()))
    .sort((a, b) => rankOf(a) - rankOf(b) || compare(a.path, b.path) || a.start - b.start);
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

/** The books in which a reader has notes and may read, by title, each with its notes; and how many books are closed to them now. */
export async function listAllNotes(stall: Stall, principal: AccountPrincipal) {
  const books: { readonly edition: Edition; readonly notes: readonly Note[] }[] = [];
  let closed = 0;
  for (const bookId of await stall.store.listNotedBooks(principal.accountId)) {
    const edition = findByKey(stall.catalog(), 'book', bookId);
    if (edition === undefined || !(await may(stall, principal, edition, 'read'))) closed++;
    else books.push({ edition, notes: await listNotes(stall, principal, edition) });
  }
  return { books: books.sort((a, b) => compare(a.edition.manifest.title, b.edition.manifest.title)), closed };
}

/** The notes that hold some words, in the text or in what was written to it; '' is in all. */
export function searchNotes(notes: readonly Note[], words: string): readonly Note[] {
  const wanted = words.trim().toLowerCase();
  return notes.filter(({ exact, text }) => `${exact}\n${text ?? ''}`.toLowerCase().includes(wanted));
}

/** A reader's notes as their own download has them, book by book: with the words only of books that they may read now. */
export async function* walkOwnNotes(stall: Stall, principal: AccountPrincipal) {
  for (const bookId of await stall.store.listNotedBooks(principal.accountId)) {
    const edition = findByKey(stall.catalog(), 'book', bookId);
    const isOpen = edition !== undefined && (await may(stall, principal, edition, 'read'));
    const notes = await stall.store.listNotes(principal.accountId, bookId);
    yield notes.map(({ path, text, exact, createdAt, updatedAt }) => ({
      ...{ book_id: bookId, path, text, created_at: createdAt, updated_at: updatedAt },
      ...(isOpen ? { exact } : {}),
    }));
  }
}

/** Keeps a slice of a text, with what the reader wrote to it. Refuses as reading does, a slice that is none, and too many. */
export async function addNote(
  stall: Stall,
  principal: AccountPrincipal,
  edition: Edition,
  { path, start, end, text }: NewNote,
): Promise<Note> {
  await access(stall, principal, edition, 'read');
  const anchor = anchorAt(path, await readText(stall, edition, path), start, end);
  if (anchor === null)
    throw Refusal.invalid(
      `Cannot keep these words: "start" and "end" must enclose 1 to ${LONGEST_EXACT} characters of the text at "path", and cut no letter`,
    );
  const at = stall.now();
  const note: StoredNote = {
    ...anchor,
    id: randomUUID(),
    accountId: principal.accountId,
    bookId: idOf(edition),
    text: readNoteText(text),
    edition: edition.digest,
    placedIn: edition.digest,
    placedPath: path,
    placedStart: start,
    createdAt: at,
    updatedAt: at,
  };
  const outcome = await stall.store.write.addNote(note);
  if (outcome !== 'added') throw outcome === 'full' ? full() : tooMany();
  return toNote(note, edition, stall.origin());
}

/** Changes what was written to a note. Refuses as reading does, and not-found for a note that is not the reader's. */
export async function editNote(
  stall: Stall,
  principal: AccountPrincipal,
  edition: Edition,
  { id, text }: { readonly id: string; readonly text: string | null },
): Promise<Note> {
  await access(stall, principal, edition, 'read');
  const { accountId } = principal;
  const change = { id, accountId, bookId: idOf(edition), text: readNoteText(text), at: stall.now() };
  const outcome = await stall.store.write.editNote(change);
  if (outcome === 'full') throw full();
  return findNote(stall, principal, edition, id);
}

/** One note of a reader. Refuses as `editNote`. */
export async function findNote(
  stall: Stall,
  principal: AccountPrincipal,
  edition: Edition,
  id: string,
): Promise<Note> {
  await access(stall, principal, edition, 'read');
  await placeNotes(stall, principal, edition);
  const note = await stall.store.findNote(principal.accountId, idOf(edition), id);
  if (note === null) throw noNote();
  return toNote(note, edition, stall.origin());
}

/** Deletes a note. Refuses as `editNote`. */
export async function deleteNote(
  stall: Stall,
  principal: AccountPrincipal,
  edition: Edition,
  id: string,
): Promise<void> {
  await access(stall, principal, edition, 'read');
  const { accountId } = principal;
  if (!(await stall.store.write.deleteNote({ id, accountId, bookId: idOf(edition) }))) throw noNote();
}

/** The served book of an id. Refuses not-found. */
export const bookOf = servedById;

/** Looks for the words of notes in an edition that is new to them, once. */
async function placeNotes(stall: Stall, { accountId }: AccountPrincipal, edition: Edition): Promise<void> {
  const { store } = stall;
  const bookId = idOf(edition);
  const { digest } = edition;
  if (!(await store.hasUnplacedNotes(accountId, bookId, digest))) return;
  const texts = new Map<string, string>();
  const read = async (path: string): Promise<string> => {
    const known = texts.get(path) ?? (await readText(stall, edition, path).catch(() => ''));
    texts.set(path, known);
    return known;
  };
  const paths = listTexts(edition).map(({ path }) => path);
  const places: NotePlace[] = [];
  for (const note of await store.listNotes(accountId, bookId)) {
    if (note.placedIn === digest) continue;
    // Looking for the words of thousands of notes takes a while, in which others are served.
    await nextTurn();
    const found = await findAnchor(note, paths, read);
    places.push({
      id: note.id,
      placedIn: digest,
      placedPath: found?.path ?? null,
      placedStart: found?.start ?? null,
    });
  }
  await store.write.placeNotes(JSON.stringify(places));
}

/** A text of the edition. Refuses a path that names none. */
async function readText({ artefacts }: Stall, edition: Edition, path: string): Promise<string> {
  const file = edition.files.find((one) => one.path === path);
  if (file?.text === true) return artefacts.read(edition, path);
  throw Refusal.invalid(`Cannot find a text at "${path.slice(0, 200)}": "path" is one of the book's texts`);
}

function readNoteText(text: string | null): string | null {
  const written = text?.replaceAll('\r\n', '\n').trim() ?? '';
  if (written.length > LONGEST_NOTE && [...written].length > LONGEST_NOTE)
    throw Refusal.invalid(`Cannot keep a note of more than ${LONGEST_NOTE} characters: shorten it`);
  return written === '' ? null : written;
}

function toNote(stored: StoredNote, edition: Edition, origin: string): Note {
  const { id, exact, prefix, suffix, text, edition: digest, placedPath, placedStart } = stored;
  const [path, start] = [placedPath ?? stored.path, placedStart ?? stored.start];
  const isHere = path === stored.path && start === stored.start;
  return {
    id,
    book: edition.manifest.slug,
    path,
    start,
    end: start + exact.length,
    ...{ exact, prefix, suffix, text },
    edition: `sha256:${digest}`,
    state: placedPath === null ? 'lost' : isHere ? 'here' : 'moved',
    createdAt: new Date(stored.createdAt).toISOString(),
    updatedAt: new Date(stored.updatedAt).toISOString(),
    url: origin + addressOf(stored, edition),
  };
}

/** The place of a note on its reading page, or on the page of the book's notes if its words are gone. */
function addressOf({ id, placedPath, placedStart }: StoredNote, { manifest, files }: Edition): string {
  if (placedPath === null) return `${notesAddress(manifest)}#note-${id}`;
  const file = files.find(({ path }) => path === placedPath);
  const part = file !== undefined && file.size > PART ? `?at=${placedStart}` : '';
  return `${readingAddress(manifest, placedPath)}${part}#note-${id}`;
}

/** The address of the page of a book's notes. */
export const notesAddress = ({ slug }: Pick<Edition['manifest'], 'slug'>): string => `/books/${slug}/notes`;

/** The id of a book, whose manifest always has one. */
function idOf({ manifest }: Edition): string {
  if (manifest.id === null) throw Refusal.missing(`Cannot keep notes of "${manifest.slug}": it is no book`);
  return manifest.id;
}

function noNote(): Refusal {
  return Refusal.missing('Cannot find this note: it was deleted, or it is not yours');
}

function tooMany(): Refusal {
  return new Refusal(
    'conflict',
    `Cannot keep more than ${MOST_NOTES} notes of one book: delete some of them first`,
  );
}

function full(): Refusal {
  return new Refusal('conflict', 'Cannot keep more than 20 MB of notes: delete some of them first');
}

/** Notes as a Markdown text: by chapter, each with the words, what was written to them, and a link. */
export async function notesAsMarkdown(
  stall: Stall,
  edition: Edition,
  notes: readonly Note[],
): Promise<string> {
  const contents = await listContents(stall, edition);
  const chapters = [...Map.groupBy(notes, ({ path }) => path)].map(([path, own]) => {
    const entries = own.map(({ exact, text, url, createdAt, state }) => {
      const quote = exact.trim().replace(/^/gm, '> ');
      const lost = state === 'lost' ? '; these words are not in the book now' : '';
      return `${quote}\n\n${text === null ? '' : `${text}\n\n`}[${createdAt.slice(0, 10)}](${url})${lost}\n`;
    });
    return `## ${titleOf(contents, path)}\n\n${entries.join('\n')}`;
  });
  return `# ${edition.manifest.title}: notes\n\n${chapters.join('\n') || 'No notes yet.\n'}`;
}

/** A reader's notes as their agent reads them: of a book, or of all; null is all. Refuses install tokens, and as `listNotes`. */
export async function agentNotes(
  stall: Stall,
  asker: AgentPrincipal,
  slug: string | null,
  words = '',
): Promise<string> {
  if (asker.kind !== 'account')
    throw unauthenticated(
      'Cannot read notes without an API key',
      'a link or an install token opens none; send a key, svc_…',
    );
  const books =
    slug === null
      ? (await listAllNotes(stall, asker)).books
      : [{ edition: servedBySlug(stall, slug, 'book'), notes: null }];
  const texts: string[] = [];
  for (const { edition, notes } of books) {
    const found = searchNotes(notes ?? (await listNotes(stall, asker, edition)), words);
    if (found.length > 0) texts.push(await notesAsMarkdown(stall, edition, found));
  }
  return texts.join('\n') || 'No notes.\n';
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
        source: url.replace(/[?#].*$/, ''),
        selector: { type: 'TextQuoteSelector', exact, prefix, suffix },
      },
    })),
  };
}
