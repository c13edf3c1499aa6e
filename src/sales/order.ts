import type { OfferedItem } from './offer.ts';

/** The states of an order. Only `paid` opens items. `ended` is `paid` after its `until`, or revoked. */
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

/** Whether a text names a state. */
export function isOrderState(text: string): text is OrderState {
  return ORDER_STATES.some((state) => state === text);
}

/** One purchase or subscription as it is stored. Amounts are in minor units, times in milliseconds since 1970 UTC. */
export type Order = {
  readonly id: number;
  readonly provider: string;
  /** The provider's id of the order; its SHA-256 after the buyer was erased. */
  readonly providerRef: string;
  /** The short reference that people see. */
  readonly ref: string;
  readonly state: OrderState;
  readonly at: number;
  /** The address that the provider sent; null after the buyer was erased. */
  readonly email: string | null;
  readonly accountId: string | null;
  /** The address of that account. */
  readonly account: string | null;
  readonly attachedBy: 'address' | 'owner' | 'return' | 'mail' | null;
  readonly claimedAt: number | null;
  readonly bundle: string | null;
  readonly items: readonly OfferedItem[];
  /** The provider's product ids that were paid for, to explain an unmatched sale. */
  readonly products: readonly string[];
  readonly quantity: number;
  /** The sum of paid payments, including tax. */
  readonly amount: number;
  readonly tax: number;
  readonly refunded: number;
  readonly currency: string | null;
  readonly paidAt: number | null;
  readonly isSubscription: boolean;
  /** The end of the paid period and its grace; null never ends. */
  readonly until: number | null;
  /** A sentence for the owner, or null. */
  readonly attention: string | null;
  readonly erasedAt: number | null;
};

/** The state at a time: a stored `paid` is `ended` after its `until`. Everything that shows an order must call this. */
export function stateAt({ state, until }: Pick<Order, 'state' | 'until'>, now: number): OrderState {
  return state === 'paid' && until !== null && until <= now ? 'ended' : state;
}
