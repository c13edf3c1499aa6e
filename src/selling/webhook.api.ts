import { ANONYMOUS } from '../platform/base/principal.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { createBodyRoom, readBody } from '../platform/http/body.ts';
import { openWebhook } from './sale-event.ts';
import type { Http } from './stall.ts';

/** The maximum size of a webhook's body, in bytes, and the maximum time for reading it, in milliseconds. */
export const LARGEST_WEBHOOK = 512 * 1024;
export const WEBHOOK_READ_TIME = 10_000;

export const WEBHOOKS_AT_ONCE = 64;

/** The kinds of failure that are the sender's fault. Each counts against the request budget of the sender's address. */
const COUNTED: ReadonlySet<Refusal['kind']> = new Set<Refusal['kind']>([
  'not-found',
  'unauthenticated',
  'payload-too-large',
  'request-timeout',
  'invalid-request',
]);

/**
 * Answers `POST /webhooks/<provider>`, by which a payment provider reports a sale. The only credential is the provider's
 * signature, or Gumroad's secret in the address. A verified webhook counts against no budget, and is answered 200 once it
 * is stored.
 */
export function createWebhooks({ stall, budgets }: Http) {
  const enter = createBodyRoom(WEBHOOKS_AT_ONCE, full, WEBHOOK_READ_TIME);
  return async (request: Request, provider: string, ping: string | null = null): Promise<Response> => {
    try {
      const verify = openWebhook(stall, provider, ping);
      const place = enter(budgets.addressOf(request).key, 1);
      const verified = (body: Uint8Array) => verify({ body, header: (name) => request.headers.get(name) });
      const keep = await readBody(request, LARGEST_WEBHOOK, verified, place).finally(place.leave);
      await keep();
      return new Response(null, { headers: { 'Content-Length': '0', 'Cache-Control': 'no-store' } });
    } catch (error) {
      // Throws the refusal `rate-limited` if requests from this address have failed too often.
      if (error instanceof Refusal && COUNTED.has(error.kind)) budgets.takeRoute(request, ANONYMOUS);
      throw error;
    }
  };
}

const full = (): Refusal => new Refusal('overloaded', 'Cannot read another delivery now: send it again', 1);
