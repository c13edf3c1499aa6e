import { Elysia } from 'elysia';
import type { Service } from '../../service/service.ts';
import type { Identity } from '../identity.ts';
import { jsonAnswer } from '../json.ts';
import { listHoldings } from '../../service/holdings.ts';

const HEADERS = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization, Cookie' };

/** `GET /api/holdings`: all that an account holds, archived and free items too. */
export function holdings(service: Service, identity: Identity) {
  return new Elysia()
    .use(identity)
    .get(
      '/api/holdings',
      async ({ request, account }) =>
        jsonAnswer(request, await listHoldings(service.stall, account), HEADERS),
      { filesGuard: true },
    );
}
