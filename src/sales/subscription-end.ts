import type { DatedFact, SubscriptionFact } from './fact.ts';
import type { Payment } from './payments.ts';

/** The period that a payment pays for if the provider names none, in milliseconds. */
const MONTH = 31 * 24 * 60 * 60 * 1000;

/** Whether sorted facts are of a subscription. */
export function isSubscription(facts: readonly DatedFact[]): boolean {
  return facts.some(
    ({ fact }) =>
      fact.kind === 'subscription' ||
      (fact.kind === 'buyer' && fact.isSubscription === true) ||
      (fact.kind === 'payment' && fact.until !== null),
  );
}

/**
 * When a subscription's items close; null is for good. `paid` are its paid payments by time, `good` those of them that were
 * not given back, `facts` are sorted. The period of one that is past due is the one that is not paid: only payments and
 * active states say how long it runs. The grace is for one that goes on; a paused or ended one closes at the end that the
 * provider names, or with what was paid.
 */
export function findEnd(
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

/** The end of what is paid for, and the latest that an ended subscription may name. */
function paidEnd(states: readonly SubscriptionFact[], paid: readonly Payment[], good: readonly Payment[]) {
  const newest = good.at(-1);
  const periods = good.map(({ until }) => until).filter((until) => until !== null);
  if (newest !== undefined && newest.until !== null)
    return { end: Math.max(...periods), latest: Math.max(...periods) };
  const active = states.findLast(({ state, until }) => state === 'active' && until !== null)?.until ?? null;
  if (newest === undefined) return active === null ? null : { end: active, latest: Infinity };
  // The period of a renewal that was given back begins with it.
  const latest = paid.find((payment) => payment.at > newest.at && !good.includes(payment))?.at ?? Infinity;
  // A state from before the payment does not know how long it pays for.
  const named = active !== null && active > newest.at ? active : newest.at + MONTH;
  return { end: Math.max(...periods, Math.min(named, latest)), latest };
}
