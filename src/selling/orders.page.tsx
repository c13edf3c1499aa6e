import type { SessionPrincipal } from '../platform/base/principal.ts';
import { isOrderState, nameOrder, type Order, ORDER_STATES, type OrderState, stateAt } from './order.rule.ts';
import { type CsvColumns, iso, sendCsv } from '../accounts/written-answer.ts';
import { ANY_ORDER, type OrderQuery, pagedOrders, type PlacedOrder } from './order.ts';
import { readFlash } from '../platform/site/handle-form.ts';
import type { Http, Stall } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
import {
  addressAt,
  type Columns,
  DataTable,
  Empty,
  NoMatch,
  Pager,
  readPlace,
  SaveCsv,
  When,
} from '../platform/site/data-table.tsx';
import { Button, Field, QuietLink, Select } from '../platform/site/form.tsx';
import { sendAdminPage } from '../office/office.part.tsx';
import { nameItem } from '../catalog/items.ts';
import { Refusal } from '../platform/base/refusal.ts';
import type { OfferedItem } from '../catalog/item.rule.ts';
import { formatMoney } from '../catalog/price.rule.ts';
import { ORDERS } from '../platform/site/paths.ts';

/** `GET /admin/orders`: shows orders; those that the owner must look at come first. */
export function showOrders(http: Http, owner: SessionPrincipal, typed: Query): Response {
  const { stall } = http;
  const query = readOrderQuery(typed);
  const { Order, State } = orderColumns(stall);
  const isFirst = Object.keys(typed).length === 0;
  const [page, urgent] = [
    pagedOrders(stall, query).page(readPlace(typed)),
    isFirst ? pagedOrders(stall, { ...ANY_ORDER, attention: true }).page(null) : null,
  ];
  return sendAdminPage(
    http,
    owner,
    {
      current: ORDERS,
      title: 'Orders',
      lead: 'Sales arrive here from your payment providers; “bookstall sell check” says what is set up.',
      said: readFlash(typed),
    },
    <>
      {urgent !== null && urgent.rows.length > 0 && (
        <section>
          <h2>Need your attention</h2>
          <DataTable
            caption="Orders that need your attention, newest first"
            columns={{ Order, State, 'What to look at': ({ attention }) => attention }}
            rows={urgent.rows}
          />
        </section>
      )}
      {(!isFirst || page.rows.length > 0) && (
        <form class="search" action={ORDERS} method="get" aria-label="Filter">
          <Select label="State" name="state" any="Any" options={STATE_NAMES} value={query.state ?? ''} />
          <Field label="Buyer’s e-mail" name="email" type="search" value={query.email ?? ''} />
          <Button kind="quiet">Show</Button>
        </form>
      )}
      <DataTable
        caption="Orders, newest first"
        columns={{
          ...orderColumns(stall),
          Buyer: ({ email }: Order) => email ?? 'erased',
          Account: ({ email, account }: Order) =>
            account === null ? 'none yet' : account === email ? 'the same' : account,
        }}
        rows={page.rows}
        empty={
          isFirst ? (
            <Empty action={<QuietLink href="/admin">What is left to do</QuietLink>}>
              No orders yet. Set up a payment provider, as with “bookstall sell setup stripe”.
            </Empty>
          ) : (
            <NoMatch path={ORDERS}>No orders match.</NoMatch>
          )
        }
      />
      {page.rows.length > 0 && <SaveCsv href={addressAt(`${ORDERS}.csv`, query, null)} />}
      <Pager newer={page.newer} older={page.older} to={(place) => addressAt(ORDERS, query, place)} />
    </>,
  );
}

/** Reads the filter of the list of orders from an address. A malformed value is ignored. */
function readOrderQuery(typed: Query): OrderQuery {
  const state = typed['state'] ?? '';
  return {
    state: isOrderState(state) ? state : null,
    email: typed['email']?.trim() || null,
    since: null,
    attention: false,
  };
}

/** The name of each state, as other shops call it. */
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

const STATE_NAMES = ORDER_STATES.map((state) => [state, STATES[state]] as const);

const STATE_CLASSES: Readonly<Partial<Record<OrderState, string>>> = {
  paid: 'badge good',
  unmatched: 'badge warn',
  held: 'badge warn',
  disputed: 'badge warn',
  lost: 'badge bad',
};

/** Shows an order's state at the time `now`. */
export function OrderBadge({ order, now }: { order: Order; now: number }) {
  const state = stateAt(order, now);
  return (
    <>
      <span class={STATE_CLASSES[state] ?? 'badge'}>{STATES[state]}</span>
      {order.isTest && (
        <>
          {' '}
          <span class="badge">Test</span>
        </>
      )}
    </>
  );
}

/** The columns shared by all lists of orders. */
export const orderColumns = (stall: Stall) =>
  ({
    Order: (order) => <a href={`${ORDERS}/${order.id}`}>{nameOrder(order)}</a>,
    State: (order) => <OrderBadge order={order} now={stall.now()} />,
    Amount: ({ amount, currency }) => moneyOf(amount, currency),
    When: ({ at }) => <When at={at} />,
    Bought: (order) =>
      stall.manifest().bundles.find(({ slug }) => slug === order.bundle)?.title ??
      goodsOf(order, ({ kind, itemKey, slug }) => nameItem(stall, kind, itemKey)?.title ?? slug),
  }) satisfies Columns<Order>;

/** Returns the goods of an order: the slug of its bundle, else its items, else the provider's ids of the products. */
const goodsOf = ({ bundle, items, products }: Order, nameOf: (item: OfferedItem) => string): string =>
  bundle ?? (items.length > 0 ? items.map(nameOf) : products).join(', ');

/** Writes an amount in the order's currency, or a dash before the first payment, when the currency is unknown. */
export const moneyOf = (amount: number, currency: string | null): string =>
  currency === null ? '–' : formatMoney(amount, currency);

/** Reads the number in an order's address. A malformed one is answered as not found. */
export function readNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw Refusal.missing('Cannot find this order: open it from the list of orders');
}

/** The columns of the CSV file of orders. Times are in ISO 8601 UTC, and amounts in minor units such as cents. */
const columnsAt = (now: number): CsvColumns<PlacedOrder> => ({
  id: ({ id }) => id,
  time: ({ at }) => iso(at),
  provider: ({ provider }) => provider,
  provider_ref: ({ providerRef }) => providerRef,
  ref: ({ ref }) => ref,
  number: ({ number }) => number,
  state: (order) => stateAt(order, now),
  email: ({ email }) => email,
  account: ({ account }) => account,
  items: (order) => goodsOf(order, ({ slug }) => slug),
  quantity: ({ quantity }) => quantity,
  amount: ({ amount }) => amount,
  tax: ({ tax }) => tax,
  refunded: ({ refunded }) => refunded,
  currency: ({ currency }) => currency,
  until: ({ until }) => iso(until),
  paid_at: ({ paidAt }) => iso(paidAt),
  claimed_at: ({ claimedAt }) => iso(claimedAt),
  attention: ({ attention }) => attention,
  test: ({ isTest }) => (isTest ? 'test' : null),
});

/** `GET /admin/orders.csv`: sends the orders that the filter selects, newest first. */
export function sendOrderFile(http: Http, request: Request, query: Query): Promise<Response> {
  const orders = pagedOrders(http.stall, readOrderQuery(query)).all();
  const file = { route: `${ORDERS}.csv`, name: 'bookstall-orders.csv', columns: columnsAt(http.stall.now()) };
  return sendCsv(http, request, file, orders);
}
