import { type AgentPrincipal, ANONYMOUS, type Principal, type ItemKind } from '../platform/base/principal.ts';
import {
  ACQUISITION,
  NAVIGATION,
  type OpdsEntry,
  opdsFeed,
  type OpdsLink,
  OPENSEARCH,
  openSearch,
} from './opds.rule.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { listOpds, OPDS_ENTRIES_A_PAGE, type OpdsItem, type OpdsList } from './storefront.ts';
import type { Http } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
import { agentHeaders } from '../platform/http/agent-answer.ts';
import { type Edition, findBySlug } from '../catalog/catalog.ts';
import { bookUuid } from '../reading/ebook/package-document.ts';
import { formatType, pathOfFormat } from '../catalog/path.rule.ts';
import { pictureOf } from '../catalog/picture.rule.ts';
import { summaryOf } from '../catalog/manifest.rule.ts';
import { authorNames, isFree, itemKey, type Manifest } from '../catalog/item.rule.ts';
import { majorUnits } from '../catalog/price.rule.ts';
import { hasEpub } from '../reading/epubs.ts';
import { drawPaper } from '../catalog/drawn-cover.rule.ts';
import { openCover, openSmallCover, seeItem } from '../reading/files.ts';
import { asset, isUnmodified, notModified, sendAsset } from '../platform/http/answer.ts';
import { EPUB_FORM, sendArchive, sendInstall } from '../installing/sent-archive.ts';
import { notFound } from '../platform/base/told.ts';
import { epub, install } from '../installing/install.ts';
import { sendFile } from '../reading/sent-file.ts';

const MOST_WORDS = 200;

export async function sendRoot(http: Http, request: Request, asker: AgentPrincipal): Promise<Response> {
  const { stall } = http;
  const { items } = await listOpds(stall, asker, 'newest', { page: 1 });
  const updated = latest(items);
  const entries = LISTS.map(({ list, title, about, rel }): OpdsEntry => {
    const href = `${stall.origin()}/opds/${list}`;
    return { id: href, title, updated, summary: about, links: [{ rel, href, type: ACQUISITION, title }] };
  });
  const title = stall.manifest().name;
  return sendFeed(http, request, {
    asker,
    type: NAVIGATION,
    path: '',
    query: '',
    title,
    updated,
    links: [],
    entries,
  });
}

/** Sends a page of a list of items as a feed. The list `library` needs a name and a password, the others nothing. */
export async function sendListFeed(
  http: Http,
  request: Request,
  { asker, list, query }: { readonly asker: AgentPrincipal; readonly list: OpdsList; readonly query: Query },
): Promise<Response> {
  const { stall } = http;
  const origin = stall.origin();
  const words = [...(query['q'] ?? '')].slice(0, MOST_WORDS).join('');
  const typed = { page: readPage(query['page']), words };
  const { items, count, page, pages } = await listOpds(stall, asker, list, typed);
  const queryOf = (n: number): string => {
    const fields = new URLSearchParams(list === 'search' ? { q: words } : {});
    if (n > 1) fields.set('page', String(n));
    return fields.size === 0 ? '' : `?${fields}`;
  };
  const others = { first: 1, previous: page - 1, next: page + 1, last: pages };
  const links = Object.entries(others)
    .filter(([, n]) => n >= 1 && n <= pages)
    .map(([rel, n]) => ({ rel, href: `${origin}/opds/${list}${queryOf(n)}`, type: ACQUISITION }));
  return sendFeed(http, request, {
    asker,
    type: ACQUISITION,
    path: `/${list}`,
    id: queryOf(1),
    query: queryOf(page),
    title: `${stall.manifest().name}: ${LISTS.find((one) => one.list === list)?.title ?? 'Search'}`,
    updated: latest(items),
    links: [{ rel: 'up', href: `${origin}/opds`, type: NAVIGATION }, ...links],
    entries: items.map((item) => opdsEntry(item, origin)),
    page: { count, start: count === 0 ? 0 : (page - 1) * OPDS_ENTRIES_A_PAGE + 1, size: OPDS_ENTRIES_A_PAGE },
  });
}

const latest = (items: readonly OpdsItem[]): number =>
  Math.max(0, ...items.map(({ changedAt }) => changedAt));

export function describeSearch(http: Http, request: Request): Response {
  const template = `${http.stall.origin()}/opds/search?q={searchTerms}&page={startPage?}`;
  const text = openSearch({ name: http.stall.manifest().name, template });
  return sendAsset(request, asset(OPENSEARCH, text), agentHeaders(false, true));
}

