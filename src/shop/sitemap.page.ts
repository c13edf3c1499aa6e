// The Sitemap protocol 0.9, https://www.sitemaps.org/protocol.html; robots.txt is RFC 9309.
import type { Principal } from '../platform/base/principal.ts';
import { listPublishedItems } from '../selling/news.ts';
import type { Http } from './stall.ts';
import { escapeXml } from '../platform/base/text.ts';
import { asset, type Asset, sendAsset } from '../platform/http/answer.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { listBundles } from '../catalog/bundle.ts';

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
  const changed = changedAt === undefined ? '' : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`;
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

/** Makes an asset once for a catalog, by `name`, and keeps it as long as the catalog. Does not keep a failure. */
export function remember(catalog: Catalog, name: string, make: () => Promise<Asset>): Promise<Asset> {
  const known = caches.getOrInsertComputed(catalog, () => new Map());
  const made = known.getOrInsertComputed(name, make);
  made.catch(() => known.delete(name));
  return made;
}
