import { OfficeRefusal } from '../platform/base/told.ts';
import type { Office } from '../words/office.ts';
import { officeOf } from '../platform/site/words.tsx';
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
import { goodsOf, orderColumns, orderState } from './orders.part.tsx';
import { ORDERS, SELLING } from '../platform/site/linked-pages.ts';
import { readRowId } from '../platform/base/text.ts';

/** `GET /admin/orders`: shows orders. Without a filter, those that ask for the owner's attention come first. */
export function showOrders(http: Http, owner: SessionPrincipal, typed: Query): Response {
  const w = officeOf(http, owner);
  const { stall } = http;
  const query = readOrderQuery(typed);
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
      title: w.orders.title,
      lead: w.orders.lead({ link: (text) => <a href={SELLING}>{text}</a> }),
      said: readFlash(typed),
    },
    <>
      {urgent !== null && urgent.rows.length > 0 && (
        <section>
          <h2>{w.orders.attentionTitle}</h2>
          <DataTable
            caption={w.orders.attentionCaption}
            columns={{
              ...orderState(w, stall),
              [w.orders.attention]: ({ attention }) => <span lang="en">{attention}</span>,
            }}
            rows={urgent.rows}
          />
        </section>
      )}
      {(!isFirst || page.rows.length > 0) && (
        <form class="search" action={ORDERS} method="get" aria-label={w.orders.filter}>
          <Select
            label={w.common.state}
            name="state"
            any={w.orders.any}
            options={STATE_NAMES(w)}
            value={query.state ?? ''}
          />
          <Field label={w.orders.email} name="email" type="search" value={query.email ?? ''} />
          <Button kind="quiet">{w.orders.filterButton}</Button>
        </form>
      )}
      <DataTable
        caption={w.orders.caption}
        columns={{
          ...orderColumns(w, stall),
          [w.common.buyer]: ({ email }: Order) => email ?? w.order.erased,
          [w.common.account]: ({ email, account }: Order) =>
            account === null ? w.orders.noAccount : account === email ? w.orders.sameAccount : account,
        }}
        rows={page.rows}
        empty={
          isFirst ? (
            <Empty action={<QuietLink href="/admin">{w.orders.stepsLink}</QuietLink>}>
              {w.orders.noOrders}
            </Empty>
          ) : (
            <NoMatch path={ORDERS}>{w.orders.noMatch}</NoMatch>
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

const STATE_NAMES = (w: Office) => ORDER_STATES.map((state) => [state, w.orders.states[state]] as const);

export function readNumber(text: string): number {
  const number = readRowId(text);
  if (number !== null) return number;
  throw new OfficeRefusal('not-found', (r) => r.noOrder);
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
