// The Sitemap protocol 0.9, https://www.sitemaps.org/protocol.html; robots.txt is RFC 9309.
import type { Principal } from '../platform/base/principal.ts';
import { listNews, listPublishedItems, type StallNews } from '../selling/news.ts';
import type { Http } from './stall.ts';
import { escapeXml } from '../platform/base/text.ts';
import { asset, type Asset, sendAsset } from '../platform/http/answer.ts';
import { hashUuid } from '../reading/ebook/package-document.ts';
import type { Author } from '../catalog/manifest-key.rule.ts';
import { itemKey } from '../catalog/item.rule.ts';
import { summaryOf } from '../catalog/manifest.rule.ts';
import { majorUnits } from '../catalog/price.rule.ts';
import type { Catalog, Edition } from '../catalog/catalog.ts';
import type { View } from '../platform/site/page.tsx';
import { listBundles, type ShownBundle } from '../catalog/bundle.ts';
import { directionOf } from '../platform/base/direction.ts';

/** The maximum number of URLs in a file, by the protocol. */
const MOST_URLS = 50_000;

const CLOSED = [
  '/api/',
  '/dashboard',
  '/admin',
  '/sign-in',
  '/set-up',
  '/invite',
  '/reset',
  '/i/',
  '/*/files/',
];

export async function sendSitemap({ stall, viewOf }: Http, request: Request, visitor: Principal) {
  const catalog = stall.catalog();
  const make = async () => {
    const { origin } = viewOf(visitor);
    const published = listPublishedItems(stall);
    const urls = [
      location(`${origin}/`, published[0]?.changedAt),
      ...published.map(({ edition: { manifest }, changedAt }) =>
        location(`${origin}/${manifest.kind}s/${manifest.slug}`, changedAt),
      ),
      ...listBundles(catalog).map(({ bundle }) => location(`${origin}/bundles/${bundle.slug}`)),
    ];
    const rows = urls.slice(0, MOST_URLS).join('\n');
    return asset(
      'application/xml; charset=utf-8',
      `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${rows}\n</urlset>\n`,
    );
  };
  return sendPublicText(request, await remember(catalog, 'sitemap', make));
}

function location(url: string, changedAt?: number): string {
  const changed = changedAt === undefined ? '' : `<lastmod>${instant(changedAt)}</lastmod>`;
  return `<url><loc>${escapeXml(url)}</loc>${changed}</url>`;
}

export function writeRobots(origin: string): Asset {
  const rules = CLOSED.map((path) => `Disallow: ${path}\n`).join('');
  return asset('text/plain; charset=utf-8', `User-agent: *\n${rules}\nSitemap: ${origin}/sitemap.xml\n`);
}

export const sendPublicText = (request: Request, text: Asset): Response =>
  sendAsset(request, text, {
    'Cache-Control': 'public, no-cache',
    'Content-Security-Policy': "sandbox; default-src 'none'",
  });

const caches = new WeakMap<Catalog, Map<string, Promise<Asset>>>();

/** Makes an asset once for a catalog, under the key `name`, and keeps it as long as the catalog. A failure is not kept. */
export function remember(catalog: Catalog, name: string, make: () => Promise<Asset>): Promise<Asset> {
  const known = caches.getOrInsertComputed(catalog, () => new Map());
  const made = known.getOrInsertComputed(name, make);
  made.catch(() => known.delete(name));
  return made;
}

// The Atom Syndication Format, RFC 4287.

export const FEED_ENTRIES = 50;

export async function sendFeed({ stall, viewOf }: Http, request: Request, visitor: Principal) {
  const make = async () => writeFeed(viewOf(visitor), listNews(stall, FEED_ENTRIES));
  return sendPublicText(request, await remember(stall.catalog(), 'feed', make));
}

function writeFeed({ origin, manifest }: View, news: readonly StallNews[]): Asset {
  const name = escapeXml(manifest.name);
  const text = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${uuidOf(origin, 'feed')}</id>
<title>${name}</title>
<updated>${instant(news[0]?.changedAt ?? 0)}</updated>
<author><name>${name}</name></author>
<link rel="self" type="application/atom+xml" href="${escapeXml(origin)}/feed.xml"/>
<link rel="alternate" type="text/html" href="${escapeXml(origin)}/"/>
${news.map((one) => entry(origin, one)).join('')}</feed>
`;
  return asset('application/atom+xml; charset=utf-8', text);
}

function entry(
  origin: string,
  { item: { manifest }, digest, version, notes, servedAt, changedAt }: StallNews,
): string {
  const { kind, slug, title, publisher, description, tags, language } = manifest;
  const words = (text: string): string => escapeXml(isolated(text, language));
  const categories = [kind, ...tags].map((term) => `<category term="${escapeXml(term)}"/>`);
  // The publisher's notes are sent as plain text, so that a feed reader runs no markup of theirs.
  const content = notes ? `\n<content type="text">${words(notes)}</content>` : '';
  return `<entry${language === null ? '' : ` xml:lang="${escapeXml(language)}"`}>
<id>${uuidOf(origin, `${kind} ${itemKey(manifest)} ${digest}`)}</id>
<title>${words(version === null ? title : `${title} ${version}`)}</title>
<link rel="alternate" type="text/html" href="${escapeXml(origin)}/${kind}s/${slug}"/>
<published>${instant(servedAt)}</published>
<updated>${instant(changedAt)}</updated>
<author><name>${escapeXml(publisher)}</name></author>
<summary>${words(description)}</summary>
${categories.join('')}${content}
</entry>
`;
}

/** Encloses words that run from right to left in control characters, since Atom has no attribute for direction. */
const isolated = (text: string, language: string | null): string =>
  directionOf(language) === 'rtl' ? `\u2067${text}\u2069` : text;

const instant = (at: number): string => new Date(at).toISOString();

/**
 * Returns a UUID that depends only on the stall's origin and a name (RFC 9562 §5.8), so that an entry keeps its id when titles
 * and slugs change.
 */
const uuidOf = (origin: string, name: string): string => `urn:uuid:${hashUuid(`${origin}\n${name}`)}`;

// The format is JSON-LD 1.1 with the words of https://schema.org/Book and https://schema.org/SoftwareApplication.

/**
 * Describes an item for search engines; `image` is its cover's path. The JSON goes into an element that no browser runs. It has
 * no "<", so that no text ends the element.
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

/** Describes a bundle for search engines, as `structuredData` does an item; https://schema.org/Product. */
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

/** Writes JSON with those characters escaped that could end the script element around it. */
const dataBlock = (block: object): string => JSON.stringify(block).replace(/[<>&\u2028\u2029]/g, escapeUnit);

const offerOf = (unitAmountCents: number, currency: string, url: string) => ({
  '@type': 'Offer',
  price: majorUnits(unitAmountCents, currency),
  priceCurrency: currency.toUpperCase(),
  availability: 'https://schema.org/InStock',
  url,
});

const escapeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
