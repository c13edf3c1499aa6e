import type { Principal } from '../../../access/principal.ts';
import {
  findInStorefront,
  searchBundles,
  type ShownBundle,
  type StorefrontOrder,
  type StorefrontPage,
  type StorefrontQuery,
} from '../../../service/storefront.ts';
import { asset, isUnmodified, notModified } from '../../answer.ts';
import type { Http, Query } from '../../http.ts';
import {
  pageCacheHeaders,
  type PageHead,
  PageHeading,
  pageResponse,
  renderPage,
  sendPage,
  type View,
} from '../frame/page.tsx';
import { imageUrls, packedFor, previewUrl } from '../frame/assets.ts';
import { remember } from './sitemap.ts';
import { buttonsOf, ItemHead, type Offer, offerOf, showItem } from './item.tsx';
import type { Edition } from '../../../catalog/catalog.ts';
import type { VNode } from 'preact';
import { Button, ButtonLink, Choices, Field, QuietLink, Select } from '../parts/form.tsx';
import { type ItemKind, makersOf } from '../../../item/item.ts';
import { counted, splitTitle } from '../../../text.ts';
import { formatPrice } from '../../../item/price.ts';
import { bundleCover, coverUrl, previewImage } from './covers.ts';
import { Empty, numbersBeside, Pager } from '../parts/data-table.tsx';
import { languageName, readStorefrontQuery, storefrontUrl } from './storefront-query.ts';
import { Rendered, Shelf, type ShelfItem } from '../parts/shelf.tsx';
import { openingOf, summaryOf } from '../../../item/manifest.ts';
import { notFound } from '../../../service/access.ts';
import type { Stall } from '../../../service/stall.ts';
import { ContactLink } from '../parts/buy.tsx';

const HTML = 'text/html';

/**
 * The storefront. Its first page is rendered once for each catalog for anonymous visitors; others see the
 * items they own. A stall with one item opens with that item's page.
 */
export async function showStorefront(http: Http, request: Request, visitor: Principal, typed: Query) {
  const view = http.viewOf(visitor);
  const query = readStorefrontQuery(typed);
  const catalog = http.stall.catalog();
  const isFront = storefrontUrl(query) === '/';
  const [only, another] = catalog.editions.values().filter(isPublished).take(2);
  if (isFront && only !== undefined && another === undefined)
    return showItem(http, request, visitor, { ...only.manifest, query: typed });
  const make = async () => asset(HTML, await render(http, view, visitor, query));
  const isShared = isFront && view.visitor === 'anonymous';
  const page = await (isShared ? remember(catalog, `window ${view.insecure}`, make) : make());
  const { body, etag, coding } = await packedFor(request, page, view.visitor === 'anonymous');
  const headers = { ...pageCacheHeaders(view), ...coding, ETag: etag };
  if (isUnmodified(request, etag)) return notModified({ ...headers, Vary: 'Cookie' });
  return pageResponse(view, body, { headers });
}

const isPublished = ({ manifest }: Edition): boolean => manifest.status === 'published';

async function render(
  { stall }: Http,
  view: View,
  visitor: Principal,
  query: StorefrontQuery,
): Promise<string> {
  const page = await findInStorefront(stall, query);
  const isFront = storefrontUrl(query) === '/';
  const [first] = isFront ? page.featured : [];
  const lead = first === undefined ? null : <Lead view={view} offer={offerOf(stall, visitor, first)} />;
  const markdown = isFront ? view.stall.intro : null;
  const edition = stall.stallFiles();
  const images = { urls: imageUrls(edition), bytes: edition.images };
  const intro =
    markdown === null ? null : await stall.pages.renderText({ markdown, level: 2, place: null, images });
  const bundles = searchBundles(stall.catalog(), query);
  return renderPage(
    view,
    headOf(view, query, page),
    <Storefront {...{ view, query, page, bundles, intro, lead }} />,
  );
}

function headOf(
  { stall }: View,
  query: StorefrontQuery,
  { page, count, featured }: StorefrontPage,
): PageHead {
  const [first] = featured;
  const url = storefrontUrl({ ...query, page });
  const head = {
    title: stall.name,
    heading: null,
    description:
      stall.intro === null || first === undefined
        ? `Books and skills of ${stall.name}`
        : summaryOf({ kind: 'book', description: stall.intro }),
    image: first === undefined ? previewUrl() : previewImage(first),
    current: '/',
  };
  // Search engines should index neither the results of a search, nor an empty page, nor the items again in another order.
  return query.words === '' && query.order === 'title' && count > 0 ? { ...head, canonical: url } : head;
}

/** The most items without filters and orders. */
const FEW = 12;

/** The most items without a search. */
const A_HANDFUL = 4;

