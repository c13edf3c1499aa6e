import { type SigningProvider, isPaymentProvider, type PaymentProvider } from '../words/payment-provider.ts';
import type { OfferedItem } from '../catalog/item.rule.ts';
import type { AttachWay } from './fact.rule.ts';

/**
 * The states of an order. Only `paid` opens its items. `ended` means that its time has run out, or that the items were
 * taken away.
 */
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

export const isOrderState = (text: string): text is OrderState =>
  ORDER_STATES.some((state) => state === text);

/** The values computed from an order's facts. Amounts are in minor units, times in milliseconds since 1970 UTC. `COLUMNS` of order.sql.ts reads each. */
export type OrderTerms = {
  readonly state: OrderState;
  readonly at: number;
  /** The buyer's address from the provider; null after the buyer was erased. */
  readonly email: string | null;
  readonly bundle: string | null;
  /** The product ids that were paid for, to explain an order without a known item. */
  readonly products: readonly string[];
  readonly quantity: number;
  /** The total of the payments, including tax. */
  readonly amount: number;
  readonly tax: number;
  readonly refunded: number;
  readonly currency: string | null;
  readonly paidAt: number | null;
  readonly isSubscription: boolean;
  /** Whether the order is from the command `sell test` or the demo: no money was paid, so no statistics count it. */
  readonly isTest: boolean;
  /** The end of the paid period and of the grace after it; null means never. */
  readonly until: number | null;
  readonly attention: string | null;
};

export type Order = OrderTerms & {
  /** The row's id, by which commands and web addresses name an order. People see `number` and `ref` instead. */
  readonly id: number;
  /** The order number, counted from 1 over all paid orders; null before payment, and for test sales. */
  readonly number: number | null;
  readonly provider: string;
  /** The provider's id of the order; its SHA-256 after the buyer was erased. */
  readonly providerRef: string;
  readonly ref: string;
  readonly accountId: string | null;
  readonly account: string | null;
  readonly attachedBy: AttachWay | null;
  readonly claimedAt: number | null;
  readonly items: readonly OfferedItem[];
  /** How many copies the order's code gives away to others, and how many of them are taken; 0 if it has no such code. */
  readonly copies: number;
  readonly copiesUsed: number;
  readonly erasedAt: number | null;
};

/**
 * Returns the state of an order at a time: one that is stored as `paid` is `ended` once `until` has passed. Call this
 * wherever an order is shown.
 */
export const stateAt = ({ state, until }: Pick<Order, 'state' | 'until'>, now: number): OrderState =>
  state === 'paid' && until !== null && until <= now ? 'ended' : state;

/** Names an order to people, by its number and reference: `17 (7KQ2M-X4TRD)`. */
export const nameOrder = ({ number, ref }: Pick<Order, 'number' | 'ref'>): string =>
  number === null ? ref : `${number} (${ref})`;

/**
 * For each provider, the forms of the sale ids in its own lists, each with a function that makes the key of the order's
 * facts from the id.
 */
const REFERENCES: Readonly<
  Record<PaymentProvider, readonly (readonly [shape: RegExp, key: (id: string) => string])[]>
> = {
  stripe: [[/^(?:cs|pi|in|sub)_\w+$/, (id) => id]],
  polar: [[/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, (id) => id]],
  lemonsqueezy: [
    [/^\d+$/, (id) => `order:${id}`],
    [/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/, (id) => `identifier:${id}`],
  ],
  gumroad: [[/^[\w+/-]+==$/, (id) => `sale:${id}`]],
};

export function keyOfReference(provider: string, reference: string): string | null {
  const shapes = isPaymentProvider(provider) ? REFERENCES[provider] : undefined;
  const found = shapes?.find(([shape]) => shape.test(reference));
  return found === undefined ? null : found[1](reference);
}

/** The ids of sales that the command `sell test` plays, and of the demo's; no provider gives such ids. */
const PLAYED: Readonly<Record<SigningProvider | 'demo', RegExp>> = {
  stripe: /^cs_bookstall_/,
  polar: /^b0057a11-/,
  lemonsqueezy: /^90000\d{10}$/,
  demo: /^demo_[0-9a-f]{32}$/,
};

/** Whether an order's id was made by the command `sell test` or the demo. */
export const isTestSale = (reference: string): boolean =>
  Object.values(PLAYED).some((id) => id.test(reference));

/** Crockford's digits: no I, L, O or U. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns the reference that people read to each other, as `7KQ2M-X4TRD`: 50 bits of a hash of the provider's id. */
export function shortReference(provider: string, ref: string): string {
  const bytes = new Bun.CryptoHasher('sha256').update(`${provider} ${ref}`).digest();
  const digits = [...bytes.subarray(0, 10)].map((byte) => DIGITS[byte % 32]).join('');
  return `${digits.slice(0, 5)}-${digits.slice(5)}`;
}
