import type { SubscriptionFact } from './fact.ts';

/**
 * Stripe's names for the state of a subscription, which Polar uses too
 * (https://docs.stripe.com/api/subscriptions/object).
 */
const STATES: Readonly<Record<string, SubscriptionFact['state']>> = {
  trialing: 'active',
  active: 'active',
  past_due: 'past-due',
  paused: 'paused',
  canceled: 'ended',
  unpaid: 'ended',
  incomplete_expired: 'ended',
};

/** The state that a name stands for; undefined for any other, such as a subscription that never began. */
export function readSubscriptionState(word: string): SubscriptionFact['state'] | undefined {
  return Object.hasOwn(STATES, word) ? STATES[word] : undefined;
}
