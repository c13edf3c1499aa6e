import { Elysia } from 'elysia';
import { sendAiCatalog, sendServerCard } from './discovery.api.ts';
import { showConnect, showLink } from './connect.page.tsx';
import { sendBookText, sendStallText } from './llms.api.ts';
import { changeAssistant, showAssistants } from './assistants.page.tsx';
import { answerAuthorize, showAuthorize } from './authorize.page.tsx';
import { answerLibrary, answerMcp, createRunningQuestions } from './mcp/mcp.api.ts';
import {
  answerPreflight,
  register,
  revoke,
  sendResourceMetadata,
  sendServerMetadata,
  sendTokens,
} from './oauth.api.ts';
import { LIBRARY, MCP } from './oauth.rule.ts';
import { ASSISTANTS } from '../platform/site/linked-pages.ts';
import { readFlash } from '../platform/site/handle-form.ts';
import { createKeyCodes } from './key-code.ts';
import { sendOpenapi } from './openapi.ts';
import type { Http } from './stall.ts';

export function agents(http: Http) {
  const [running, keyCodes] = [createRunningQuestions(), createKeyCodes(http.stall)];
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
    .guard({ visitor: true }, (routes) =>
      routes
        .get('/authorize', ({ request, visitor }) => showAuthorize(http, request, visitor))
        .post('/authorize', ({ request, visitor }) => answerAuthorize(http, request, visitor, keyCodes)),
    )
    .guard({ member: true }, (routes) =>
      routes
        .get(ASSISTANTS, ({ query, member }) => showAssistants(http, member, readFlash(query)))
        .post('/dashboard/assistants/:id', ({ request, params, member }) =>
          changeAssistant(http, request, member, params.id),
        ),
    )
    .guard({ open: true }, (routes) =>
      routes
        .post('/token', ({ request }) => sendTokens(http, request, keyCodes))
        .post('/register', ({ request }) => register(http, request))
        .post('/revoke', ({ request }) => revoke(http, request)),
    )
    .guard({ uncounted: true }, (routes) =>
      routes
        .options('/token', () => answerPreflight())
        .options('/register', () => answerPreflight())
        .options('/revoke', () => answerPreflight())
        .options('/mcp/library', () => answerPreflight())
        .options('/.well-known/oauth-authorization-server', () => answerPreflight())
        .options('/.well-known/oauth-protected-resource/mcp', () => answerPreflight())
        .options('/.well-known/oauth-protected-resource/mcp/library', () => answerPreflight())
        .get('/.well-known/oauth-authorization-server', () => sendServerMetadata(http))
        .get('/.well-known/oauth-protected-resource/mcp', () => sendResourceMetadata(http, MCP))
        .get('/.well-known/oauth-protected-resource/mcp/library', () => sendResourceMetadata(http, LIBRARY)),
    )
    .guard({ assistant: true }, (routes) =>
      routes
        .get('/mcp/library', ({ request, asker }) => answerLibrary(http, request, { asker, running }))
        .post('/mcp/library', ({ request, asker }) => answerLibrary(http, request, { asker, running }))
        .put('/mcp/library', ({ request, asker }) => answerLibrary(http, request, { asker, running }))
        .patch('/mcp/library', ({ request, asker }) => answerLibrary(http, request, { asker, running }))
        .delete('/mcp/library', ({ request, asker }) => answerLibrary(http, request, { asker, running }))
        .post('/mcp', ({ request, asker, route }) => answerMcp(http, request, { asker, route, running })),
    )
    .guard({ agent: true }, (routes) =>
      routes
        .get('/openapi.json', ({ request }) => sendOpenapi(request, http.stall.origin()))
        .get('/.well-known/ai-catalog.json', ({ request }) => sendAiCatalog(http, request))
        .get('/mcp/server-card', ({ request }) => sendServerCard(http, request))
        .get('/llms.txt', ({ request }) => sendStallText(http, request))
        .get('/books/:slug/llms.txt', ({ request, params, asker }) =>
          sendBookText(http, request, asker, params.slug),
        ),
    );
}
