import type { DatedFact, SubscriptionFact } from './fact.ts';
import type { Payment } from './payments.ts';

/** What a payment pays for if nothing says it, in milliseconds. */
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
 * When a subscription's items close. `good` are its paid payments that were not given back, `facts` are sorted. The period
 * of one that is past due is the one that is not paid: only payments and active states say how long it runs. The grace is
 * for one that goes on; a paused or ended one closes at the end that the provider names, or with what was paid.
 */
export function findEnd(facts: readonly DatedFact[], good: readonly Payment[], grace: number): number | null {
  const states = facts.map(({ fact }) => fact).filter((fact) => fact.kind === 'subscription');
  const last = states.at(-1);
  const paid = paidEnd(states, good);
  if (last?.state !== 'ended' && last?.state !== 'paused') return paid === null ? null : paid.end + grace;
  if (last.until === null) return paid?.end ?? null;
  return paid?.isByPeriod === true ? Math.min(paid.end, last.until) : last.until;
}

function paidEnd(states: readonly SubscriptionFact[], good: readonly Payment[]) {
  const periods = good.map(({ until }) => until).filter((until) => until !== null);
  if (periods.length > 0) return { end: Math.max(...periods), isByPeriod: true };
  const active = states.findLast(({ state, until }) => state === 'active' && until !== null);
  const end = active?.until ?? (good.length === 0 ? null : Math.max(...good.map(({ at }) => at)) + MONTH);
  return end === null ? null : { end, isByPeriod: false };
}