/**
 * A feed of OPDS. `path` is its path below `/opds`; `query` belongs to this page's address, `id` to the id of all its pages.
 */
type Feed = Omit<Parameters<typeof opdsFeed>[0], 'id' | 'author'> & {
  readonly asker: AgentPrincipal;
  readonly type: string;
  readonly path: string;
  readonly query: string;
  readonly id?: string;
};

function sendFeed(
  { stall }: Http,
  request: Request,
  { asker, type, path, query, id = '', links, ...feed }: Feed,
): Response {
  const origin = stall.origin();
  const root = `${origin}/opds`;
  const xml = opdsFeed({
    ...feed,
    id: `${root}${path}${id}`,
    author: { name: stall.manifest().name, uri: origin },
    links: [
      { rel: 'self', href: `${root}${path}${query}`, type },
      { rel: 'start', href: root, type: NAVIGATION },
      { rel: 'search', href: `${root}/opensearch.xml`, type: OPENSEARCH },
      ...links,
    ],
  });
  return sendAsset(request, asset(`${type};charset=utf-8`, xml), {
    ...agentHeaders(false, asker.kind === 'anonymous'),
    Vary: 'Authorization',
  });
}

function readPage(text = '1'): number {
  if (/^[1-9]\d{0,6}$/.test(text)) return Number(text);
  // Some programs send an empty page number.
  if (text === '') return 1;
  throw Refusal.invalid(`Cannot list page "${text.slice(0, 20)}": give a number from 1 on`);
}

const SORT_NEW = 'http://opds-spec.org/sort/new';
const SHELF_RELATION = 'http://opds-spec.org/shelf';

const LISTS = [
  { list: 'all', title: 'Everything', about: 'All books and skills, by title', rel: 'subsection' },
  { list: 'newest', title: 'Newest', about: 'What was published last comes first', rel: SORT_NEW },
  { list: 'free', title: 'Free', about: 'What costs nothing', rel: 'subsection' },
  {
    list: 'library',
    title: 'My library',
    about: 'What you hold; it asks for a name, which may be any, and your API key as password',
    rel: SHELF_RELATION,
  },
] as const;

const REL = 'http://opds-spec.org';
const EPUB = 'application/epub+zip';
const ARCHIVE = 'application/gzip';

/** Returns the entry of an item in a feed, with links to its downloads, or to the page that sells it. */
function opdsEntry(item: OpdsItem, origin: string): OpdsEntry {
  const { edition, changedAt } = item;
  const { manifest } = edition;
  const { kind, slug, publisher, language, license, tags, version } = manifest;
  const authors = authorNames(manifest);
  const { given, small } = coverTypes(manifest);
  const page = `${origin}/${kind}s/${slug}`;
  return {
    id: `urn:uuid:${bookUuid(kind === 'book' ? itemKey(manifest) : `skill ${slug}`)}`,
    title: manifest.title,
    updated: changedAt,
    summary: summaryOf(manifest),
    item: { authors, publisher, language, rights: license, categories: [kind, ...tags], version },
    links: [
      { rel: `${REL}/image`, href: `${origin}/opds/covers/${slug}`, type: given ?? small },
      { rel: `${REL}/image/thumbnail`, href: `${origin}/opds/thumbnails/${slug}`, type: small },
      { rel: 'alternate', href: page, type: 'text/html', title: 'The item’s page' },
      ...(item.isTheirs ? waysOf(edition, origin) : [buying(edition, page)]),
    ],
  };
}

function waysOf(edition: Edition, origin: string): readonly OpdsLink[] {
  const { manifest } = edition;
  const { kind, slug, formats } = manifest;
  const rel = isFree(manifest) ? `${REL}/acquisition/open-access` : `${REL}/acquisition`;
  const below = `${origin}/opds/${kind}s/${slug}`;
  const others = formats.filter((format) => kind === 'skill' || formatType(pathOfFormat(format)) !== EPUB);
  return [
    ...(hasEpub(edition) ? [{ rel, href: `${below}.epub`, type: EPUB, title: 'EPUB' }] : []),
    ...others
      .map((format) => [format, pathOfFormat(format)] as const)
      .map(([format, path]) => ({
        rel,
        href: `${below}/files/${path.split('/').map(encodeURIComponent).join('/')}`,
        type: formatType(path) ?? 'application/octet-stream',
        title: typeof format === 'string' ? path.slice(path.lastIndexOf('/') + 1) : format.label,
        ...lengthOf(edition, path),
      })),
    { rel, href: `${below}.tar.gz`, type: ARCHIVE, title: 'All files, tar.gz' },
  ];
}

