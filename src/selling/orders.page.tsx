import type { SessionPrincipal } from '../platform/base/principal.ts';
import { isOrderState, type Order, ORDER_STATES, stateAt } from './order.rule.ts';
import { type CsvColumns, iso, sendCsv } from '../accounts/written-answer.ts';
import { ANY_ORDER, type OrderQuery, pagedOrders, type PlacedOrder } from './order.ts';
import { readFlash } from '../platform/site/handle-form.ts';
import type { Http } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
import {
  addressAt,
  DataTable,
  Empty,
  NoMatch,
  Pager,
  readPlace,
  SaveCsv,
} from '../platform/site/data-table.tsx';
import { Button, Field, QuietLink, Select } from '../platform/site/form.tsx';
import { sendAdminPage } from '../office/office.part.tsx';
import { Refusal } from '../platform/base/refusal.ts';
import { goodsOf, orderColumns, STATES } from './orders.part.tsx';
import { ORDERS, SELLING } from '../platform/site/paths.ts';
import { readRowId } from '../platform/base/text.ts';

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
      lead: (
        <>
          Sales arrive here from the payment providers that are connected at <a href={SELLING}>Selling</a>.
        </>
      ),
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
              No orders yet. They arrive by themselves once a payment provider is connected.
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

function readOrderQuery(typed: Query): OrderQuery {
  const state = typed['state'] ?? '';
  return {
    state: isOrderState(state) ? state : null,
    email: typed['email']?.trim() || null,
    since: null,
    attention: false,
  };
}

const STATE_NAMES = ORDER_STATES.map((state) => [state, STATES[state]] as const);

/** Reads the number in an order's address. A malformed one is answered as not found. */
export function readNumber(text: string): number {
  const number = readRowId(text);
  if (number !== null) return number;
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

export function sendOrderFile(http: Http, request: Request, query: Query): Promise<Response> {
  const orders = pagedOrders(http.stall, readOrderQuery(query)).all();
  const file = { route: `${ORDERS}.csv`, name: 'bookstall-orders.csv', columns: columnsAt(http.stall.now()) };
  return sendCsv(http, request, file, orders);
}
