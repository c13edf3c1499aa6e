import type {
  BuyerFact,
  DatedFact,
  DisputeFact,
  Fact,
  OwnerFact,
  PaymentFact,
  RefundFact,
  SubscriptionFact,
} from './fact.rule.ts';
import { findGoods, type Goods, type Offer, type SoldItem } from './goods.rule.ts';
import { type OfferedItem } from '../catalog/item.rule.ts';
import { isTestSale, type OrderState, type OrderTerms } from './order.rule.ts';
import { compareText } from '../platform/base/text.ts';

/** The look-ups and settings with which an order is computed. Their values must not depend on which facts arrived first. */
export type FoldPorts = {
  /**
   * Returns the item or bundle that a product id sells, or null. Once an order has opened its items, its product ids keep
   * the meaning that they had then.
   */
  readonly offerOf: (product: string) => Offer | null;
  readonly isPublished: (item: OfferedItem) => boolean;
  /** How long a subscription's items stay open after the end of a paid period, in milliseconds. */
  readonly grace: number;
  /**
   * Whether the order was paid under an earlier version, which gave buyers of several copies no code for the others; such
   * an order opens one copy.
   */
  readonly isOlder: boolean;
};

/** An order as computed from its facts. While its state is `paid`, the items in `entitled` are open until the time `until`. */
export type FoldedOrder = OrderTerms & {
  readonly ref: string;
  /** The `ref` of the earliest fact about the buyer. */
  readonly firstRef: string;
  readonly items: readonly SoldItem[];
  readonly entitled: readonly OfferedItem[];
  readonly attached: Extract<OwnerFact, { kind: 'attach' }> | null;
  readonly isGift: boolean;
  /**
   * How many copies beyond the buyer's own the order's code gives away in all. It is 0 until the order first opens its
   * items, and stays the same when the code ends.
   */
  readonly copies: number;
  /**
   * Whether the order ever opened its items, even if it opens none now. From then on, its product ids stand for the same
   * items for good.
   */
  readonly keepsItems: boolean;
  readonly payments: readonly Payment[];
};

/**
 * Computes an order from its facts, given in any sequence. Returns null if no fact names a buyer, and `not-ours` if the
 * setting `notOurs` lists its product.
 */
export function foldOrder(chain: readonly DatedFact[], ports: FoldPorts): FoldedOrder | 'not-ours' | null {
  const facts = sortFacts(preferProvider(chain));
  const first = facts.find(isBuyer);
  if (first === undefined) return null;
  const goods = findGoods(facts, ports, isSubscription(facts));
  if (goods === 'not-ours') return 'not-ours';
  const buyer = first.fact;
  const payments = gatherPayments(facts);
  const paid = payments.filter(({ state }) => state === 'paid');
  const currency = (paid[0] ?? payments[0])?.currency ?? null;
  const same = paid.filter((payment) => payment.currency === currency);
  const sum = (of: (payment: Payment) => number) => same.reduce((all, payment) => all + of(payment), 0);
  const outcome = decide(facts, goods, ports);
  const isKept = keepsItems(goods, paid[0], outcome.state);
  return {
    ref: facts.map(({ fact }) => subscriptionRef(fact)).find((ref) => ref !== null) ?? buyer.ref,
    firstRef: buyer.ref,
    at: first.at,
    email: buyer.email,
    bundle: goods.bundle,
    items: goods.items,
    products: goods.products,
    quantity: goods.quantity,
    amount: sum((payment) => payment.amount),
    tax: sum((payment) => payment.tax),
    refunded: sum((payment) => payment.refunded),
    currency,
    paidAt: paid[0]?.at ?? null,
    isSubscription: isSubscription(facts),
    attached: facts.map(({ fact }) => fact).findLast((fact) => fact.kind === 'attach') ?? null,
    isTest: isTestSale(buyer.ref),
    isGift: facts.some(({ fact }) => fact.kind === 'gift'),
    keepsItems: isKept,
    copies: isKept ? goods.copies - 1 : 0,
    payments: same,
    ...outcome,
  };
}

