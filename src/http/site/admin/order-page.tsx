import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { isPaymentProvider, PROVIDER_NAMES } from '../../../payment-provider.ts';
import { Refusal } from '../../../refusal.ts';
import type { Fact } from '../../../sales/fact.ts';
import type { Order } from '../../../sales/order.ts';
import { type OrderStory, readOrderStory } from '../../../service/orders.ts';
import type { NameItem } from '../logs/log-table.tsx';
import { readFlash } from '../frame/flash-message.ts';
import type { Refused } from '../frame/handle-form.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Notice } from '../parts/notice.tsx';
import { When } from '../parts/when.tsx';
import { ACCOUNTS } from './account-list.tsx';
import { sendAdminPage } from './admin-page.tsx';
import { MAIL_KINDS, MAIL_STATES } from './mail-words.ts';
import { OrderForms } from './order-forms.tsx';
import { moneyOf, OrderBadge, ORDERS } from './order-parts.tsx';
import { nameItem } from '../../../service/items.ts';

/** `GET /admin/orders/:id`: an order, all that happened to it, and what the owner can do. */
export function orderPage(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .get(
      `${ORDERS}/:id`,
      ({ params, query, owner }) => showOrder(deps, owner, readNumber(params.id), { said: readFlash(query) }),
      { ownerGuard: true },
    );
}

/** The number in an order's address. Refuses not-found. */
export function readNumber(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  throw new Refusal('not-found', 'Cannot find this order: open it from the list of orders');
}

/** Sends an order's page; after a refused form, with the reason. */
export async function showOrder(
  deps: RouteDeps,
  owner: SessionPrincipal,
  id: number,
  { said = null, refused }: { said?: string | null; refused?: Refused },
): Promise<Response> {
  const story = await readOrderStory(deps.stall, id);
  const { order } = story;
  return sendAdminPage(
    deps,
    owner,
    {
      current: ORDERS,
      title: `Order ${order.ref}`,
      lead: <OrderBadge order={order} now={deps.stall.now()} />,
      said,
      refused: refused ?? null,
    },
    <>
      {order.attention !== null && <Notice kind="warn">{order.attention}</Notice>}
      <Details order={order} nameItem={(kind, key) => nameItem(deps.stall, kind, key)} />
      <OrderForms order={order} />
      <Timeline facts={story.facts} currency={order.currency} />
      {story.mails.length > 0 && <Mails mails={story.mails} />}
    </>,
  );
}

type Naming = { readonly order: Order; readonly nameItem: NameItem };

function Details({ order, nameItem }: Naming) {
  const { provider, providerRef, amount, tax, refunded, currency, quantity, until, accountId, account } =
    order;
  const rows: readonly (readonly [string, preact.ComponentChildren])[] = [
    ['Bought', <Goods order={order} nameItem={nameItem} />],
    ['Buyer', order.email ?? 'erased'],
    ['Account', accountId === null ? 'not claimed yet' : <a href={`${ACCOUNTS}/${accountId}`}>{account}</a>],
    ['Amount', `${moneyOf(amount, currency)}${tax === 0 ? '' : `, ${moneyOf(tax, currency)} of it tax`}`],
    ...(refunded === 0 ? [] : [['Given back', moneyOf(refunded, currency)] as const]),
    ...(quantity <= 1 ? [] : [['Quantity', String(quantity)] as const]),
    ['Paid', <When at={order.paidAt} withTime never="not yet" />],
    ...(order.isSubscription || until !== null
      ? [['Paid until', <When at={until} never="no end" />] as const]
      : []),
    ['Claimed', <When at={order.claimedAt} withTime never="not yet" />],
    [
      isPaymentProvider(provider) ? `Reference at ${PROVIDER_NAMES[provider]}` : 'Reference',
      <code>{providerRef}</code>,
    ],
  ];
  return (
    <dl class="facts">
      {rows.map(([name, value]) => (
        <>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </>
      ))}
    </dl>
  );
}

function Goods({ order: { bundle, items, products }, nameItem }: Naming) {
  if (items.length === 0) return <code>{products.join(', ')}</code>;
  const links = items.map(({ kind, itemKey, slug }, n) => (
    <>
      {n > 0 && ', '}
      <a href={`/${kind}s/${slug}`}>{nameItem(kind, itemKey)?.title ?? slug}</a>
    </>
  ));
  return bundle === null ? (
    <>{links}</>
  ) : (
    <>
      {bundle}: {links}
    </>
  );
}

function Timeline({ facts, currency }: { facts: OrderStory['facts']; currency: string | null }) {
  return (
    <section>
      <h2>What happened</h2>
      <DataTable
        caption="Events of this order, oldest first"
        columns={['When', 'What', 'Event', 'From']}
        rows={facts.map(({ at, number, eventId, fact, type, origin }) => ({
          key: `${eventId} ${number} ${at}`,
          cells: [<When at={at} withTime />, describeFact(fact, currency), type, origin],
        }))}
        empty={<p>Nothing is known of this order any more.</p>}
      />
    </section>
  );
}

/** A fact in a few words. */
function describeFact(fact: Fact, currency: string | null): string {
  switch (fact.kind) {
    case 'buyer':
      return `Bought${fact.email === null ? '' : ` by ${fact.email}`}`;
    case 'payment':
      return `Payment ${fact.state}: ${moneyOf(fact.amount, fact.currency)}`;
    case 'refund':
      return `Refund: ${moneyOf(fact.amount, currency)}${fact.isTotal ? ' in all' : ''}`;
    case 'dispute':
      return `Dispute: ${fact.state}`;
    case 'subscription':
      return `Subscription: ${fact.state}`;
    case 'tie':
      return 'Two numbers of one payment';
    case 'note':
      return fact.text;
    case 'grant':
      return 'Granted by you';
    case 'revoke':
      return 'Revoked by you';
    case 'give-back':
      return 'Marked as refunded by you';
    case 'attach':
      return fact.by === 'owner' ? 'Given to an account by you' : 'Claimed by the buyer';
    case 'gift':
      return 'Turned into a present';
  }
}

function Mails({ mails }: { mails: OrderStory['mails'] }) {
  return (
    <section>
      <h2>Mail</h2>
      <DataTable
        caption="Mails about this order"
        columns={['Mail', 'To', 'State', 'Sent']}
        rows={mails.map(({ id, kind, address, state, sentAt }) => ({
          key: String(id),
          cells: [
            MAIL_KINDS[kind],
            address,
            MAIL_STATES[state],
            <When at={sentAt} withTime never="not yet" />,
          ],
        }))}
        empty={null}
      />
    </section>
  );
}
