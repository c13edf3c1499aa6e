// The Atom Syndication Format, RFC 4287.
import type { Principal } from '../platform/base/principal.ts';
import { listNews, type StallNews } from '../selling/news.ts';
import type { Http } from './stall.ts';
import { escapeXml } from '../platform/base/text.ts';
import { asset, type Asset } from '../platform/http/answer.ts';
import { hashUuid } from '../reading/ebook/package-document.ts';
import { itemKey } from '../catalog/item.rule.ts';
import type { View } from '../platform/site/page.tsx';
import { directionOf } from '../platform/base/direction.ts';
import { remember, sendPublicText } from './sitemap.page.ts';

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
  // Sends the publisher's notes as plain text, so that a feed reader runs no markup of theirs.
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
 * Returns a UUID made from the stall's origin and a name alone (RFC 9562 §5.8): an entry keeps it when titles and slugs change.
 */
const uuidOf = (origin: string, name: string): string => `urn:uuid:${hashUuid(`${origin}\n${name}`)}`;
