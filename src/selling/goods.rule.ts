import type { OfferedItem } from '../catalog/item.rule.ts';
import type { DatedFact } from './fact.rule.ts';
import type { FoldPorts, Payment } from './fold.rule.ts';

export type Goods = {
  readonly bundle: string | null;
  /**
   * The items, each with the product id that sells it, or '' if the owner granted it. Empty if no product id is known here and
   * the owner granted none.
   */
  readonly items: readonly SoldItem[];
  readonly products: readonly string[];
  readonly quantity: number;
  /** The number of people who get the items, the buyer included; 1 for a subscription. */
  readonly copies: number;
  readonly unmatched: string;
  /** The sentence that tells the owner that some of the items cannot be granted yet, or null. */
  readonly unpublished: string | null;
  readonly heldFor: (payment: Payment | null) => string | null;
};

/**
 * Finds the items of an order: those of the first fact with a known product id, so that renewals and changes of plan
 * change nothing. If no id is known, they are the items that the owner granted. If there are none, and `notOurs` lists an
 * id, returns `not-ours`. `facts` are sorted.
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
  const lines = facts.map(({ fact }) => ('lines' in fact ? fact.lines : undefined)).find(Boolean) ?? {};
  const sold = offers.map((offer) => ({ ...offer, quantity: lines[offer.product] ?? quantity }));
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
        ? (tooMany(copies) ?? tooLittle(sold, payment))
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

/** The maximum number of copies that one order opens without the owner's consent. */
export const MOST_COPIES = 500;

const tooMany = (copies: number): string | null =>
  copies <= MOST_COPIES
    ? null
    : `It is for ${copies} copies, more than ${MOST_COPIES}: grant it, or refund it at the provider`;

type SoldOffer = Offer & { readonly quantity: number };

/** Says why a payment is too small for its offers together, or in a wrong currency; null if it is enough. */
function tooLittle(sold: readonly SoldOffer[], payment: Payment | null): string | null {
  if (payment === null) return null;
  const { amount, tax, currency } = payment;
  // Several ids may sell the same items, which are then paid for once.
  const offers = [...new Map(sold.map((offer) => [JSON.stringify(offer.items), offer])).values()];
  const [chosen] = offers.flatMap(({ from }) => (from == null || from.currency === currency ? [] : from));
  if (chosen !== undefined)
    return `It was paid in ${currency || 'no currency'}, and its price is in ${chosen.currency}: grant it, or refund it at the provider`;
  const leastOf = ({ least }: Offer): number | null | undefined =>
    least === null ? null : Object.hasOwn(least, currency) ? least[currency] : undefined;
  if (offers.some((offer) => leastOf(offer) === undefined))
    return `It was paid in ${currency || 'no currency'}, and "least" names other currencies: grant it, or refund it at the provider`;
  const sum = (of: (offer: Offer) => number): number =>
    offers.reduce((all, offer) => all + of(offer) * offer.quantity, 0);
  const each = describeShare(offers);
  const net = sum((offer) => leastOf(offer) ?? 0);
  // If buyers choose the price, the amount with tax must reach `least`, too.
  const gross = sum((offer) => Math.max(offer.from?.amount ?? 0, leastOf(offer) ?? 0));
  if (offers.some(({ from }) => from != null) && amount < gross)
    return `It brought ${amount} ${currency} in minor units, less than the least price, ${each(gross)}: grant it, or refund it at the provider`;
  if (amount - tax < net)
    return `It brought ${amount - tax} ${currency} in minor units without tax, less than "least", ${each(net)}: grant it, or refund it at the provider`;
  return null;
}

/** Returns how a sum of least prices is written: for each copy of a single offer, or for all offers together. */
function describeShare(offers: readonly SoldOffer[]): (sum: number) => string {
  const [{ quantity } = { quantity: 1 }, ...others] = offers;
  if (others.length > 0) return (sum) => `${sum} for its ${offers.length} products together`;
  return (sum) => (quantity === 1 ? String(sum) : `${sum / quantity} for each of ${quantity} copies`);
}

/** An item of an order, with the product id that sold it; the id is empty if the owner granted it. */
export type SoldItem = OfferedItem & { readonly product: string };

/**
 * The part of a stored order that fixes which items its product ids mean. `kept` are the order's items, empty until the
 * order first opened them.
 */
export type KeptGoods = Pick<Goods, 'bundle' | 'products'> & { readonly kept: readonly SoldItem[] };

/**
 * Returns the item or bundle that a product id sells to an order, or null. This is fixed when the order first opens its
 * items: an id that sold nothing then never sells anything to it. `ask` answers before that, and for ids new to the
 * order.
 */
export function keptOffer(order: KeptGoods | null, product: string, ask: FoldPorts['offerOf']): Offer | null {
  if (order === null) return ask(product);
  const { kept, bundle, products } = order;
  const items = kept.filter((item) => item.product === product);
  if (items.length > 0) return { provider: '', product, bundle, items, least: null };
  return kept.length > 0 && products.includes(product) ? null : ask(product);
}

/**
 * The item or bundle that a product id sells; without items if `notOurs` lists the id. `least` is the lowest net amount
 * for one copy in each currency, in minor units, null for no limit; an order in another currency is held.
 */
export type Offer = {
  /** The provider's name; empty for an id in `notOurs`, which may be an id of any provider. */
  readonly provider: string;
  readonly product: string;
  readonly bundle: string | null;
  readonly items: readonly OfferedItem[];
  readonly least: Readonly<Record<string, number>> | null;
  /** The least price of one copy, with tax, if buyers choose the price. */
  readonly from?: { readonly amount: number; readonly currency: string } | null;
};

/** The reason stored with an event whose product `notOurs` lists. Such an event is kept without its buyer. */
export const NOT_OURS = 'notOurs names its product';

const isNotOurs = ({ provider, items }: Offer): boolean => provider === '' && items.length === 0;
