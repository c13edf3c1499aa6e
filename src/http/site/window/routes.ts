import { Elysia } from 'elysia';
import { type ClientPackage, createClientPackage } from '../../../service/client-package.ts';
import { showConnect, showLink } from './connect.tsx';
import { sendAsset } from '../frame/assets.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { showBundle } from './bundle.tsx';
import { sendCover } from './covers.ts';
import { sendFeed } from './feed.ts';
import { showWindow } from './home.tsx';
import { sendItemFile } from './item-files.tsx';
import { showItem } from './item.tsx';
import { sendPublicText } from './public-text.ts';
import { sendSitemap, writeRobots } from './sitemap.ts';
import { showContact, showTerms } from './stall-pages.tsx';
import { isUnmodified, notModified } from '../../etag.ts';
import type { Sender } from '../../sender.ts';

/** The stall's public pages, what they are drawn with, and the pages of install links. */
export function shopWindow(deps: RouteDeps) {
  const { stall, viewOf, sender } = deps;
  const clientPackage = createClientPackage(deps.origin);
  return new Elysia()
    .use(deps.guards)
    .get('/', ({ request, query, visitor }) => showWindow(deps, request, visitor, query), {
      visitorGuard: true,
    })
    .get(
      '/books/:slug',
      ({ request, params, query, visitor }) => showItem(deps, request, visitor, 'book', params.slug, query),
      { visitorGuard: true },
    )
    .get(
      '/skills/:slug',
      ({ request, params, query, visitor }) => showItem(deps, request, visitor, 'skill', params.slug, query),
      { visitorGuard: true },
    )
    .get('/bundles/:slug', ({ params, visitor }) => showBundle(deps, visitor, params.slug), {
      visitorGuard: true,
    })
    .get(
      '/books/:slug/files/*',
      ({ request, params, principal }) =>
        sendItemFile(deps, request, principal, 'book', params.slug, params['*']),
      { openGuard: true },
    )
    .get(
      '/skills/:slug/files/*',
      ({ request, params, principal }) =>
        sendItemFile(deps, request, principal, 'skill', params.slug, params['*']),
      { openGuard: true },
    )
    .get('/covers/:name', ({ request, params, visitor }) => sendCover(deps, request, visitor, params.name), {
      coverGuard: true,
    })
    .get('/assets/:name', ({ request, params }) => sendAsset(request, stall.stallFiles(), params.name), {
      assetGuard: true,
    })
    .get('/client.tgz', ({ request }) => sendClientPackage(sender, request, clientPackage()), {
      openGuard: true,
    })
    .get('/connect', ({ visitor }) => showConnect(deps, visitor), { visitorGuard: true })
    .get('/i/:token', ({ params, asker }) => showLink(deps, asker, params.token), { linkGuard: true })
    .get('/terms', ({ visitor }) => showTerms(stall, viewOf(visitor)), { visitorGuard: true })
    .get('/contact', ({ visitor }) => showContact(viewOf(visitor)), { visitorGuard: true })
    .get('/feed.xml', ({ request, visitor }) => sendFeed(deps, request, visitor), { visitorGuard: true })
    .get(
      '/sitemap.xml',
      ({ request, query, visitor }) => sendSitemap(deps, request, visitor, query['part']),
      { visitorGuard: true },
    )
    .get(
      '/robots.txt',
      ({ request, visitor }) => sendPublicText(request, writeRobots(viewOf(visitor).origin)),
      { visitorGuard: true },
    );
}

/** The reader's program for Node, which `npx` can install from this address. */
function sendClientPackage(
  sender: Sender,
  request: Request,
  { body, etag }: ClientPackage,
): Response | Promise<Response> {
  const headers = {
    'Content-Type': 'application/gzip',
    'Content-Disposition': 'attachment; filename="client.tgz"',
    'Cache-Control': 'public, no-cache',
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  };
  if (isUnmodified(request, etag)) return notModified(headers);
  return sender.whole(request, body, { headers });
}
