import { type AnyElysia, Elysia } from 'elysia';
import type { SkillPlace } from '../installing/well-known.ts';
import type { Http } from '../office/stall.ts';
import { refuseDumb, refusePush, sendMarketplace, sendPack, sendRefs } from '../installing/git.api.ts';
import { type Params, sendBookText, sendSkillFile, sendSkillIndex, sendStallText } from './well-known.api.ts';
import { answerMcp, createRunningQuestions, type RunningQuestions } from './mcp/mcp.api.ts';
import {
  describeSearch,
  sendCover,
  sendRoot,
  sendListFeed,
  sendWhole,
  withoutTokens,
} from '../shop/opds.api.ts';
import { sendItemFile } from '../installing/download.api.ts';
import { sendOpenapi } from './openapi.ts';

/** Returns the routes for agents and other programs: API descriptions, items over git, OPDS and MCP, and indexes of skills. */
export function agents(http: Http) {
  const running = createRunningQuestions();
  return new Elysia()
    .use(http.guards)
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
    .use(takers(http, running, ''))
    .use(takers(http, running, '/i/:token'))
    .guard({ agent: true }, (routes) =>
      routes
        .get('/openapi.json', ({ request }) => sendOpenapi(request, http.stall.origin()))
        .get('/llms.txt', ({ request }) => sendStallText(http, request))
        .get('/books/:slug/llms.txt', ({ request, params, asker }) =>
          sendBookText(http, request, asker, params.slug),
        )
        .get('/opds', ({ request, asker }) => sendRoot(http, request, asker))
        .get('/opds/opensearch.xml', ({ request }) => describeSearch(http, request))
        .get('/opds/all', ({ request, asker, query }) => sendListFeed(http, request, asker, 'all', query))
        .get('/opds/free', ({ request, asker, query }) => sendListFeed(http, request, asker, 'free', query))
        .get('/opds/newest', ({ request, asker, query }) =>
          sendListFeed(http, request, asker, 'newest', query),
        )
        .get('/opds/search', ({ request, asker, query }) =>
          sendListFeed(http, request, asker, 'search', query),
        )
        .get('/opds/library', ({ request, asker, query }) =>
          sendListFeed(http, request, asker, 'library', query),
        )
        .get('/opds/covers/:slug', ({ request, params, asker }) =>
          sendCover(http, request, asker, params.slug, 'whole'),
        )
        .get('/opds/thumbnails/:slug', ({ request, params, asker }) =>
          sendCover(http, request, asker, params.slug, 'small'),
        )
        .get('/opds/books/:slug/files/*', ({ request, params, asker, route }) =>
          sendItemFile(http, request, withoutTokens(asker), { kind: 'book', params, route, isFormat: true }),
        )
        .get('/opds/skills/:slug/files/*', ({ request, params, asker, route }) =>
          sendItemFile(http, request, withoutTokens(asker), { kind: 'skill', params, route, isFormat: true }),
        ),
    );
}

type Places = readonly (readonly [path: string, placeOf: (params: Params) => SkillPlace])[];

/**
 * The paths with an index of skills below `/.well-known/agent-skills` or, for other clients, `/.well-known/skills`. Each has a
 * function that returns whose skills the index lists.
 */
const OPEN_PLACES: Places = [
  ['', () => 'root'],
  ['/skills/:slug', ({ slug = '' }) => ({ slug, kind: 'skill' })],
  ['/books/:slug', ({ slug = '' }) => ({ slug, kind: 'book' })],
];
const LINK_PLACES: Places = [
  ['', () => 'link'],
  ['/:slug', ({ slug = '' }) => ({ slug, kind: null })],
];

/**
 * Returns the routes of programs that download items: with an install token in the path (`prefix` is `/i/:token`), or with a
 * credential in a header.
 */
function takers(http: Http, running: RunningQuestions, prefix: string): AnyElysia {
  const isLink = prefix !== '';
  // Both guards provide the same values, so the types of one fit both.
  const guard = (isLink ? { link: true } : { agent: true }) as { agent: true };
  return new Elysia({ prefix }).use(http.guards).guard(guard, (below) => {
    const routes = below
      .get('/git/:repository/info/refs', ({ request, params, asker }) =>
        sendRefs(http, request, asker, params),
      )
      .post('/git/:repository/git-upload-pack', ({ request, params, asker, route }) =>
        sendPack(http, request, asker, params, route),
      )
      .post('/git/:repository/git-receive-pack', () => refusePush())
      .get('/git/:repository/HEAD', () => refuseDumb())
      .get('/git/:repository/objects/*', () => refuseDumb())
      .get('/shelf.git/info/refs', ({ request, params, asker }) => sendRefs(http, request, asker, params))
      .post('/shelf.git/git-upload-pack', ({ request, params, asker, route }) =>
        sendPack(http, request, asker, params, route),
      )
      .post('/shelf.git/git-receive-pack', () => refusePush())
      .get('/marketplace.json', ({ request, params, asker }) => sendMarketplace(http, request, asker, params))
      .post('/mcp', ({ request, asker, route }) => answerMcp(http, running, request, asker, route));
    for (const [path, placeOf] of isLink ? LINK_PLACES : OPEN_PLACES)
      for (const name of ['agent-skills', 'skills'])
        routes
          .get(`${path}/.well-known/${name}/:file`, ({ request, params, asker, route }) =>
            sendSkillIndex(http, request, asker, { place: placeOf(params), params, route }),
          )
          .get(`${path}/.well-known/${name}/:file/*`, ({ request, params, asker, route }) =>
            sendSkillFile(http, request, asker, { place: placeOf(params), params, route }),
          );
    return routes;
  });
}
