import type { OfferedItem } from './goods.ts';
import { sha256 } from '../runtime.ts';

/**
 * One thing that an event says, in the same words for every provider. Facts that share a key belong to one order; a
 * customer's id is never a key. Amounts are in minor units, times in milliseconds since 1970 UTC. No name, street, card
 * or tax id is kept.
 */
export type Fact = ProviderFact | OwnerFact;

export type ProviderFact =
  BuyerFact | PaymentFact | RefundFact | DisputeFact | SubscriptionFact | TieFact | PageFact | NoteFact;

type Keyed = {
  /** The provider's ids that tie the fact to its order, with a prefix if ids alone are ambiguous, as `order:123`. */
  readonly keys: readonly string[];
};

/** Who bought. Facts become an order once one of them is a buyer. */
export type BuyerFact = Keyed & {
  readonly kind: 'buyer';
  /** The id that names the order to people, as the provider spells it. */
  readonly ref: string;
  readonly email: string | null;
  /** The product ids that the provider says were paid for. */
  readonly products: readonly string[];
  readonly quantity: number | null;
  /** Whether the provider says that the order is a subscription; null if this event does not say. */
  readonly isSubscription: boolean | null;
};

/** A payment in its latest known state. Facts with a common id are about the same payment. */
export type PaymentFact = Keyed & {
  readonly kind: 'payment';
  readonly ids: readonly string[];
  readonly state: 'pending' | 'failed' | 'paid';
  readonly amount: number;
  readonly tax: number;
  readonly currency: string;
  /** The end of the period that the payment pays for, or null. */
  readonly until: number | null;
  readonly products: readonly string[];
  readonly quantity: number | null;
};

/** Money that was given back: one refund, or the total that a payment states. The newest fact about each refund counts. */
export type RefundFact = Keyed & {
  readonly kind: 'refund';
  readonly ids: readonly string[];
  /** The refund's id, or for a total the id of the object that states it. */
  readonly id: string;
  readonly amount: number;
  readonly isTotal: boolean;
  /** Whether the provider says that all of the payment was given back. */
  readonly isFull: boolean;
};

export type DisputeFact = Keyed & {
  readonly kind: 'dispute';
  readonly ids: readonly string[];
  readonly id: string;
  readonly state: 'none' | 'open' | 'lost';
};

/** A subscription's state. All `ids` name the same payment. */
export type SubscriptionFact = Keyed & {
  readonly kind: 'subscription';
  readonly ids: readonly string[];
  readonly state: 'active' | 'past-due' | 'paused' | 'ended';
  /** The end of the running period, or of the subscription if it ended or will not be renewed. */
  readonly until: number | null;
  /** Whether the subscription names no periods, and so runs until the provider ends it. */
  readonly isOpen?: boolean;
  readonly products: readonly string[];
  readonly quantity: number | null;
};

/** States that all `ids` name the same payment. */
type TieFact = Keyed & { readonly kind: 'tie'; readonly ids: readonly string[] };

/**
 * A page of the provider's for the buyer: the receipt, or the management of the subscription. The newest of each counts.
 * `url` is null after the buyer was erased.
 */
export type PageFact = Keyed & {
  readonly kind: 'page';
  readonly of: 'receipt' | 'subscription';
  readonly url: string | null;
};

/** Makes the fact of a page whose address an event names; none unless the address is https. */
export const pageFact = (
  of: PageFact['of'],
  keys: readonly string[],
  url: string | null,
): readonly PageFact[] =>
  url !== null && URL.parse(url)?.protocol === 'https:' ? [{ kind: 'page', keys, of, url }] : [];

/** A note that asks the owner to look at the order. It changes no grant. */
type NoteFact = Keyed & { readonly kind: 'note'; readonly text: string };

/** An act of the owner, or of the buyer who claims. It is stored with the order's own key. */
export type OwnerFact =
  | {
      /** Grants the items, whatever the provider said before. `items` is for an order that has none. */
      readonly kind: 'grant';
      readonly items: readonly OfferedItem[] | null;
      readonly bundle: string | null;
    }
  /** Takes the items away until a later grant; null takes all. */
  | { readonly kind: 'revoke'; readonly items: readonly OfferedItem[] | null }
  /** States that all payments so far were given back. */
  | { readonly kind: 'give-back' }
  /** Ties the order to an account. */
  | {
      readonly kind: 'attach';
      readonly accountId: string;
      readonly by: 'address' | 'owner' | 'return' | 'mail';
    }
  /** States that the order's items were given away as a code. */
  | { readonly kind: 'gift' };

/** A fact with the values that facts are sorted by: time, event id and number in the event. Its kind gives its rank. */
export type DatedFact = {
  readonly at: number;
  readonly eventId: string;
  readonly number: number;
  /** The source: webhook, api, owner, buyer, or csv for a table of past sales. */
  readonly origin: string;
  readonly fact: Fact;
};

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

/** Returns the state that Stripe's name means; undefined for an unknown name or a subscription that never began. */
export const readSubscriptionState = (word: string): SubscriptionFact['state'] | undefined =>
  Object.hasOwn(STATES, word) ? STATES[word] : undefined;

/** Hashes an id, since only its hash is kept after the buyer is erased. An id that is a hash already stays as it is. */
export const hideId = (id: string): string => (id.startsWith('sha256:') ? id : `sha256:${sha256(id)}`);

/** Returns a fact without the person: without an address, and with a hash for each of the provider's ids. */
export const hideFact = <Known extends ProviderFact>(fact: Known): Known => ({
  ...withoutAddress(fact),
  keys: fact.keys.map(hideId),
  ...('ids' in fact ? { ids: fact.ids.map(hideId) } : {}),
  ...('id' in fact ? { id: hideId(fact.id) } : {}),
  ...(fact.kind === 'buyer' ? { ref: hideId(fact.ref) } : {}),
  ...(fact.kind === 'note' ? { text: '' } : {}),
});

/** Returns a fact without the buyer's e-mail address, or without the address of the provider's page for the buyer. */
export function withoutAddress<Known extends Fact>(fact: Known): Known {
  if (fact.kind === 'buyer') return { ...fact, email: null };
  return fact.kind === 'page' ? { ...fact, url: null } : fact;
}
