import { Elysia } from 'elysia';
import { keepLook } from '../platform/site/look.tsx';
import { ALL_NOTES, REPORTS } from '../platform/site/linked-pages.ts';
import { keepPlace, sendToText, showText } from './chapter.page.tsx';
import { sendFiles } from './files.api.ts';
import { refuseAccount, sendAuthorized, sendPlace, takePlace } from './kosync.api.ts';
import { changeNote, dropNote, sendNotes, takeNote } from './note.api.ts';
import { keepNote, saveNote, showNote, showNotes } from './note.page.tsx';
import { sendAppManifest, sendOfflineContents, sendWorker, showKept } from './offline.page.tsx';
import { showPrint } from './print.page.tsx';
import { setReport, showReports } from './reports.page.tsx';
import { sendItemFile } from './sent-file.ts';
import type { Http } from './stall.ts';

/** Returns the routes of texts: their pages and files, and a reader's notes and reports. */
export const reading = (http: Http) =>
  new Elysia()
    .use(http.guards)
    .post('/kosync/users/create', () => refuseAccount(http), { open: true })
    .guard({ device: true }, (routes) =>
      routes
        .get('/kosync/users/auth', () => sendAuthorized())
        .get('/kosync/syncs/progress/:document', ({ params, device }) =>
          sendPlace(http, device, params.document),
        )
        .put('/kosync/syncs/progress', ({ request, device }) => takePlace(http, request, device)),
    )
    .post('/look', ({ request, visitor }) => keepLook(http.stall, request, visitor), { visitor: true })
    .get('/offline.webmanifest', () => sendAppManifest(http), { uncounted: true })
    .get('/offline.js', ({ request }) => sendWorker(request), { uncounted: true })
    .guard({ visitor: true }, (routes) =>
      routes
        .get('/offline', ({ visitor }) => showKept(http, visitor))
        .get('/books/:slug/offline', ({ params, visitor }) =>
          sendOfflineContents(http, visitor, params.slug),
        ),
    )
    .guard({ member: true }, (routes) =>
      routes
        .post('/dashboard/place', ({ request, member }) => keepPlace(http, request, member))
        .get(ALL_NOTES, (asked) => showNotes(http, asked))
        .get('/books/:slug/notes', (asked) => showNotes(http, asked))
        .post('/books/:slug/notes', (asked) => keepNote(http, asked))
        .get('/books/:slug/notes/:note', (asked) => showNote(http, asked))
        .post('/books/:slug/notes/:note', (asked) => saveNote(http, asked)),
    )
    .guard({ open: true }, (routes) =>
      routes
        .get('/books/:slug/read', ({ params, principal }) => sendToText(http, principal, 'book', params.slug))
        .get('/skills/:slug/read', ({ params, principal }) =>
          sendToText(http, principal, 'skill', params.slug),
        )
        .get('/books/:slug/read/*', ({ request, params, query, principal }) =>
          showText(http, request, {
            principal,
            wanted: { kind: 'book', slug: params.slug, path: params['*'] },
            query,
          }),
        )
        .get('/skills/:slug/read/*', ({ request, params, query, principal }) =>
          showText(http, request, {
            principal,
            wanted: { kind: 'skill', slug: params.slug, path: params['*'] },
            query,
          }),
        )
        .get('/books/:slug/print', ({ request, params, principal }) =>
          showPrint(http, request, principal, params.slug),
        )
        .get('/books/:slug/files/*', ({ request, params, principal, route }) =>
          sendItemFile(http, request, principal, { kind: 'book', params, route }),
        )
        .get('/skills/:slug/files/*', ({ request, params, principal, route }) =>
          sendItemFile(http, request, principal, { kind: 'skill', params, route }),
        ),
    )
    .guard({ account: true }, (holder) =>
      holder
        .get('/api/books/:id/files', ({ request, params, query, account, route }) =>
          sendFiles(http, request, account, { kind: 'book', name: params.id, query, route }),
        )
        .get('/api/skills/:slug/files', ({ request, params, query, account, route }) =>
          sendFiles(http, request, account, { kind: 'skill', name: params.slug, query, route }),
        )
        .get('/api/notes', (asked) => sendNotes(http, asked))
        .get('/api/books/:id/notes', (asked) => sendNotes(http, asked)),
    )
    .guard({ own: true }, (holder) =>
      holder
        .post('/api/books/:id/notes', (asked) => takeNote(http, asked))
        .patch('/api/books/:id/notes/:note', (asked) => changeNote(http, asked))
        .delete('/api/books/:id/notes/:note', (asked) => dropNote(http, asked)),
    )
    .guard({ editor: true }, (routes) =>
      routes
        .get(REPORTS, ({ query, editor }) => showReports(http, editor, query))
        .post('/admin/reports/:id', ({ request, params, editor }) =>
          setReport(http, request, editor, params.id),
        ),
    );
