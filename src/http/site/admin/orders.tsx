import type { SessionPrincipal } from '../../../access/principal.ts';
import { isOrderState, type Order, ORDER_STATES, type OrderState, stateAt } from '../../../sales/order.ts';
import { type CsvColumns, iso, type NameItem, sendCsv } from '../logs.tsx';
import { ANY_ORDER, type OrderQuery, pagedOrders, type PlacedOrder } from '../../../service/orders.ts';
import { readFlash } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import { addressAt, DataTable, Empty, Pager, readPlace, When } from '../parts/data-table.tsx';
import { Button, ButtonLink, Field, Select } from '../parts/form.tsx';
import { ORDERS, sendAdminPage } from './admin-page.tsx';
import { nameItem } from '../../../service/items.ts';
import type { PagePlace } from '../../../service/logs.ts';
import { Refusal } from '../../../refusal.ts';
import { formatMoney } from '../../../item/price.ts';

/** `GET /admin/orders`: orders, those that need the owner first. */
export async function showOrders(http: Http, request: Request, owner: SessionPrincipal): Promise<Response> {
  const { stall } = http;
  const address = new URL(request.url).searchParams;
  const query = readOrderQuery(address);
  const now = stall.now();
  const isFirst = address.size === 0;
  const [page, urgent] = await Promise.all([
    pagedOrders(stall, query).page(readPlace(address)),
    isFirst ? pagedOrders(stall, { ...ANY_ORDER, attention: true }).page(null) : null,
  ]);
  return sendAdminPage(
    http,
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
        nameItem={(kind, key) => nameItem(stall, kind, key)}
        now={now}
        empty={<NoOrders isFiltered={!isFirst} />}
      />
      {page.rows.length > 0 && (
        <div class="actions">
          <ButtonLink href={orderAddress(`${ORDERS}.csv`, query)} kind="quiet">
            Save as CSV
          </ButtonLink>
        </div>
      )}
      <Pager
        newer={page.newer && orderAddress(ORDERS, query, page.newer)}
        older={page.older && orderAddress(ORDERS, query, page.older)}
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
  nameItem,
  now,
  empty,
}: {
  caption: string;
  rows: readonly PlacedOrder[];
  nameItem: NameItem;
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
          titlesOf(order, nameItem),
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

/** The filter in an address of the list of orders; a malformed value means any. */
function readOrderQuery(address: URLSearchParams): OrderQuery {
  const state = address.get('state') ?? '';
  return {
    ...ANY_ORDER,
    state: isOrderState(state) ? state : null,
    email: address.get('email')?.trim() || null,
  };
}

/** The address of a list, or of its file, with this filter. */
function orderAddress(path: string, { state, email }: OrderQuery, place: PagePlace = null): string {
  return addressAt(path, { state, email }, place);
}

/** Each state in words that an owner knows from other shops. */
const STATES: Readonly<Record<OrderState, string>> = {
  unmatched: 'No item',
  held: 'Held',
  pending: 'Payment pending',
  failed: 'Payment failed',
  paid: 'Paid',
  disputed: 'Disputed',
  lost: 'Dispute lost',
  refunded: 'Refunded',
  ended: 'Ended',
};

const LOOKS: Readonly<Partial<Record<OrderState, string>>> = {
  paid: 'badge good',
  unmatched: 'badge bad',
  held: 'badge bad',
  disputed: 'badge bad',
  lost: 'badge bad',
};

/** An order's state at a time as a badge. */
export function OrderBadge({ order, now }: { order: Order; now: number }) {
  const state = stateAt(order, now);
  return <span class={LOOKS[state] ?? 'badge'}>{STATES[state]}</span>;
}

/** The bundle or items of an order by their slugs; if they are unknown, the provider's ids. */
function goodsOf({ bundle, items, products }: Order): string {
  return bundle ?? (items.length > 0 ? items.map(({ slug }) => slug) : products).join(', ');
}

/** What was bought, by the titles that the items have now. */
function titlesOf(order: Order, nameItem: NameItem): string {
  if (order.bundle !== null || order.items.length === 0) return goodsOf(order);
  return order.items.map(({ kind, itemKey, slug }) => nameItem(kind, itemKey)?.title ?? slug).join(', ');
}

/** An amount of the order's currency; a sale of nothing yet has none. */
export function moneyOf(amount: number, currency: string | null): string {
  return currency === null ? '–' : formatMoney(amount, currency);
}

/** The number in an order's address. Refuses not-found. */
export function readNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Refusal('not-found', 'Cannot find this order: open it from the list of orders');
}

const FILE = 'bookstall-orders.csv';

/** The columns: times in ISO 8601 UTC, amounts in minor units. A new column is one line here. */
const columnsAt = (now: number): CsvColumns<PlacedOrder> => ({
  id: ({ id }) => id,
  time: ({ at }) => iso(at),
  provider: ({ provider }) => provider,
  provider_ref: ({ providerRef }) => providerRef,
  ref: ({ ref }) => ref,
  state: (order) => stateAt(order, now),
  email: ({ email }) => email,
  account: ({ account }) => account,
  items: goodsOf,
  quantity: ({ quantity }) => quantity,
  amount: ({ amount }) => amount,
  tax: ({ tax }) => tax,
  refunded: ({ refunded }) => refunded,
  currency: ({ currency }) => currency,
  until: ({ until }) => iso(until),
  paid_at: ({ paidAt }) => iso(paidAt),
  claimed_at: ({ claimedAt }) => iso(claimedAt),
  attention: ({ attention }) => attention,
});

/** `GET /admin/orders.csv`: the orders that the filter names, the newest first. */
export function sendOrderFile(http: Http, request: Request): Response {
  const orders = pagedOrders(http.stall, readOrderQuery(new URL(request.url).searchParams)).all();
  return sendCsv(http, request, `${ORDERS}.csv`, FILE, columnsAt(http.stall.now()), orders);
}