/**
 * If a buyer is known from elsewhere than an imported table of past sales, leaves out the table's facts, but not the
 * owner's acts in it, such as a grant.
 */
function preferProvider(chain: readonly DatedFact[]): readonly DatedFact[] {
  const isTold = chain.some(({ fact, origin }) => fact.kind === 'buyer' && origin !== 'csv');
  return isTold ? chain.filter(({ fact, origin }) => origin !== 'csv' || !('keys' in fact)) : chain;
}

/**
 * Whether the order ever opened its items, as each `paid` or `ended` one did. An order in another state, such as
 * `refunded`, did unless its first payment had to wait for the owner.
 */
function keepsItems(goods: Goods, first: Payment | undefined, state: OrderState): boolean {
  if (first === undefined || goods.items.length === 0) return false;
  return state === 'paid' || state === 'ended' || goods.heldFor(first) === null;
}

const isBuyer = (dated: DatedFact): dated is DatedFact & { fact: BuyerFact } => dated.fact.kind === 'buyer';

type Outcome = Pick<FoldedOrder, 'state' | 'until' | 'attention' | 'entitled'>;

/** Decides the state of an order from the provider's facts, then applies the owner's grants and revocations. */
function decide(facts: readonly DatedFact[], goods: Goods, ports: FoldPorts): Outcome {
  const own = judge(facts, goods, ports);
  const granted = facts.findLastIndex(({ fact }) => fact.kind === 'grant');
  const before = granted === -1 ? null : judge(facts.slice(0, granted + 1), goods, ports);
  const isGranted = before !== null && goods.items.length > 0 && holds(own.state, before.state);
  const until = isGranted && own.until !== null && own.until <= (facts[granted]?.at ?? 0) ? null : own.until;
  const outcome = isGranted ? { state: 'paid' as const, until, attention: notesOf(facts, goods) } : own;
  const revocations = facts.slice(granted + 1).filter(({ fact }) => fact.kind === 'revoke');
  const entitled = goods.items.filter(
    (item) =>
      ports.isPublished(item) &&
      !revocations.some(({ fact }) => fact.kind === 'revoke' && covers(fact.items, item)),
  );
  const end = revocations.at(-1);
  if (outcome.state !== 'paid' || end === undefined || entitled.length > 0) return { ...outcome, entitled };
  return { ...outcome, state: 'ended', until: Math.min(until ?? Infinity, end.at), entitled };
}

const GONE: ReadonlySet<OrderState> = new Set<OrderState>(['disputed', 'lost', 'refunded']);

/**
 * Whether a grant by the owner still counts: a later refund or dispute ends it. `then` is the order's state at the time
 * of the grant, `now` its present one.
 */
const holds = (now: OrderState, then: OrderState): boolean => now === then || !GONE.has(now);

const covers = (items: readonly OfferedItem[] | null, item: OfferedItem): boolean =>
  items === null || items.some(({ kind, itemKey }) => kind === item.kind && itemKey === item.itemKey);

function judge(
  facts: readonly DatedFact[],
  goods: Goods,
  { grace }: FoldPorts,
): Pick<Outcome, 'state' | 'until' | 'attention'> {
  const payments = gatherPayments(facts);
  const paid = payments.filter(({ state }) => state === 'paid');
  const good = paid.filter(({ isGivenBack, dispute }) => !isGivenBack && dispute !== 'lost');
  const until = isSubscription(facts) ? findEnd(facts, paid, good, grace) : null;
  const state = moneyState(payments, paid, good);
  const notes = notesOf(facts, goods);
  if (state === 'disputed')
    return { state, until, attention: 'A dispute is open: answer it at the provider' };
  if (state === 'pending' || state === 'paid') {
    if (goods.items.length === 0) return { state: 'unmatched', until, attention: goods.unmatched };
    const reason = goods.heldFor(paid[0] ?? payments[0] ?? null);
    if (reason !== null) return { state: 'held', until, attention: reason };
  }
  return { state, until, attention: state === 'paid' ? (goods.unpublished ?? notes) : notes };
}

