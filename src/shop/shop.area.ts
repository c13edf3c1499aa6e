import { Elysia } from 'elysia';
import { findInventory } from '../accounts/inventory.ts';
import { findSignature, listEditions, listItems } from '../accounts/items.ts';
import type { Principal } from '../platform/base/principal.ts';
import { jsonAnswer, plainAnswer } from '../platform/http/answer.ts';
import type { Query } from '../platform/http/http.ts';
import { sendAssetOf } from '../catalog/stall-image.ts';
import { readFlash } from '../platform/site/handle-form.ts';
import { ACCOUNT } from '../platform/site/page.tsx';
import { seeItem } from '../reading/files.ts';
import { sendItemFile } from '../reading/sent-file.ts';
import {
  changeEmail,
  choose,
  choosePassword,
  EMAIL,
  endOne,
  endOthers,
  NEWS,
  PASSWORD,
  READING,
  showAccount,
  showEmail,
  showPassword,
} from './account.page.tsx';
import { DATA, REMOVAL, removeOwnAccount, sendOwnData, showOwnData, showRemoval } from './own-data.page.tsx';
import { showBundle } from './bundle.page.tsx';
import { sendCover } from './cover.page.ts';
import { showContact, showStorefront, showText } from './home.page.tsx';
import { showItem } from './item.page.tsx';
import { askForMoney, makeCopiesLink, showLibrary } from './library.page.tsx';
import {
  describeSearch,
  sendCover as sendOpdsCover,
  sendListFeed,
  sendRoot,
  sendWhole,
  withoutTokens,
} from './opds.api.ts';
import { searchAll } from './search.page.tsx';
import { sendFeed } from './feed.page.ts';
import { sendPublicText, sendSitemap, writeRobots } from './sitemap.page.ts';
import type { Http } from './stall.ts';
import {
  askToEndNews,
  confirmAddress,
  endNewsByMail,
  openConfirmation,
  subscribe,
} from './subscribe.page.tsx';

const PUBLIC = { 'Cache-Control': 'public, no-cache' };
const OF_ACCOUNT = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Cookie' };

export const shop = (http: Http) =>
  new Elysia().use(storefront(http)).use(dashboard(http)).use(items(http)).use(opds(http));

function storefront(http: Http) {
  const { stall, viewOf } = http;
  return new Elysia()
    .use(http.guards)
    .get('/assets/:name', ({ request, params }) => sendAssetOf(request, stall.stallFiles(), params.name), {
      uncounted: true,
    })
    .get('/covers/:name', ({ request, params, visitor }) => sendCover(http, request, visitor, params.name), {
      cover: true,
    })
    .guard({ open: true }, (routes) =>
      routes
        .get('/unsubscribe/:secret', ({ params, principal }) => askToEndNews(http, principal, params.secret))
        .post('/unsubscribe/:secret', ({ params, principal }) =>
          endNewsByMail(http, principal, params.secret),
        ),
    )
    .guard({ visitor: true }, (routes) =>
      routes
        .get('/', ({ request, query, visitor }) => showStorefront(http, request, visitor, query))
        .get('/search', ({ request, query, visitor }) => searchAll(http, request, visitor, query))
        .get('/books/:slug', ({ request, params, query, visitor }) =>
          showItem(http, request, visitor, { kind: 'book', slug: params.slug, query }),
        )
        .get('/skills/:slug', ({ request, params, query, visitor }) =>
          showItem(http, request, visitor, { kind: 'skill', slug: params.slug, query }),
        )
        .get('/bundles/:slug', ({ params, visitor }) => showBundle(http, visitor, params.slug))
        .get('/terms', ({ visitor }) => showText(stall, viewOf(visitor), 'terms'))
        .get('/privacy', ({ visitor }) => showText(stall, viewOf(visitor), 'privacy'))
        .get('/imprint', ({ visitor }) => showText(stall, viewOf(visitor), 'imprint'))
        .get('/contact', ({ visitor }) => showContact(viewOf(visitor)))
        .post('/news', ({ request, visitor }) => subscribe(http, request, visitor))
        .get('/news/confirm', ({ visitor }) => openConfirmation(http, visitor))
        .post('/news/confirm', ({ request, visitor }) => confirmAddress(http, request, visitor))
        .get('/feed.xml', ({ request, visitor }) => sendFeed(http, request, visitor))
        .get('/sitemap.xml', ({ request, visitor }) => sendSitemap(http, request, visitor))
        .get('/robots.txt', ({ request, visitor }) =>
          sendPublicText(request, writeRobots(viewOf(visitor).origin)),
        ),
    );
}

