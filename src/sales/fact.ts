import type { OfferedItem } from './offer.ts';

/**
 * What one event says in our words. Facts that share a key belong together; a customer's id is no key. Amounts are in minor
 * units, times in milliseconds since 1970 UTC. No name, street, card or tax id.
 */
export type Fact = ProviderFact | OwnerFact;

export type ProviderFact =
  BuyerFact | PaymentFact | RefundFact | DisputeFact | SubscriptionFact | TieFact | NoteFact;

type Keyed = {
  /** The provider's ids that connect it, each with its sort where ids alone are ambiguous, as `order:123`. */
  readonly keys: readonly string[];
};

/** Who bought: a chain of facts is an order once it has one. */
export type BuyerFact = Keyed & {
  readonly kind: 'buyer';
  /** The id that names the order to people, as the provider spells it. */
  readonly ref: string;
  readonly email: string | null;
  /** Ids that the provider says were paid for. */
  readonly products: readonly string[];
  readonly quantity: number | null;
  /** Whether the provider says that it is a subscription; null if it does not say here. */
  readonly isSubscription: boolean | null;
};

/** A payment in its newest known state. `ids` are all its names: facts that share one are about the same payment. */
export type PaymentFact = Keyed & {
  readonly kind: 'payment';
  readonly ids: readonly string[];
  readonly state: 'pending' | 'failed' | 'paid';
  readonly amount: number;
  readonly tax: number;
  readonly currency: string;
  /** The end of the period that it pays for, or null. */
  readonly until: number | null;
  readonly products: readonly string[];
  readonly quantity: number | null;
};

/** Money given back: by a refund of its own, of which the newest state counts, or as a payment's total so far. */
export type RefundFact = Keyed & {
  readonly kind: 'refund';
  readonly ids: readonly string[];
  /** The refund's id; of a total, the object's that states it. */
  readonly id: string;
  readonly amount: number;
  readonly isTotal: boolean;
  /** Whether the provider itself says that all of it was given back. */
  readonly isFull: boolean;
};

export type DisputeFact = Keyed & {
  readonly kind: 'dispute';
  readonly ids: readonly string[];
  readonly id: string;
  readonly state: 'none' | 'open' | 'lost';
};

/** A subscription's state; `ids` tie payments that are one. */
export type SubscriptionFact = Keyed & {
  readonly kind: 'subscription';
  readonly ids: readonly string[];
  readonly state: 'active' | 'past-due' | 'paused' | 'ended';
  /** The end of its running period, or of the subscription if it ended or will not be renewed. */
  readonly until: number | null;
  /** Whether it runs until it is said to have ended: nothing names its periods. */
  readonly isOpen?: boolean;
  readonly products: readonly string[];
  readonly quantity: number | null;
};

/** Says only that ids are of one payment. */
type TieFact = Keyed & { readonly kind: 'tie'; readonly ids: readonly string[] };

/** Something the owner should look at; nothing follows from it. */
type NoteFact = Keyed & { readonly kind: 'note'; readonly text: string };

/** An act of the owner, or of the buyer who claims. It is stored with the order's own key. */
export type OwnerFact =
  | {
      /** Entitles whatever the provider said before; `items` for an order that has none. */
      readonly kind: 'grant';
      readonly items: readonly OfferedItem[] | null;
      readonly bundle: string | null;
    }
  /** Takes items away, null is all, until a later grant. */
  | { readonly kind: 'revoke'; readonly items: readonly OfferedItem[] | null }
  /** All payments so far were given back. */
  | { readonly kind: 'give-back' }
  /** The order is this account's. */
  | { readonly kind: 'attach'; readonly accountId: string; readonly by: 'owner' | 'return' | 'mail' }
  /** The entitlement became a code. */
  | { readonly kind: 'gift' };

/** A fact with its place: facts are sorted by time, rank, event id and number within the event. */
export type DatedFact = {
  readonly at: number;
  readonly eventId: string;
  readonly number: number;
  readonly fact: Fact;
};
