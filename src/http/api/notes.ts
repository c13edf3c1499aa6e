import type { AccountPrincipal } from '../../access/principal.ts';
import { Refusal } from '../../refusal.ts';
import { servedById } from '../../service/access.ts';
import {
  addNote,
  deleteNote,
  editNote,
  gatherNotes,
  LONGEST_NOTE,
  notesAsAnnotations,
  notesAsMarkdown,
  openNotebook,
} from '../../service/notes.ts';
import type { Stall } from '../../service/stall.ts';
import { readJson } from '../body.ts';
import type { Http, Query } from '../http.ts';

type Asked = {
  readonly request: Request;
  readonly account: AccountPrincipal;
  readonly query: Query;
  /** There are none where the path has no names. */
  readonly params?: { readonly id?: string; readonly note?: string };
};

const open = (stall: Stall, { account, params: { id = '' } = {} }: Asked) =>
  openNotebook(stall, account, servedById(stall, id));

/** `GET /api/books/:id/notes`, or of all books `GET /api/notes`: as JSON, or in the `format` of the query. */
export async function sendNotes({ stall }: Http, asked: Asked): Promise<Response> {
  const { account, params, query, request } = asked;
  const { format = 'json' } = query;
  const one = params?.id === undefined ? null : servedById(stall, params.id);
  const gathered = await gatherNotes(stall, account, one);
  const notes = gathered.books.flatMap((book) => book.notes);
  const named = (ending: string) => ({
    'Content-Disposition': `attachment; filename="${one?.manifest.slug ?? 'all'}-notes.${ending}"`,
  });
  if (format === 'json') return answer(`${JSON.stringify({ notes })}\n`);
  if (format === 'markdown')
    return answer(await notesAsMarkdown(stall, gathered), 200, {
      ...{ ...named('md'), 'Content-Type': 'text/markdown; charset=utf-8' },
    });
  if (format !== 'annotations')
    throw Refusal.invalid('Cannot give notes in this format: "format" is json, markdown or annotations');
  const address = `${stall.origin()}${new URL(request.url).pathname}?format=annotations`;
  return answer(`${JSON.stringify(notesAsAnnotations(notes, address))}\n`, 200, {
    ...{ ...named('jsonld'), 'Content-Type': 'application/ld+json' },
  });
}

/** `POST /api/books/:id/notes`: {"path","start","end","text"?}. */
export async function takeNote({ stall }: Http, asked: Asked): Promise<Response> {
  const { path, start, end, text } = await readJson(asked.request);
  if (typeof path !== 'string' || typeof start !== 'number' || typeof end !== 'number')
    throw Refusal.invalid('Cannot keep these words: send {"path", "start", "end"}, and "text" for a note');
  const note = await addNote(await open(stall, asked), { path, start, end, text: readText(text) });
  return answer(`${JSON.stringify(note)}\n`, 201);
}

/** `PATCH /api/books/:id/notes/:note`: {"text"}; null is none. */
export async function changeNote({ stall }: Http, asked: Asked): Promise<Response> {
  const { text } = await readJson(asked.request);
  if (text === undefined) throw Refusal.invalid('Cannot change a note: send {"text"}');
  const note = await editNote(await open(stall, asked), asked.params?.note ?? '', readText(text));
  return answer(`${JSON.stringify(note)}\n`);
}

/** `DELETE /api/books/:id/notes/:note`. */
export async function dropNote({ stall }: Http, asked: Asked): Promise<Response> {
  await deleteNote(await open(stall, asked), asked.params?.note ?? '');
  return answer(null, 204);
}

function readText(text: unknown): string | null {
  if (text === undefined || text === null || typeof text === 'string') return text ?? null;
  throw Refusal.invalid(`Cannot keep this note: "text" is up to ${LONGEST_NOTE} characters of text, or null`);
}

function answer(body: string | null, status = 200, more: Readonly<Record<string, string>> = {}): Response {
  const headers = {
    ...{ 'Cache-Control': 'private, no-store', Vary: 'Authorization, Cookie' },
    ...{ 'Content-Type': 'application/json', ...more },
  };
  return new Response(body, { status, headers });
}
