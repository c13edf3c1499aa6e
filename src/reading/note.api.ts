import type { AccountPrincipal } from '../platform/base/principal.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { servedById } from '../accounts/access.ts';
import {
  addNote,
  deleteNote,
  editNote,
  listPage,
  NOTE_BODY,
  NOTE_CHANGE_BODY,
  openNotebook,
  openNotebooks,
  readNotes,
  type NOTES_QUERY,
  walkNotes,
} from './note.ts';
import { notesAsCsv, notesAsJson, notesAsMarkdown } from './note-export.ts';
import type { Stall, Http } from './stall.ts';
import { readJson } from '../platform/http/body.ts';
import { sendExport, sendWritten } from '../accounts/written-answer.ts';
import type { QueryOf } from '../platform/http/http.ts';

type Asked = {
  readonly request: Request;
  readonly account: AccountPrincipal;
  readonly query: QueryOf<typeof NOTES_QUERY>;
  readonly route: string;
  readonly params?: { readonly id?: string; readonly note?: string };
};

const open = (stall: Stall, { account, params: { id = '' } = {} }: Asked) =>
  openNotebook(stall, account, servedById(stall, account, id));

/**
 * Answers `GET /api/books/:id/notes`, and `GET /api/notes` for all books: with a page of notes as JSON, or with all of them in
 * another `format`.
 */
export async function sendNotes(http: Http, asked: Asked): Promise<Response> {
  const { stall } = http;
  const { account: principal, params, query, request, route } = asked;
  const { format = 'json', after = null } = query;
  const one = params?.id === undefined ? null : servedById(stall, principal, params.id);
  const { editions } = await openNotebooks(stall, principal, one);
  if (format === 'json') {
    const { page, next } = await listPage(stall, { principal, editions, after });
    const notes = notesAsJson(readNotes(stall, principal, page), next);
    const headers = { ...HEADERS, 'Content-Type': 'application/json' };
    return sendWritten(http, request, { route, headers }, notes);
  }
  const notes = walkNotes(stall, { principal, editions });
  const name = `${one?.manifest.slug ?? 'all'}-notes`;
  if (format === 'markdown') {
    const file = { type: 'text/markdown; charset=utf-8', name: `${name}.md` };
    return sendExport(http, request, { route, ...file }, notesAsMarkdown(stall, notes));
  }
  if (format === 'csv') {
    const file = { type: 'text/csv; charset=utf-8', name: `${name}.csv` };
    return sendExport(http, request, { route, ...file }, notesAsCsv(notes));
  }
  throw Refusal.invalid('Cannot give notes in this format: "format" is json, markdown or csv');
}

export async function takeNote({ stall, readLarge }: Http, asked: Asked): Promise<Response> {
  const body = await readJson(readLarge, asked.request, NOTE_BODY, 'Cannot keep these words');
  const { path, start, end, text = null, id } = body;
  const note = { path, slice: { start, end }, text, id };
  return answer(`${JSON.stringify(await addNote(await open(stall, asked), note))}\n`, 201);
}

/** `PATCH /api/books/:id/notes/:note`: replaces the "text" of a note; null removes it. */
export async function changeNote({ stall, readLarge }: Http, asked: Asked): Promise<Response> {
  const { text } = await readJson(readLarge, asked.request, NOTE_CHANGE_BODY, 'Cannot change a note');
  const note = await editNote(await open(stall, asked), asked.params?.note ?? '', text);
  return answer(`${JSON.stringify(note)}\n`);
}

export async function dropNote({ stall }: Http, asked: Asked): Promise<Response> {
  await deleteNote(await open(stall, asked), asked.params?.note ?? '');
  return answer(null, 204);
}

const HEADERS = { 'Cache-Control': 'private, no-store', Vary: 'Authorization, Cookie' };

const answer = (body: string | null, status = 200): Response =>
  new Response(body, { status, headers: { ...HEADERS, 'Content-Type': 'application/json' } });
