import { renderToString } from 'preact-render-to-string';
import type { Principal, SessionPrincipal } from '../platform/base/principal.ts';
import type { Edition } from '../catalog/catalog.ts';
import { type TextSlice, sourceOf } from './markup/rendered.ts';
import { LONGEST_ABOUT, LONGEST_EXACT } from './anchor.rule.ts';
import { shownWithin } from './shown-text.rule.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import { servedBySlug } from '../accounts/access.ts';
import { isOfOther } from '../accounts/account.ts';
import {
  addNote,
  deleteNote,
  editNote,
  findNote,
  notesOfText,
  listPage,
  LONGEST_NOTE,
  MOST_MARKED,
  type Note,
  notesAddress,
  type NotesQuery,
  openNotebook,
  openNotebooks,
  placeOf,
  readNotes,
} from './note.ts';
import { withTitles } from './note-export.ts';
import { listOwnReports, reportNote } from './report.ts';
import type { Stall, Http } from './stall.ts';
import { REPORT_STATES } from './report.sql.ts';
import { redirect } from '../platform/http/answer.ts';
import { readFlash, redirectSaying } from '../platform/site/handle-form.ts';
import { type Form as Fields, readForm } from '../platform/http/body.ts';
import type { Query } from '../platform/http/http.ts';
import { sendWritten } from '../accounts/written-answer.ts';
import { htmlHeaders, sendPage, splitPage } from '../platform/site/page.tsx';
import { addressAt, Empty, NoMatch, Pager, When } from '../platform/site/data-table.tsx';
import { Button, Field, Form, QuietLink, TextArea } from '../platform/site/form.tsx';
import { ItemTitle } from '../catalog/items.part.tsx';
import { InWords, useWords } from '../platform/site/words.tsx';
import type { Words } from '../words/words.ts';
import { ALL_NOTES } from '../platform/site/linked-pages.ts';
import { inItsLanguage } from '../platform/base/direction.ts';

const PLACE: string = crypto.randomUUID();

type Asked = {
  readonly request: Request;
  readonly member: SessionPrincipal;
  readonly query: Query;
  readonly route: string;
  readonly params?: { readonly slug?: string; readonly note?: string };
};

const open = (stall: Stall, { member, params: { slug = '' } = {} }: Asked) =>
  openNotebook(stall, member, servedBySlug(stall, member, slug, 'book'));

/** Finds a reader's notes in the part of a text that begins at offset `at`; null if the reader cannot have any. */
export async function notesOfPage(
  stall: Stall,
  principal: Principal,
  { edition, path, at }: { readonly edition: Edition; readonly path: string; readonly at: number },
) {
  const { kind, slug } = edition.manifest;
  // Those who edit an item may look at a draft, in which nobody has notes.
  if (kind !== 'book' || principal.kind === 'anonymous' || servedBySlug(stall, principal, slug) !== edition)
    return null;
  return notesOfText(await openNotebook(stall, principal, edition), path, at);
}

type PencilProps = { readonly edition: Edition; readonly path: string; readonly part: number };

export function Pencil({ edition: { manifest, digest }, path, part }: PencilProps) {
  const { notes } = useWords().reading;
  const data = { 'data-notes': notesAddress(manifest), 'data-path': path, 'data-part': part };
  return (
    <div
      class="pencil"
      role="toolbar"
      aria-label={notes.selected}
      hidden
      {...data}
      data-edition={digest.slice(0, 12)}
    >
      {Object.entries(notes.acts).map(([value, name]) => (
        <button type="button" value={value}>
          {name}
        </button>
      ))}
      <form action={`/books/${manifest.slug}/ask`} method="post">
        <input type="hidden" name="about" data-most={LONGEST_ABOUT} />
        <button type="submit">{notes.askAbout}</button>
      </form>
    </div>
  );
}

type NotesProps = {
  readonly edition: Edition;
  readonly notes: NonNullable<Awaited<ReturnType<typeof notesOfPage>>>;
};

export function NotesBelow({ edition, notes: { count, lost, shown } }: NotesProps) {
  const { reading } = useWords();
  if (count === 0) return null;
  const most = shown.length === MOST_MARKED ? MOST_MARKED : null;
  const link = (text: string) => <a href={notesAddress(edition.manifest)}>{text}</a>;
  return <p class="notes-below">{reading.notes.below({ count, lost, most, link })}</p>;
}

