import { Elysia } from 'elysia';
import type { Principal } from '../../../access/principal.ts';
import { readingAddress } from '../../../catalog/reading/item-links.ts';
import type { ItemKind } from '../../../item/item.ts';
import { redirect } from '../../origin.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { findFirstText } from '../../../service/reading.ts';

/** `GET /books/<slug>/read` and `GET /skills/<slug>/read`: where to read on, or to begin. */
export function firstChapter({ stall, identity }: RouteDeps) {
  const send = async (principal: Principal, kind: ItemKind, slug: string) => {
    const { edition, path } = await findFirstText(stall, principal, kind, slug);
    return redirect(readingAddress(edition.manifest, path));
  };
  return new Elysia()
    .use(identity)
    .get('/books/:slug/read', async ({ params, principal }) => await send(principal, 'book', params.slug), {
      openGuard: true,
    })
    .get('/skills/:slug/read', async ({ params, principal }) => await send(principal, 'skill', params.slug), {
      openGuard: true,
    });
}
