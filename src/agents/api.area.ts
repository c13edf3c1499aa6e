import { Elysia } from 'elysia';
import { Refusal } from '../platform/base/refusal.ts';
import { bookSkill, epub, install, zip } from '../installing/install.ts';
import { redeemCode } from '../selling/code.ts';
import { readLibrary } from '../accounts/library.ts';
import { seeItem } from '../reading/files.ts';
import { findInventory } from '../catalog/inventory.ts';
import { findSignature, listEditions, listItems } from '../catalog/items.ts';
import type { Http } from '../office/stall.ts';
import type { Query } from '../platform/http/http.ts';
import { EPUB_FORM, sendArchive, sendFiles, sendInstall, ZIP_FORM } from '../installing/download.api.ts';
import { jsonAnswer, textAnswer } from '../platform/http/answer.ts';
import { createBodyRoom, readBody, readJson } from '../platform/http/body.ts';
import { sendAnswer } from '../asking/ask.api.ts';
import { sendState, takeBack, takePush } from '../publishing/push.api.ts';
import { changeNote, dropNote, sendNotes, takeNote } from '../reading/note.api.ts';
import { type AgentPrincipal, ANONYMOUS, type Principal } from '../platform/base/principal.ts';
import { unauthenticated } from '../platform/base/told.ts';
import { openWebhook } from '../selling/sale-event.ts';
import { describeFound, searchTexts, USUAL_FOUND } from '../asking/text-search.ts';
import { BODIES, QUERIES, readFields } from './shapes.ts';

const PUBLIC = { 'Cache-Control': 'public, no-cache' };
const OF_KEY = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization' };
const OF_ACCOUNT = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Cookie' };
const OF_SEARCH = { 'Cache-Control': 'private, no-store', Vary: 'Authorization' };
const ONCE = { 'Cache-Control': 'no-store', Vary: 'Authorization' };

type AskedEdition = { principal: Principal; params: { slug: string }; query: Query };

/** Returns the routes of the API, of webhooks and of health checks; `guards.ts` describes the guards that they name. */
export function api(http: Http, isReady: () => boolean) {
  const { stall, guards, budgets, requestLog, readLarge } = http;
  const takeWebhook = createWebhooks(http);
  const sendSignature = async ({ params, query, principal }: AskedEdition, part: 'armored' | 'text') =>
    plainText((await findSignature(stall, principal, params.slug, query['edition'] ?? null))[part]);
  return new Elysia()
    .use(guards)
    .get(
      '/api/install/:slug',
      async ({ request, params, query, principal, route }) => {
        const installation = await install(stall, principal, params.slug, query['edition'] ?? null);
        return sendInstall(http, route, request, principal, installation);
      },
      { install: true },
    )
    .get(
      '/api/cli/library',
      async ({ request, account }) =>
        jsonAnswer(request, readLibrary(stall, account).library, OF_KEY, requestLog.of(request).quota),
      { library: true },
    )
    .guard({ open: true }, (anyone) =>
      anyone
        .get('/api/items', ({ request, query }) =>
          jsonAnswer(request, listItems(stall, { after: query['after'], limit: query['limit'] }), PUBLIC),
        )
        .get('/api/items/:slug/editions', async ({ request, params, principal }) =>
          jsonAnswer(request, listEditions(stall, principal, params.slug), OF_ACCOUNT),
        )
        .get('/api/items/:slug/inventory', async ({ request, params, principal }) => {
          const edition = seeItem(stall, principal, params.slug);
          return jsonAnswer(request, await findInventory(stall, principal, edition), OF_ACCOUNT);
        })
        .get('/api/items/:slug/signature', (asked) => sendSignature(asked, 'armored'))
        .get('/api/items/:slug/signed', (asked) => sendSignature(asked, 'text'))
        .get('/api/skills/:slug/download', ({ request, params, principal }) =>
          sendArchive(http, request, zip(stall, principal, params.slug), ZIP_FORM),
        )
        .get('/api/books/:id/skill', ({ request, params, principal }) =>
          sendArchive(http, request, bookSkill(stall, principal, params.id), ZIP_FORM),
        )
        .get('/api/books/:id/epub', ({ request, params, query, principal }) => {
          const wanted = { id: params.id, wanted: query['edition'] ?? null };
          return sendArchive(http, request, epub(stall, principal, wanted), EPUB_FORM);
        }),
    )
    .get('/api/search', ({ request, asker }) => sendTextSearch(http, request, asker), { agent: true })
    .guard({ account: true }, (holder) =>
      holder
        .get('/api/holdings', async ({ request, account }) =>
          jsonAnswer(request, readLibrary(stall, account).holdings, OF_ACCOUNT),
        )
        .get('/api/books/:id/files', ({ request, params, query, account, route }) =>
          sendFiles(http, request, account, { kind: 'book', name: params.id, query, route }),
        )
        .get('/api/skills/:slug/files', ({ request, params, query, account, route }) =>
          sendFiles(http, request, account, { kind: 'skill', name: params.slug, query, route }),
        )
        .get('/api/notes', (asked) => sendNotes(http, asked))
        .get('/api/books/:id/notes', (asked) => sendNotes(http, asked)),
    )
    .guard({ own: true }, (owner) =>
      owner
        .post('/api/books/:id/notes', (asked) => takeNote(http, asked))
        .patch('/api/books/:id/notes/:note', (asked) => changeNote(http, asked))
        .delete('/api/books/:id/notes/:note', (asked) => dropNote(http, asked)),
    )
    .guard({ publish: true }, (publishing) =>
      publishing
        .get('/api/publish/:kind/:slug', ({ params, publisher }) => sendState(stall, publisher, params))
        .put('/api/publish/:kind/:slug', ({ request, params, query, publisher }) =>
          takePush(stall, request, publisher, params, query),
        )
        .delete('/api/publish/:kind/:slug', ({ request, params, publisher }) =>
          takeBack(stall, request, publisher, params),
        ),
    )
    .guard({ key: true }, (holder) =>
      holder
        .post('/api/redeem', async ({ request, account }) => {
          const { code } = await readJson(readLarge, request, BODIES.code, 'Cannot redeem a code');
          const items = await redeemCode(stall, code, account.accountId, budgets.addressOf(request).key);
          return jsonAnswer(request, { items: items.map(({ slug }) => slug) }, ONCE);
        })
        .post('/api/agent/fetch', ({ request, account }) => sendAnswer(http, request, account)),
    )
    .guard({ uncounted: true }, (routes) =>
      routes
        .post('/webhooks/:provider', ({ request, params }) => takeWebhook(request, params.provider))
        .post('/webhooks/:provider/:ping', ({ request, params }) =>
          takeWebhook(request, params.provider, params.ping),
        )
        .get('/livez', () => probe(200, 'alive'))
        .get('/readyz', () => (isReady() ? probe(200, 'ready') : probe(503, 'not ready'))),
    );
}