export async function showNotes(http: Http, asked: Asked): Promise<Response> {
  const { stall, viewOf } = http;
  const { request, member: principal, query, route, params: { slug } = {} } = asked;
  const one = slug === undefined ? null : servedBySlug(stall, principal, slug, 'book');
  const words = (query['q'] ?? '').trim().slice(0, 200);
  const after = query['after'] || null;
  const { editions, closed } = await openNotebooks(stall, principal, one);
  const { page, next } = await listPage(stall, { principal, editions, words, after });
  const isEmpty = page.length === 0;
  const here = one === null ? ALL_NOTES : notesAddress(one.manifest);
  const download =
    one === null ? '/api/notes' : `/api/books/${encodeURIComponent(one.manifest.id ?? '')}/notes`;
  const view = viewOf(principal);
  const { frame: around, reading } = view.words;
  const { notes } = reading;
  const linkTo = (format: string) => (name: string) => <a href={`${download}?format=${format}`}>{name}</a>;
  const halves = splitPage(
    view,
    {
      title: one === null ? notes.title : `${notes.title} · ${one.manifest.title}`,
      heading: notes.title,
      current: '/dashboard',
      up: one === null ? { href: '/dashboard', name: around.library } : { href: ALL_NOTES, name: notes.all },
    },
    <>
      {(!isEmpty || words !== '') && (
        <form class="search" action={here} role="search">
          <Field label={notes.search} name="q" type="search" value={words} maxLength={200} />
          <Button kind="quiet">{reading.search}</Button>
        </form>
      )}
      {isEmpty && words !== '' && <NoMatch path={here}>{notes.noMatch({ words })}</NoMatch>}
      {isEmpty && words === '' && <Empty>{notes.none}</Empty>}
      {PLACE}
      <Pager
        newer={after === null ? null : ''}
        older={next}
        to={(to) => addressAt(here, { q: words, after: to }, null)}
        names={[notes.first, notes.next]}
      />
      {closed > 0 && <p class="quiet">{notes.closed({ count: closed })}</p>}
      <Sent reports={one === null && after === null ? listOwnReports(stall, principal) : []} />
      {!isEmpty && <p class="quiet">{notes.saveAll({ markdown: linkTo('markdown'), csv: linkTo('csv') })}</p>}
    </>,
    PLACE,
  );
  const html = listHtml(stall, { words: view.words, principal, page, isOne: one !== null }, halves);
  return sendWritten(http, request, { route, headers: htmlHeaders(view) }, html);
}

function Sent({ reports }: { readonly reports: ReturnType<typeof listOwnReports> }) {
  const { reports: words } = useWords().reading;
  if (reports.length === 0) return null;
  return (
    <section class="kept-notes" id="sent">
      <h2>{words.title}</h2>
      <ol>
        {reports.map(({ edition, exact, text, state, answer, createdAt }) => (
          <li>
            {exact !== '' && <blockquote class="note-words">{shownWithin('', exact, '')}</blockquote>}
            {text !== null && <p class="note-text">{text}</p>}
            <p class="quiet">
              {words.states[state]} · <When at={createdAt} /> ·{' '}
              {edition && <ItemTitle {...edition.manifest} />}
            </p>
            {answer !== null && <p class="note-text">{words.answer({ answer })}</p>}
          </li>
        ))}
      </ol>
    </section>
  );
}

type Listing = Pick<NotesQuery, 'principal'> & {
  readonly words: Words;
  readonly page: Awaited<ReturnType<typeof listPage>>['page'];
  readonly isOne: boolean;
};

/** Yields a page of notes in pieces, since a hundred may be long. */
async function* listHtml(
  stall: Stall,
  { words, principal, page, isOne }: Listing,
  { before, after }: ReturnType<typeof splitPage>,
): AsyncGenerator<string> {
  yield before;
  let [list, section] = ['', ''];
  for await (const { edition, note, book, chapter } of withTitles(stall, readNotes(stall, principal, page))) {
    if (chapter !== null) yield list;
    if (book !== null) {
      const title = (
        <h2>
          <a href={isOne ? `/books/${book.slug}` : notesAddress(book)}>
            <ItemTitle {...book} />
          </a>
        </h2>
      );
      yield `${section}<section class="kept-notes">${renderToString(title)}`;
    }
    if (chapter !== null)
      yield `${renderToString(<h3 {...inItsLanguage(edition.manifest)}>{chapter}</h3>)}<ol>`;
    yield renderToString(
      <InWords words={words}>
        <ListedNote edition={edition} note={note} />
      </InWords>,
    );
    [list, section] = ['</ol>', '</section>'];
  }
  yield list + section + after;
}

function ListedNote({ edition: { manifest }, note }: { readonly edition: Edition; readonly note: Note }) {
  const { notes } = useWords().reading;
  return (
    <li id={`note-${note.id}`}>
      <blockquote class="note-words" {...inItsLanguage(manifest)}>
        {shownWithin(note.prefix, note.exact, note.suffix)}
      </blockquote>
      {note.text !== null && <p class="note-text">{note.text}</p>}
      <p class="quiet">
        <When at={Date.parse(note.createdAt)} />
        {' · '}
        {note.state === 'lost' ? notes.lost : <a href={placeOf(note)}>{notes.readThere}</a>}
        {' · '}
        <a href={`${notesAddress(manifest)}/${note.id}`}>{notes.edit}</a>
      </p>
    </li>
  );
}

