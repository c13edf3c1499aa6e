import type { DatedFact, DisputeFact, PaymentFact, RefundFact } from './fact.ts';

/** One payment as computed from its facts. Times are milliseconds since 1970 UTC. */
export type Payment = {
  readonly state: PaymentFact['state'];
  /** When it was first paid; if never, when it was first mentioned. */
  readonly at: number;
  readonly amount: number;
  readonly tax: number;
  readonly currency: string;
  /** The end of the period it pays for, or null. */
  readonly until: number | null;
  /** The sum that was given back; never more than the amount. */
  readonly refunded: number;
  readonly refundedAt: number | null;
  /** Whether all of it was given back. A partial refund closes nothing. */
  readonly isGivenBack: boolean;
  readonly dispute: DisputeFact['state'];
};

type Dated<Kind extends DatedFact['fact']['kind']> = DatedFact & {
  readonly fact: Extract<DatedFact['fact'], { kind: Kind }>;
};

/** The payments in sorted facts. Facts that share an id, directly or through others, are one payment. */
export function gatherPayments(facts: readonly DatedFact[]): readonly Payment[] {
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

/** Gives each id the one name of its payment. */
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

/**
 * The sum of refunds with ids of their own, each in its newest state, or the total that an object states if it is larger:
 * the event of a refund may be lost. A total that was stated before a refund failed is out of date.
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
  const isFull = totals.some(({ fact }) => fact.isFull) || (sum > 0 && sum >= amount);
  const refundedAt = refunds.find(({ fact }) => fact.amount > 0 || fact.isFull)?.at ?? null;
  return {
    refunded: isFull ? amount : sum,
    isFull,
    refundedAt: sum > 0 || isFull ? refundedAt : null,
  };
}

/** An open dispute counts before a lost one, since it may still be won. */
function worstDispute(group: readonly DatedFact[]): DisputeFact['state'] {
  const disputes = group.filter((dated): dated is Dated<'dispute'> => dated.fact.kind === 'dispute');
  const states = new Map(disputes.map(({ fact }) => [fact.id, fact.state])).values().toArray();
  if (states.includes('open')) return 'open';
  return states.includes('lost') ? 'lost' : 'none';
}
