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

// Each route gets a copy: Elysia writes the guard's hooks into the object it is given.
const AGENT = { agentGuard: true } as const;
const AGENT_POST = { agentGuard: true, parse: 'none' } as const;
const LINK = { linkGuard: true } as const;
const LINK_POST = { linkGuard: true, parse: 'none' } as const;
const ARCHIVE = { agentArchiveGuard: true } as const;

/** What other programs ask for: descriptions, items as git repositories and e-books, MCP, and skills at well-known addresses. */
export function agents(http: Http) {
  const running = createRunningQuestions();
  return new Elysia()
    .use(http.guards)
    .get('/openapi.json', ({ request }) => sendOpenapi(request, http.stall.origin()), { ...AGENT })
    .get('/llms.txt', ({ request }) => sendStallText(http, request), { ...AGENT })
    .get(
      '/books/:slug/llms.txt',
      ({ request, params, asker }) => sendBookText(http, request, asker, params.slug),
      { ...AGENT },
    )
    .get(
      '/git/:repository/info/refs',
      ({ request, params, asker }) => sendItemRefs(http, request, asker, params),
      { ...AGENT },
    )
    .get(
      '/i/:token/git/:repository/info/refs',
      ({ request, params, asker }) => sendItemRefs(http, request, asker, params),
      { ...LINK },
    )
    .post(
      '/git/:repository/git-upload-pack',
      ({ request, params, asker, route }) => sendItem(http, request, asker, params, route),
      { ...AGENT_POST },
    )
    .post(
      '/i/:token/git/:repository/git-upload-pack',
      ({ request, params, asker, route }) => sendItem(http, request, asker, params, route),
      { ...LINK_POST },
    )
    .post('/git/:repository/git-receive-pack', () => refusePush(), { ...AGENT_POST })
    .post('/i/:token/git/:repository/git-receive-pack', () => refusePush(), { ...LINK_POST })
    .get('/git/:repository/HEAD', () => refuseDumb(), { ...AGENT })
    .get('/i/:token/git/:repository/HEAD', () => refuseDumb(), { ...LINK })
    .get('/git/:repository/objects/*', () => refuseDumb(), { ...AGENT })
    .get('/i/:token/git/:repository/objects/*', () => refuseDumb(), { ...LINK })
    .get('/shelf.git/info/refs', ({ request, asker }) => sendShelfRefs(http, request, asker), { ...AGENT })
    .get(
      '/i/:token/shelf.git/info/refs',
      ({ request, params, asker }) => sendShelfRefs(http, request, asker, params.token),
      { ...LINK },
    )
    .post(
      '/shelf.git/git-upload-pack',
      ({ request, asker, route }) => sendShelf(http, request, asker, undefined, route),
      { ...AGENT_POST },
    )
    .post(
      '/i/:token/shelf.git/git-upload-pack',
      ({ request, params, asker, route }) => sendShelf(http, request, asker, params.token, route),
      { ...LINK_POST },
    )
    .post('/shelf.git/git-receive-pack', () => refusePush(), { ...AGENT_POST })
    .post('/i/:token/shelf.git/git-receive-pack', () => refusePush(), { ...LINK_POST })
    .get('/marketplace.json', ({ request, asker }) => sendMarketplace(http, request, asker), { ...AGENT })
    .get(
      '/i/:token/marketplace.json',
      ({ request, params, asker }) => sendMarketplace(http, request, asker, params.token),
      { ...LINK },
    )
    .get('/opds', ({ request, asker }) => sendRoot(http, request, asker), { ...AGENT })
    .get('/opds/opensearch.xml', ({ request }) => describeSearch(http, request), { ...AGENT })
    .get('/opds/all', ({ request, asker, query }) => sendShelfFeed(http, request, asker, 'all', query), {
      ...AGENT,
    })
    .get('/opds/free', ({ request, asker, query }) => sendShelfFeed(http, request, asker, 'free', query), {
      ...AGENT,
    })
    .get(
      '/opds/newest',
      ({ request, asker, query }) => sendShelfFeed(http, request, asker, 'newest', query),
      { ...AGENT },
    )
    .get(
      '/opds/search',
      ({ request, asker, query }) => sendShelfFeed(http, request, asker, 'search', query),
      { ...AGENT },
    )
    .get(
      '/opds/library',
      ({ request, asker, query }) => sendShelfFeed(http, request, asker, 'library', query),
      { ...AGENT },
    )
    .get(
      '/opds/covers/:slug',
      ({ request, params, asker }) => sendCover(http, request, asker, params.slug, 'whole'),
      { ...AGENT },
    )
    .get(
      '/opds/thumbnails/:slug',
      ({ request, params, asker }) => sendCover(http, request, asker, params.slug, 'small'),
      { ...AGENT },
    )
    .get(
      '/opds/books/:slug',
      ({ request, params, asker }) => sendWhole(http, request, asker, 'book', params.slug),
      { ...ARCHIVE },
    )
    .get(
      '/opds/skills/:slug',
      ({ request, params, asker }) => sendWhole(http, request, asker, 'skill', params.slug),
      { ...ARCHIVE },
    )
    .get(
      '/opds/books/:slug/files/*',
      ({ request, params, asker }) => sendFormat(http, request, asker, 'book', params.slug, params['*']),
      { ...AGENT },
    )
    .get(
      '/opds/skills/:slug/files/*',
      ({ request, params, asker }) => sendFormat(http, request, asker, 'skill', params.slug, params['*']),
      { ...AGENT },
    )
    .post('/mcp', ({ request, asker }) => answerMcp(http, running, request, asker, '/mcp'), { ...AGENT_POST })
    .post(
      '/i/:token/mcp',
      ({ request, asker }) => answerMcp(http, running, request, asker, '/i/:token/mcp'),
      { ...LINK_POST },
    )
    .use(wellKnown(http));
}

type Places = readonly (readonly [path: string, place: (params: Params) => SkillPlace])[];

/** The places of an index of skills. Clients look below both names. */
const OPEN_PLACES: Places = [
  ['', () => 'root'],
  ['/skills/:slug', ({ slug = '' }) => ({ slug, kind: 'skill' })],
  ['/books/:slug', ({ slug = '' }) => ({ slug, kind: 'book' })],
];
const LINK_PLACES: Places = [
  ['/i/:token', () => 'link'],
  ['/i/:token/:slug', ({ slug = '' }) => ({ slug, kind: null })],
];
const NAMES = ['agent-skills', 'skills'];

/** Skills at well-known addresses: the index, its archives, and single files for clients of its earlier form. */
function wellKnown(http: Http): AnyElysia {
  const routes = new Elysia().use(http.guards);
  for (const name of NAMES) {
    for (const [path, place] of OPEN_PLACES) {
      const base = `${path}/.well-known/${name}`;
      routes
        .get(
          `${base}/:file`,
          ({ request, params, asker }) => sendSkillIndex(http, request, asker, place(params), params, base),
          { ...AGENT },
        )
        .get(
          `${base}/:file/*`,
          ({ request, params, asker }) => sendSkillFile(http, request, asker, place(params), params, base),
          { ...AGENT },
        );
    }
    for (const [path, place] of LINK_PLACES) {
      const base = `${path}/.well-known/${name}`;
      routes
        .get(
          `${base}/:file`,
          ({ request, params, asker }) => sendSkillIndex(http, request, asker, place(params), params, base),
          { ...LINK },
        )
        .get(
          `${base}/:file/*`,
          ({ request, params, asker }) => sendSkillFile(http, request, asker, place(params), params, base),
          { ...LINK },
        );
    }
  }
  return routes;
}
