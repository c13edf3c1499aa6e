/** An item as offers and orders name it: the key that grants use, and its slug at the time. */
export type OfferedItem = {
  readonly kind: 'book' | 'skill';
  readonly itemKey: string;
  readonly slug: string;
};

/**
 * An item or bundle that one product id sells, or no items if `notOurs` lists the id. `least` is the lowest accepted net
 * amount by currency, in minor units; other currencies are refused.
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
};

/** Whether an offer comes from `notOurs`, so that its sales are not shown. */
export const isNotOurs = ({ provider, items }: Offer): boolean => provider === '' && items.length === 0;
