import { Elysia } from 'elysia';
import { showAnswer, showQuestionForm } from './ask.tsx';
import type { RouteDeps } from '../frame/route-deps.ts';
import { sendToText, showText } from './chapter.tsx';
import { showSearch } from './search.tsx';
import { keepTextSize } from './text-size.tsx';

const OPEN = { openGuard: true } as const;

/** Items read, searched and asked in the browser. */
export function reading(deps: RouteDeps) {
  return new Elysia()
    .use(deps.guards)
    .get(
      '/books/:slug/read',
      ({ params, principal }) => sendToText(deps, principal, 'book', params.slug),
      OPEN,
    )
    .get(
      '/skills/:slug/read',
      ({ params, principal }) => sendToText(deps, principal, 'skill', params.slug),
      OPEN,
    )
    .get(
      '/books/:slug/read/*',
      ({ request, params, query, principal }) =>
        showText(deps, request, principal, { kind: 'book', slug: params.slug, path: params['*'] }, query),
      OPEN,
    )
    .get(
      '/skills/:slug/read/*',
      ({ request, params, query, principal }) =>
        showText(deps, request, principal, { kind: 'skill', slug: params.slug, path: params['*'] }, query),
      OPEN,
    )
    .get(
      '/books/:slug/search',
      ({ request, params, query, principal }) =>
        showSearch(deps, request, principal, params.slug, query['q'] ?? ''),
      OPEN,
    )
    .post('/text-size', ({ request }) => keepTextSize(request), { visitorGuard: true, parse: 'none' })
    .get(
      '/books/:slug/ask',
      ({ request, params, member }) => showQuestionForm(deps, request, member, params.slug),
      { memberGuard: true },
    )
    .post(
      '/books/:slug/ask',
      ({ request, params, member }) => showAnswer(deps, request, member, params.slug),
      { memberGuard: true, parse: 'none' },
    );
}
