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
  /** The provider's ids that tie it to its order, with a prefix if ids alone are ambiguous, as `order:123`. */
  readonly keys: readonly string[];
};

/** Who bought. Facts become an order once one of them is a buyer. */
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

/** A payment in its latest known state. Facts with a common id are about the same payment. */
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

/** Money given back: either one refund, or the total that a payment states. The newest state of each refund counts. */
export type RefundFact = Keyed & {
  readonly kind: 'refund';
  readonly ids: readonly string[];
  /** The refund's id, or for a total the id of the object that states it. */
  readonly id: string;
  readonly amount: number;
  readonly isTotal: boolean;
  /** Whether the provider says that all of it was given back. */
  readonly isFull: boolean;
};

export type DisputeFact = Keyed & {
  readonly kind: 'dispute';
  readonly ids: readonly string[];
  readonly id: string;
  readonly state: 'none' | 'open' | 'lost';
};

/** A subscription's state. `ids` name payments that are the same one. */
export type SubscriptionFact = Keyed & {
  readonly kind: 'subscription';
  readonly ids: readonly string[];
  readonly state: 'active' | 'past-due' | 'paused' | 'ended';
  /** The end of its running period, or of the subscription if it ended or will not be renewed. */
  readonly until: number | null;
  /** Whether it runs until the provider ends it, since it names no periods. */
  readonly isOpen?: boolean;
  readonly products: readonly string[];
  readonly quantity: number | null;
};

/** States that several ids name one payment. */
type TieFact = Keyed & { readonly kind: 'tie'; readonly ids: readonly string[] };

/**
 * A page of the provider's for the buyer: the receipt, or the management of the subscription. The newest of
 * each counts; null after the buyer was erased.
 */
export type PageFact = Keyed & {
  readonly kind: 'page';
  readonly of: 'receipt' | 'subscription';
  readonly url: string | null;
};

/** The page that an address in an event names; none unless it is https. */
export const pageFact = (
  of: PageFact['of'],
  keys: readonly string[],
  url: string | null,
): readonly PageFact[] =>
  url !== null && URL.parse(url)?.protocol === 'https:' ? [{ kind: 'page', keys, of, url }] : [];

/** A note for the owner to look at. It changes no grant. */
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
  /** All payments so far were given back. */
  | { readonly kind: 'give-back' }
  /** The order is this account's. */
  | {
      readonly kind: 'attach';
      readonly accountId: string;
      readonly by: 'address' | 'owner' | 'return' | 'mail';
    }
  /** The entitlement became a code. */
  | { readonly kind: 'gift' };

/** A fact and its sort key: time, rank, event id, and number within the event. */
export type DatedFact = {
  readonly at: number;
  readonly eventId: string;
  readonly number: number;
  /** Who said it: webhook, api, owner, buyer, or csv for a table of past sales. */
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

/** The state that a name means; undefined for any other, such as a subscription that never began. */
export const readSubscriptionState = (word: string): SubscriptionFact['state'] | undefined =>
  Object.hasOwn(STATES, word) ? STATES[word] : undefined;

/** The form of an id that is kept after erasing: its hash. */
export const hideId = (id: string): string => (id.startsWith('sha256:') ? id : `sha256:${sha256(id)}`);

/** A fact without the person: no address, and a hash for each of the provider's ids. */
export const hideFact = <Known extends ProviderFact>(fact: Known): Known => ({
  ...withoutAddress(fact),
  keys: fact.keys.map(hideId),
  ...('ids' in fact ? { ids: fact.ids.map(hideId) } : {}),
  ...('id' in fact ? { id: hideId(fact.id) } : {}),
  ...(fact.kind === 'buyer' ? { ref: hideId(fact.ref) } : {}),
  ...(fact.kind === 'note' ? { text: '' } : {}),
});

/** A fact without the buyer's address, and that of the provider's page for the buyer. */
export function withoutAddress<Known extends Fact>(fact: Known): Known {
  if (fact.kind === 'buyer') return { ...fact, email: null };
  return fact.kind === 'page' ? { ...fact, url: null } : fact;
}
