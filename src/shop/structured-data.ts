// The format is JSON-LD 1.1 with the words of https://schema.org/Book and https://schema.org/SoftwareApplication.
import type { Author } from '../catalog/manifest-key.rule.ts';
import { summaryOf } from '../catalog/manifest.rule.ts';
import { majorUnits } from '../catalog/price.rule.ts';
import type { Edition } from '../catalog/catalog.ts';
import { type ShownBundle } from '../catalog/bundle.ts';

/**
 * Describes an item for search engines; `image` is the path of its cover. The JSON stands in an element that no browser runs,
 * and has no "<" that could end it.
 */
export function structuredData({ manifest }: Edition, origin: string, image: string): string {
  const { kind, slug, title, publisher, language, license, unitAmountCents, currency } = manifest;
  const url = `${origin}/${kind}s/${slug}`;
  const block = {
    '@context': 'https://schema.org',
    '@type': kind === 'book' ? 'Book' : 'SoftwareApplication',
    name: title,
    url,
    description: summaryOf(manifest),
    image: origin + image,
    ...(manifest.authors.length > 0 ? { author: manifest.authors.map(personOf) } : {}),
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

const personOf = ({ name, url }: Author) => ({ '@type': 'Person', name, ...(url === null ? {} : { url }) });

/** Describes a bundle for search engines, like `structuredData`; https://schema.org/Product. */
export function bundleData({ bundle }: ShownBundle, origin: string, image: string): string {
  const url = `${origin}/bundles/${bundle.slug}`;
  const block = {
    '@context': 'https://schema.org',
    '@type': 'Product',
    name: bundle.title,
    url,
    image: origin + image,
    ...(bundle.description === '' ? {} : { description: bundle.description }),
    offers: offerOf(bundle.unitAmountCents, bundle.currency, url),
  };
  return dataBlock(block);
}

const dataBlock = (block: object): string => JSON.stringify(block).replace(/[<>&\u2028\u2029]/g, escapeUnit);

const offerOf = (unitAmountCents: number, currency: string, url: string) => ({
  '@type': 'Offer',
  price: majorUnits(unitAmountCents, currency),
  priceCurrency: currency.toUpperCase(),
  availability: 'https://schema.org/InStock',
  url,
});

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
