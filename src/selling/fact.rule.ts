import type { OfferedItem } from '../catalog/item.rule.ts';
import { sha256 } from '../platform/base/runtime.ts';

/**
 * One statement read from an event, in a form that is the same for every provider. Facts with a common key belong to the
 * same order. A customer's id is no key, since it would join all their orders. Amounts are in minor units, times in
 * milliseconds since 1970 UTC. Names, streets, cards and tax ids are not kept.
 */
export type Fact = ProviderFact | OwnerFact;

export type ProviderFact =
  BuyerFact | PaymentFact | RefundFact | DisputeFact | SubscriptionFact | TieFact | PageFact | NoteFact;

type Bought = {
  readonly products: readonly string[];
  /** The number of copies; of several lines, the least number; null if the event does not say. */
  readonly quantity: number | null;
  /** The number of copies of each product id, if the provider lists several lines. */
  readonly lines?: Readonly<Record<string, number>>;
};

type Keyed = {
  /** The provider's ids that link the fact to its order. An ambiguous id has a prefix, such as `order:123`. */
  readonly keys: readonly string[];
};

/** Names the buyer. A purchase becomes an order once one of its facts names a buyer. */
export type BuyerFact = Keyed &
  Bought & {
    readonly kind: 'buyer';
    readonly ref: string;
    readonly email: string | null;
    /** Whether the provider says that the order is a subscription; null if this event does not say. */
    readonly isSubscription: boolean | null;
  };

/** The state of a payment at the time of the event. Facts that share one of their `ids` are about the same payment. */
export type PaymentFact = Keyed &
  Bought & {
    readonly kind: 'payment';
    readonly ids: readonly string[];
    readonly state: 'pending' | 'failed' | 'paid';
    readonly amount: number;
    readonly tax: number;
    readonly currency: string;
    /** When the period ends that the payment pays for; null if it names none. */
    readonly until: number | null;
  };

/** One refund or, if `isTotal`, all that was refunded of a payment. Of several facts with the same `id`, the newest counts. */
export type RefundFact = Keyed & {
  readonly kind: 'refund';
  readonly ids: readonly string[];
  /** The id of the refund; for a total, the id of the object that states the total. */
  readonly id: string;
  readonly amount: number;
  readonly isTotal: boolean;
  readonly isFull: boolean;
};

export type DisputeState = 'none' | 'open' | 'lost';

export type AttachWay = 'address' | 'owner' | 'return' | 'mail';

export type DisputeFact = Keyed & {
  readonly kind: 'dispute';
  readonly ids: readonly string[];
  readonly id: string;
  readonly state: DisputeState;
};

/** The state of a subscription. `ids` are those of its first payment; empty if the event does not name them. */
export type SubscriptionFact = Keyed &
  Bought & {
    readonly kind: 'subscription';
    readonly ids: readonly string[];
    readonly state: 'active' | 'past-due' | 'paused' | 'ended';
    /** When the present period ends, or the subscription itself; null if the event does not say. */
    readonly until: number | null;
    /** Whether the subscription has no periods, and so runs until the provider ends it. */
    readonly isOpen?: boolean;
  };

type TieFact = Keyed & { readonly kind: 'tie'; readonly ids: readonly string[] };

/**
 * The address of a provider's page for the buyer: the receipt, or the page that manages the subscription. The newest of
 * each counts. `url` is null after the buyer was erased.
 */
export type PageFact = Keyed & {
  readonly kind: 'page';
  readonly of: 'receipt' | 'subscription';
  readonly url: string | null;
};

/** Makes a fact from the address of a provider's page for the buyer. The list is empty unless the address is https. */
export const pageFact = (
  of: PageFact['of'],
  keys: readonly string[],
  url: string | null,
): readonly PageFact[] =>
  url !== null && URL.parse(url)?.protocol === 'https:' ? [{ kind: 'page', keys, of, url }] : [];

/** A note that asks the owner to look at the order. It changes no grant. */
type NoteFact = Keyed & { readonly kind: 'note'; readonly text: string };

/** An act of the owner or of the buyer, stored with the facts of its order. */
export type OwnerFact =
  | {
      /** Opens the items, whatever the provider said before. `items` counts only if the order's products sell nothing here. */
      readonly kind: 'grant';
      readonly items: readonly OfferedItem[] | null;
      readonly bundle: string | null;
    }
  /** Closes these items until a later grant; null closes all. */
  | { readonly kind: 'revoke'; readonly items: readonly OfferedItem[] | null }
  | { readonly kind: 'give-back' }
  | {
      readonly kind: 'attach';
      readonly accountId: string;
      readonly by: AttachWay;
    }
  | { readonly kind: 'gift' }
  /** The buyer asks for the money back; `reason` is empty if they gave none. */
  | { readonly kind: 'ask-back'; readonly reason: string };

/** A fact with the values by which facts are sorted: time, event id, and number in the event; its kind gives its rank. */
export type DatedFact = {
  readonly at: number;
  readonly eventId: string;
  readonly number: number;
  /** Where it comes from: webhook, api, owner, buyer, or csv for an imported table of past sales. */
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

/**
 * Returns the state that Stripe's name means; undefined for an unknown name, and for `incomplete`, whose first payment is
 * missing.
 */
export const readSubscriptionState = (word: string): SubscriptionFact['state'] | undefined =>
  Object.hasOwn(STATES, word) ? STATES[word] : undefined;

/** Hashes an id, of which only the hash is kept after the buyer is erased. An id that is a hash already stays as it is. */
export const hideId = (id: string): string => (id.startsWith('sha256:') ? id : `sha256:${sha256(id)}`);

/**
 * Returns a fact without the buyer's personal data: without addresses and notes, and with hashes in place of the
 * provider's ids.
 */
export const hideFact = <Known extends ProviderFact>(fact: Known): Known => ({
  ...withoutAddress(fact),
  keys: fact.keys.map(hideId),
  ...('ids' in fact ? { ids: fact.ids.map(hideId) } : {}),
  ...('id' in fact ? { id: hideId(fact.id) } : {}),
  ...(fact.kind === 'buyer' ? { ref: hideId(fact.ref) } : {}),
  ...(fact.kind === 'note' ? { text: '' } : {}),
});

/** Returns a fact without the buyer's e-mail address, or without that of the provider's page for the buyer. */
export function withoutAddress<Known extends Fact>(fact: Known): Known {
  if (fact.kind === 'buyer') return { ...fact, email: null };
  return fact.kind === 'page' ? { ...fact, url: null } : fact;
}
