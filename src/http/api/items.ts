import { Elysia } from 'elysia';
import type { Service } from '../../service/service.ts';
import type { Identity } from '../identity.ts';
import { jsonAnswer } from '../json.ts';
import { listItems } from '../../service/items.ts';

/** `GET /api/items`: the published items, page by page. */
export function items(service: Service, identity: Identity) {
  return new Elysia().use(identity).get(
    '/api/items',
    ({ request, query }) => {
      const page = listItems(service.stall, { after: query['after'], limit: query['limit'] });
      return jsonAnswer(request, page, { 'Cache-Control': 'public, no-cache' });
    },
    { openGuard: true },
  );
}
