import type { DatedFact } from './fact.ts';
import type { FoldPorts, Payment } from './fold.ts';

/** The items that an order is for. */
export type Goods = {
  readonly bundle: string | null;
  /** The items, each with the product id that sells it. Empty if none of the product ids is known here. */
  readonly items: readonly SoldItem[];
  /** All product ids that were paid for. */
  readonly products: readonly string[];
  readonly quantity: number;
  /** How many copies the order opens, one of them for the buyer. A subscription opens only one. */
  readonly copies: number;
  /** The sentence for the owner if no item is known for the order. */
  readonly unmatched: string;
  /** The sentence for the owner if some of the items cannot be granted yet, or null. */
  readonly unpublished: string | null;
  /** Returns the sentence for the owner if a payment is not enough to open the items, or null. */
  readonly heldFor: (payment: Payment | null) => string | null;
};

/**
 * Finds the items of sorted facts: those of the first fact with a product id that is known here, so that renewals and
 * later changes of plan change nothing. If no id is known, the items that the owner granted. Returns `not-ours` if there
 * are none either and `notOurs` lists an id.
 */
export function findGoods(
  facts: readonly DatedFact[],
  ports: FoldPorts,
  isSubscription: boolean,
): Goods | 'not-ours' {
  const lists = facts.map(({ fact }) => ('products' in fact ? fact.products : []));
  const products = [...new Set(lists.flat())];
  const offers = offersOf(lists.find((list) => offersOf(list, ports).length > 0) ?? [], ports);
  const granted = facts
    .map(({ fact }) => fact)
    .findLast((fact) => fact.kind === 'grant' && fact.items !== null && fact.items.length > 0);
  const isGranted = offers.length === 0 && granted?.kind === 'grant';
  if (!isGranted && offers.length === 0 && products.some((product) => isForeign(product, ports)))
    return 'not-ours';
  const quantity = quantityOf(facts);
  const copies = isSubscription || ports.isOlder ? 1 : quantity;
  const items = isGranted
    ? (granted.items ?? []).map((item) => ({ ...item, product: '' }))
    : offers.flatMap((offer) => offer.items.map((item) => ({ ...item, product: offer.product })));
  return {
    bundle: isGranted ? granted.bundle : (offers.find(({ bundle }) => bundle !== null)?.bundle ?? null),
    items: uniqueItems(items),
    products,
    quantity,
    copies,
    unmatched: describeUnmatched(products),
    unpublished: describeUnpublished(items, ports),
    heldFor: (payment) =>
      items.some((item) => ports.isPublished(item))
        ? (tooMany(copies) ?? tooLittle(offers, payment, quantity))
        : describeUnpublished(items, ports),
  };
}

const offersOf = (products: readonly string[], { offerOf }: FoldPorts): readonly Offer[] =>
  products.map(offerOf).filter((offer) => offer !== null && !isNotOurs(offer)) as readonly Offer[];

function isForeign(product: string, { offerOf }: FoldPorts): boolean {
  const offer = offerOf(product);
  return offer !== null && isNotOurs(offer);
}

const uniqueItems = <Item extends OfferedItem>(items: readonly Item[]): readonly Item[] => [
  ...new Map(items.map((item) => [`${item.kind} ${item.itemKey}`, item])).values(),
];

function quantityOf(facts: readonly DatedFact[]): number {
  const quantities = facts.map(({ fact }) => ('quantity' in fact ? fact.quantity : null));
  return Math.max(quantities.find((quantity) => quantity !== null) ?? 1, 1);
}

function describeUnmatched(products: readonly string[]): string {
  if (products.length === 0) return 'The provider named no product: grant its items by hand';
  return `No item names ${products.map((product) => `"${product}"`).join(' or ')}: add it to "sell" of its item.yaml`;
}

