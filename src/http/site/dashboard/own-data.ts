import { writePersonalData } from '../../../service/personal-data.ts';
import { Elysia } from 'elysia';
import { STALLED } from '../../sender.ts';
import { createTextStream } from '../../text-stream.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { ACCOUNT } from './account.tsx';

const ROUTE = `${ACCOUNT}/data.json`;

const HEADERS = {
  'Content-Type': 'application/json',
  'Content-Disposition': 'attachment; filename="bookstall-data.json"',
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
};

/** `GET /dashboard/account/data.json`: everything the stall stores about the account, as a file. */
export function ownData({ stall, identity, connections, requestLog }: RouteDeps) {
  return new Elysia().use(identity).get(
    ROUTE,
    ({ request, member }) => {
      if (request.method === 'HEAD') return new Response(null, { headers: HEADERS });
      connections.allowSilence(request, STALLED);
      const texts = writePersonalData(stall, member.email);
      return new Response(createTextStream(texts, requestLog.watch(request, ROUTE)), { headers: HEADERS });
    },
    { memberGuard: true },
  );
}
