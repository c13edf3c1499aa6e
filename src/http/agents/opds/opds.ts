import { Elysia } from 'elysia';
import type { AgentPrincipal } from '../../../access/principal.ts';
import { ACQUISITION, NAVIGATION, OPENSEARCH, openSearch } from '../../../ebook/opds.ts';
import { Refusal } from '../../../refusal.ts';
import { listOpds, type OpdsShelf } from '../../../service/opds.ts';
import { decodePath } from '../../decode-path.ts';
import type { Http } from '../../http.ts';
import { createInstallAnswer } from '../../install-answer.ts';
import { agentHeaders } from '../agent-headers.ts';
import { sendText } from '../well-known.ts';
import { sendCover } from './opds-cover.ts';
import { rootFeed, shelfFeed } from './opds-feeds.ts';
import { findArchive, sendEpub, sendFormat } from './opds-files.ts';

const MOST_WORDS = 200;

/** The stall for e-readers, OPDS 1.2. The library and the files of paid items ask for a name and password; the rest is open. */
export function opds(deps: Http) {
  const { stall, identity, origin } = deps;
  const named = () => ({ origin: origin(), name: stall.manifest().name });
  const archives = {
    book: createInstallAnswer('/opds/books/:slug', deps),
    skill: createInstallAnswer('/opds/skills/:slug', deps),
  };
  const list = async (
    request: Request,
    asker: AgentPrincipal,
    shelf: OpdsShelf,
    query: Readonly<Record<string, string>>,
  ): Promise<Response> => {
    const words = [...(query['q'] ?? '')].slice(0, MOST_WORDS).join('');
    const page = await listOpds(stall, asker, shelf, { page: readPage(query['page']), words });
    return sendFeed(request, asker, shelfFeed(named(), shelf, page, words), ACQUISITION);
  };
  const root = async (request: Request, asker: AgentPrincipal): Promise<Response> => {
    const { items } = await listOpds(stall, asker, 'newest', { page: 1 });
    const updated = Math.max(0, ...items.map(({ changedAt }) => changedAt));
    return sendFeed(request, asker, rootFeed(named(), updated), NAVIGATION);
  };
  const describeSearch = (request: Request): Response => {
    const { name } = named();
    const text = openSearch({ name, template: `${origin()}/opds/search?q={searchTerms}&page={startPage?}` });
    return sendText(request, text, { 'Content-Type': OPENSEARCH, ...agentHeaders(false, true) });
  };
  return new Elysia()
    .use(identity)
    .get('/opds', async ({ request, asker }) => await root(request, asker), { agentGuard: true })
    .get('/opds/opensearch.xml', ({ request }) => describeSearch(request), { agentGuard: true })
    .get('/opds/all', async ({ request, asker, query }) => await list(request, asker, 'all', query), {
      agentGuard: true,
    })
    .get('/opds/free', async ({ request, asker, query }) => await list(request, asker, 'free', query), {
      agentGuard: true,
    })
    .get('/opds/newest', async ({ request, asker, query }) => await list(request, asker, 'newest', query), {
      agentGuard: true,
    })
    .get('/opds/search', async ({ request, asker, query }) => await list(request, asker, 'search', query), {
      agentGuard: true,
    })
    .get('/opds/library', async ({ request, asker, query }) => await list(request, asker, 'library', query), {
      agentGuard: true,
    })
    .get(
      '/opds/covers/:slug',
      async ({ request, asker, params: { slug } }) =>
        await sendCover(request, asker, { slug, isSmall: false }, deps),
      { agentGuard: true },
    )
    .get(
      '/opds/thumbnails/:slug',
      async ({ request, asker, params: { slug } }) =>
        await sendCover(request, asker, { slug, isSmall: true }, deps),
      { agentGuard: true },
    )
    .get(
      '/opds/books/:slug',
      async ({ request, asker, params: { slug } }) =>
        slug.endsWith('.epub')
          ? await sendEpub(request, asker, slug.slice(0, -'.epub'.length), deps)
          : archives.book(request, asker, await findArchive(stall, asker, 'book', slug)),
      { agentArchiveGuard: true },
    )
    .get(
      '/opds/skills/:slug',
      async ({ request, asker, params: { slug } }) =>
        archives.skill(request, asker, await findArchive(stall, asker, 'skill', slug)),
      { agentArchiveGuard: true },
    )
    .get(
      '/opds/books/:slug/files/*',
      async ({ request, asker, params }) =>
        await sendFormat(
          request,
          asker,
          { kind: 'book', slug: params.slug, path: decodePath(params['*']) },
          deps,
        ),
      { agentGuard: true },
    )
    .get(
      '/opds/skills/:slug/files/*',
      async ({ request, asker, params }) =>
        await sendFormat(
          request,
          asker,
          { kind: 'skill', slug: params.slug, path: decodePath(params['*']) },
          deps,
        ),
      { agentGuard: true },
    );
}

function sendFeed(request: Request, asker: AgentPrincipal, xml: string, type: string): Response {
  return sendText(request, xml, {
    'Content-Type': `${type};charset=utf-8`,
    ...agentHeaders(false, asker.kind === 'anonymous'),
    Vary: 'Authorization',
  });
}

function readPage(text = '1'): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  // Some programs send an empty page number.
  if (text === '') return 1;
  throw new Refusal('invalid-request', `Cannot list page "${text.slice(0, 20)}": give a number from 1 on`);
}
