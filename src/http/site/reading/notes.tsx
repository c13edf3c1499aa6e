import type { Principal, SessionPrincipal } from '../../../access/principal.ts';
import type { Edition } from '../../../catalog/catalog.ts';
import { sourceOf } from '../../../markup/rendered.ts';
import { LONGEST_EXACT } from '../../../passages/anchor.ts';
import { shownText } from '../../../passages/shown-text.ts';
import { Refusal } from '../../../refusal.ts';
import { servedBySlug } from '../../../service/access.ts';
import { titleAt } from '../../../service/contents.ts';
import {
  addNote,
  deleteNote,
  editNote,
  findNote,
  listAllNotes,
  listNotes,
  LONGEST_NOTE,
  type Note,
  notesAddress,
  searchNotes,
} from '../../../service/notes.ts';
import type { Citation } from '../../../service/answer.ts';
import type { Stall } from '../../../service/stall.ts';
import { redirect } from '../../answer.ts';
import { type Form as Fields, readForm } from '../../body.ts';
import type { Http, Query } from '../../http.ts';
import { sendPage } from '../frame/page.tsx';
import { counted, Empty, When } from '../parts/data-table.tsx';
import { Button, Field, Form, QuietLink, TextArea } from '../parts/form.tsx';
import { inItsLanguage, ItemTitle } from '../parts/shelf.tsx';

/** The page of all notes of a reader. */
export const ALL_NOTES = '/dashboard/notes';

/** The notes of a reader in a text that is shown to them; null where there can be none. */
export async function notesOfPage(
  stall: Stall,
  principal: Principal,
  edition: Edition,
  path: string,
): Promise<readonly Note[] | null> {
  const { kind, slug } = edition.manifest;
  // The owner may look at a draft, in which nobody has notes.
  if (kind !== 'book' || principal.kind === 'anonymous' || servedBySlug(stall, slug) !== edition) return null;
  return listNotes(stall, principal, edition, path);
}

type PencilProps = { readonly edition: Edition; readonly path: string; readonly part: number };

/** What can be done with selected words; the script shows it beside them. */
export function Pencil({ edition: { manifest, digest }, path, part }: PencilProps) {
  return (
    <div
      class="pencil"
      role="toolbar"
      aria-label="Selected words"
      hidden
      data-notes={notesAddress(manifest)}
      data-path={path}
      data-part={part}
      data-edition={digest.slice(0, 12)}
    >
      <button type="button" value="highlight">
        Highlight
      </button>
      <button type="button" value="note">
        Note
      </button>
      <button type="button" value="link">
        Copy link
      </button>
      <form action={`/books/${manifest.slug}/ask`} method="post">
        <input type="hidden" name="about" />
        <button type="submit">Ask about this</button>
      </form>
    </div>
  );
}

/** Says below a text what the reader kept of it. */
export function NotesBelow({
  edition,
  notes,
}: {
  readonly edition: Edition;
  readonly notes: readonly Note[];
}) {
  if (notes.length === 0) return null;
  const lost = notes.filter(({ state }) => state === 'lost').length;
  return (
    <p class="notes-below">
      <a href={notesAddress(edition.manifest)}>{counted(notes.length, 'note')} in this chapter</a>
      {lost > 0 && `, ${lost} of them on words that are not here any more`}
    </p>
  );
}

/** The notes of a reader in one book. */
export async function showNotes(
  { stall, viewOf }: Http,
  member: SessionPrincipal,
  slug: string,
  query: Query,
): Promise<Response> {
  const edition = servedBySlug(stall, slug, 'book');
  const notes = await listNotes(stall, member, edition);
  const words = (query['q'] ?? '').trim();
  const address = `/api/books/${encodeURIComponent(edition.manifest.id ?? '')}/notes`;
  return sendPage(
    viewOf(member),
    {
      title: `Notes · ${edition.manifest.title}`,
      heading: (
        <>
          Notes on <ItemTitle {...edition.manifest} />
        </>
      ),
      lead: <a href={`/books/${edition.manifest.slug}`}>Back to the book</a>,
      up: { href: ALL_NOTES, name: 'All notes' },
    },
    <>
      <NotesSearch action={notesAddress(edition.manifest)} words={words} />
      <NotesOfBook stall={stall} edition={edition} notes={searchNotes(notes, words)} words={words} />
      {notes.length > 0 && (
        <p class="quiet">
          Save all as <a href={`${address}?format=markdown`}>Markdown</a> or{' '}
          <a href={`${address}?format=annotations`}>Web Annotations (JSON-LD)</a>.
        </p>
      )}
    </>,
  );
}

