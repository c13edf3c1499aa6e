import { Elysia } from 'elysia';
import type { Service } from '../../service/service.ts';
import type { Identity } from '../identity.ts';
import { jsonAnswer } from '../json.ts';

const HEADERS = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Cookie' };

/** `GET /api/items/<slug>/editions`: an item's editions, newest first. */
export function editions(service: Service, identity: Identity) {
  return new Elysia()
    .use(identity)
    .get(
      '/api/items/:slug/editions',
      async ({ request, params, principal }) =>
        jsonAnswer(request, await service.listEditions(principal, params.slug), HEADERS),
      { openGuard: true },
    );
}
