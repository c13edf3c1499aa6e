import { officeIn, type Office } from '../words/office.ts';
import { officeOf, useOffice } from '../platform/site/words.tsx';
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
import { MAIL } from './mail.page.tsx';
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
import { ACCOUNTS, ORDERS } from '../platform/site/linked-pages.ts';
import { moneyOf, OrderBadge } from './orders.part.tsx';

export function showOrder(
  http: Http,
  owner: SessionPrincipal,
  id: number,
  { said, refused }: FormEnd,
): Response {
  const w = officeOf(http, owner);
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
      title: w.order.title({ nameOrder: nameOrder(order) }),
      lead: (
        <>
          <OrderBadge order={order} now={http.stall.now()} />{' '}
          {wait === null ? w.order.waits[state as keyof Office['order']['waits']] : w.order.notClaimedLead}
        </>
      ),
      actions: wait === 'link' && (
        <Form action={mailed === undefined ? `${ORDERS}/${id}/link` : `${MAIL}/${mailed.id}/send`}>
          <Button>{mailed === undefined ? w.order.linkButton : w.order.mailAgainButton}</Button>
        </Form>
      ),
      said,
      refused,
    },
    <>
      {order.attention !== null && (
        <Notice kind="warn">
          <span lang="en">{order.attention}</span>
        </Notice>
      )}
      {order.attention?.startsWith(MONEY_BACK) && <AskedBack order={order} />}
      {order.items.length === 0 && <Unmatched order={order} path={`${ORDERS}/${id}`} />}
      {wait === 'account' && <GiveToAccount order={order} kind="primary" />}
      {details(w, http.stall, order)}
      <section>
        <h2>{w.order.events}</h2>
        <DataTable
          caption={w.order.eventsCaption}
          columns={{
            [w.common.when]: ({ at }) => <When at={at} withTime />,
            [w.order.what]: ({ fact }) => describeFact(w, fact, order.currency),
            [w.order.event]: ({ type }) => type,
            [w.order.from]: ({ origin }) => origin,
          }}
          rows={story.facts}
          empty={<p>{w.order.noEvents}</p>}
        />
      </section>
      {story.mails.length > 0 && (
        <section>
          <h2>{w.order.mail}</h2>
          <DataTable
            caption={w.order.mailsCaption}
            columns={{
              [w.order.mail]: ({ kind }) => w.mails.kindNames[kind],
              [w.order.to]: ({ address }) => address,
              [w.common.state]: ({ state: one }) => w.mails.stateNames[one],
              [w.order.sent]: ({ sentAt }) => <When at={sentAt} withTime never={w.order.notYet} />,
            }}
            rows={story.mails}
          />
        </section>
      )}
      <More acts={listMore(w, order, state, wait, mailed !== undefined)} />
    </>,
  );
}

/** Where the owner refunds a payment, at each provider. Stripe's search finds a payment by any of its ids. */
const PAYMENTS: Readonly<Record<PaymentProvider, string>> = {
  stripe: 'https://dashboard.stripe.com/search?query=',
  polar: 'https://polar.sh/dashboard',
  lemonsqueezy: 'https://app.lemonsqueezy.com/orders',
  gumroad: 'https://gumroad.com/customers',
};

function AskedBack({ order: { id, provider, providerRef } }: { order: Order }) {
  const w = useOffice();
  return (
    <div class="actions">
      {isPaymentProvider(provider) && (
        <ButtonLink
          href={`${PAYMENTS[provider]}${provider === 'stripe' ? encodeURIComponent(providerRef) : ''}`}
        >
          {w.order.giveBackLink({ provider: PROVIDER_NAMES[provider] })}
        </ButtonLink>
      )}
      <ActButton action={`${ORDERS}/${id}/grant`}>{w.order.declineButton}</ActButton>
    </div>
  );
}

