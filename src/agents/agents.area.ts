import { Elysia } from 'elysia';
import { showConnect, showLink } from './connect.page.tsx';
import { sendBookText, sendStallText } from './llms.api.ts';
import { answerMcp, createRunningQuestions } from './mcp/mcp.api.ts';
import { sendOpenapi } from './openapi.ts';
import type { Http } from './stall.ts';

export function agents(http: Http) {
  const running = createRunningQuestions();
  return new Elysia()
    .use(http.guards)
    .get('/connect', ({ visitor }) => showConnect(http, visitor), { visitor: true })
    .guard({ link: true }, (routes) =>
      routes
        .get('/i/:token', ({ request, params, asker }) => showLink(http, request, asker, params.token))
        .post('/i/:token/mcp', ({ request, asker, route }) =>
          answerMcp(http, request, { asker, route, running }),
        ),
    )
    .guard({ agent: true }, (routes) =>
      routes
        .post('/mcp', ({ request, asker, route }) => answerMcp(http, request, { asker, route, running }))
        .get('/openapi.json', ({ request }) => sendOpenapi(request, http.stall.origin()))
        .get('/llms.txt', ({ request }) => sendStallText(http, request))
        .get('/books/:slug/llms.txt', ({ request, params, asker }) =>
          sendBookText(http, request, asker, params.slug),
        ),
    );
}