/** All notes of a reader, by book. */
export async function showAllNotes(
  { stall, viewOf }: Http,
  member: SessionPrincipal,
  query: Query,
): Promise<Response> {
  const { books, closed } = await listAllNotes(stall, member);
  const words = (query['q'] ?? '').trim();
  const found = books
    .map(({ edition, notes }) => ({ edition, notes: searchNotes(notes, words) }))
    .filter(({ notes }) => notes.length > 0);
  return sendPage(
    viewOf(member),
    { title: 'Notes', current: '/dashboard', up: { href: '/dashboard', name: 'Library' } },
    <>
      {books.length > 0 && <NotesSearch action={ALL_NOTES} words={words} />}
      {found.length === 0 && (
        <Empty>
          {words === ''
            ? 'Nothing here yet. Select words in a book that you read here, and choose Highlight or Note.'
            : `No note holds “${words}”.`}
        </Empty>
      )}
      {found.map(({ edition, notes }) => (
        <section>
          <h2>
            <a href={notesAddress(edition.manifest)}>
              <ItemTitle {...edition.manifest} />
            </a>
          </h2>
          <NotesOfBook stall={stall} edition={edition} notes={notes} words={words} />
        </section>
      ))}
      {closed > 0 && (
        <p class="quiet">
          There are notes on {counted(closed, 'book')} that you cannot open now. They are kept, and are shown
          again once you can.
        </p>
      )}
    </>,
  );
}

function NotesSearch({ action, words }: { readonly action: string; readonly words: string }) {
  return (
    <form class="search" action={action} role="search">
      <Field
        label="Search in your notes"
        name="q"
        type="search"
        value={words.slice(0, 200)}
        maxLength={200}
      />
      <Button kind="quiet">Search</Button>
    </form>
  );
}

type NotesProps = {
  readonly stall: Stall;
  readonly edition: Edition;
  readonly notes: readonly Note[];
  readonly words: string;
};

function NotesOfBook({ edition, notes, words }: NotesProps) {
  if (notes.length === 0)
    return (
      <Empty>
        {words === ''
          ? 'No notes yet. Select words in the book, and choose Highlight or Note.'
          : `No note holds “${words}”.`}
      </Empty>
    );
  const chapters = [...Map.groupBy(notes, ({ path }) => path)];
  return (
    <div class="notes">
      {chapters.map(([path, own]) => (
        <section>
          <h3 {...inItsLanguage(edition.manifest)}>{titleAt(edition, path)}</h3>
          <ol>
            {own.map((note) => (
              <li id={`note-${note.id}`}>
                <blockquote {...inItsLanguage(edition.manifest)}>{shownText(note.exact)}</blockquote>
                {note.text !== null && <p class="note-text">{note.text}</p>}
                <p class="quiet">
                  <When at={Date.parse(note.createdAt)} />
                  {note.state === 'lost' ? (
                    ' · These words are not in the book any more. '
                  ) : (
                    <>
                      {' · '}
                      <a
                        href={new URL(note.url).pathname + new URL(note.url).search + new URL(note.url).hash}
                      >
                        Read there
                      </a>
                    </>
                  )}
                  {' · '}
                  <a href={`${notesAddress(edition.manifest)}/${note.id}`}>Edit or delete</a>
                </p>
              </li>
            ))}
          </ol>
        </section>
      ))}
    </div>
  );
}

