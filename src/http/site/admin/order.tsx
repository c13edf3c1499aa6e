import type { SessionPrincipal } from '../../../access/principal.ts';
import { isPaymentProvider, PROVIDER_NAMES } from '../../../payment-provider.ts';
import type { Fact } from '../../../sales/fact.ts';
import type { Order } from '../../../sales/order.ts';
import {
  attachOrder,
  grantOrder,
  linkToClaim,
  type OrderStory,
  readOrderStory,
  replayOrder,
} from '../../../service/orders.ts';
import type { NameItem } from '../logs.tsx';
import { handleForm, type Refused, withFlash } from '../frame/handle-form.ts';
import type { Http } from '../../http.ts';
import { DataTable, Facts, When } from '../parts/data-table.tsx';
import { Notice } from '../frame/page.tsx';
import { ACCOUNTS, ORDERS, sendAdminPage } from './office.tsx';
import { MAIL_KINDS, MAIL_STATES } from './mail.tsx';
import { moneyOf, OrderBadge, readNumber } from './orders.tsx';
import { nameItem } from '../../../service/items.ts';
import { ActButton, Button, CopyLine, Field, Form, QuietLink } from '../parts/form.tsx';
import { readForm } from '../../body.ts';
import { redirect } from '../../answer.ts';

/** `GET /admin/orders/:id`: an order, all that happened to it, and what the owner can do; after a refused form, with the reason. */
export async function showOrder(
  http: Http,
  owner: SessionPrincipal,
  id: number,
  { said = null, refused }: { said?: string | null; refused?: Refused },
): Promise<Response> {
  const story = await readOrderStory(http.stall, id);
  const { order } = story;
  return sendAdminPage(
    http,
    owner,
    {
      current: ORDERS,
      title: `Order ${order.ref}`,
      lead: <OrderBadge order={order} now={http.stall.now()} />,
      said,
      refused,
    },
    <>
      {order.attention !== null && <Notice kind="warn">{order.attention}</Notice>}
      <Details order={order} nameItem={(kind, key) => nameItem(http.stall, kind, key)} />
      <OrderForms order={order} />
      <Timeline facts={story.facts} currency={order.currency} />
      {story.mails.length > 0 && <Mails mails={story.mails} />}
    </>,
  );
}

type Naming = { readonly order: Order; readonly nameItem: NameItem };

function Details({ order, nameItem }: Naming) {
  const { provider, providerRef, amount, tax, refunded, currency, quantity } = order;
  const { isSubscription, until, accountId, account } = order;
  return (
    <Facts
      facts={[
        ['Bought', <Goods order={order} nameItem={nameItem} />],
        ['Buyer', order.email ?? 'erased'],
        [
          'Account',
          accountId === null ? 'not claimed yet' : <a href={`${ACCOUNTS}/${accountId}`}>{account}</a>,
        ],
        ['Amount', `${moneyOf(amount, currency)}${tax === 0 ? '' : `, ${moneyOf(tax, currency)} of it tax`}`],
        ['Given back', refunded === 0 ? null : moneyOf(refunded, currency)],
        ['Quantity', quantity <= 1 ? null : quantity],
        ['Paid', <When at={order.paidAt} withTime never="not yet" />],
        ['Paid until', isSubscription || until !== null ? <When at={until} never="no end" /> : null],
        ['Claimed', <When at={order.claimedAt} withTime never="not yet" />],
        [
          isPaymentProvider(provider) ? `Reference at ${PROVIDER_NAMES[provider]}` : 'Reference',
          <code>{providerRef}</code>,
        ],
      ]}
    />
  );
}

function Goods({ order: { bundle, items, products }, nameItem }: Naming) {
  if (items.length === 0) return <code>{products.join(', ')}</code>;
  return (
    <>
      {bundle !== null && `${bundle}: `}
      {items.map(({ kind, itemKey, slug }, n) => (
        <>
          {n > 0 && ', '}
          <a href={`/${kind}s/${slug}`}>{nameItem(kind, itemKey)?.title ?? slug}</a>
        </>
      ))}
    </>
  );
}

function Timeline({ facts, currency }: { facts: OrderStory['facts']; currency: string | null }) {
  return (
    <section>
      <h2>What happened</h2>
      <DataTable
        caption="Events of this order, oldest first"
        columns={{
          When: ({ at }) => <When at={at} withTime />,
          What: ({ fact }) => describeFact(fact, currency),
          Event: ({ type }) => type,
          From: ({ origin }) => origin,
        }}
        rows={facts}
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
        columns={{
          Mail: ({ kind }) => MAIL_KINDS[kind],
          To: ({ address }) => address,
          State: ({ state }) => MAIL_STATES[state],
          Sent: ({ sentAt }) => <When at={sentAt} withTime never="not yet" />,
        }}
        rows={mails}
      />
    </section>
  );
}

