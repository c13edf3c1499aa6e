import type { SessionPrincipal } from '../platform/base/principal.ts';
import { isPaymentProvider, type PaymentProvider, PROVIDER_NAMES } from '../words/payment-provider.ts';
import type { Fact } from './fact.rule.ts';
import { MONEY_BACK } from './fold.rule.ts';
import { nameOrder, type Order, type OrderState, stateAt } from './order.rule.ts';
import {
  attachOrder,
  eraseOrder,
  findOrder,
  giveBackOrder,
  grantOrder,
  linkToClaim,
  type OrderStory,
  readOrderStory,
  replayOrder,
  revokeOrder,
} from './order.ts';
import type { Stall, Http } from './stall.ts';
import {
  type FlashWord,
  handleForm,
  type FormEnd,
  redirectSaying,
  type Refused,
} from '../platform/site/handle-form.ts';
import { DataTable, Facts, When } from '../platform/site/data-table.tsx';
import { Notice } from '../platform/site/page.tsx';
import { inOffice, sendAdminPage, sendLink } from '../office/office.part.tsx';
import { MAIL, KIND_NAMES, STATE_NAMES } from './mail.page.tsx';
import { readNumber } from './orders.page.tsx';
import { nameItem } from '../accounts/items.ts';
import {
  ActButton,
  Button,
  ButtonLink,
  CopyLine,
  DangerLink,
  EmailField,
  Field,
  Form,
  More,
  QuietLink,
} from '../platform/site/form.tsx';
import { readForm } from '../platform/http/body.ts';
import { type ActRoutes, actRoutes, type Asking as AskingOf } from '../platform/site/act.tsx';
import { ACCOUNTS, ORDERS } from '../platform/site/paths.ts';
import { moneyOf, OrderBadge } from './orders.part.tsx';

export function showOrder(
  http: Http,
  owner: SessionPrincipal,
  id: number,
  { said, refused }: FormEnd,
): Response {
  const story = readOrderStory(http.stall, id);
  const { order } = story;
  const state = stateAt(order, http.stall.now());
  const wait = waitsFor(story, state);
  const mailed = http.stall.outbox.sends ? story.mails.find(isClaimMail) : undefined;
  return sendAdminPage(
    http,
    owner,
    {
      current: ORDERS,
      title: `Order ${nameOrder(order)}`,
      lead: (
        <>
          <OrderBadge order={order} now={http.stall.now()} />{' '}
          {wait === null ? WAITS[state] : 'The buyer has not added it to an account yet.'}
        </>
      ),
      actions: wait === 'link' && (
        <Form action={mailed === undefined ? `${ORDERS}/${id}/link` : `${MAIL}/${mailed.id}/send`}>
          <Button>{mailed === undefined ? 'Create claim link' : 'Mail the link again'}</Button>
        </Form>
      ),
      said,
      refused,
    },
    <>
      {order.attention !== null && <Notice kind="warn">{order.attention}</Notice>}
      {order.attention?.startsWith(MONEY_BACK) && <AskedBack order={order} />}
      {order.items.length === 0 && <Unmatched order={order} path={`${ORDERS}/${id}`} />}
      {wait === 'account' && <GiveToAccount order={order} kind="primary" />}
      {details(http.stall, order)}
      <section>
        <h2>What happened</h2>
        <DataTable
          caption="Events of this order, oldest first"
          columns={{
            When: ({ at }) => <When at={at} withTime />,
            What: ({ fact }) => describeFact(fact, order.currency),
            Event: ({ type }) => type,
            From: ({ origin }) => origin,
          }}
          rows={story.facts}
          empty={<p>Nothing is known of this order any more.</p>}
        />
      </section>
      {story.mails.length > 0 && (
        <section>
          <h2>Mail</h2>
          <DataTable
            caption="Mails about this order"
            columns={{
              Mail: ({ kind }) => KIND_NAMES[kind],
              To: ({ address }) => address,
              State: ({ state: one }) => STATE_NAMES[one],
              Sent: ({ sentAt }) => <When at={sentAt} withTime never="not yet" />,
            }}
            rows={story.mails}
          />
        </section>
      )}
      <More acts={listMore(order, state, wait, mailed !== undefined)} />
    </>,
  );
}

/** Where the owner gives the money back, at each provider. Stripe finds a payment by each of its ids. */
const PAYMENTS: Readonly<Record<PaymentProvider, string>> = {
  stripe: 'https://dashboard.stripe.com/search?query=',
  polar: 'https://polar.sh/dashboard',
  lemonsqueezy: 'https://app.lemonsqueezy.com/orders',
  gumroad: 'https://gumroad.com/customers',
};

function AskedBack({ order: { id, provider, providerRef } }: { order: Order }) {
  return (
    <div class="actions">
      {isPaymentProvider(provider) && (
        <ButtonLink
          href={`${PAYMENTS[provider]}${provider === 'stripe' ? encodeURIComponent(providerRef) : ''}`}
        >
          Give it back at {PROVIDER_NAMES[provider]}
        </ButtonLink>
      )}
      <ActButton action={`${ORDERS}/${id}/grant`}>Decline</ActButton>
    </div>
  );
}

