import type { OfferedItem } from './offer.ts';

/** The states of an order. Only `paid` entitles. `ended` is `paid` past its `until`, or revoked. */
export const ORDER_STATES = [
  'unmatched',
  'held',
  'pending',
  'failed',
  'paid',
  'disputed',
  'lost',
  'refunded',
  'ended',
] as const;

export type OrderState = (typeof ORDER_STATES)[number];

/** One purchase or subscription as it is stored. Amounts are in minor units, times in milliseconds since 1970 UTC. */
export type Order = {
  readonly id: number;
  readonly provider: string;
  /** The provider's id of it; after erasing its SHA-256. */
  readonly providerRef: string;
  /** The short reference that people see. */
  readonly ref: string;
  readonly state: OrderState;
  readonly at: number;
  /** As the provider sent it; null after erasing. */
  readonly email: string | null;
  readonly accountId: string | null;
  /** The address of that account. */
  readonly account: string | null;
  readonly attachedBy: 'address' | 'owner' | 'return' | 'mail' | null;
  readonly claimedAt: number | null;
  readonly bundle: string | null;
  readonly items: readonly OfferedItem[];
  /** The provider's ids that were paid for: to show an unmatched sale. */
  readonly products: readonly string[];
  readonly quantity: number;
  /** The sum of paid payments, tax in it. */
  readonly amount: number;
  readonly tax: number;
  readonly refunded: number;
  readonly currency: string | null;
  readonly paidAt: number | null;
  readonly isSubscription: boolean;
  /** The end of what was paid for, with grace; null is for good. */
  readonly until: number | null;
  /** A sentence for the owner, or null. */
  readonly attention: string | null;
  readonly erasedAt: number | null;
};

/** The state at a time: a stored `paid` is `ended` past its `until`. All that show an order call it. */
export function stateAt({ state, until }: Pick<Order, 'state' | 'until'>, now: number): OrderState {
  return state === 'paid' && until !== null && until <= now ? 'ended' : state;
}
