import { Elysia } from 'elysia';
import type { Service } from '../../service/service.ts';
import type { RequestLog } from '../request-log.ts';
import type { Identity } from '../identity.ts';
import { jsonAnswer } from '../json.ts';
import { listLibrary } from '../../service/holdings.ts';

const HEADERS = { 'Cache-Control': 'private, no-cache', Vary: 'Authorization' };

/** `GET /api/cli/library` (spec 4.2). */
export function library(service: Service, identity: Identity, requestLog: RequestLog) {
  return new Elysia()
    .use(identity)
    .get(
      '/api/cli/library',
      async ({ request, account }) =>
        jsonAnswer(request, await listLibrary(service.stall, account), HEADERS, requestLog.of(request).quota),
      { libraryGuard: true },
    );
}