function details(stall: Stall, order: Order) {
  const { provider, providerRef, amount, tax, refunded, currency, quantity } = order;
  const { isSubscription, until, accountId, account, bundle, items, products, copies, copiesUsed } = order;
  const titles = items.map(({ kind, itemKey, slug }, n) => (
    <>
      {n > 0 && ', '}
      <a href={`/${kind}s/${slug}`}>{nameItem(stall, kind, itemKey)?.title ?? slug}</a>
    </>
  ));
  const reference = isPaymentProvider(provider) ? `Reference at ${PROVIDER_NAMES[provider]}` : 'Reference';
  return (
    <Facts
      facts={[
        [
          'Bought',
          items.length === 0 ? <code>{products.join(', ')}</code> : [bundle && `${bundle}: `, titles],
        ],
        ['Buyer', order.email ?? 'erased'],
        [
          'Account',
          accountId === null ? 'not claimed yet' : <a href={`${ACCOUNTS}/${accountId}`}>{account}</a>,
        ],
        ['Amount', `${moneyOf(amount, currency)}${tax === 0 ? '' : `, ${moneyOf(tax, currency)} of it tax`}`],
        ['Given back', refunded === 0 ? null : moneyOf(refunded, currency)],
        ['Quantity', quantity <= 1 ? null : quantity],
        ['Copies for others', copies === 0 ? null : `${copiesUsed} of ${copies} used`],
        ['Paid', <When at={order.paidAt} withTime never="not yet" />],
        ['Paid until', isSubscription || until !== null ? <When at={until} never="no end" /> : null],
        ['Claimed', order.claimedAt && <When at={order.claimedAt} withTime />],
        [reference, <code>{providerRef}</code>],
      ]}
    />
  );
}

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
    case 'page':
      return fact.of === 'receipt' ? 'A receipt' : 'A page to manage the subscription';
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
    case 'ask-back':
      return `Asked for the money back${fact.reason === '' ? '' : `: ${fact.reason}`}`;
  }
}

const WAITS: Readonly<Partial<Record<OrderState, string>>> = {
  pending: 'It opens for the buyer once the payment arrives.',
  failed: 'The payment failed, so that nothing was opened.',
  disputed: 'It is closed until the dispute is won.',
  lost: 'The dispute was lost, and the buyer can no longer read it.',
  refunded: 'The money was given back, and the buyer can no longer read it.',
  ended: 'It ended, and the buyer can no longer read it.',
};

/**
 * Returns how a paid order gets its account: 'link' if the buyer opens a mailed link, 'account' if the owner chooses one; null
 * if it needs none.
 */
function waitsFor({ order, facts }: OrderStory, state: OrderState): 'link' | 'account' | null {
  const isGiven = facts.some(({ fact }) => fact.kind === 'gift');
  if (state !== 'paid' || order.account !== null || isGiven || order.items.length === 0) return null;
  return order.email === null ? 'account' : 'link';
}

/** Reports whether this mail has the link that claims the order, and was sent or has failed for good. */
const isClaimMail = ({ kind, state }: OrderStory['mails'][number]): boolean =>
  kind === 'claim' && (state === 'sent' || state === 'failed');

function GiveToAccount({ order: { id, account, email }, kind }: { order: Order; kind: 'primary' | 'quiet' }) {
  return (
    <Form action={`${ORDERS}/${id}/attach`} label="Give it to an account">
      <div class="search">
        <EmailField label="Give it to the account of" value={account ?? email ?? ''} autocomplete="off" />
        <Button kind={kind}>Give to account</Button>
      </div>
    </Form>
  );
}

/** Lists the rarer actions on an order. The names of those that ask for confirmation end in "…". */
function listMore(order: Order, state: OrderState, wait: ReturnType<typeof waitsFor>, isMailed: boolean) {
  const { id, items, email, amount, refunded, attention } = order;
  const [isKnown, isOver] = [items.length > 0, ['refunded', 'lost', 'failed'].includes(state)];
  const canGiveBack = refunded < amount && !isOver && state !== 'pending';
  const rows = [
    [wait === 'link' && isMailed, 'link', 'Create claim link', 'For you to send, if no mail arrives.'],
    [
      isKnown && (state !== 'paid' || attention !== null),
      'grant',
      'Grant anyway',
      'Opens the items, whatever the provider said.',
    ],
    [true, 'replay', 'Read its events again', 'Works the order out again from what the provider sent.'],
    [isKnown && state === 'paid', 'revoke', 'Revoke…', 'The buyer can no longer read, install or ask it.'],
    [
      canGiveBack,
      'give-back',
      'Mark as refunded…',
      'The order ends. No money moves: you gave it back yourself.',
    ],
    [
      email !== null,
      'erase',
      'Erase the buyer…',
      'Deletes the address and the bodies of its events for good.',
    ],
  ] as const;
  const acts = rows.flatMap(([isOffered, act, name, words]) => {
    const path = `${ORDERS}/${id}/${act}`;
    const button = name.endsWith('…') ? (
      <DangerLink href={path}>{name}</DangerLink>
    ) : (
      <ActButton action={path}>{name}</ActButton>
    );
    return isOffered ? [[button, words] as const] : [];
  });
  if (wait === 'account' || isOver) return acts;
  return [
    [<GiveToAccount order={order} kind="quiet" />, 'The order is that account’s from then on.'] as const,
    ...acts,
  ];
}