const KINDS = Object.entries({ book: 'Books', skill: 'Skills' });
const PRICES = Object.entries({ free: 'Free', paid: 'Paid' });

/** The search form of the storefront. It has choices if there are many items, folded until one is chosen. */
function Filters({ query, page }: { query: StorefrontQuery; page: StorefrontPage }) {
  const { words, kind, price, tag, language, order } = query;
  const tags = page.tags.map((one) => [one, one] as const);
  const languages = page.languages.map((one) => [one, languageName(one)] as const);
  const choices = [
    { label: 'Kind', name: 'kind', any: 'Books and skills', options: KINDS, value: kind },
    { label: 'Price', name: 'price', any: 'Any price', options: PRICES, value: price },
    { label: 'Tag', name: 'tag', any: 'Any tag', options: tags, value: tag },
    { label: 'Language', name: 'language', any: 'Any language', options: languages, value: language },
  ].filter(({ options, value }) => options.length > 0 || value !== null);
  const isChosen = choices.some(({ value }) => value !== null);
  return (
    <form class="filters window-search" action={isChosen ? '/' : '/search'} method="get" role="search">
      <Field
        label="Search"
        name="q"
        type="search"
        value={words}
        maxLength={200}
        placeholder={`Search ${counted(page.total, 'item')} and their texts`}
      />
      <Button kind="quiet">Search</Button>
      {order !== 'title' && <input type="hidden" name="sort" value={order} />}
      {(page.total > FEW || isChosen) && (
        <details open={isChosen}>
          <summary>Filters</summary>
          <div>
            {choices.map(({ value, ...choice }) => (
              <Select {...choice} value={value ?? ''} />
            ))}
          </div>
        </details>
      )}
    </form>
  );
}

type StorefrontProps = {
  readonly view: View;
  readonly query: StorefrontQuery;
  readonly page: StorefrontPage;
  /** The bundles found; the first page shows them. */
  readonly bundles: readonly ShownBundle[];
  /** The stall's introduction as HTML that passed the allow-list; null on pages without one. */
  readonly intro: string | null;
  /** The first page's item. */
  readonly lead: VNode | null;
};

/** The storefront: the publisher's introduction, their first choice, and the items found. */
function Storefront({ view, query, page, bundles, intro, lead }: StorefrontProps) {
  const firstPage = storefrontUrl({ ...query, page: 1 });
  const isSearch = storefrontUrl({ ...query, order: 'title', page: 1 }) !== '/';
  const count = page.count + bundles.length;
  return (
    <>
      <div class={intro === null && page.total === 0 ? undefined : 'window-name unseen'}>
        <PageHeading title={view.stall.name} language={view.stall.language ?? undefined} />
      </div>
      {intro !== null && (
        <div class="intro">
          <Rendered html={intro} language={view.stall.language} />
        </div>
      )}
      {lead}
      {(page.total > A_HANDFUL || firstPage !== '/') && (
        <div class="shelf-head">
          <Filters query={query} page={page} />
          {(page.total > FEW || firstPage !== '/') && page.count > 1 && <Orders query={query} />}
        </div>
      )}
      {(isSearch || page.page > 1) && (
        <p class="quiet" role="status">
          {counted(count, 'item')}
          {isSearch && (
            <>
              {' found · '}
              <a href="/">Show everything</a>
            </>
          )}
          {page.page > 1 && bundles.length > 0 && (
            <>
              {' · '}
              <a href={firstPage}>{counted(bundles.length, 'bundle')}</a>
            </>
          )}
        </p>
      )}
      {page.total === 0 && <NothingYet view={view} />}
      {page.total > 0 && count === 0 && (
        <Empty action={<ButtonLink href="/">Show everything</ButtonLink>}>
          No items match. Try fewer or different words.
        </Empty>
      )}
      <Shelves page={page} bundles={page.page === 1 ? bundles : []} hasLead={lead !== null} />
      <Pager
        {...numbersBeside(page.page, page.page >= page.pages)}
        to={(number) => storefrontUrl({ ...query, page: number })}
        names={['Previous', 'Next']}
      />
    </>
  );
}

/** The item that the storefront begins with: the publisher's first choice, or the newest. */
function Lead({ view, offer }: { view: View; offer: Offer }) {
  const { manifest } = offer.edition;
  const href = `/${manifest.kind}s/${manifest.slug}`;
  const buttons = buttonsOf(view, offer);
  return (
    <article class="lead-item">
      <ItemHead
        edition={offer.edition}
        sentence={openingOf(manifest).sentence || summaryOf(manifest)}
        href={href}
      >
        {offer.grantedSince === null && (
          <p class="price">{formatPrice(manifest.unitAmountCents, manifest.currency)}</p>
        )}
        <div class="actions">
          {buttons.length === 0 ? <ButtonLink href={href}>Have a look</ButtonLink> : buttons.slice(0, 2)}
        </div>
      </ItemHead>
    </article>
  );
}