function describeUnpublished(items: readonly OfferedItem[], { isPublished }: FoldPorts): string | null {
  const missing = items.filter((item) => !isPublished(item)).map(({ slug }) => `"${slug}"`);
  if (missing.length === 0) return null;
  return `${missing.join(', ')} was never published here: publish it, and this order opens it`;
}

/** The most copies of one order that are handed out without the owner's grant. */
export const MOST_COPIES = 500;

const tooMany = (copies: number): string | null =>
  copies <= MOST_COPIES
    ? null
    : `It is for ${copies} copies, more than ${MOST_COPIES}: grant it, or refund it at the provider`;

/** Says why the payment for each copy is less than an offer asks; null if it is enough. */
function tooLittle(offers: readonly Offer[], payment: Payment | null, quantity: number): string | null {
  if (payment === null) return null;
  const { amount, tax, currency } = payment;
  const each = quantity === 1 ? '' : ` for each of ${quantity} copies`;
  for (const { least, from } of offers) {
    if (from != null && currency !== from.currency)
      return `It was paid in ${currency || 'no currency'}, and its price is in ${from.currency}: grant it, or refund it at the provider`;
    if (from != null && amount < from.amount * quantity)
      return `It brought ${amount} ${currency} in minor units, less than the least price, ${from.amount}${each}: grant it, or refund it at the provider`;
    if (least === null) continue;
    const enough = Object.hasOwn(least, currency) ? least[currency] : undefined;
    if (enough === undefined)
      return `It was paid in ${currency || 'no currency'}, and "least" names other currencies: grant it, or refund it at the provider`;
    if (amount - tax < enough * quantity)
      return `It brought ${amount - tax} ${currency} in minor units without tax, less than "least", ${enough}${each}: grant it, or refund it at the provider`;
  }
  return null;
}

/** An item as offers and orders name it: by the key that grants use, and its slug at the time. */
export type OfferedItem = {
  readonly kind: 'book' | 'skill';
  readonly itemKey: string;
  readonly slug: string;
};

/** An item of an order, with the product id that sold it; the id is empty if the owner granted it. */
export type SoldItem = OfferedItem & { readonly product: string };

/**
 * The part of an order that fixes the meaning of its product ids. `kept` are its items once it was paid well enough,
 * empty before.
 */
export type KeptGoods = Pick<Goods, 'bundle' | 'products'> & { readonly kept: readonly SoldItem[] };

/**
 * Returns what a product id sells to an order. The meaning is fixed when the order is first paid: an id that sold nothing
 * then never sells anything to it. `ask` answers for an order that was not paid yet, and for an id that it did not name.
 */
export function keptOffer(order: KeptGoods | null, product: string, ask: FoldPorts['offerOf']): Offer | null {
  if (order === null) return ask(product);
  const { kept, bundle, products } = order;
  const items = kept.filter((item) => item.product === product);
  if (items.length > 0) return { provider: '', product, bundle, items, least: null };
  return kept.length > 0 && products.includes(product) ? null : ask(product);
}

/**
 * An item or bundle that one product id sells, or no items if `notOurs` lists the id. `least` is the lowest accepted net
 * amount of one copy by currency, in minor units; other currencies are refused.
 */
export type Offer = {
  /** The provider's name; empty for an id in `notOurs`, which belongs to any provider. */
  readonly provider: string;
  /** The id of a Payment Link, price, product or variant. */
  readonly product: string;
  /** The bundle's slug, or null. */
  readonly bundle: string | null;
  readonly items: readonly OfferedItem[];
  readonly least: Readonly<Record<string, number>> | null;
  /** The least price of one copy, with tax, if buyers choose the price. */
  readonly from?: { readonly amount: number; readonly currency: string } | null;
};

/** The reason noted with an event of a sale that `notOurs` names; the event is kept without its buyer. */
export const NOT_OURS = 'notOurs names its product';

/** Whether an offer comes from `notOurs`, so that its sales are not shown. */
const isNotOurs = ({ provider, items }: Offer): boolean => provider === '' && items.length === 0;