/** The forms for the owner's acts on an order. */
function OrderForms({ order }: { order: Order }) {
  const path = `${ORDERS}/${order.id}`;
  const isKnown = order.items.length > 0;
  return (
    <>
      {!isKnown && <Unmatched order={order} path={path} />}
      <section>
        <h2>Act on it</h2>
        <Form action={`${path}/attach`} label="Give it to an account">
          <div class="search">
            <Field
              label="Give it to the account of"
              name="email"
              type="email"
              value={order.account ?? order.email ?? ''}
              autocomplete="off"
              required
            />
            <Button kind="quiet">Give to account</Button>
          </div>
        </Form>
        <div class="actions">
          {isKnown && <ActButton action={`${path}/grant`}>Grant anyway</ActButton>}
          {order.claimedAt === null && order.email !== null && isKnown && (
            <ActButton action={`${path}/link`}>Create claim link</ActButton>
          )}
          <ActButton action={`${path}/replay`}>Read its events again</ActButton>
          {isKnown && <QuietLink href={`${path}/revoke`}>Revoke</QuietLink>}
          {order.state !== 'refunded' && <QuietLink href={`${path}/give-back`}>Mark as refunded</QuietLink>}
          <QuietLink href={`${path}/erase`}>Erase the buyer</QuietLink>
        </div>
      </section>
    </>
  );
}

/** A sale that no item names: grant it now, and the lines that make the next one match. */
function Unmatched({ order: { provider, products }, path }: { order: Order; path: string }) {
  // As YAML texts: some are digits alone.
  const ids = products.map((id) => JSON.stringify(id)).join(', ');
  return (
    <section class="stack">
      <h2>Which item is this?</h2>
      <Form action={`${path}/grant`} label="Say which item it is">
        <div class="search">
          <Field label="Slug of the item" name="slug" autocomplete="off" required />
          <Button>This is the item</Button>
        </div>
      </Form>
      {products.length > 0 && (
        <>
          <p>So that the next sale finds its item, add this to the item’s item.yaml:</p>
          <CopyLine text={`sell: {${provider}: [${ids}]}`} label="item.yaml" />
          <p>If it is not sold by this stall, add this to stall.yaml, and it is not shown again:</p>
          <CopyLine text={`notOurs: [${ids}]`} label="stall.yaml" />
        </>
      )}
    </section>
  );
}

/** `POST /admin/orders/:id/grant`: grants an order; the form names an item only if the sale matched none. */
export async function grantAnyway(http: Http, request: Request, owner: SessionPrincipal, number: string) {
  const isEmpty = request.headers.get('content-length') === '0';
  const slug = isEmpty ? '' : (await readForm(request)).text('slug').trim();
  return change(http, owner, number, 'order-granted', (id) =>
    grantOrder(http.stall, owner, id, slug === '' ? [] : [slug]),
  );
}

/** `POST /admin/orders/:id/attach`: gives an order to the account of an e-mail address. */
export async function giveToAccount(http: Http, request: Request, owner: SessionPrincipal, number: string) {
  const email = (await readForm(request)).text('email');
  return change(http, owner, number, 'order-attached', (id) => attachOrder(http.stall, owner, id, email));
}

/** `POST /admin/orders/:id/replay`: reads an order's events again. */
export function readAgain(http: Http, owner: SessionPrincipal, number: string): Promise<Response> {
  return change(http, owner, number, 'order-replayed', (id) => replayOrder(http.stall, owner, id));
}

/** Runs an act on an order and shows its page again; acts.tsx has the acts that ask first. */
function change(
  http: Http,
  owner: SessionPrincipal,
  number: string,
  word: Parameters<typeof withFlash>[1],
  act: (id: number) => Promise<unknown>,
): Promise<Response> {
  const id = readNumber(number);
  return handleForm(
    async () => {
      await act(id);
      return redirect(withFlash(`${ORDERS}/${id}`, word));
    },
    (refused) => showOrder(http, owner, id, { refused }),
  );
}

/** `POST /admin/orders/:id/link`: creates a link by which the buyer claims the order. No other page shows it. */
export function showClaimLink(http: Http, owner: SessionPrincipal, number: string): Promise<Response> {
  const id = readNumber(number);
  return handleForm(
    async () => {
      const link = await linkToClaim(http.stall, owner, id, http.viewOf(owner).origin);
      return sendAdminPage(
        http,
        owner,
        {
          current: ORDERS,
          title: 'Claim link',
          lead: `Send it to ${link.email} yourself: it is shown only once, and counts as the mail.`,
        },
        <>
          <section class="secret stack">
            <CopyLine text={link.url} label={`For ${link.email}`} />
            <p>
              The link leads to the purchase, and works once. It is valid until{' '}
              <When at={link.expiresAt} withTime />.
            </p>
          </section>
          <QuietLink href={`${ORDERS}/${id}`}>Back to the order</QuietLink>
        </>,
      );
    },
    (refused) => showOrder(http, owner, id, { refused }),
  );
}
