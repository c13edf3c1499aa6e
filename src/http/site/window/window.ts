import { Elysia } from 'elysia';
import type { SiteDesk } from '../desk.ts';
import { itemBytes, type StreamDesk } from './item-bytes.ts';

/** All that a stall shows to passers-by. */
export function shopWindow(site: SiteDesk, desk: StreamDesk) {
  return new Elysia().use(itemBytes(site, desk));
}