export async function showNote({ stall, viewOf }: Http, asked: Asked): Promise<Response> {
  const book = await open(stall, asked);
  const { manifest } = book.edition;
  const note = findNote(book, asked.params?.note ?? '');
  const view = viewOf(asked.member);
  const { notes, reports } = view.words.reading;
  const sent = book.stall.store.listOwnReports(book.accountId).find(({ noteId }) => noteId === note.id);
  const isOpen = sent !== undefined && REPORT_STATES[sent.state];
  return sendPage(
    view,
    {
      title: notes.note,
      isNarrow: true,
      up: { href: notesAddress(manifest), name: notes.title },
      said: readFlash(asked.query),
    },
    <>
      <blockquote class="note-words" {...inItsLanguage(manifest)}>
        {shownWithin(note.prefix, note.exact, note.suffix)}
      </blockquote>
      <Form action={`${notesAddress(manifest)}/${note.id}`} label={notes.note}>
        <TextArea
          label={notes.yourNote}
          name="text"
          value={note.text ?? ''}
          rows={5}
          hint={notes.hint({ most: LONGEST_NOTE })}
        />
        {sent && <p class="quiet">{reports.sent({ state: reports.states[sent.state] })}</p>}
        {sent?.answer != null && <p class="note-text">{reports.answer({ answer: sent.answer })}</p>}
        {!isOpen && <p class="quiet">{reports.sendHint}</p>}
        <div class="actions">
          <Button>{notes.save}</Button>
          {!isOpen && (
            <Button kind="quiet" name="send" value="yes">
              {reports.send}
            </Button>
          )}
          <Button kind="danger" name="delete" value="yes">
            {notes.delete}
          </Button>
        </div>
      </Form>
      {note.state !== 'lost' && (
        <p>
          <QuietLink href={placeOf(note)}>{notes.back}</QuietLink>
        </p>
      )}
    </>,
  );
}

export async function keepNote({ stall }: Http, asked: Asked): Promise<Response> {
  const { edition } = await open(stall, asked);
  const form = await readForm(asked.request);
  if (isOfOther(form, asked.member)) return new Response(null, { status: 409 });
  const [path, text, id] = [form.text('path'), form.text('text'), form.text('id') || undefined];
  const slice = readWords(edition, form) ?? readSlice(stall, edition, form);
  // Opens the notebook again, since access may have ended while the form came in.
  return redirect(placeOf(await addNote(await open(stall, asked), { path, text, id, slice })));
}

/**
 * Reads the words of a note that was made in an earlier edition, without a network; null if the form has none or too many, or
 * is of this edition.
 */
function readWords({ digest }: Edition, form: Fields) {
  const [exact, before] = [form.text('exact'), form.text('prefix')];
  // The page has other white space between blocks than the text.
  const prefix = before.slice(before.lastIndexOf('\n') + 1);
  const isFit = exact !== '' && exact.length + prefix.length <= LONGEST_EXACT;
  return isFit && !digest.startsWith(form.text('edition')) ? { exact, prefix, suffix: '' } : null;
}

/**
 * Reads which words a form means: a slice of the file, as from a citation, or a function that finds the slice of a selection.
 */
function readSlice(stall: Stall, edition: Edition, form: Fields): TextSlice | (() => Promise<TextSlice>) {
  if (!edition.digest.startsWith(form.text('edition')))
    throw new ToldRefusal('invalid-request', (r) => r.reading.notes.newEdition);
  const [start, end, from, count, number] = ['start', 'end', 'from', 'count', 'part'].map((name) =>
    /^\d{1,9}$/.test(form.text(name)) ? Number(form.text(name)) : Number.NaN,
  ) as [number, number, number, number, number];
  if (start >= 0 && end >= 0) return { start, end };
  const file = edition.files.find((one) => one.path === form.text('path') && one.text);
  const unknown = new ToldRefusal('invalid-request', (r) => r.reading.notes.noPlace);
  if (file === undefined || !(from >= 0 && count > 0 && count <= LONGEST_EXACT)) throw unknown;
  return async () => {
    const opened = await stall.pages.open(edition, file, { number });
    if (opened === null) throw unknown;
    const { page, at } = opened;
    const html = new TextDecoder().decode(page.html);
    const slice = sourceOf({ html, headings: page.headings, ...page.readTables() }, from, count);
    if (slice === null) throw unknown;
    return { start: at + slice.start, end: at + slice.end };
  };
}

export async function saveNote({ stall }: Http, asked: Asked): Promise<Response> {
  const form = await readForm(asked.request);
  const [book, id] = [await open(stall, asked), asked.params?.note ?? ''];
  if (form.text('send') !== '') {
    await editNote(book, id, form.text('text'));
    await reportNote(book, id);
    return redirectSaying(`${notesAddress(book.edition.manifest)}/${id}`, 'note-sent');
  }
  if (form.text('delete') === '') return redirect(placeOf(await editNote(book, id, form.text('text'))));
  const note = findNote(book, id);
  await deleteNote(book, id);
  return redirect(placeOf(note).replace(/#.*/, ''));
}
