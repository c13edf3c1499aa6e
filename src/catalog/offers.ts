import type { Bundle } from '../item/stall-manifest.ts';
import { itemKey } from '../item/item.ts';
import type { Sell } from '../item/sell.ts';
import { PAYMENT_PROVIDERS, type PaymentProvider } from '../payment-provider.ts';
import type { Offer, OfferedItem } from '../sales/offer.ts';
import { type Catalog, type Edition, findBySlug } from './catalog.ts';

/**
 * A thing with a price: a paid item, or a bundle. `bundle` is the bundle's slug, null for an item. `isComplete` is false if an
 * item of it was never published.
 */
type Product = {
  readonly slug: string;
  readonly title: string;
  readonly bundle: string | null;
  readonly items: readonly OfferedItem[];
  readonly isComplete: boolean;
};

/** The name of a product at a provider. */
export type SellId = { readonly provider: PaymentProvider; readonly product: string };

/** A product under one of its ids, or an id of `notOurs`, which has no items. */
type CatalogOffer = Product & Offer;

/** The product with this slug, or former slug of an item. Free items are not products. */
export function findProduct(catalog: Catalog, slug: string): Product | undefined {
  const bundle = catalog.bundles.find((one) => one.slug === slug);
  if (bundle !== undefined) return productOfBundle(catalog, bundle);
  const edition = findBySlug(catalog, slug);
  return edition === undefined || edition.manifest.unitAmountCents === 0 ? undefined : productOfItem(edition);
}

const known = new WeakMap<Catalog, readonly CatalogOffer[]>();

/** Every product under each of its ids, and the ids of `notOurs`; an id that two products name sells neither. */
export function listOffers(catalog: Catalog): readonly CatalogOffer[] {
  const offers = known.get(catalog) ?? makeOffers(catalog);
  known.set(catalog, offers);
  return offers;
}

/** The ids of a `sell`, provider by provider. */
export function idsOf(sell: Sell | null): readonly SellId[] {
  if (sell === null) return [];
  return PAYMENT_PROVIDERS.flatMap((provider) => sell[provider].map((product) => ({ provider, product })));
}

function makeOffers(catalog: Catalog): readonly CatalogOffer[] {
  const offers = [
    ...catalog.editions
      .filter(({ manifest }) => manifest.sell !== null)
      .flatMap((edition) => offersOf(productOfItem(edition), edition.manifest.sell)),
    ...catalog.bundles.flatMap((bundle) => offersOf(productOfBundle(catalog, bundle), bundle.sell)),
  ];
  const byId = Map.groupBy(offers, ({ provider, product }) => `${provider} ${product}`);
  const ids = new Set(offers.map(({ product }) => product));
  return [
    ...[...byId.values()].flatMap((sharers) => (sharers.length === 1 ? sharers : [])),
    ...catalog.notOurs.filter((id) => !ids.has(id)).map(notOurs),
  ];
}

function notOurs(product: string): CatalogOffer {
  return {
    slug: '',
    title: '',
    provider: '',
    product,
    bundle: null,
    items: [],
    isComplete: false,
    least: null,
  };
}

function offersOf(product: Product, sell: Sell | null): readonly CatalogOffer[] {
  return idsOf(sell).map((id) => ({ ...product, ...id, least: sell?.least ?? null }));
}

function productOfItem({ manifest }: Edition): Product {
  const { kind, slug, title, status } = manifest;
  const items = [{ kind, itemKey: itemKey(manifest), slug }];
  return { slug, title, bundle: null, items, isComplete: status !== 'draft' };
}

function productOfBundle(catalog: Catalog, { slug, title, items }: Bundle): Product {
  const found = items.map((one) => findBySlug(catalog, one)).filter((edition) => edition !== undefined);
  const products = found.map(productOfItem);
  return {
    slug,
    title,
    bundle: slug,
    items: products.flatMap((product) => product.items),
    isComplete: products.length === items.length && products.every(({ isComplete }) => isComplete),
  };
}