function moneyState(
  payments: readonly Payment[],
  paid: readonly Payment[],
  good: readonly Payment[],
): OrderState {
  if (paid.length === 0) {
    const isPending = payments.length === 0 || payments.some(({ state }) => state === 'pending');
    return isPending ? 'pending' : 'failed';
  }
  if (paid.some(({ dispute }) => dispute === 'open')) return 'disputed';
  if (good.length === 0) return paid.some(({ dispute }) => dispute === 'lost') ? 'lost' : 'refunded';
  // A payment lost in a dispute no longer counts once a later payment is good.
  const lost = paid.findLastIndex(({ dispute }) => dispute === 'lost');
  const kept = paid.findLastIndex((payment) => good.includes(payment));
  return lost > kept ? 'lost' : 'paid';
}

/**
 * Returns a sentence that asks the owner to look at the order: the newest note, else the buyer's request for the money,
 * else a question about a partial refund of several copies; null for none. Only facts after the owner's last grant,
 * revocation or refund count.
 */
function notesOf(facts: readonly DatedFact[], { copies }: Goods): string | null {
  const answered = facts.findLastIndex(({ fact }) => ANSWERS.has(fact.kind)) + 1;
  const open = facts.slice(answered).map(({ fact }) => fact);
  const note = open.findLast((fact) => fact.kind === 'note')?.text ?? askOf(open);
  if (note !== null || copies === 1 || partOf(facts) <= partOf(facts.slice(0, answered))) return note;
  return `A part of the money for ${copies} copies was given back: revoke the code of the others if they end, or grant the order, and they stay`;
}

/** Returns the sentence about the buyer's request for the money; null without one, or after a refund. */
function askOf(open: readonly Fact[]): string | null {
  const asked = open.findLast((fact) => fact.kind === 'ask-back' || fact.kind === 'refund');
  if (asked?.kind !== 'ask-back') return null;
  return `${MONEY_BACK}${asked.reason === '' ? '' : `: “${asked.reason}”`}`;
}

/** The beginning of the sentence about a buyer who asks for the money back. The order's page looks for it. */
export const MONEY_BACK = 'The buyer asks for the money back';

const partOf = (facts: readonly DatedFact[]): number =>
  gatherPayments(facts).reduce(
    (sum, { isGivenBack: isWhole, refunded }) => sum + (isWhole ? 0 : refunded),
    0,
  );

const ANSWERS: ReadonlySet<Fact['kind']> = new Set<Fact['kind']>(['grant', 'revoke', 'give-back']);

/**
 * Returns the id of a subscription whose keys begin with `subscription:`, as at Lemon Squeezy, since it names the order.
 * Null for other facts: then the fact about the buyer names the order.
 */
function subscriptionRef(fact: Fact): string | null {
  if (fact.kind !== 'subscription') return null;
  const [key = ''] = fact.keys;
  return key.startsWith('subscription:') ? key.slice('subscription:'.length) : null;
}

/**
 * Sorts facts by time, rank, event id and number in the event, so that it does not matter which arrived first. Acts of the same
 * time, such as `act:9` and `act:10`, are sorted by their number.
 */
export const sortFacts = (facts: readonly DatedFact[]): readonly DatedFact[] =>
  facts.toSorted(
    (a, b) =>
      a.at - b.at ||
      rankOf(a.fact) - rankOf(b.fact) ||
      actNumber(a) - actNumber(b) ||
      compareText(a.eventId, b.eventId) ||
      a.number - b.number,
  );

const actNumber = ({ eventId }: DatedFact): number => Number(/^act:(\d+)$/.exec(eventId)?.[1] ?? 0);

/** The ranks of facts with the same time, lower ranks first: providers give whole seconds. */
const RANKS = { pending: 0, failed: 1, paid: 2, 'given-back': 3, ended: 4, owner: 5 } as const;

function rankOf(fact: Fact): number {
  switch (fact.kind) {
    case 'payment':
      return RANKS[fact.state];
    case 'refund':
      return fact.amount > 0 || fact.isFull ? RANKS['given-back'] : RANKS.paid;
    case 'dispute':
      return fact.state === 'open' ? RANKS['given-back'] : RANKS.ended;
    case 'subscription':
      return { active: RANKS.paid, 'past-due': RANKS['given-back'], paused: RANKS.ended, ended: RANKS.ended }[
        fact.state
      ];
    case 'buyer':
    case 'tie':
    case 'page':
    case 'note':
      return RANKS.pending;
    case 'grant':
    case 'revoke':
    case 'give-back':
    case 'attach':
    case 'gift':
    case 'ask-back':
      return RANKS.owner;
  }
}

