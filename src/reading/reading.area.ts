import { Elysia } from 'elysia';
import { showAnswer, showQuestionForm } from '../asking/ask.page.tsx';
import type { Http } from '../office/stall.ts';
import { keepPlace, sendToText, showText } from './chapter.page.tsx';
import { keepLook } from '../platform/site/look.tsx';
import { ALL_NOTES, keepNote, saveNote, showNote, showNotes, tellQuestion } from './note.page.tsx';
import { showSearch } from '../asking/search.page.tsx';

/** Returns the routes of the pages that show, search and ask an item. */
export const reading = (http: Http) =>
  new Elysia()
    .use(http.guards)
    .post('/look', ({ request, visitor }) => keepLook(http.stall, request, visitor), {
      visitor: true,
    })
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
    .get(ALL_NOTES, (asked) => showNotes(http, asked), { member: true })
    .get('/books/:slug/notes', (asked) => showNotes(http, asked), { member: true })
    .post('/books/:slug/notes', (asked) => keepNote(http, asked), { member: true })
    .post('/books/:slug/reports', (asked) => tellQuestion(http, asked), { member: true })
    .get('/books/:slug/notes/:note', (asked) => showNote(http, asked), { member: true })
    .post('/books/:slug/notes/:note', (asked) => saveNote(http, asked), { member: true })
    .guard({ open: true }, (routes) =>
      routes
        .get('/books/:slug/read', ({ params, principal }) => sendToText(http, principal, 'book', params.slug))
        .get('/skills/:slug/read', ({ params, principal }) =>
          sendToText(http, principal, 'skill', params.slug),
        )
        .get('/books/:slug/read/*', ({ request, params, query, principal }) =>
          showText(http, request, principal, { kind: 'book', slug: params.slug, path: params['*'] }, query),
        )
        .get('/skills/:slug/read/*', ({ request, params, query, principal }) =>
          showText(http, request, principal, { kind: 'skill', slug: params.slug, path: params['*'] }, query),
        )
        .get('/books/:slug/search', ({ request, params, query, principal }) =>
          showSearch(http, request, principal, params.slug, query['q'] ?? ''),
        ),
    );
