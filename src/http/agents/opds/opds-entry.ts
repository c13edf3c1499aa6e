import type { Edition } from '../../../catalog/edition.ts';
import type { OpdsEntry, OpdsLink } from '../../../ebook/opds.ts';
import { bookUuid } from '../../../ebook/uuid.ts';
import { summaryOf } from '../../../item/description.ts';
import { formatType } from '../../../item/format.ts';
import { isFree, itemKey } from '../../../item/item.ts';
import { majorUnits } from '../../../item/price.ts';
import { hasEpub } from '../../../service/epubs.ts';
import type { OpdsItem } from '../../../service/opds.ts';
import { coverType, thumbnailType } from './opds-cover.ts';

const REL = 'http://opds-spec.org';
const EPUB = 'application/epub+zip';
const ARCHIVE = 'application/gzip';

/** An item as an e-reader shows it, with the ways to have it. */
export function opdsEntry(item: OpdsItem, origin: string): OpdsEntry {
  const { edition, changedAt } = item;
  const { manifest } = edition;
  const { kind, slug, authors, publisher, language, license, tags, version } = manifest;
  const page = `${origin}/${kind}s/${slug}`;
  return {
    id: `urn:uuid:${bookUuid(kind === 'book' ? itemKey(manifest) : `skill ${slug}`)}`,
    title: manifest.title,
    updated: changedAt,
    summary: summaryOf(manifest),
    item: { authors, publisher, language, rights: license, categories: [kind, ...tags], version },
    links: [
      { rel: `${REL}/image`, href: `${origin}/opds/covers/${slug}`, type: coverType(manifest) },
      {
        rel: `${REL}/image/thumbnail`,
        href: `${origin}/opds/thumbnails/${slug}`,
        type: thumbnailType(manifest),
      },
      { rel: 'alternate', href: page, type: 'text/html', title: 'The item’s page' },
      ...(item.isTheirs ? waysOf(edition, origin) : [buying(edition, page)]),
    ],
  };
}

/** The links to an item's files: its EPUB, its other formats, and the whole item. */
function waysOf(edition: Edition, origin: string): readonly OpdsLink[] {
  const { manifest } = edition;
  const { kind, slug, formats } = manifest;
  const rel = isFree(manifest) ? `${REL}/acquisition/open-access` : `${REL}/acquisition`;
  const below = `${origin}/opds/${kind}s/${slug}`;
  const others = formats.filter((path) => kind === 'skill' || formatType(path) !== EPUB);
  return [
    ...(hasEpub(edition) ? [{ rel, href: `${below}.epub`, type: EPUB, title: 'EPUB' }] : []),
    ...others.map((path) => ({
      rel,
      href: `${below}/files/${path.split('/').map(encodeURIComponent).join('/')}`,
      type: formatType(path) ?? 'application/octet-stream',
      title: path.slice(path.lastIndexOf('/') + 1),
      ...lengthOf(edition, path),
    })),
    { rel, href: `${below}.tar.gz`, type: ARCHIVE, title: 'All files, tar.gz' },
  ];
}

function lengthOf({ files }: Edition, path: string): { readonly length?: number } {
  const size = files.find((file) => file.path === path)?.size;
  return size === undefined ? {} : { length: size };
}

/** The link to buy an item, with its price and the formats that the buyer gets. */
function buying(edition: Edition, page: string): OpdsLink {
  const { unitAmountCents, currency } = edition.manifest;
  const price = { amount: majorUnits(unitAmountCents ?? 0, currency), currency: currency.toUpperCase() };
  const leadsTo = hasEpub(edition) ? [EPUB] : [ARCHIVE];
  return { rel: `${REL}/acquisition/buy`, href: page, type: 'text/html', price, leadsTo };
}
