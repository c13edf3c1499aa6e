import { Elysia } from 'elysia';
import { createClientPackage } from '../installing/client-package.ts';
import { showConnect, showLink } from '../agents/connect.page.tsx';
import { sendSiteFile } from '../platform/site/assets.ts';
import type { Http } from './stall.ts';
import { showBundle } from './bundle.page.tsx';
import { sendCover } from '../catalog/cover.page.ts';
import { sendFeed, sendPublicText, sendSitemap, writeRobots } from './sitemap.page.ts';
import { showContact, showText, showStorefront } from './home.page.tsx';
import { sendItemFile } from '../installing/download.api.ts';
import { showItem } from './item.page.tsx';
import { showPrint } from '../reading/print.page.tsx';
import { searchAll } from '../asking/text-search.page.tsx';
import { sendAsset } from '../platform/http/answer.ts';

/** Returns the routes of the stall's public pages, their assets, and the pages of install links. */
export function storefront(http: Http) {
  const { stall, viewOf } = http;
  const clientPackage = createClientPackage(http.stall.origin);
  return new Elysia()
    .use(http.guards)
    .get('/assets/:name', ({ request, params }) => sendSiteFile(request, stall.stallFiles(), params.name), {
      uncounted: true,
    })
    .get('/covers/:name', ({ request, params, visitor }) => sendCover(http, request, visitor, params.name), {
      cover: true,
    })
    .get(
      '/books/:slug/files/*',
      ({ request, params, principal, route }) =>
        sendItemFile(http, request, principal, { kind: 'book', params, route }),
      { open: true },
    )
    .get(
      '/skills/:slug/files/*',
      ({ request, params, principal, route }) =>
        sendItemFile(http, request, principal, { kind: 'skill', params, route }),
      { open: true },
    )
    .get(
      '/books/:slug/print',
      ({ request, params, principal }) => showPrint(http, request, principal, params.slug),
      { open: true },
    )
    .get(
      '/client.tgz',
      ({ request }) => sendAsset(request, { type: 'application/gzip', ...clientPackage() }, CLIENT_HEADERS),
      { open: true },
    )
    .get('/i/:token', ({ request, params, asker }) => showLink(http, request, asker, params.token), {
      link: true,
    })
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
        .get('/connect', ({ visitor }) => showConnect(http, visitor))
        .get('/terms', ({ visitor }) => showText(stall, viewOf(visitor), 'terms'))
        .get('/imprint', ({ visitor }) => showText(stall, viewOf(visitor), 'imprint'))
        .get('/contact', ({ visitor }) => showContact(viewOf(visitor)))
        .get('/feed.xml', ({ request, visitor }) => sendFeed(http, request, visitor))
        .get('/sitemap.xml', ({ request, visitor }) => sendSitemap(http, request, visitor))
        .get('/robots.txt', ({ request, visitor }) =>
          sendPublicText(request, writeRobots(viewOf(visitor).origin)),
        ),
    );
}

/** The headers of the command-line client for readers, a package for Node that `npx` installs from this address. */
const CLIENT_HEADERS = {
  'Content-Disposition': 'attachment; filename="client.tgz"',
  'Cache-Control': 'public, no-cache',
};
