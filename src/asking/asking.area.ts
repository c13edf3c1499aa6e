import { Elysia } from 'elysia';
import { sendAnswer } from './ask.api.ts';
import { showAnswer, showQuestionForm, tellQuestion } from './ask.page.tsx';
import { downloads, questions, sendLog, showLog } from './log.page.tsx';
import { showCheck } from './check-quote.page.tsx';
import { sendProof } from './proof.api.ts';
import { showProof } from './proof.page.tsx';
import { sendTextSearch } from './search.api.ts';
import { showSearch } from './search.page.tsx';
import type { Http } from './stall.ts';

export const asking = (http: Http) =>
  new Elysia()
    .use(http.guards)
    .get('/api/search', ({ request, asker }) => sendTextSearch(http, request, asker), { agent: true })
    .post('/api/agent/fetch', ({ request, account }) => sendAnswer(http, request, account), { key: true })
    .get(
      '/books/:slug/search',
      ({ request, params, query, principal }) =>
        showSearch(http, request, { principal, slug: params.slug, typed: query['q'] ?? '' }),
      { open: true },
    )
    .guard({ open: true }, (routes) =>
      routes
        .get('/api/books/:id/proof', ({ request, params, query, principal }) =>
          sendProof(http, request, { principal, id: params.id, query }),
        )
        .get('/books/:slug/proof', ({ request, params, query, principal }) =>
          showProof(http, request, { principal, slug: params.slug, query }),
        )
        .get('/check-quote', ({ principal }) => showCheck(http, principal)),
    )
    .guard({ member: true }, (routes) =>
      routes
        .get('/books/:slug/ask', ({ request, params, member }) =>
          showQuestionForm(http, request, { member, slug: params.slug }),
        )
        .post('/books/:slug/ask', ({ request, params, member }) =>
          showAnswer(http, request, member, params.slug),
        )
        .post('/books/:slug/reports', ({ request, params, member }) =>
          tellQuestion(http, request, member, params.slug),
        )
        .get('/dashboard/logs', ({ query, member }) =>
          showLog(http, member, { place: '/dashboard', table: questions, query }),
        )
        .get('/dashboard/logs.csv', ({ request, query, member }) =>
          sendLog(http, request, member, { place: '/dashboard', table: questions, query }),
        )
        .get('/dashboard/downloads', ({ query, member }) =>
          showLog(http, member, { place: '/dashboard', table: downloads, query }),
        )
        .get('/dashboard/downloads.csv', ({ request, query, member }) =>
          sendLog(http, request, member, { place: '/dashboard', table: downloads, query }),
        ),
    )
    .guard({ owner: true }, (routes) =>
      routes
        .get('/admin/logs', ({ query, owner }) =>
          showLog(http, owner, { place: '/admin', table: questions, query }),
        )
        .get('/admin/logs.csv', ({ request, query, owner }) =>
          sendLog(http, request, owner, { place: '/admin', table: questions, query }),
        )
        .get('/admin/downloads', ({ query, owner }) =>
          showLog(http, owner, { place: '/admin', table: downloads, query }),
        )
        .get('/admin/downloads.csv', ({ request, query, owner }) =>
          sendLog(http, request, owner, { place: '/admin', table: downloads, query }),
        ),
    );
