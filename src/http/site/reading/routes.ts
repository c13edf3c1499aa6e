import { Elysia } from 'elysia';
import { showAnswer, showQuestionForm } from './ask.tsx';
import type { Http } from '../../http.ts';
import { keepPlace, sendToText, showText } from './chapter.tsx';
import { keepLook } from '../frame/look.tsx';
import { ALL_NOTES, keepNote, removeNote, saveNote, showAllNotes, showNote, showNotes } from './notes.tsx';
import { showSearch } from './search.tsx';

/** Items read, searched and asked in the browser. */
export function reading(http: Http) {
  return new Elysia()
    .use(http.guards)
    .post('/look', ({ request }) => keepLook(request), { visitor: true })
    .post('/dashboard/place', ({ request, member }) => keepPlace(http, request, member), { member: true })
    .get(
      '/books/:slug/ask',
      ({ request, params, member }) => showQuestionForm(http, request, member, params.slug),
      { member: true },
    )
    .post(
      '/books/:slug/ask',
      ({ request, params, member }) => showAnswer(http, request, member, params.slug),
      { member: true },
    )
    .get(ALL_NOTES, ({ query, member }) => showAllNotes(http, member, query), { member: true })
    .get('/books/:slug/notes', ({ params, query, member }) => showNotes(http, member, params.slug, query), {
      member: true,
    })
    .post(
      '/books/:slug/notes',
      ({ request, params, member }) => keepNote(http, request, member, params.slug),
      {
        member: true,
      },
    )
    .get(
      '/books/:slug/notes/:note',
      ({ params, member }) => showNote(http, member, params.slug, params.note),
      {
        member: true,
      },
    )
    .post(
      '/books/:slug/notes/:note',
      ({ request, params, member }) => saveNote(http, request, member, params.slug, params.note),
      { member: true },
    )
    .post(
      '/books/:slug/notes/:note/delete',
      ({ params, member }) => removeNote(http, member, params.slug, params.note),
      { member: true },
    )
    .guard({ open: true })
    .get('/books/:slug/read', ({ params, principal }) => sendToText(http, principal, 'book', params.slug))
    .get('/skills/:slug/read', ({ params, principal }) => sendToText(http, principal, 'skill', params.slug))
    .get('/books/:slug/read/*', ({ request, params, query, principal }) =>
      showText(http, request, principal, { kind: 'book', slug: params.slug, path: params['*'] }, query),
    )
    .get('/skills/:slug/read/*', ({ request, params, query, principal }) =>
      showText(http, request, principal, { kind: 'skill', slug: params.slug, path: params['*'] }, query),
    )
    .get('/books/:slug/search', ({ request, params, query, principal }) =>
      showSearch(http, request, principal, params.slug, query['q'] ?? ''),
    );
}
