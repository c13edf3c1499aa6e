import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { ORDER_STATES } from '../../../sales/order.ts';
import type { NameItem } from '../logs/log-table.tsx';
import { ANY_ORDER, type OrderQuery, pageOrders, type PlacedOrder } from '../../../service/orders.ts';
import { readFlash } from '../frame/flash-message.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { readPlace } from '../logs/place.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Empty } from '../parts/empty.tsx';
import { Field, Select } from '../parts/field.tsx';
import { Button, ButtonLink } from '../parts/form.tsx';
import { Pager } from '../parts/pager.tsx';
import { When } from '../parts/when.tsx';
import { sendAdminPage } from './admin-page.tsx';
import { orderAddress, readOrderQuery } from './order-address.ts';
import { sendOrderFile } from './order-file.ts';
import { moneyOf, OrderBadge, ORDERS, STATES, titlesOf } from './order-parts.tsx';
import { nameItem } from '../../../service/items.ts';

/** `GET /admin/orders`: orders, those that need the owner first; `.csv` saves all that the filter names. */
export function orderList(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .get(ORDERS, ({ request, owner }) => show(deps, request, owner), { ownerGuard: true })
    .get(`${ORDERS}.csv`, ({ request }) => sendOrderFile(deps, request), { ownerGuard: true });
}

async function show(deps: RouteDeps, request: Request, owner: SessionPrincipal): Promise<Response> {
  const { stall } = deps;
  const address = new URL(request.url).searchParams;
  const query = readOrderQuery(address);
  const now = stall.now();
  const isFirst = address.size === 0;
  const [page, urgent] = await Promise.all([
    pageOrders(stall, query, readPlace(address)),
    isFirst ? pageOrders(stall, { ...ANY_ORDER, attention: true }, null) : null,
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
