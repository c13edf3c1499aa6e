import { stateAt } from '../../../sales/order.ts';
import { type PlacedOrder, walkOrders } from '../../../service/orders.ts';
import { STALLED } from '../../sender.ts';
import { csvAnswer, csvHeaders } from '../../csv.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { readOrderQuery } from './order-address.ts';
import { goodsOf, ORDERS } from './order-parts.tsx';

const FILE = 'bookstall-orders.csv';

/** The columns: times in ISO 8601 UTC, amounts in minor units. A new column is one line here. */
const COLUMNS: Readonly<Record<string, (order: PlacedOrder, now: number) => string | number | null>> = {
  id: ({ id }) => id,
  time: ({ at }) => iso(at),
  provider: ({ provider }) => provider,
  provider_ref: ({ providerRef }) => providerRef,
  ref: ({ ref }) => ref,
  state: stateAt,
  email: ({ email }) => email,
  account: ({ account }) => account,
  items: (order) => goodsOf(order),
  quantity: ({ quantity }) => quantity,
  amount: ({ amount }) => amount,
  tax: ({ tax }) => tax,
  refunded: ({ refunded }) => refunded,
  currency: ({ currency }) => currency,
  until: ({ until }) => iso(until),
  paid_at: ({ paidAt }) => iso(paidAt),
  claimed_at: ({ claimedAt }) => iso(claimedAt),
  attention: ({ attention }) => attention,
};

/** `GET /admin/orders.csv`: the orders that the filter names, the newest first. */
export function sendOrderFile({ stall, connections, requestLog }: RouteDeps, request: Request): Response {
  if (request.method === 'HEAD') return new Response(null, { headers: csvHeaders(FILE) });
  connections.allowSilence(request, STALLED);
  const steps = walkOrders(stall, readOrderQuery(new URL(request.url).searchParams));
  const rows = records(steps, stall.now());
  return csvAnswer(FILE, Object.keys(COLUMNS), rows, requestLog.watch(request, `${ORDERS}.csv`));
}

async function* records(steps: AsyncGenerator<readonly PlacedOrder[]>, now: number) {
  const columns = Object.values(COLUMNS);
  for await (const orders of steps) yield orders.map((order) => columns.map((column) => column(order, now)));
}

function iso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