/**
 * The part of the page for a sale that matches no item: a form that grants one now, and the configuration for the next sale.
 */
function Unmatched({ order: { provider, products }, path }: { order: Order; path: string }) {
  // Written as YAML strings, since some ids are all digits.
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

/** `POST /admin/orders/:id/grant`: grants the order's items. If the sale matched no item, the form names one. */
export async function grantAnyway(http: Http, request: Request, owner: SessionPrincipal, number: string) {
  const isEmpty = request.headers.get('content-length') === '0';
  const slug = isEmpty ? '' : (await readForm(request)).text('slug').trim();
  return change(http, owner, number, 'order-granted', (id) =>
    grantOrder(http.stall, owner, id, slug === '' ? [] : [slug]),
  );
}

export async function giveToAccount(http: Http, request: Request, owner: SessionPrincipal, number: string) {
  const email = (await readForm(request)).text('email');
  return change(http, owner, number, 'order-attached', (id) => attachOrder(http.stall, owner, id, email));
}

/** `POST /admin/orders/:id/replay`: computes the order again from the stored events of its provider. */
export function readAgain(http: Http, owner: SessionPrincipal, number: string): Promise<Response> {
  return change(http, owner, number, 'order-replayed', (id) => replayOrder(http.stall, owner, id));
}

/** Runs an action on an order and shows the order's page again. Actions that ask for confirmation are in `ORDER_ACTS`. */
function change(
  http: Http,
  owner: SessionPrincipal,
  number: string,
  word: FlashWord,
  act: (id: number) => Promise<unknown>,
): Promise<Response> {
  const id = readNumber(number);
  return handleForm(
    async () => {
      await act(id);
      return redirectSaying(`${ORDERS}/${id}`, word);
    },
    (refused) => showOrder(http, owner, id, { refused }),
  );
}

/** `POST /admin/orders/:id/link`: makes a link by which the buyer claims the order, and shows it once. */
export function showClaimLink(http: Http, owner: SessionPrincipal, number: string): Promise<Response> {
  const id = readNumber(number);
  return handleForm(
    async () => {
      const link = await linkToClaim(http.stall, owner, id, http.viewOf(owner).origin);
      const lead = `Send it to ${link.email} yourself: it is shown only once, and counts as the mail.`;
      const words = 'The link leads to the purchase, and works once.';
      const back = <QuietLink href={`${ORDERS}/${id}`}>Back to the order</QuietLink>;
      return sendLink(http, owner, { current: ORDERS, title: 'Claim link', lead }, { link, words, back });
    },
    (refused) => showOrder(http, owner, id, { refused }),
  );
}

type Asking = AskingOf<Http>;

const ORDER = `${ORDERS}/:id`;

const AN_ORDER = {
  ...inOffice(ORDERS),
  find: ({ http, params }: Asking) => findOrder(http.stall, readNumber(params['id'] ?? '')),
  back: ({ id }: { readonly id: number }) => `${ORDERS}/${id}`,
  refused: ({ http, who, params }: Asking, refused: Refused) =>
    showOrder(http, who, readNumber(params['id'] ?? ''), { refused }),
} as const;

export const ORDER_ACTS: readonly ActRoutes<Http>[] = [
  actRoutes({
    ...AN_ORDER,
    path: `${ORDER}/revoke`,
    title: () => 'Revoke this order?',
    stops: () =>
      'From the next request on the buyer can no longer install, read or ask what this order gave. No money is paid back. “Grant anyway” restores it.',
    button: 'Revoke order',
    act: ({ id }, { http, who }) => revokeOrder(http.stall, who, id),
    said: 'order-revoked',
  }),
  actRoutes({
    ...AN_ORDER,
    path: `${ORDER}/give-back`,
    title: () => 'Mark this order as refunded?',
    stops: () =>
      'The order ends as if the provider had refunded it. This pays nothing back: do that at the provider, or however you were paid.',
    button: 'Mark as refunded',
    act: ({ id }, { http, who }) => giveBackOrder(http.stall, who, id),
    said: 'order-refunded',
  }),
  actRoutes({
    ...AN_ORDER,
    path: `${ORDER}/erase`,
    title: () => 'Erase the buyer of this order?',
    stops: () =>
      'The address and the bodies of its events are deleted for good. Amounts, items and times stay for your books, and the provider cannot bring the rest back.',
    button: 'Erase the buyer',
    act: ({ id }, { http, who }) => eraseOrder(http.stall, who, id),
    said: 'order-erased',
  }),
];
