import { type AnyElysia, Elysia } from 'elysia';
import type { SkillPlace } from '../../service/well-known.ts';
import type { Http } from '../http.ts';
import {
  refuseDumb,
  refusePush,
  sendItem,
  sendItemRefs,
  sendMarketplace,
  sendShelf,
  sendShelfRefs,
} from './git.ts';
import { sendBookText, sendStallText } from './llms.ts';
import { answerMcp, createRunningQuestions } from './mcp/mcp.ts';
import { describeSearch, sendCover, sendFormat, sendRoot, sendShelfFeed, sendWhole } from './opds.ts';
import { sendOpenapi } from './openapi.ts';
import { type Params, sendSkillFile, sendSkillIndex } from './well-known.ts';

/** What other programs ask for: descriptions, items as git repositories and e-books, MCP, and skills at well-known addresses. */
export function agents(http: Http) {
  const running = createRunningQuestions();
  return new Elysia()
    .use(http.guards)
    .get('/openapi.json', ({ request }) => sendOpenapi(request, http.origin()), { agentGuard: true })
    .get('/llms.txt', ({ request }) => sendStallText(http, request), { agentGuard: true })
    .get(
      '/books/:slug/llms.txt',
      ({ request, params, asker }) => sendBookText(http, request, asker, params.slug),
      { agentGuard: true },
    )
    .get(
      '/git/:repository/info/refs',
      ({ request, params, asker }) => sendItemRefs(http, request, asker, params),
      { agentGuard: true },
    )
    .get(
      '/i/:token/git/:repository/info/refs',
      ({ request, params, asker }) => sendItemRefs(http, request, asker, params),
      { linkGuard: true },
    )
    .post(
      '/git/:repository/git-upload-pack',
      ({ request, params, asker, route }) => sendItem(http, request, asker, params, route),
      { agentGuard: true, parse: 'none' },
    )
    .post(
      '/i/:token/git/:repository/git-upload-pack',
      ({ request, params, asker, route }) => sendItem(http, request, asker, params, route),
      { linkGuard: true, parse: 'none' },
    )
    .post('/git/:repository/git-receive-pack', () => refusePush(), { agentGuard: true, parse: 'none' })
    .post('/i/:token/git/:repository/git-receive-pack', () => refusePush(), {
      linkGuard: true,
      parse: 'none',
    })
    .get('/git/:repository/HEAD', () => refuseDumb(), { agentGuard: true })
    .get('/i/:token/git/:repository/HEAD', () => refuseDumb(), { linkGuard: true })
    .get('/git/:repository/objects/*', () => refuseDumb(), { agentGuard: true })
    .get('/i/:token/git/:repository/objects/*', () => refuseDumb(), { linkGuard: true })
    .get('/shelf.git/info/refs', ({ request, asker }) => sendShelfRefs(http, request, asker), {
      agentGuard: true,
    })
    .get(
      '/i/:token/shelf.git/info/refs',
      ({ request, params, asker }) => sendShelfRefs(http, request, asker, params.token),
      { linkGuard: true },
    )
    .post(
      '/shelf.git/git-upload-pack',
      ({ request, asker, route }) => sendShelf(http, request, asker, undefined, route),
      { agentGuard: true, parse: 'none' },
    )
    .post(
      '/i/:token/shelf.git/git-upload-pack',
      ({ request, params, asker, route }) => sendShelf(http, request, asker, params.token, route),
      { linkGuard: true, parse: 'none' },
    )
    .post('/shelf.git/git-receive-pack', () => refusePush(), { agentGuard: true, parse: 'none' })
    .post('/i/:token/shelf.git/git-receive-pack', () => refusePush(), { linkGuard: true, parse: 'none' })
    .get('/marketplace.json', ({ request, asker }) => sendMarketplace(http, request, asker), {
      agentGuard: true,
    })
    .get(
      '/i/:token/marketplace.json',
      ({ request, params, asker }) => sendMarketplace(http, request, asker, params.token),
      { linkGuard: true },
    )
    .get('/opds', ({ request, asker }) => sendRoot(http, request, asker), { agentGuard: true })
    .get('/opds/opensearch.xml', ({ request }) => describeSearch(http, request), { agentGuard: true })
    .get('/opds/all', ({ request, asker, query }) => sendShelfFeed(http, request, asker, 'all', query), {
      agentGuard: true,
    })
    .get('/opds/free', ({ request, asker, query }) => sendShelfFeed(http, request, asker, 'free', query), {
      agentGuard: true,
    })
    .get(
      '/opds/newest',
      ({ request, asker, query }) => sendShelfFeed(http, request, asker, 'newest', query),
      { agentGuard: true },
    )
    .get(
      '/opds/search',
      ({ request, asker, query }) => sendShelfFeed(http, request, asker, 'search', query),
      { agentGuard: true },
    )
    .get(
      '/opds/library',
      ({ request, asker, query }) => sendShelfFeed(http, request, asker, 'library', query),
      { agentGuard: true },
    )
    .get(
      '/opds/covers/:slug',
      ({ request, params, asker }) => sendCover(http, request, asker, params.slug, 'whole'),
      { agentGuard: true },
    )
    .get(
      '/opds/thumbnails/:slug',
      ({ request, params, asker }) => sendCover(http, request, asker, params.slug, 'small'),
      { agentGuard: true },
    )
    .get(
      '/opds/books/:slug',
      ({ request, params, asker }) => sendWhole(http, request, asker, 'book', params.slug),
      { agentArchiveGuard: true },
    )
    .get(
      '/opds/skills/:slug',
      ({ request, params, asker }) => sendWhole(http, request, asker, 'skill', params.slug),
      { agentArchiveGuard: true },
    )
    .get(
      '/opds/books/:slug/files/*',
      ({ request, params, asker }) => sendFormat(http, request, asker, 'book', params.slug, params['*']),
      { agentGuard: true },
    )
    .get(
      '/opds/skills/:slug/files/*',
      ({ request, params, asker }) => sendFormat(http, request, asker, 'skill', params.slug, params['*']),
      { agentGuard: true },
    )
    .post('/mcp', ({ request, asker }) => answerMcp(http, running, request, asker, '/mcp'), {
      agentGuard: true,
      parse: 'none',
    })
    .post(
      '/i/:token/mcp',
      ({ request, asker }) => answerMcp(http, running, request, asker, '/i/:token/mcp'),
      { linkGuard: true, parse: 'none' },
    )
    .use(wellKnown(http));
}

