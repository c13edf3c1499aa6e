import { type Catalog, type Edition, findBySlug, listShown } from '../catalog/catalog.ts';
import { isFree, itemKey, type OfferedItem } from '../catalog/item.rule.ts';
import type { Sell } from '../catalog/manifest-key.rule.ts';
import type { Bundle } from '../catalog/stall-manifest.rule.ts';
import { DEMO, PAYMENT_PROVIDERS, type PaymentProvider } from '../words/payment-provider.ts';
import type { Offer } from './goods.rule.ts';

/**
 * A paid item or a bundle. `bundle` is the slug of a bundle, null for an item. `isComplete` is false if one of its items
 * was never published.
 */
type Product = {
  readonly slug: string;
  readonly title: string;
  readonly bundle: string | null;
  readonly items: readonly OfferedItem[];
  readonly isComplete: boolean;
} & Pick<Offer, 'from'>;

type SellId = { readonly provider: PaymentProvider; readonly product: string };

/**
 * A product under one of its ids at a payment provider. For an id in `notOurs`, which sells something elsewhere, the
 * product has no items.
 */
type CatalogOffer = Product & Offer;

/** Finds the paid item or bundle with this slug; an item's former slugs count too. Free items are not products. */
export function findProduct(catalog: Catalog, slug: string): Product | undefined {
  const bundle = catalog.bundles.find((one) => one.slug === slug);
  if (bundle !== undefined) return productOfBundle(catalog, bundle);
  const edition = findBySlug(catalog, slug);
  return edition === undefined || isFree(edition.manifest) ? undefined : productOfItem(edition);
}

/** Lists every paid item and bundle under its slug, as the product of the demo's pretended payment provider. */
export function listDemoOffers(catalog: Catalog): readonly Offer[] {
  const slugs = [
    ...listShown(catalog).map(({ manifest }) => manifest.slug),
    ...catalog.bundles.map((one) => one.slug),
  ];
  return slugs
    .flatMap((slug) => findProduct(catalog, slug) ?? [])
    .map(({ slug, bundle, items }) => ({ provider: DEMO, product: slug, bundle, items, least: null }));
}

const known = new WeakMap<Catalog, readonly CatalogOffer[]>();

/** Lists every product under each of its provider ids, and the ids of `notOurs`. Leaves out an id that two products name. */
export const listOffers = (catalog: Catalog): readonly CatalogOffer[] =>
  known.getOrInsertComputed(catalog, makeOffers);

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

const notOurs = (product: string): CatalogOffer => ({
  slug: '',
  title: '',
  provider: '',
  product,
  bundle: null,
  items: [],
  isComplete: false,
  least: null,
});

const offersOf = (product: Product, sell: Sell | null): readonly CatalogOffer[] =>
  idsOf(sell).map((id) => ({ ...product, ...id, least: sell?.least ?? null }));

function productOfItem({ manifest }: Edition): Product {
  const { kind, slug, title, status, unitAmountCents, suggestedAmountCents, currency } = manifest;
  const items = [{ kind, itemKey: itemKey(manifest), slug }];
  const from = suggestedAmountCents === null ? null : { amount: unitAmountCents ?? 0, currency };
  return { slug, title, bundle: null, items, isComplete: status !== 'draft', from };
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
