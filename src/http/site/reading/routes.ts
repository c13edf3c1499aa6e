import { Elysia } from 'elysia';
import { showAnswer, showQuestionForm } from './ask.tsx';
import type { Http } from '../../http.ts';
import { sendToText, showText } from './chapter.tsx';
import { showSearch } from './search.tsx';
import { keepTextSize } from './text-size.tsx';

// Each route gets a copy: Elysia writes the guard's hooks into the object it is given.
const OPEN = { openGuard: true } as const;

/** Items read, searched and asked in the browser. */
export function reading(http: Http) {
  return new Elysia()
    .use(http.guards)
    .get('/books/:slug/read', ({ params, principal }) => sendToText(http, principal, 'book', params.slug), {
      ...OPEN,
    })
    .get('/skills/:slug/read', ({ params, principal }) => sendToText(http, principal, 'skill', params.slug), {
      ...OPEN,
    })
    .get(
      '/books/:slug/read/*',
      ({ request, params, query, principal }) =>
        showText(http, request, principal, { kind: 'book', slug: params.slug, path: params['*'] }, query),
      { ...OPEN },
    )
    .get(
      '/skills/:slug/read/*',
      ({ request, params, query, principal }) =>
        showText(http, request, principal, { kind: 'skill', slug: params.slug, path: params['*'] }, query),
      { ...OPEN },
    )
    .get(
      '/books/:slug/search',
      ({ request, params, query, principal }) =>
        showSearch(http, request, principal, params.slug, query['q'] ?? ''),
      { ...OPEN },
    )
    .post('/text-size', ({ request }) => keepTextSize(request), { visitorGuard: true, parse: 'none' })
    .get(
      '/books/:slug/ask',
      ({ request, params, member }) => showQuestionForm(http, request, member, params.slug),
      { memberGuard: true },
    )
    .post(
      '/books/:slug/ask',
      ({ request, params, member }) => showAnswer(http, request, member, params.slug),
      { memberGuard: true, parse: 'none' },
    );
}
