import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { ORDER_STATES, type OrderState, stateAt } from '../../../sales/order.ts';
import { ANY_ORDER, type OrderQuery, type PlacedOrder } from '../../../service/sales/orders.ts';
import type { PagePlace } from '../../../service/row-pages.ts';
import { STALLED } from '../../bytes.ts';
import { csvAnswer, csvHeaders } from '../../csv.ts';
import { readFlash } from '../frame/flash-message.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { addressAt, readPlace } from '../logs/place.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Button, ButtonLink } from '../parts/form.tsx';
import { Pager } from '../parts/pager.tsx';
import { When } from '../parts/when.tsx';
import { sendAdminPage } from './admin-page.tsx';
import { goodsOf, moneyOf, OrderBadge, ORDERS, STATES } from './order-words.tsx';

const FILE = 'bookstall-orders.csv';
const HEADER = [
  'id',
  'time',
  'provider',
  'provider_ref',
  'ref',
  'state',
  'email',
  'account',
  'items',
  'quantity',
  'amount',
  'tax',
  'refunded',
  'currency',
  'until',
  'paid_at',
  'claimed_at',
  'attention',
];

/** `GET /admin/orders`: orders, those that need the owner first; `.csv` saves all that the filter names. */
export function orderList(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .get(ORDERS, ({ request, owner }) => show(deps, request, owner), { ownerGuard: true })
    .get(`${ORDERS}.csv`, ({ request, owner }) => sendFile(deps, request, owner), { ownerGuard: true });
}

async function show(deps: RouteDeps, request: Request, owner: SessionPrincipal): Promise<Response> {
  const { orders } = deps.service.admin(owner);
  const address = new URL(request.url).searchParams;
  const query = readQuery(address);
  const now = deps.service.now();
  const isFirst = address.size === 0;
  const [page, urgent] = await Promise.all([
    orders.page(query, readPlace(address)),
    isFirst ? orders.page({ ...ANY_ORDER, attention: true }, null) : null,
  ]);
  return sendAdminPage(
    deps,
    owner,
    {
      current: ORDERS,
      title: 'Orders',
      lead: 'Sales arrive here from your payment providers; “bookstall sell check” says what is set up.',
      said: readFlash(Object.fromEntries(address)),
    },
    <>
      {urgent !== null && urgent.rows.length > 0 && <Urgent rows={urgent.rows} now={now} />}
      <Filter query={query} />
      <OrderTable
        caption="Orders, newest first"
        rows={page.rows}
        now={now}
        empty={<NoOrders isFiltered={!isFirst} />}
      />
      {page.rows.length > 0 && (
        <div class="actions">
          <ButtonLink href={addressOf(`${ORDERS}.csv`, query)} kind="quiet">
            Save as CSV
          </ButtonLink>
        </div>
      )}
      <Pager
        newer={page.newer && addressOf(ORDERS, query, page.newer)}
        older={page.older && addressOf(ORDERS, query, page.older)}
      />
    </>,
  );
}

function Urgent({ rows, now }: { rows: readonly PlacedOrder[]; now: number }) {
  return (
    <section>
      <h2>Need your attention</h2>
      <DataTable
        caption="Orders that need your attention, newest first"
        columns={['Order', 'State', 'What to look at']}
        rows={rows.map((order) => ({
          key: String(order.id),
          cells: [
            <a href={`${ORDERS}/${order.id}`}>{order.ref}</a>,
            <OrderBadge order={order} now={now} />,
            order.attention,
          ],
        }))}
        empty={null}
      />
    </section>
  );
}

function Filter({ query }: { query: OrderQuery }) {
  const states = ORDER_STATES.map((state) => ({ value: state, label: STATES[state] }));
  return (
    <form class="search" action={ORDERS} method="get" aria-label="Filter">
      <Select
        label="State"
        name="state"
        options={[{ value: '', label: 'Any' }, ...states]}
        value={query.state ?? ''}
      />
      <Field label="Buyer’s e-mail" name="email" type="search" value={query.email ?? ''} />
      <Button kind="quiet">Show</Button>
    </form>
  );
}

function OrderTable({
  caption,
  rows,
  now,
  empty,
}: {
  caption: string;
  rows: readonly PlacedOrder[];
  now: number;
  empty: ReturnType<typeof NoOrders>;
}) {
  return (
    <DataTable
      caption={caption}
      columns={['Order', 'When', 'State', 'Bought', 'Amount', 'Buyer', 'Account']}
      rows={rows.map((order) => ({
        key: String(order.id),
        cells: [
          <a href={`${ORDERS}/${order.id}`}>{order.ref}</a>,
          <When at={order.at} />,
          <OrderBadge order={order} now={now} />,
          goodsOf(order),
          moneyOf(order.amount, order.currency),
          order.email ?? 'erased',
          order.account ?? 'not claimed yet',
        ],
      }))}
      empty={empty}
    />
  );
}

function NoOrders({ isFiltered }: { isFiltered: boolean }) {
  if (!isFiltered)
    return <Empty>No orders yet. Set up a payment provider: “bookstall sell check” says how.</Empty>;
  return (
    <Empty
      action={
        <ButtonLink href={ORDERS} kind="quiet">
          Show all
        </ButtonLink>
      }
    >
      No orders match.
    </Empty>
  );
}

/** The filter in an address; anything malformed means any. */
function readQuery(address: URLSearchParams): OrderQuery {
  const state = address.get('state') ?? '';
  const isState = (text: string): text is OrderState => Object.hasOwn(STATES, text);
  return {
    ...ANY_ORDER,
    state: isState(state) ? state : null,
    email: address.get('email')?.trim() || null,
  };
}

function addressOf(path: string, { state, email }: OrderQuery, place: PagePlace = null): string {
  return addressAt(path, { state, email }, place);
}

/** Sends orders as CSV, the newest first: times in ISO 8601 UTC, amounts in minor units. */
function sendFile(
  { service, connections, requestLog }: RouteDeps,
  request: Request,
  owner: SessionPrincipal,
): Response {
  if (request.method === 'HEAD') return new Response(null, { headers: csvHeaders(FILE) });
  connections.allowSilence(request, STALLED);
  const steps = service.admin(owner).orders.rows(readQuery(new URL(request.url).searchParams));
  return csvAnswer(FILE, HEADER, records(steps, service.now()), requestLog.watch(request, `${ORDERS}.csv`));
}

async function* records(steps: AsyncGenerator<readonly PlacedOrder[]>, now: number) {
  for await (const orders of steps)
    yield orders.map((order) => [
      order.id,
      iso(order.at),
      order.provider,
      order.providerRef,
      order.ref,
      stateAt(order, now),
      order.email,
      order.account,
      goodsOf(order),
      order.quantity,
      order.amount,
      order.tax,
      order.refunded,
      order.currency,
      iso(order.until),
      iso(order.paidAt),
      iso(order.claimedAt),
      order.attention,
    ]);
}

function iso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