/** One note with the forms that change and delete it. */
export async function showNote(
  { stall, viewOf }: Http,
  member: SessionPrincipal,
  slug: string,
  id: string,
): Promise<Response> {
  const edition = servedBySlug(stall, slug, 'book');
  const note = await findNote(stall, member, edition, id);
  const address = `${notesAddress(edition.manifest)}/${id}`;
  return sendPage(
    viewOf(member),
    { title: 'Note', isNarrow: true, up: { href: notesAddress(edition.manifest), name: 'Notes' } },
    <>
      <blockquote {...inItsLanguage(edition.manifest)}>{shownText(note.exact)}</blockquote>
      <div class="note-forms">
        <Form action={address} label="Note">
          <TextArea
            label="Your note"
            name="text"
            value={note.text ?? ''}
            rows={5}
            hint={`Up to ${LONGEST_NOTE} characters. Empty, the words stay highlighted.`}
          />
          <Button>Save</Button>
        </Form>
        <Form action={`${address}/delete`} label="Delete">
          <Button kind="danger">Delete</Button>
        </Form>
      </div>
      <p>
        <QuietLink href={new URL(note.url).pathname + new URL(note.url).hash}>Back to the words</QuietLink>
      </p>
    </>,
  );
}

/** Keeps selected words, or those of a citation, and goes back to them. */
export async function keepNote(
  { stall }: Http,
  request: Request,
  member: SessionPrincipal,
  slug: string,
): Promise<Response> {
  const edition = servedBySlug(stall, slug, 'book');
  const form = await readForm(request);
  const path = form.text('path');
  const { start, end } = await sliceOf(stall, member, edition, form);
  const note = await addNote(stall, member, edition, { path, start, end, text: form.text('text') });
  return redirect(note.url.slice(stall.origin().length));
}

/** The words that a form names: as a citation does, or as the page counts what it shows. */
async function sliceOf(stall: Stall, member: SessionPrincipal, edition: Edition, form: Fields) {
  const [start, end, from, count, part] = ['start', 'end', 'from', 'count', 'part'].map((name) =>
    readCount(form.text(name)),
  );
  if (!edition.digest.startsWith(form.text('edition')))
    throw Refusal.invalid(
      'Cannot keep these words: the book has a new edition; reload the page and select them again',
    );
  if (start !== null && end !== null) return { start: start!, end: end! };
  const file = edition.files.find((one) => one.path === form.text('path') && one.text);
  if (file === undefined || from == null || !count || !part) throw noWords();
  // Refused before the page is opened: it says nothing to those who may not read it.
  await listNotes(stall, member, edition, file.path);
  const opened = await stall.pages.open(edition, file, { number: part });
  if (opened === null) throw noWords();
  const { page, at } = opened;
  const slice = sourceOf(
    { html: new TextDecoder().decode(page.html), headings: page.headings, ...page.readTables() },
    from,
    count,
  );
  if (slice === null) throw noWords();
  return { start: at + slice.start, end: at + slice.end };
}

const readCount = (text: string): number | null => (/^\d{1,9}$/.test(text) ? Number(text) : null);

function noWords(): Refusal {
  return Refusal.invalid('Cannot keep these words: their place in the text is not known; select others');
}

/** Saves what was written to a note, and goes back to its words. */
export async function saveNote(
  { stall }: Http,
  request: Request,
  member: SessionPrincipal,
  slug: string,
  id: string,
): Promise<Response> {
  const text = (await readForm(request)).text('text');
  const note = await editNote(stall, member, servedBySlug(stall, slug, 'book'), { id, text });
  return redirect(note.url.slice(stall.origin().length));
}

/** Deletes a note, and goes back to where its words are. */
export async function removeNote(
  { stall }: Http,
  member: SessionPrincipal,
  slug: string,
  id: string,
): Promise<Response> {
  const edition = servedBySlug(stall, slug, 'book');
  const note = await findNote(stall, member, edition, id);
  await deleteNote(stall, member, edition, id);
  return redirect(note.url.slice(stall.origin().length).replace(/#.*/, ''));
}

/** The button that keeps the words of a citation. */
export function KeepCitation({
  edition,
  citation,
}: {
  readonly edition: Edition;
  readonly citation: Citation;
}) {
  if (citation.end - citation.start > LONGEST_EXACT) return null;
  const fields = { ...citation, edition: edition.digest.slice(0, 12) };
  return (
    <form action={notesAddress(edition.manifest)} method="post" target="_blank" class="keep">
      {(['path', 'start', 'end', 'edition'] as const).map((name) => (
        <input type="hidden" name={name} value={fields[name]} />
      ))}
      <Button kind="quiet">Keep</Button>
    </form>
  );
}
