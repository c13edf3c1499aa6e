import { Elysia } from 'elysia';
import type { RouteDeps } from '../frame/route-deps.ts';
import { bundlePage } from './bundle-page.tsx';
import { covers } from './covers.ts';
import { feed } from './feed.ts';
import { home } from './home.tsx';
import { itemBytes } from './item-bytes.ts';
import { itemPage } from './item-page.tsx';
import { sitemap } from './sitemap.ts';
import { stallPages } from './stall-pages.tsx';

/** The stall's public pages, in one visible list. */
export function shopWindow(site: RouteDeps) {
  return new Elysia()
    .use(home(site))
    .use(itemPage(site))
    .use(bundlePage(site))
    .use(stallPages(site))
    .use(covers(site))
    .use(itemBytes(site))
    .use(feed(site))
    .use(sitemap(site));
}