/** How long a payment pays for if the provider names no period, in milliseconds. */
const MONTH = 31 * 24 * 60 * 60 * 1000;

const isSubscription = (facts: readonly DatedFact[]): boolean =>
  facts.some(
    ({ fact }) =>
      fact.kind === 'subscription' ||
      (fact.kind === 'buyer' && fact.isSubscription === true) ||
      (fact.kind === 'payment' && fact.until !== null),
  );

/**
 * Returns when a subscription's items close. Null means never: it has no periods, or neither a good payment nor an active
 * state with an end. `facts` are sorted, `paid` are the payments by time, `good` those of them neither refunded nor lost
 * in a dispute.
 *
 * Only payments and active states count, since a past-due subscription names a period that is not paid yet. Grace is
 * added only if the subscription goes on. A paused or ended one closes when the provider says, but not later than its
 * payments allow; if the provider does not say, at the end of the paid period.
 */
function findEnd(
  facts: readonly DatedFact[],
  paid: readonly Payment[],
  good: readonly Payment[],
  grace: number,
): number | null {
  const states = facts.map(({ fact }) => fact).filter((fact) => fact.kind === 'subscription');
  const last = states.at(-1);
  if (last?.state === 'active' && last.isOpen === true) return null;
  const own = paidEnd(states, paid, good);
  if (last?.state !== 'ended' && last?.state !== 'paused') return own === null ? null : own.end + grace;
  if (last.until === null) return own?.end ?? null;
  return Math.min(own?.latest ?? Infinity, last.until);
}

/**
 * Returns the end of the paid period, and the latest end that a paused or ended subscription may name; null if neither a
 * good payment nor an active state names an end.
 */
function paidEnd(states: readonly SubscriptionFact[], paid: readonly Payment[], good: readonly Payment[]) {
  const newest = good.at(-1);
  const periods = good.map(({ until }) => until).filter((until) => until !== null);
  if (newest !== undefined && newest.until !== null)
    return { end: Math.max(...periods), latest: Math.max(...periods) };
  const active = states.findLast(({ state, until }) => state === 'active' && until !== null)?.until ?? null;
  if (newest === undefined) return active === null ? null : { end: active, latest: Infinity };
  // A refunded renewal opens no period: the period before it ends when that renewal was paid, at the latest.
  const latest = paid.find((payment) => payment.at > newest.at && !good.includes(payment))?.at ?? Infinity;
  // An active state from before the payment does not name the period that this payment pays for.
  const named = active !== null && active > newest.at ? active : newest.at + MONTH;
  return { end: Math.max(...periods, Math.min(named, latest)), latest };
}

/** One payment as computed from its facts. Times are milliseconds since 1970 UTC. */
export type Payment = Pick<PaymentFact, 'state' | 'amount' | 'tax' | 'currency' | 'until'> & {
  /** When the payment was first paid; if it never was, the time of its first payment fact. */
  readonly at: number;
  /** The total of its refunds, at most the amount. */
  readonly refunded: number;
  readonly refundedAt: number | null;
  /** Whether the payment was refunded in full: its refunds reach the amount, or the provider or the owner says so. */
  readonly isGivenBack: boolean;
  readonly dispute: DisputeFact['state'];
};

type Dated<Kind extends DatedFact['fact']['kind']> = DatedFact & {
  readonly fact: Extract<DatedFact['fact'], { kind: Kind }>;
};

/**
 * Groups sorted facts into payments. Facts that have an id in common, directly or through other facts, are about one
 * payment.
 */