function details(w: Office, stall: Stall, order: Order) {
  const { provider, providerRef, amount, tax, refunded, currency, quantity } = order;
  const { isSubscription, until, accountId, account, bundle, items, products, copies, copiesUsed } = order;
  const titles = items.map(({ kind, itemKey, slug }, n) => (
    <>
      {n > 0 && ', '}
      <a href={`/${kind}s/${slug}`}>{nameItem(stall, kind, itemKey)?.title ?? slug}</a>
    </>
  ));
  const reference = isPaymentProvider(provider)
    ? w.order.referenceAt({ provider: PROVIDER_NAMES[provider] })
    : w.order.reference;
  return (
    <Facts
      facts={[
        [
          w.order.bought,
          items.length === 0 ? <code>{products.join(', ')}</code> : [bundle && `${bundle}: `, titles],
        ],
        [w.common.buyer, order.email ?? w.order.erased],
        [
          w.common.account,
          accountId === null ? w.order.notClaimed : <a href={`${ACCOUNTS}/${accountId}`}>{account}</a>,
        ],
        [
          w.order.amount,
          `${moneyOf(w, amount, currency)}${tax === 0 ? '' : w.order.tax({ price: moneyOf(w, tax, currency) })}`,
        ],
        [w.order.givenBack, refunded === 0 ? null : moneyOf(w, refunded, currency)],
        [w.order.quantity, quantity <= 1 ? null : quantity],
        [w.order.copies, copies === 0 ? null : w.common.used({ used: copiesUsed, all: copies })],
        [w.order.paid, <When at={order.paidAt} withTime never={w.order.notYet} />],
        [
          w.order.paidUntil,
          isSubscription || until !== null ? <When at={until} never={w.common.noEnd} /> : null,
        ],
        [w.order.claimed, order.claimedAt && <When at={order.claimedAt} withTime />],
        [reference, <code>{providerRef}</code>],
      ]}
    />
  );
}

function describeFact(w: Office, fact: Fact, currency: string | null): string {
  switch (fact.kind) {
    case 'buyer':
      return w.order.boughtBy(fact);
    case 'payment':
      return w.order.payment({ state: fact.state, price: moneyOf(w, fact.amount, fact.currency) });
    case 'refund':
      return w.order.refund({ price: moneyOf(w, fact.amount, currency), isTotal: fact.isTotal });
    case 'dispute':
      return w.order.disputes[fact.state];
    case 'subscription':
      return w.order.subscriptions[fact.state];
    case 'tie':
      return w.order.merged;
    case 'page':
      return fact.of === 'receipt' ? w.order.receipt : w.order.portal;
    case 'note':
      return fact.text;
    case 'grant':
      return w.order.granted;
    case 'revoke':
      return w.order.revoked;
    case 'give-back':
      return w.order.refunded;
    case 'attach':
      return fact.by === 'owner' ? w.order.given : w.order.claimedByBuyer;
    case 'gift':
      return w.order.present;
    case 'ask-back':
      return w.order.askedBack(fact);
  }
}

