import { Elysia } from 'elysia';
import type { SiteDesk } from '../desk.ts';
import { covers } from './covers.ts';
import { feed } from './feed.ts';
import type { StreamDesk } from './file-body.ts';
import { itemBytes } from './item-bytes.ts';
import { sitemap } from './sitemap.ts';

/** All that a stall shows to passers-by. */
export function shopWindow(site: SiteDesk, desk: StreamDesk) {
  return new Elysia().use(covers(site, desk)).use(itemBytes(site, desk)).use(feed(site)).use(sitemap(site));
}