function gatherPayments(facts: readonly DatedFact[]): readonly Payment[] {
  const rootOf = joinIds(facts);
  const groups = Map.groupBy(
    facts.filter(({ fact }) => 'ids' in fact && fact.ids.length > 0),
    ({ fact }) => rootOf('ids' in fact ? (fact.ids[0] ?? '') : ''),
  );
  const lastGivenBack = facts.findLast(({ fact }) => fact.kind === 'give-back')?.at ?? -Infinity;
  return [...groups.values()]
    .map((group) => readPayment(group, lastGivenBack))
    .filter((payment) => payment !== null)
    .toSorted((a, b) => a.at - b.at);
}

/** Returns a function that maps all ids of one payment to the same id. */
function joinIds(facts: readonly DatedFact[]): (id: string) => string {
  const parents = new Map<string, string>();
  const rootOf = (id: string): string => {
    let root = id;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    return root;
  };
  for (const { fact } of facts) {
    if (!('ids' in fact)) continue;
    const [first, ...others] = [...new Set(fact.ids.map(rootOf))].toSorted();
    for (const other of others) parents.set(other, first ?? other);
  }
  return rootOf;
}

function readPayment(group: readonly DatedFact[], lastGivenBack: number): Payment | null {
  const stated = group.filter((dated): dated is Dated<'payment'> => dated.fact.kind === 'payment');
  const last = stated.at(-1)?.fact;
  if (last === undefined) return null;
  const paid = stated.filter(({ fact }) => fact.state === 'paid');
  const at = (paid[0] ?? stated[0])?.at ?? 0;
  const ends = paid.map(({ fact }) => fact.until).filter((until) => until !== null);
  const { amount, tax, currency } = paid.at(-1)?.fact ?? last;
  const byOwner = last.state === 'paid' && at <= lastGivenBack;
  const { refunded, isFull, refundedAt } = byOwner
    ? { refunded: amount, isFull: true, refundedAt: lastGivenBack }
    : sumRefunds(group, amount);
  return {
    state: last.state,
    at,
    amount,
    tax,
    currency,
    until: ends.length === 0 ? null : Math.max(...ends),
    refunded,
    refundedAt,
    isGivenBack: isFull,
    dispute: worstDispute(group),
  };
}

/** Whether refunds of a payment reach its amount, which closes its items. A partial refund closes nothing. */
export const isGivenBack = (refunded: number, amount: number): boolean => refunded > 0 && refunded >= amount;

/**
 * Adds up the refunds of a payment: the single refunds, each in its newest state, or the provider's total if it is
 * larger, since events of single refunds may be lost. A total from before the last failed refund does not count, since it
 * may include that refund.
 */
function sumRefunds(group: readonly DatedFact[], amount: number) {
  const refunds = group.filter((dated): dated is Dated<'refund'> => dated.fact.kind === 'refund');
  const newest = new Map<string, RefundFact>(refunds.map(({ fact }) => [fact.id, fact]));
  const own = [...newest.values()].filter(({ isTotal }) => !isTotal);
  const lastFailed = refunds.findLast(({ fact }) => !fact.isTotal && fact.amount === 0)?.at ?? -Infinity;
  const totals = refunds.filter(
    ({ at, fact }) => at > lastFailed && newest.get(fact.id) === fact && fact.isTotal,
  );
  const sum = Math.max(
    own.reduce((all, refund) => all + refund.amount, 0),
    ...totals.map(({ fact }) => fact.amount),
  );
  const isFull = totals.some(({ fact }) => fact.isFull) || isGivenBack(sum, amount);
  const refundedAt = refunds.find(({ fact }) => fact.amount > 0 || fact.isFull)?.at ?? null;
  return { refunded: isFull ? amount : sum, isFull, refundedAt: sum > 0 || isFull ? refundedAt : null };
}

/** Returns the worst state of a payment's disputes. An open dispute comes before a lost one, since it may still be won. */
function worstDispute(group: readonly DatedFact[]): DisputeFact['state'] {
  const disputes = group.filter((dated): dated is Dated<'dispute'> => dated.fact.kind === 'dispute');
  const states = new Map(disputes.map(({ fact }) => [fact.id, fact.state])).values().toArray();
  if (states.includes('open')) return 'open';
  return states.includes('lost') ? 'lost' : 'none';
}