function lengthOf({ files }: Edition, path: string): { readonly length?: number } {
  const size = files.find((file) => file.path === path)?.size;
  return size === undefined ? {} : { length: size };
}

function buying(edition: Edition, page: string): OpdsLink {
  const { unitAmountCents, currency } = edition.manifest;
  const price = { amount: majorUnits(unitAmountCents ?? 0, currency), currency: currency.toUpperCase() };
  const leadsTo = hasEpub(edition) ? [EPUB] : [ARCHIVE];
  return { rel: `${REL}/acquisition/buy`, href: page, type: 'text/html', price, leadsTo };
}

/**
 * Returns the media types of an item's cover (`given`) and of its small cover (`small`). `given` is null without a cover, or if
 * e-readers cannot show it. `small` is JPEG if the stall can resize the cover, else PNG, as for a drawn one.
 */
function coverTypes({ cover }: Pick<Manifest, 'cover'>) {
  const picture = cover === null ? null : pictureOf(cover);
  return { given: picture?.opds ? picture.type : null, small: picture?.small ? 'image/jpeg' : 'image/png' };
}

/** Sends an item's cover, large or small. Refuses not-found to those who may not see the item. */
export async function sendCover(
  http: Http,
  request: Request,
  asked: { readonly asker: AgentPrincipal; readonly slug: string; readonly size: 'small' | 'whole' },
): Promise<Response> {
  const { asker, slug, size } = asked;
  const { stall } = http;
  const isSmall = size === 'small';
  const edition = seeItem(stall, asker, slug);
  const { manifest, digest } = edition;
  const name = `"${slug}-${digest.slice(0, 16)}-${size}"`;
  const headers = {
    'Cache-Control': manifest.status === 'published' ? 'public, max-age=86400' : 'private, no-cache',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    Vary: 'Authorization',
    ETag: name,
  };
  if (isUnmodified(request, name)) return notModified(headers);
  const { given, small } = coverTypes(manifest);
  if (small === 'image/jpeg' && (isSmall || given === null)) {
    const { image } = await openSmallCover(stall, edition, 'jpeg');
    if (image !== null) return new Response(image, { headers: { ...headers, 'Content-Type': 'image/jpeg' } });
  }
  if (given !== null) {
    return sendFile(request, await openCover(stall, edition), http, {
      principal: asker,
      action: 'look',
      route: '/opds/covers/:slug',
      headers: { ...headers, 'Content-Type': given },
    });
  }
  const paper = drawPaper(manifest.kind, manifest.slug);
  return new Response(paper, { headers: { ...headers, 'Content-Type': 'image/png' } });
}

const SUFFIX = '.tar.gz';

/** Returns the sender of a request. An install token counts as anonymous, since e-readers must use API keys. */
export const withoutTokens = (asker: AgentPrincipal): Principal =>
  asker.kind === 'token'
    ? {
        ...ANONYMOUS,
        complaint: 'an install token is not for e-readers; send an API key, svc_…, as the password',
      }
    : asker;

/** Sends a book's EPUB (`GET /opds/books/<slug>.epub`), or an item's archive (`GET /opds/<kind>s/<slug>.tar.gz`). */
export async function sendWhole(
  http: Http,
  request: Request,
  { asker, kind, name }: { readonly asker: AgentPrincipal; readonly kind: ItemKind; readonly name: string },
): Promise<Response> {
  const principal = withoutTokens(asker);
  if (kind === 'book' && name.endsWith('.epub')) {
    const slug = name.slice(0, -'.epub'.length);
    return sendArchive(http, request, epub(http.stall, principal, { slug, wanted: null }), EPUB_FORM);
  }
  if (!name.endsWith(SUFFIX)) throw notFound(name);
  const slug = name.slice(0, -SUFFIX.length);
  if (findBySlug(http.stall.catalog(), slug, kind) === undefined) throw notFound(slug);
  const installation = await install(http.stall, principal, slug, null);
  return sendInstall(http, request, { ...installation, route: `/opds/${kind}s/:slug`, principal: asker });
}
