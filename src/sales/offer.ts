/** An item as offers and orders name it: by the key of its grants, and by the slug it had then. */
export type OfferedItem = {
  readonly kind: 'book' | 'skill';
  readonly itemKey: string;
  readonly slug: string;
};

/**
 * What one id of a provider means: an item or a bundle; a sale that `notOurs` names has no items. `least` is the lowest net
 * amount by currency, in minor units; another currency is less.
 */
export type Offer = {
  /** A provider's name; empty for an id of `notOurs`, which names no provider. */
  readonly provider: string;
  /** The id: of a Payment Link, price, product or variant. */
  readonly product: string;
  /** The bundle's slug, or null. */
  readonly bundle: string | null;
  readonly items: readonly OfferedItem[];
  readonly least: Readonly<Record<string, number>> | null;
};

/** Whether an offer is of `notOurs`: its sales are not shown. */
export const isNotOurs = ({ provider, items }: Offer): boolean => provider === '' && items.length === 0;