type Places = readonly (readonly [path: string, place: (params: Params) => SkillPlace])[];

/** The places of an index of skills. Clients look below both names. */
const OPEN: Places = [
  ['', () => 'root'],
  ['/skills/:slug', ({ slug = '' }) => ({ slug, kind: 'skill' })],
  ['/books/:slug', ({ slug = '' }) => ({ slug, kind: 'book' })],
];
const LINKS: Places = [
  ['/i/:token', () => 'link'],
  ['/i/:token/:slug', ({ slug = '' }) => ({ slug, kind: null })],
];
const NAMES = ['agent-skills', 'skills'];

/** Skills at well-known addresses: the index, its archives, and single files for clients of its earlier form. */
function wellKnown(http: Http): AnyElysia {
  const routes = new Elysia().use(http.guards);
  for (const name of NAMES) {
    for (const [path, place] of OPEN) {
      const base = `${path}/.well-known/${name}`;
      routes
        .get(
          `${base}/:file`,
          ({ request, params, asker }) => sendSkillIndex(http, request, asker, place(params), params, base),
          { agentGuard: true },
        )
        .get(
          `${base}/:file/*`,
          ({ request, params, asker }) => sendSkillFile(http, request, asker, place(params), params, base),
          { agentGuard: true },
        );
    }
    for (const [path, place] of LINKS) {
      const base = `${path}/.well-known/${name}`;
      routes
        .get(
          `${base}/:file`,
          ({ request, params, asker }) => sendSkillIndex(http, request, asker, place(params), params, base),
          { linkGuard: true },
        )
        .get(
          `${base}/:file/*`,
          ({ request, params, asker }) => sendSkillFile(http, request, asker, place(params), params, base),
          { linkGuard: true },
        );
    }
  }
  return routes;
}
