// OPDS Catalog 1.2, https://specs.opds.io/opds-1.2, on Atom (RFC 4287) with OpenSearch 1.1.
import { escapeXml } from '../platform/base/text.ts';

/** The media types of feeds that link to other feeds, and of feeds whose entries are downloads. */
export const NAVIGATION = 'application/atom+xml;profile=opds-catalog;kind=navigation';
export const ACQUISITION = 'application/atom+xml;profile=opds-catalog;kind=acquisition';
export const OPENSEARCH = 'application/opensearchdescription+xml';

/**
 * A link. `price` has an amount such as `29.00` and an ISO 4217 code, `leadsTo` the media types that the linked page offers.
 */
export type OpdsLink = {
  readonly rel: string;
  readonly href: string;
  readonly type: string;
  readonly title?: string;
  readonly length?: number;
  readonly price?: { readonly amount: string; readonly currency: string };
  readonly leadsTo?: readonly string[];
};

/** An entry of a feed; `updated` is in milliseconds since 1970. */
export type OpdsEntry = {
  readonly id: string;
  readonly title: string;
  readonly updated: number;
  readonly summary: string;
  readonly links: readonly OpdsLink[];
  /** The facts of an item; other entries lack them. */
  readonly item?: {
    readonly authors: readonly string[];
    readonly publisher: string;
    readonly language: string | null;
    readonly rights: string | null;
    readonly categories: readonly string[];
    readonly version: string | null;
  };
};

/**
 * A feed. In `page`, `count` is the number of entries on all pages, `start` the number of this page's first one, from 1, and
 * `size` the entries a page.
 */
type OpdsFeed = Pick<OpdsEntry, 'id' | 'title' | 'updated' | 'links'> & {
  readonly author: { readonly name: string; readonly uri: string };
  readonly entries: readonly OpdsEntry[];
  readonly page?: { readonly count: number; readonly start: number; readonly size: number };
};

export function opdsFeed({ id, title, author, updated, links, entries, page }: OpdsFeed): string {
  const counts =
    page === undefined
      ? []
      : [
          element('opensearch:totalResults', String(page.count)),
          element('opensearch:startIndex', String(page.start)),
          element('opensearch:itemsPerPage', String(page.size)),
        ];
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:dc="http://purl.org/dc/terms/" xmlns:opds="http://opds-spec.org/2010/catalog" xmlns:opensearch="http://a9.com/-/spec/opensearch/1.1/">',
    element('id', id),
    element('title', title),
    element('updated', time(updated)),
    `<author>${element('name', author.name)}${element('uri', author.uri)}</author>`,
    ...counts,
    ...links.map(linkOf),
    ...entries.map(entryOf),
    '</feed>\n',
  ].join('\n');
}

/** Writes the OpenSearch 1.1 description of the stall's search; `template` is the search's address, with `{searchTerms}`. */
export function openSearch({ name, template }: { readonly name: string; readonly template: string }): string {
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">',
    // OpenSearch allows 16 characters in ShortName and 1024 in Description.
    element('ShortName', [...name].slice(0, 16).join('').trim() || 'Bookstall'),
    element('Description', `Books and skills of ${name}`.slice(0, 1024)),
    element('InputEncoding', 'UTF-8'),
    element('OutputEncoding', 'UTF-8'),
    `<Url type="${ACQUISITION}" template="${escapeXml(template)}"/>`,
    '</OpenSearchDescription>\n',
  ].join('\n');
}

function entryOf({ id, title, updated, summary, links, item }: OpdsEntry): string {
  return [
    '<entry>',
    element('id', id),
    element('title', title),
    element('updated', time(updated)),
    ...(item === undefined ? [] : metadataOf(item)),
    ...(item === undefined
      ? [`<content type="text">${escapeXml(summary)}</content>`]
      : summary === ''
        ? []
        : [`<summary type="text">${escapeXml(summary)}</summary>`]),
    ...links.map(linkOf),
    '</entry>',
  ].join('\n');
}

function metadataOf(item: NonNullable<OpdsEntry['item']>): readonly string[] {
  const { authors, publisher, language, rights, categories, version } = item;
  const some = (name: string, value: string | null): readonly string[] =>
    value === null ? [] : [element(name, value)];
  const names = authors.length === 0 ? [publisher] : authors;
  return [
    ...names.map((name) => `<author>${element('name', name)}</author>`),
    ...some('dc:language', language),
    ...some('dc:publisher', publisher),
    ...some('dc:hasVersion', version),
    ...some('rights', rights),
    ...categories.map((term) => `<category term="${escapeXml(term)}" label="${escapeXml(term)}"/>`),
  ];
}

function linkOf({ rel, href, type, title, length, price, leadsTo = [] }: OpdsLink): string {
  const attributes = Object.entries({ rel, href, type, title, length })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => ` ${name}="${escapeXml(String(value))}"`)
    .join('');
  const inside = [
    ...(price === undefined
      ? []
      : [`<opds:price currencycode="${escapeXml(price.currency)}">${price.amount}</opds:price>`]),
    ...leadsTo.map((behind) => `<opds:indirectAcquisition type="${escapeXml(behind)}"/>`),
  ];
  return inside.length === 0 ? `<link${attributes}/>` : `<link${attributes}>${inside.join('')}</link>`;
}

const element = (name: string, text: string): string => `<${name}>${escapeXml(text)}</${name}>`;

const time = (at: number): string => new Date(at).toISOString();
