import { type SigningProvider, isPaymentProvider, type PaymentProvider } from '../words/payment-provider.ts';
import type { OfferedItem } from '../catalog/item.rule.ts';
import type { AttachWay } from './fact.rule.ts';

/**
 * The states of an order; only `paid` opens its items. `unmatched`: no item is known for its products. `held`: the owner
 * must consent, as when too little was paid, or publish its items. `lost`: in a dispute. `ended`: the owner took the items away, or the paid
 * time ran out.
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

/**
 * The values computed from an order's facts. Amounts are in minor units, times in milliseconds since 1970 UTC. `COLUMNS`
 * of order.sql.ts reads each of them.
 */
export type OrderTerms = {
  readonly state: OrderState;
  readonly at: number;
  /** The buyer's address from the provider; null if it gave none, or after the buyer was erased. */
  readonly email: string | null;
  readonly bundle: string | null;
  /** All product ids in the order's facts, to explain an order without a known item. */
  readonly products: readonly string[];
  readonly quantity: number;
  /** The total that was paid in `currency`, including tax. */
  readonly amount: number;
  readonly tax: number;
  readonly refunded: number;
  readonly currency: string | null;
  readonly paidAt: number | null;
  readonly isSubscription: boolean;
  /** Whether the order is from the command `sell test` or the demo, where no money is paid. */
  readonly isTest: boolean;
  /** When the items close: for a subscription after the paid period and any grace; null means never. */
  readonly until: number | null;
  readonly attention: string | null;
};

export type Order = OrderTerms & {
  /** The row's id, for commands and addresses in the office. Buyers see `number` and `ref` instead. */
  readonly id: number;
  /** The order number, counted from 1; null for test sales, and until the order is paid, has known items and is not held. */
  readonly number: number | null;
  readonly provider: string;
  /** The provider's id of the order; its hash, as in `sha256:…`, after the buyer was erased. */
  readonly providerRef: string;
  readonly ref: string;
  readonly accountId: string | null;
  readonly account: string | null;
  readonly attachedBy: AttachWay | null;
  readonly claimedAt: number | null;
  readonly items: readonly OfferedItem[];
  /** How many copies the order's code gives away to others, and how many of them are taken; both 0 without a valid code. */
  readonly copies: number;
  readonly copiesUsed: number;
  readonly erasedAt: number | null;
};

/**
 * Returns the state of an order at the time `now`: an order stored as `paid` is `ended` from `until` on. Call this
 * wherever an order is shown.
 */
export const stateAt = ({ state, until }: Pick<Order, 'state' | 'until'>, now: number): OrderState =>
  state === 'paid' && until !== null && until <= now ? 'ended' : state;

/** Names an order to people, as in `17 (7KQ2M-X4TRD)`; without a number by its reference alone. */
export const nameOrder = ({ number, ref }: Pick<Order, 'number' | 'ref'>): string =>
  number === null ? ref : `${number} (${ref})`;

/**
 * For each provider, the forms of the sale ids in its own lists, each with a function that makes a key of the facts from
 * the id, as `order:123` from `123`.
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

/** The forms of the ids that the command `sell test` and the demo make up; no provider gives such ids. */
const PLAYED: Readonly<Record<SigningProvider | 'demo', RegExp>> = {
  stripe: /^cs_bookstall_/,
  polar: /^b0057a11-/,
  lemonsqueezy: /^90000\d{10}$/,
  demo: /^demo_[0-9a-f]{32}$/,
};

export const isTestSale = (reference: string): boolean =>
  Object.values(PLAYED).some((id) => id.test(reference));

/** The digits of Crockford's base 32: no I, L, O or U. */
const DIGITS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Returns the reference that people read to each other, as `7KQ2M-X4TRD`: 50 bits of a hash of provider and id. */
export function shortReference(provider: string, ref: string): string {
  const bytes = new Bun.CryptoHasher('sha256').update(`${provider} ${ref}`).digest();
  const digits = [...bytes.subarray(0, 10)].map((byte) => DIGITS[byte % 32]).join('');
  return `${digits.slice(0, 5)}-${digits.slice(5)}`;
}