/**
 * Returns how a paid order gets its account: 'link' if by a mailed link, 'account' if the owner chooses one, null if it
 * needs none.
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
  const w = useOffice();
  return (
    <Form action={`${ORDERS}/${id}/attach`} label={w.order.giveForm}>
      <div class="search">
        <EmailField label={w.order.giveTo} value={account ?? email ?? ''} autocomplete="off" />
        <Button kind={kind}>{w.order.giveButton}</Button>
      </div>
    </Form>
  );
}

/** Lists the rarer actions on an order. The names of those that ask for confirmation end in "…". */
function listMore(
  w: Office,
  order: Order,
  state: OrderState,
  wait: ReturnType<typeof waitsFor>,
  isMailed: boolean,
) {
  const { id, items, email, amount, refunded, attention } = order;
  const [isKnown, isOver] = [items.length > 0, ['refunded', 'lost', 'failed'].includes(state)];
  const canGiveBack = refunded < amount && !isOver && state !== 'pending';
  const rows = [
    [wait === 'link' && isMailed, 'link', w.order.linkButton, w.order.linkHint],
    [isKnown && (state !== 'paid' || attention !== null), 'grant', w.order.grantButton, w.order.grantHint],
    [true, 'replay', w.order.replayButton, w.order.replayHint],
    [isKnown && state === 'paid', 'revoke', w.order.revokeAct, w.order.revokeHint],
    [canGiveBack, 'give-back', w.order.refundAct, w.order.refundHint],
    [email !== null, 'erase', w.order.eraseAct, w.order.eraseHint],
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
  return [[<GiveToAccount order={order} kind="quiet" />, w.order.giveHint] as const, ...acts];
}

/** The part of the page for an order without known items: a form that grants one, and the configuration for the next sale. */
function Unmatched({ order: { provider, products }, path }: { order: Order; path: string }) {
  const w = useOffice();
  // Written as YAML strings, since some ids are all digits.
  const ids = products.map((id) => JSON.stringify(id)).join(', ');
  return (
    <section class="stack">
      <h2>{w.order.unmatchedTitle}</h2>
      <Form action={`${path}/grant`} label={w.order.unmatchedForm}>
        <div class="search">
          <Field label={w.order.slug} name="slug" autocomplete="off" required />
          <Button>{w.order.matchButton}</Button>
        </div>
      </Form>
      {products.length > 0 && (
        <>
          <p>{w.order.matchHint}</p>
          <CopyLine text={`sell: {${provider}: [${ids}]}`} label="item.yaml" />
          <p>{w.order.notOursHint}</p>
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
  return change(http, owner, {
    number,
    word: 'order-granted',
    act: (id) => grantOrder(http.stall, owner, id, slug === '' ? [] : [slug]),
  });
}

export async function giveToAccount(http: Http, request: Request, owner: SessionPrincipal, number: string) {
  const email = (await readForm(request)).text('email');
  return change(http, owner, {
    number,
    word: 'order-attached',
    act: (id) => attachOrder(http.stall, owner, id, email),
  });
}

/** `POST /admin/orders/:id/replay`: computes the order again from the stored events of its provider. */
export function readAgain(http: Http, owner: SessionPrincipal, number: string): Promise<Response> {
  return change(http, owner, {
    number,
    word: 'order-replayed',
    act: (id) => replayOrder(http.stall, owner, id),
  });
}

type OrderChange = {
  readonly number: string;
  readonly word: FlashWord;
  readonly act: (id: number) => Promise<unknown>;
};

/** Runs an action on an order and shows the order's page again. Actions that ask for confirmation are in `ORDER_ACTS`. */
function change(http: Http, owner: SessionPrincipal, { number, word, act }: OrderChange): Promise<Response> {
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
  const w = officeOf(http, owner);
  const id = readNumber(number);
  return handleForm(
    async () => {
      const link = await linkToClaim(http.stall, owner, id, http.viewOf(owner).origin);
      const lead = w.order.linkLead({ email: link.email ?? '' });
      const words = w.order.linkNote;
      const back = <QuietLink href={`${ORDERS}/${id}`}>{w.order.back}</QuietLink>;
      return sendLink(
        http,
        owner,
        { current: ORDERS, title: w.order.linkTitle, lead },
        { link, words, back },
      );
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
    title: (_, words) => officeIn(words).order.revokeTitle,
    stops: (_, words) => officeIn(words).order.revokeLead,
    button: (words) => officeIn(words).order.revokeButton,
    act: ({ id }, { http, who }) => revokeOrder(http.stall, who, id),
    said: 'order-revoked',
  }),
  actRoutes({
    ...AN_ORDER,
    path: `${ORDER}/give-back`,
    title: (_, words) => officeIn(words).order.refundTitle,
    stops: (_, words) => officeIn(words).order.refundLead,
    button: (words) => officeIn(words).order.refundButton,
    act: ({ id }, { http, who }) => giveBackOrder(http.stall, who, id),
    said: 'order-refunded',
  }),
  actRoutes({
    ...AN_ORDER,
    path: `${ORDER}/erase`,
    title: (_, words) => officeIn(words).order.eraseTitle,
    stops: (_, words) => officeIn(words).order.eraseLead,
    button: (words) => officeIn(words).order.eraseButton,
    act: ({ id }, { http, who }) => eraseOrder(http.stall, who, id),
    said: 'order-erased',
  }),
];
