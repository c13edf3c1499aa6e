import type { AccountPrincipal } from '../../access/principal.ts';
import { Refusal } from '../../refusal.ts';
import {
  addNote,
  bookOf,
  deleteNote,
  editNote,
  listAllNotes,
  listNotes,
  LONGEST_NOTE,
  notesAsAnnotations,
  notesAsMarkdown,
} from '../../service/notes.ts';
import { readJson } from '../body.ts';
import type { Http, Query } from '../http.ts';

const OF_READER = {
  'Cache-Control': 'private, no-store',
  Vary: 'Authorization, Cookie',
  'X-Content-Type-Options': 'nosniff',
};

type Place = { readonly id: string; readonly note: string };

/** `GET /api/books/:id/notes`, or of all books with `GET /api/notes`: as JSON, or in the `format` of the query. */
export async function sendNotes(
  { stall }: Http,
  account: AccountPrincipal,
  id: string | null,
  { format = 'json' }: Query,
): Promise<Response> {
  const edition = id === null ? null : bookOf(stall, id);
  const books =
    edition === null
      ? (await listAllNotes(stall, account)).books
      : [{ edition, notes: await listNotes(stall, account, edition) }];
  const notes = books.flatMap((book) => book.notes);
  const file = (ending: string) => ({
    'Content-Disposition': `attachment; filename="${edition?.manifest.slug ?? 'all'}-notes.${ending}"`,
  });
  if (format === 'json') return json({ notes });
  if (format === 'markdown') {
    const texts = await Promise.all(books.map((book) => notesAsMarkdown(stall, book.edition, book.notes)));
    const headers = { ...OF_READER, ...file('md'), 'Content-Type': 'text/markdown; charset=utf-8' };
    return new Response(texts.join('\n'), { headers });
  }
  if (format !== 'annotations')
    throw Refusal.invalid('Cannot give notes in this format: "format" is json, markdown or annotations');
  const path = id === null ? '/api/notes' : `/api/books/${encodeURIComponent(id)}/notes`;
  const page = notesAsAnnotations(notes, `${stall.origin()}${path}?format=annotations`);
  return json(page, 200, { ...file('jsonld'), 'Content-Type': 'application/ld+json' });
}

/** `POST /api/books/:id/notes`: {"path","start","end","text"?}. */
export async function takeNote(
  { stall }: Http,
  request: Request,
  account: AccountPrincipal,
  id: string,
): Promise<Response> {
  const { path, start, end, text } = fieldsOf(await readJson(request));
  if (typeof path !== 'string' || typeof start !== 'number' || typeof end !== 'number')
    throw Refusal.invalid('Cannot keep these words: send {"path", "start", "end"}, and "text" for a note');
  const note = await addNote(stall, account, bookOf(stall, id), { path, start, end, text: readText(text) });
  return json(note, 201);
}

/** `PATCH /api/books/:id/notes/:note`: {"text"}; null is none. */
export async function changeNote(
  { stall }: Http,
  request: Request,
  account: AccountPrincipal,
  { id, note }: Place,
): Promise<Response> {
  const fields = fieldsOf(await readJson(request));
  if (!Object.hasOwn(fields, 'text')) throw Refusal.invalid('Cannot change a note: send {"text"}');
  return json(
    await editNote(stall, account, bookOf(stall, id), { id: note, text: readText(fields['text']) }),
  );
}

/** `DELETE /api/books/:id/notes/:note`. */
export async function dropNote(
  { stall }: Http,
  account: AccountPrincipal,
  { id, note }: Place,
): Promise<Response> {
  await deleteNote(stall, account, bookOf(stall, id), note);
  return new Response(null, { status: 204, headers: OF_READER });
}

const fieldsOf = (body: unknown): Readonly<Record<string, unknown>> =>
  typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};

function readText(text: unknown): string | null {
  if (text === undefined || text === null || typeof text === 'string') return text ?? null;
  throw Refusal.invalid(`Cannot keep this note: "text" is up to ${LONGEST_NOTE} characters of text, or null`);
}

function json(value: object, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const body = `${JSON.stringify(value)}\n`;
  return new Response(body, {
    status,
    headers: { ...OF_READER, 'Content-Type': 'application/json', ...headers },
  });
}
