import type { AnyElysia } from 'elysia';
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
export function shopWindow(site: RouteDeps): AnyElysia[] {
  return [
    home(site),
    itemPage(site),
    bundlePage(site),
    stallPages(site),
    covers(site),
    itemBytes(site),
    feed(site),
    sitemap(site),
  ];
}
