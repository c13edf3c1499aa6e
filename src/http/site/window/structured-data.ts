// The format is JSON-LD 1.1 with the words of https://schema.org/Book and https://schema.org/SoftwareApplication.
import type { Edition } from '../../../catalog/catalog.ts';
import { majorUnits } from '../../../item/price.ts';
import type { ShownBundle } from '../../../service/window.ts';
import { summaryOf } from '../../../item/manifest.ts';

/** An item for search engines: a data block, which no browser runs. It holds no "<", so that nothing in it ends the block. */
export function structuredData({ manifest }: Edition, origin: string): string {
  const { kind, slug, title, authors, publisher, language, license, unitAmountCents, currency } = manifest;
  const url = `${origin}/${kind}s/${slug}`;
  const block = {
    '@context': 'https://schema.org',
    '@type': kind === 'book' ? 'Book' : 'SoftwareApplication',
    name: title,
    url,
    description: summaryOf(manifest),
    ...(authors.length > 0 ? { author: authors.map((name) => ({ '@type': 'Person', name })) } : {}),
    publisher: { '@type': 'Organization', name: publisher },
    ...(language === null ? {} : { inLanguage: language }),
    ...(license === null ? {} : { license }),
    ...(kind === 'book'
      ? { bookFormat: 'https://schema.org/EBook' }
      : { applicationCategory: 'DeveloperApplication', operatingSystem: 'Any' }),
    ...(unitAmountCents === null ? {} : { offers: offerOf(unitAmountCents, currency, url) }),
  };
  return dataBlock(block);
}

/** A bundle for search engines, as `structuredData` writes an item; https://schema.org/Product. */
export function bundleData({ bundle, editions }: ShownBundle, origin: string): string {
  const url = `${origin}/bundles/${bundle.slug}`;
  const block = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: bundle.title,
    url,
    ...(bundle.description === '' ? {} : { description: bundle.description }),
    isRelatedTo: editions.map(({ manifest: { kind, slug, title } }) => ({
      '@type': kind === 'book' ? 'Book' : 'SoftwareApplication',
      name: title,
      url: `${origin}/${kind}s/${slug}`,
    })),
    offers: offerOf(bundle.unitAmountCents, bundle.currency, url),
  };
  return dataBlock(block);
}

/** JSON without the characters that could end its block. */
function dataBlock(block: object): string {
  return JSON.stringify(block).replace(/[<>&\u2028\u2029]/g, escapeUnit);
}

const offerOf = (unitAmountCents: number, currency: string, url: string) => ({
  '@type': 'Offer',
  price: majorUnits(unitAmountCents, currency),
  priceCurrency: currency.toUpperCase(),
  availability: 'https://schema.org/InStock',
  url,
});

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
