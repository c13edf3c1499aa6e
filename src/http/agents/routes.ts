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
    .get('/openapi.json', ({ request }) => sendOpenapi(request, http.stall.origin()), { agent: true })
    .get('/llms.txt', ({ request }) => sendStallText(http, request), { agent: true })
    .get(
      '/books/:slug/llms.txt',
      ({ request, params, asker }) => sendBookText(http, request, asker, params.slug),
      { agent: true },
    )
    .get(
      '/git/:repository/info/refs',
      ({ request, params, asker }) => sendItemRefs(http, request, asker, params),
      { agent: true },
    )
    .get(
      '/i/:token/git/:repository/info/refs',
      ({ request, params, asker }) => sendItemRefs(http, request, asker, params),
      { link: true },
    )
    .post(
      '/git/:repository/git-upload-pack',
      ({ request, params, asker, route }) => sendItem(http, request, asker, params, route),
      { agent: true },
    )
    .post(
      '/i/:token/git/:repository/git-upload-pack',
      ({ request, params, asker, route }) => sendItem(http, request, asker, params, route),
      { link: true },
    )
    .post('/git/:repository/git-receive-pack', () => refusePush(), { agent: true })
    .post('/i/:token/git/:repository/git-receive-pack', () => refusePush(), { link: true })
    .get('/git/:repository/HEAD', () => refuseDumb(), { agent: true })
    .get('/i/:token/git/:repository/HEAD', () => refuseDumb(), { link: true })
    .get('/git/:repository/objects/*', () => refuseDumb(), { agent: true })
    .get('/i/:token/git/:repository/objects/*', () => refuseDumb(), { link: true })
    .get('/shelf.git/info/refs', ({ request, asker }) => sendShelfRefs(http, request, asker), { agent: true })
    .get(
      '/i/:token/shelf.git/info/refs',
      ({ request, params, asker }) => sendShelfRefs(http, request, asker, params.token),
      { link: true },
    )
    .post(
      '/shelf.git/git-upload-pack',
      ({ request, asker, route }) => sendShelf(http, request, asker, undefined, route),
      { agent: true },
    )
    .post(
      '/i/:token/shelf.git/git-upload-pack',
      ({ request, params, asker, route }) => sendShelf(http, request, asker, params.token, route),
      { link: true },
    )
    .post('/shelf.git/git-receive-pack', () => refusePush(), { agent: true })
    .post('/i/:token/shelf.git/git-receive-pack', () => refusePush(), { link: true })
    .get('/marketplace.json', ({ request, asker }) => sendMarketplace(http, request, asker), { agent: true })
    .get(
      '/i/:token/marketplace.json',
      ({ request, params, asker }) => sendMarketplace(http, request, asker, params.token),
      { link: true },
    )
    .get('/opds', ({ request, asker }) => sendRoot(http, request, asker), { agent: true })
    .get('/opds/opensearch.xml', ({ request }) => describeSearch(http, request), { agent: true })
    .get('/opds/all', ({ request, asker, query }) => sendShelfFeed(http, request, asker, 'all', query), {
      agent: true,
    })
    .get('/opds/free', ({ request, asker, query }) => sendShelfFeed(http, request, asker, 'free', query), {
      agent: true,
    })
    .get(
      '/opds/newest',
      ({ request, asker, query }) => sendShelfFeed(http, request, asker, 'newest', query),
      { agent: true },
    )
    .get(
      '/opds/search',
      ({ request, asker, query }) => sendShelfFeed(http, request, asker, 'search', query),
      { agent: true },
    )
    .get(
      '/opds/library',
      ({ request, asker, query }) => sendShelfFeed(http, request, asker, 'library', query),
      { agent: true },
    )
    .get(
      '/opds/covers/:slug',
      ({ request, params, asker }) => sendCover(http, request, asker, params.slug, 'whole'),
      { agent: true },
    )
    .get(
      '/opds/thumbnails/:slug',
      ({ request, params, asker }) => sendCover(http, request, asker, params.slug, 'small'),
      { agent: true },
    )
    .get(
      '/opds/books/:slug',
      ({ request, params, asker }) => sendWhole(http, request, asker, 'book', params.slug),
      { archive: true },
    )
    .get(
      '/opds/skills/:slug',
      ({ request, params, asker }) => sendWhole(http, request, asker, 'skill', params.slug),
      { archive: true },
    )
    .get(
      '/opds/books/:slug/files/*',
      ({ request, params, asker }) => sendFormat(http, request, asker, 'book', params.slug, params['*']),
      { agent: true },
    )
    .get(
      '/opds/skills/:slug/files/*',
      ({ request, params, asker }) => sendFormat(http, request, asker, 'skill', params.slug, params['*']),
      { agent: true },
    )
    .post('/mcp', ({ request, asker }) => answerMcp(http, running, request, asker, '/mcp'), { agent: true })
    .post(
      '/i/:token/mcp',
      ({ request, asker }) => answerMcp(http, running, request, asker, '/i/:token/mcp'),
      { link: true },
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
          { agent: true },
        )
        .get(
          `${base}/:file/*`,
          ({ request, params, asker }) => sendSkillFile(http, request, asker, place(params), params, base),
          { agent: true },
        );
    }
    for (const [path, place] of LINK_PLACES) {
      const base = `${path}/.well-known/${name}`;
      routes
        .get(
          `${base}/:file`,
          ({ request, params, asker }) => sendSkillIndex(http, request, asker, place(params), params, base),
          { link: true },
        )
        .get(
          `${base}/:file/*`,
          ({ request, params, asker }) => sendSkillFile(http, request, asker, place(params), params, base),
          { link: true },
        );
    }
  }
  return routes;
}
