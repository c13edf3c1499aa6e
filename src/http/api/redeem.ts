import { Elysia } from 'elysia';
import { Refusal } from '../../refusal.ts';
import type { Service } from '../../service/service.ts';
import type { Budgets } from '../budget.ts';
import type { Identity } from '../identity.ts';
import { jsonAnswer, readJson } from '../json.ts';

const HEADERS = { 'Cache-Control': 'no-store', Vary: 'Authorization' };

/** `POST /api/redeem` with `{"code"}`: opens a code's items to the key's account, and answers their slugs; again is the same answer. */
export function redeemApi(service: Service, identity: Identity, budgets: Budgets) {
  return new Elysia().use(identity).post(
    '/api/redeem',
    async ({ request, account }) => {
      const code = readCodeOf(await readJson(request));
      const items = await service.redeem.redeem(code, account.accountId, budgets.addressOf(request).key);
      return jsonAnswer(request, { items: items.map(({ slug }) => slug) }, HEADERS);
    },
    { keyGuard: true, parse: 'none' },
  );
}

function readCodeOf(body: unknown): string {
  const code = typeof body === 'object' && body !== null ? (body as { readonly code?: unknown }).code : null;
  if (typeof code === 'string') return code;
  throw new Refusal('invalid-request', 'Cannot redeem a code: send {"code": "svg_…"}');
}