const ORDERS: readonly (readonly [order: StorefrontOrder, name: string])[] = [
  ['title', 'A to Z'],
  ['newest', 'Newest first'],
];

/** The choice of an order, which begins at the first page again. */
function Orders({ query }: { query: StorefrontQuery }) {
  const choices = ORDERS.map(([order, name]) => ({
    href: storefrontUrl({ ...query, order, page: 1 }),
    name,
    isChosen: order === query.order,
  }));
  return <Choices label="Order" choices={choices} />;
}

type ShelvesProps = Pick<StorefrontProps, 'page' | 'bundles'> & { readonly hasLead: boolean };

/** The publisher's other choices, books and skills: on shelves of their own if there are several of them. */
function Shelves({ page: { featured, items }, bundles, hasLead }: ShelvesProps) {
  const ofKind = (kind: ItemKind) => items.filter(({ manifest }) => manifest.kind === kind);
  const shelves = [
    ['Featured', featured.slice(hasLead ? 1 : 0).map(cardOf)],
    ['Books', ofKind('book').map(cardOf)],
    ['Bundles', bundles.map(bundleCard)],
    ['Skills', ofKind('skill').map(cardOf)],
  ] as const;
  const filled = shelves.filter(([, cards]) => cards.length > 0);
  if (filled.length === 1 && !hasLead) return <Shelf items={filled.flatMap(([, cards]) => cards)} />;
  return (
    <div class="shelves">
      {filled.map(([name, cards]) => (
        <section>
          <h2>{name}</h2>
          <Shelf items={cards} level={3} />
        </section>
      ))}
    </div>
  );
}

const NothingYet = ({ view: { visitor } }: { view: View }) =>
  visitor === 'owner' ? (
    <Empty action={<ButtonLink href="/admin">Open the office</ButtonLink>}>
      The shelves are empty. Import a manuscript, or put a book into the content directory: the office lists
      what is left to do.
    </Empty>
  ) : (
    <Empty action={<QuietLink href="/feed.xml">Follow the feed</QuietLink>}>
      No books or skills yet. The feed tells you of the first.
    </Empty>
  );

/** An item on a shelf; a book's cover says what it is, a skill's square does not. */
function cardOf(edition: StorefrontPage['items'][number]): ShelfItem {
  const { kind, slug, title, unitAmountCents, currency, language } = edition.manifest;
  const isSkill = kind === 'skill';
  return {
    href: `/${kind}s/${slug}`,
    title,
    makers: makersOf(edition.manifest),
    price: formatPrice(unitAmountCents, currency),
    cover: coverUrl(edition),
    isSquare: isSkill,
    language,
    summary: isSkill ? summaryOf(edition.manifest) : null,
  };
}

function bundleCard(shown: ShownBundle): ShelfItem {
  const { bundle, makers, editions } = shown;
  return {
    href: `/bundles/${bundle.slug}`,
    title: bundle.title,
    makers,
    price: formatPrice(bundle.unitAmountCents, bundle.currency),
    cover: `/covers/${bundleCover(shown).name}`,
    isSquare: false,
    summary: editions.map(({ manifest }) => splitTitle(manifest.title)[0]).join(' · '),
  };
}

/** The publisher's terms or imprint: a file, or the address of a page elsewhere. */
export async function showText(stall: Stall, view: View, key: 'terms' | 'imprint'): Promise<Response> {
  const address = view.stall[key];
  if (address === null) throw notFound(`/${key}`);
  const markdown = stall.stallFiles()[key];
  const hasTitle = markdown?.trimStart().startsWith('# ') === true;
  const level = hasTitle ? 1 : 2;
  const html = markdown === null ? null : await stall.pages.renderText({ markdown, level, place: null });
  return sendPage(
    view,
    {
      title: key === 'terms' ? 'Terms' : 'Imprint',
      ...(hasTitle ? { heading: null } : {}),
      canonical: `/${key}`,
      headers: pageCacheHeaders(view),
    },
    html === null ? (
      <p>
        The {key} of this stall {key === 'terms' ? 'are' : 'is'} at <a href={address}>{address}</a>.
      </p>
    ) : (
      <Rendered html={html} language={view.stall.language} />
    ),
  );
}

/** How to reach the publisher. */
export function showContact(view: View): Response {
  const { contact, name } = view.stall;
  if (contact === null) throw notFound('/contact');
  return sendPage(
    view,
    { title: 'Contact', canonical: '/contact', headers: pageCacheHeaders(view) },
    <p>
      Contact {name}: <ContactLink contact={contact} />.
    </p>,
  );
}