const dashboard = (http: Http) =>
  new Elysia().use(http.guards).guard({ member: true }, (routes) =>
    routes
      .get('/dashboard', ({ member }) => showLibrary(http, member))
      .post('/dashboard/orders/:ref/copies', ({ params, member }) => makeCopiesLink(http, member, params.ref))
      .post('/dashboard/orders/:ref/money-back', ({ request, params, member }) =>
        askForMoney(http, request, member, params.ref),
      )
      .get(ACCOUNT, ({ query, member }) => showAccount(http, readFlash(query), member))
      .get(DATA, ({ member }) => showOwnData(http, member))
      .post(DATA, ({ request, member }) => sendOwnData(http, request, member))
      .get(REMOVAL, ({ member }) => showRemoval(http, member))
      .post(REMOVAL, ({ request, member }) => removeOwnAccount(http, request, member))
      .get(EMAIL, ({ member }) => showEmail(http, member))
      .post(EMAIL, ({ request, member }) => changeEmail(http, request, member))
      .get(PASSWORD, ({ member }) => showPassword(http, member))
      .post(PASSWORD, ({ request, member }) => choosePassword(http, request, member))
      .post(`${ACCOUNT}/sessions/:id/end`, ({ params, member }) => endOne(http, member, params.id))
      .post(`${ACCOUNT}/sessions/end-others`, ({ member }) => endOthers(http, member))
      .post(`${ACCOUNT}/reading`, ({ request, member }) => choose(http, request, member, READING))
      .post(`${ACCOUNT}/news`, ({ request, member }) => choose(http, request, member, NEWS)),
  );

type AskedEdition = { principal: Principal; params: { slug: string }; query: Query };

function items(http: Http) {
  const { stall } = http;
  const sendSignature = async ({ params, query, principal }: AskedEdition, part: 'armored' | 'text') =>
    plainAnswer((await findSignature(stall, principal, params.slug, query['edition'] ?? null))[part]);
  return new Elysia().use(http.guards).guard({ open: true }, (anyone) =>
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
      .get('/api/items/:slug/signed', (asked) => sendSignature(asked, 'text')),
  );
}

const opds = (http: Http) =>
  new Elysia()
    .use(http.guards)
    .get(
      '/opds/books/:slug',
      ({ request, params, asker }) => sendWhole(http, request, { asker, kind: 'book', name: params.slug }),
      { archive: true },
    )
    .get(
      '/opds/skills/:slug',
      ({ request, params, asker }) => sendWhole(http, request, { asker, kind: 'skill', name: params.slug }),
      { archive: true },
    )
    .guard({ agent: true }, (routes) =>
      routes
        .get('/opds', ({ request, asker }) => sendRoot(http, request, asker))
        .get('/opds/opensearch.xml', ({ request }) => describeSearch(http, request))
        .get('/opds/all', ({ request, asker, query }) =>
          sendListFeed(http, request, { asker, list: 'all', query }),
        )
        .get('/opds/free', ({ request, asker, query }) =>
          sendListFeed(http, request, { asker, list: 'free', query }),
        )
        .get('/opds/newest', ({ request, asker, query }) =>
          sendListFeed(http, request, { asker, list: 'newest', query }),
        )
        .get('/opds/search', ({ request, asker, query }) =>
          sendListFeed(http, request, { asker, list: 'search', query }),
        )
        .get('/opds/library', ({ request, asker, query }) =>
          sendListFeed(http, request, { asker, list: 'library', query }),
        )
        .get('/opds/covers/:slug', ({ request, params, asker }) =>
          sendOpdsCover(http, request, { asker, slug: params.slug, size: 'whole' }),
        )
        .get('/opds/thumbnails/:slug', ({ request, params, asker }) =>
          sendOpdsCover(http, request, { asker, slug: params.slug, size: 'small' }),
        )
        .get('/opds/books/:slug/files/*', ({ request, params, asker, route }) =>
          sendItemFile(http, request, withoutTokens(asker), { kind: 'book', params, route, isFormat: true }),
        )
        .get('/opds/skills/:slug/files/*', ({ request, params, asker, route }) =>
          sendItemFile(http, request, withoutTokens(asker), { kind: 'skill', params, route, isFormat: true }),
        ),
    );
