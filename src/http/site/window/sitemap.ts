// The Sitemap protocol 0.9, https://www.sitemaps.org/protocol.html; robots.txt is RFC 9309.
import type { Principal } from '../../../access/principal.ts';
import { Refusal } from '../../../refusal.ts';
import { listPublishedItems, type PublishedItem } from '../../../service/news.ts';
import type { Http } from '../../http.ts';
import { catalogCache, type PublicText, publicText, sendPublicText } from './public-text.ts';
import { escapeXml } from '../../../xml.ts';
import { listBundles } from '../../../service/bundles.ts';

/** The protocol's limit of URLs in one file. */
const MOST = 50_000;

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

const remember = catalogCache<PublicText>();
const list = catalogCache<readonly PublishedItem[]>();

/** The sitemap, whole or as the index of its parts (`?part=1`, …). */
export async function sendSitemap(
  { stall, viewOf }: Http,
  request: Request,
  visitor: Principal,
  wanted: string | undefined,
): Promise<Response> {
  const part = readPart(wanted);
  const catalog = stall.catalog();
  const make = async () =>
    writeSitemap(
      viewOf(visitor).origin,
      await list(catalog, 'published', () => listPublishedItems(stall)),
      part,
      listBundles(catalog).map(({ bundle }) => bundle.slug),
    );
  return sendPublicText(request, await remember(catalog, String(part), make));
}

/** Writes the whole sitemap, or the part with that number. Refuses a part that does not exist. */
export function writeSitemap(
  origin: string,
  published: readonly Pick<PublishedItem, 'edition' | 'changedAt'>[],
  part: number | null,
  bundles: readonly string[] = [],
): PublicText {
  const parts = Math.ceil((published.length + bundles.length + 1) / MOST);
  // Before any URL is written: an invented part must not cost ten thousand of them.
  if (part !== null && part > parts) throw noPart();
  const items = published.map(({ edition: { manifest }, changedAt }) =>
    location(`${origin}/${manifest.kind}s/${manifest.slug}`, changedAt),
  );
  const sets = bundles.map((slug) => location(`${origin}/bundles/${slug}`, undefined));
  const urls = [location(`${origin}/`, published[0]?.changedAt), ...items, ...sets];
  if (part === null && parts > 1) {
    const files = Array.from(
      { length: parts },
      (_, n) => `<sitemap><loc>${escapeXml(`${origin}/sitemap.xml?part=${n + 1}`)}</loc></sitemap>`,
    );
    return xml('sitemapindex', files);
  }
  const start = ((part ?? 1) - 1) * MOST;
  return xml(
    'urlset',
    urls.slice(start, start + MOST).map((url) => `<url>${url}</url>`),
  );
}

function xml(root: string, rows: readonly string[]): PublicText {
  return publicText(
    'application/xml; charset=utf-8',
    `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${rows.join('\n')}\n</${root}>\n`,
  );
}

function location(url: string, changedAt: number | undefined): string {
  const changed = changedAt === undefined ? '' : `<lastmod>${new Date(changedAt).toISOString()}</lastmod>`;
  return `<loc>${escapeXml(url)}</loc>${changed}`;
}

function readPart(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (/^[1-9]\d{0,3}$/.test(text)) return Number(text);
  throw noPart();
}

function noPart(): Refusal {
  return new Refusal('not-found', 'Cannot find this part of the sitemap: /sitemap.xml lists them');
}

/** robots.txt: the paths that search engines should leave alone. */
export function writeRobots(origin: string): PublicText {
  const rules = CLOSED.map((path) => `Disallow: ${path}\n`).join('');
  return publicText('text/plain; charset=utf-8', `User-agent: *\n${rules}\nSitemap: ${origin}/sitemap.xml\n`);
}
