import { Elysia } from 'elysia';
import { redirect } from '../../origin.ts';
import type { SiteDesk } from '../frame/route-deps.ts';
import { saying } from '../frame/flash-message.ts';

/** How long the answer waits for what came of it, in milliseconds: gigabytes are compiled in minutes. */
const PATIENCE = 8000;

/** `POST /admin/items/reindex`: takes the content directory up beside the running catalog. */
export function reindex({ service, identity }: SiteDesk) {
  return new Elysia().use(identity).post(
    '/admin/items/reindex',
    async ({ owner }) => {
      await service.audit.note(owner, 'items.reindex', 'content');
      const done = service.backOffice.stock.reindex().then(() => 'reindexed' as const);
      const word = await Promise.race([done, Bun.sleep(PATIENCE).then(() => 'reindexing' as const)]);
      return redirect(saying('/admin/items', word));
    },
    { ownerDoor: true, parse: 'none' },
  );
}
