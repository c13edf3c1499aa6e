import { Elysia } from 'elysia';
import { redirect } from '../../origin.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { withFlash } from '../frame/flash-message.ts';

/** How long the answer waits for the result, in milliseconds: compiling gigabytes takes minutes. */
export const PATIENCE = 8000;

/** `POST /admin/items/reindex`: reloads the content directory beside the running catalog. */
export function reindex({ service, identity }: RouteDeps) {
  return new Elysia().use(identity).post(
    '/admin/items/reindex',
    async ({ owner }) => {
      const done = service.adminViews.items.reindex(owner).then(() => 'reindexed' as const);
      const word = await Promise.race([done, Bun.sleep(PATIENCE).then(() => 'reindexing' as const)]);
      return redirect(withFlash('/admin/items', word));
    },
    { ownerGuard: true, parse: 'none' },
  );
}
