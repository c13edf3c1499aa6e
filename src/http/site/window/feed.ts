// The Atom Syndication Format, RFC 4287.
import { createHash } from 'node:crypto';
import type { Principal } from '../../../access/principal.ts';
import { directionOf } from '../../../markup/direction.ts';
import { itemKey } from '../../../item/item.ts';
import { listNews, type StallNews } from '../../../service/news.ts';
import type { Http } from '../../http.ts';
import type { View } from '../frame/page.tsx';
import { catalogCache, type PublicText, publicText, sendPublicText } from './public-text.ts';
import { escapeXml } from '../../../xml.ts';

const MOST = 50;

const remember = catalogCache<PublicText>();

/** An entry for each edition of an item, the newest first. */
export async function sendFeed(
  { stall, viewOf }: Http,
  request: Request,
  visitor: Principal,
): Promise<Response> {
  const make = async () => writeFeed(viewOf(visitor), await listNews(stall, MOST));
  return sendPublicText(request, await remember(stall.catalog(), 'feed', make));
}

function writeFeed({ origin, stall }: View, news: readonly StallNews[]): PublicText {
  const name = escapeXml(stall.name);
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
  return publicText('application/atom+xml; charset=utf-8', text);
}

function entry(
  origin: string,
  { item: { manifest }, digest, version, notes, servedAt, changedAt }: StallNews,
): string {
  const { kind, slug, title, publisher, description, tags, language } = manifest;
  const words = (text: string): string => escapeXml(isolated(text, language));
  const categories = [kind, ...tags].map((term) => `<category term="${escapeXml(term)}"/>`);
  // As text: a feed reader must not run the publisher's markup.
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

/** Words from right to left between the characters that say so, since Atom has no attribute for it. */
function isolated(text: string, language: string | null): string {
  return directionOf(language) === 'rtl' ? `\u2067${text}\u2069` : text;
}

function instant(at: number): string {
  return new Date(at).toISOString();
}

/** An id derived only from the stall's origin and a name (RFC 9562 §5.8), so that it outlives new titles and slugs. */
function uuidOf(origin: string, name: string): string {
  const bytes = createHash('sha256').update(`${origin}\n${name}`).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  const hex = bytes.toString('hex');
  return `urn:uuid:${hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')}`;
}