/** Answers `GET /api/search`. The words of the search are never logged. */
async function sendTextSearch({ stall, budgets }: Http, request: Request, asker: AgentPrincipal) {
  const act = 'Cannot search';
  if (asker.kind === 'anonymous' && asker.complaint !== null) throw unauthenticated(act, asker.complaint);
  const given = new URL(request.url).searchParams;
  const limit = given.get('limit');
  const {
    q: words,
    item: slugs = [],
    limit: most = USUAL_FOUND,
  } = readFields(
    QUERIES.search,
    {
      q: given.get('q') ?? undefined,
      item: given.getAll('item'),
      ...(limit === null ? {} : { limit: /^\d+$/.test(limit) ? Number(limit) : limit }),
    },
    act,
  );
  const search = { words, slugs, limit: most };
  const { found, searched } = await budgets.search(request, asker, () =>
    searchTexts(stall, asker, search, request.signal),
  );
  const results = found.map((one) => describeFound(stall, one, words));
  return jsonAnswer(request, { results, searched }, OF_SEARCH);
}

const probe = (status: number, word: string): Response => plainText(`${word}\n`, status);

const plainText = (text: string, status = 200): Response =>
  textAnswer(text, status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });

/** The maximum size of a webhook's body, in bytes. `WEBHOOK_READ_TIME` is the maximum time for reading it, in milliseconds. */
const MOST_BYTES = 512 * 1024;
const WEBHOOK_READ_TIME = 10_000;

/** The maximum number of webhook bodies that are read at the same time. */
const PLACES = 64;

/** The kinds of failure that are the sender's fault. Each counts against the request budget of the sender's address. */
const COUNTED: ReadonlySet<Refusal['kind']> = new Set<Refusal['kind']>([
  'not-found',
  'unauthenticated',
  'payload-too-large',
  'request-timeout',
  'invalid-request',
]);

/**
 * Answers `POST /webhooks/<provider>`, by which a payment provider reports a sale. The provider's signature is the only
 * credential; sessions, keys and the origin are ignored.
 * A webhook with a valid signature counts against no budget, and is answered 200 once it is stored.
 */
function createWebhooks({ stall, budgets }: Http) {
  const enter = createBodyRoom(PLACES, full, WEBHOOK_READ_TIME);
  return async (request: Request, provider: string, ping: string | null = null): Promise<Response> => {
    try {
      const verify = openWebhook(stall, provider, ping);
      const place = enter(budgets.addressOf(request).key, 1);
      const verified = (body: Uint8Array) => verify({ body, header: (name) => request.headers.get(name) });
      const keep = await readBody(request, MOST_BYTES, verified, place).finally(place.leave);
      await keep();
      return new Response(null, { headers: { 'Content-Length': '0', 'Cache-Control': 'no-store' } });
    } catch (error) {
      // Throws the refusal `rate-limited` if requests from this address have failed too often.
      if (error instanceof Refusal && COUNTED.has(error.kind)) budgets.takeRoute(request, ANONYMOUS);
      throw error;
    }
  };
}

const full = (): Refusal => new Refusal('overloaded', 'Cannot read another delivery now: send it again', 1);
