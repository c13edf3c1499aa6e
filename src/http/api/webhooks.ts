import { ANONYMOUS } from '../../access/principal.ts';
import { Refusal } from '../../refusal.ts';
import { openWebhook } from '../../service/sale-events.ts';
import { createBodyRoom, readBody } from '../body.ts';
import type { Http } from '../http.ts';

/** The largest body that is read, in bytes, and how long it may take, in milliseconds. */
const MOST = 512 * 1024;
const LONGEST = 10_000;

/** Bodies that are read at the same time. */
const PLACES = 64;

/** Failures that are the sender's own, and cost its address a request. */
const COUNTED: ReadonlySet<Refusal['kind']> = new Set<Refusal['kind']>([
  'not-found',
  'unauthenticated',
  'payload-too-large',
  'request-timeout',
  'invalid-request',
]);

/**
 * `POST /webhooks/<provider>`: a payment provider reports a sale. Its signature is the only credential; sessions, origins,
 * keys and content types mean nothing here. A delivery that verifies is free, and answered 200 once it is on disk.
 */
export function createWebhooks({ stall, budgets }: Http) {
  const room = createBodyRoom(PLACES, full);
  return async (request: Request, provider: string, ping: string | null = null): Promise<Response> => {
    try {
      const takeDelivery = openWebhook(stall, provider, ping);
      const place = room.enter(budgets.addressOf(request).key, 1);
      if (place === null) throw full();
      const limits = { milliseconds: LONGEST, interrupted: place.lost };
      const body = await readBody(request, MOST, limits).finally(place.leave);
      await takeDelivery({ body, header: (name) => request.headers.get(name) });
      return new Response(null, { headers: { 'Content-Length': '0', 'Cache-Control': 'no-store' } });
    } catch (error) {
      // Throws rate-limited after too many.
      if (error instanceof Refusal && COUNTED.has(error.kind)) budgets.takeRoute(request, ANONYMOUS);
      throw error;
    }
  };
}

function full(): Refusal {
  return new Refusal('overloaded', 'Cannot read another delivery now: send it again', 1);
}
