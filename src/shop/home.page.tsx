import type { StallText } from '../catalog/stall-manifest.rule.ts';
import type { Principal, ItemKind } from '../platform/base/principal.ts';
import {
  findInStorefront,
  searchBundles,
  type StorefrontOrder,
  type StorefrontPage,
  FILTERS,
  type StorefrontFilters,
  type StorefrontQuery,
} from './storefront.ts';
import { asset, isUnmodified, notModified } from '../platform/http/answer.ts';
import type { Http, Stall } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
import {
  pageCacheHeaders,
  type PageHead,
  PageHeading,
  pageResponse,
  renderPage,
  sendPage,
  varyOf,
  type View,
} from '../platform/site/page.tsx';
import { imageUrls, previewUrl } from '../catalog/stall-image.ts';
import { packedFor } from '../platform/site/assets.ts';
import { remember } from './sitemap.page.ts';
import { cardOf, priceAndState } from './card.part.tsx';
import { ItemHead, showItem } from './item.page.tsx';
import { buttonsOf, type ItemOffer, offerOf } from './item-side.part.tsx';
import { type Edition, publicFace } from '../catalog/catalog.ts';
import type { VNode } from 'preact';
import { Button, ButtonLink, Choices, Field, QuietLink, Select } from '../platform/site/form.tsx';
import { isShown } from '../catalog/item.rule.ts';
import { splitTitle } from '../platform/base/text.ts';
import { Empty, numbersBeside, Pager } from '../platform/site/data-table.tsx';
import { readStorefrontQuery, storefrontUrl } from './storefront-query.ts';
import { type Card, Cards, Rendered } from '../catalog/items.part.tsx';
import { openingOf, summaryOf } from '../catalog/manifest.rule.ts';
import { notFound } from '../platform/base/told.ts';
import { ContactLink } from '../selling/buy.part.tsx';
import { NewsField } from '../selling/news-field.part.tsx';
import { useFormats, useWords } from '../platform/site/words.tsx';
import type { Words } from '../words/words.ts';
import type { ShownBundle } from '../catalog/bundle.ts';
import { bundleCover, previewImage } from '../catalog/cover.ts';
import { priceIn } from '../catalog/item-words.ts';

const HTML = 'text/html';

/**
 * Shows the storefront; at `/`, if only one item is shown, that item's page. Makes the page at `/` once for all anonymous
 * visitors with the same language; others may see private items and other buttons.
 */
export async function showStorefront(http: Http, request: Request, visitor: Principal, typed: Query) {
  const view = http.viewOf(visitor);
  const query = readStorefrontQuery(typed);
  const catalog = http.stall.catalog();
  const isFront = storefrontUrl(query) === '/';
  const [only, another] = catalog.editions
    .values()
    .map(publicFace)
    .filter(({ manifest }) => isShown(manifest))
    .take(2);
  if (isFront && only !== undefined && another === undefined)
    return showItem(http, request, visitor, { ...only.manifest, query: typed });
  const make = async () => asset(HTML, await render(http, view, visitor, query));
  const isShared = isFront && view.visitor === 'anonymous';
  const name = `window ${view.words.language} ${view.insecure}`;
  const page = await (isShared ? remember(catalog, name, make) : make());
  const { body, etag, coding } = await packedFor(request, page, view.visitor === 'anonymous');
  const headers = { ...pageCacheHeaders(view), ...coding, ETag: etag };
  if (isUnmodified(request, etag)) return notModified({ ...headers, Vary: varyOf(view) });
  return pageResponse(view, body, { headers });
}

async function render({ stall }: Http, view: View, visitor: Principal, query: StorefrontQuery) {
  const page = await findInStorefront(stall, visitor, query);
  const isFront = storefrontUrl(query) === '/';
  const [first] = isFront ? page.featured : [];
  const lead = first === undefined ? null : <Lead view={view} offer={offerOf(stall, visitor, first)} />;
  const edition = stall.stallFiles();
  const { language, intro: written } = edition.stall;
  const markdown = isFront ? written : null;
  const images = { urls: imageUrls(edition), bytes: edition.images };
  const intro =
    markdown === null
      ? null
      : await stall.pages.renderText({ markdown, language, level: 2, place: null, images });
  const bundles = searchBundles(stall.catalog(), query);
  return renderPage(
    view,
    headOf(view, query, page, written),
    <>
      <Storefront {...{ view, query, page, bundles, intro, lead }} />
      {isFront && stall.outbox.sends && view.visitor === 'anonymous' && <NewsField />}
    </>,
  );
}

function headOf(
  { manifest, words }: View,
  query: StorefrontQuery,
  { page, count, featured }: StorefrontPage,
  intro: string | null,
): PageHead {
  const [first] = featured;
  const url = storefrontUrl({ ...query, page });
  const head = {
    title: manifest.name,
    heading: null,
    description:
      intro === null || first === undefined
        ? words.shop.home.description({ stall: manifest.name })
        : summaryOf({ kind: 'book', description: intro }),
    image: first === undefined ? previewUrl() : previewImage(first),
    current: '/',
  };
  // Search engines should not index a search for words, a page without items, or the same items in another order.
  return query.words === '' && query.order === 'title' && count > 0 ? { ...head, canonical: url } : head;
}

const FEW = 12;

const A_HANDFUL = 4;

/** The search form of the storefront. Its filters are collapsed until one is chosen, and left out if there are few items. */
function Filters({ query, page }: { query: StorefrontQuery; page: StorefrontPage }) {
  const { home } = useWords().shop;
  const formats = useFormats();
  const tags = page.tags.map((one) => [one, one] as const);
  const languages = page.languages.map((one) => [one, formats.language(one)] as const);
  const selects = {
    kind: { label: home.kind, any: home.anyKind, options: Object.entries(home.kinds) },
    price: { label: home.price, any: home.anyPrice, options: Object.entries(home.prices) },
    tag: { label: home.tag, any: home.anyTag, options: tags },
    language: { label: home.language, any: home.anyLanguage, options: languages },
  } satisfies Record<keyof StorefrontFilters, object>;
  const choices = FILTERS.map((name) => ({ name, ...selects[name], value: query[name] })).filter(
    ({ options, value }) => options.length > 0 || value !== null,
  );
  const isChosen = choices.some(({ value }) => value !== null);
  return (
    <form class="filters window-search" action={isChosen ? '/' : '/search'} method="get" role="search">
      <Field
        label={home.search}
        name="q"
        type="search"
        value={query.words}
        maxLength={200}
        placeholder={home.placeholder({ count: page.total })}
      />
      <Button kind="quiet">{home.searchButton}</Button>
      {query.order !== 'title' && <input type="hidden" name="sort" value={query.order} />}
      {(page.total > FEW || isChosen) && (
        <details open={isChosen}>
          <summary>{home.filters}</summary>
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
  readonly bundles: readonly ShownBundle[];
  readonly intro: string | null;
  readonly lead: VNode | null;
};

function Storefront({ view, query, page, bundles, intro, lead }: StorefrontProps) {
  const { home } = view.words.shop;
  const firstPage = storefrontUrl({ ...query, page: 1 });
  const isSearch = storefrontUrl({ ...query, order: 'title', page: 1 }) !== '/';
  const count = page.count + bundles.length;
  return (
    <>
      <div class={intro === null && page.total === 0 ? undefined : 'window-name unseen'}>
        <PageHeading title={view.manifest.name} language={view.manifest.language ?? undefined} />
      </div>
      {intro !== null && (
        <div class="intro">
          <Rendered html={intro} language={view.manifest.language} />
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
          {isSearch ? home.found({ count }) : home.items({ count })}
          {isSearch && (
            <>
              {' · '}
              <a href="/">{home.showAll}</a>
            </>
          )}
          {page.page > 1 && bundles.length > 0 && (
            <>
              {' · '}
              <a href={firstPage}>{home.bundles({ count: bundles.length })}</a>
            </>
          )}
        </p>
      )}
      {page.total === 0 && <NothingYet view={view} />}
      {page.total > 0 && count === 0 && (
        <Empty action={<ButtonLink href="/">{home.showAll}</ButtonLink>}>{home.noMatch}</Empty>
      )}
      <Groups page={page} bundles={page.page === 1 ? bundles : []} hasLead={lead !== null} />
      <Pager
        {...numbersBeside(page.page, page.page >= page.pages)}
        to={(number) => storefrontUrl({ ...query, page: number })}
        names={[home.before, home.after]}
      />
    </>
  );
}

function Lead({ view, offer }: { view: View; offer: ItemOffer }) {
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
        {offer.grantedSince === null && <p class="price">{priceAndState(view.words, manifest)}</p>}
        <div class="actions">
          {buttons.length === 0 ? (
            <ButtonLink href={href}>{view.words.shop.home.look}</ButtonLink>
          ) : (
            buttons.slice(0, 2)
          )}
        </div>
      </ItemHead>
    </article>
  );
}

const ORDERS: readonly StorefrontOrder[] = ['title', 'newest'];

function Orders({ query }: { query: StorefrontQuery }) {
  const { home } = useWords().shop;
  const choices = ORDERS.map((order) => ({
    href: storefrontUrl({ ...query, order, page: 1 }),
    name: home.orders[order],
    isChosen: order === query.order,
  }));
  return <Choices label={home.order} choices={choices} />;
}

type GroupsProps = Pick<StorefrontProps, 'page' | 'bundles'> & { readonly hasLead: boolean };

/**
 * The items of a page in groups with headings: the publisher's choices, books, bundles and skills. A single group gets no
 * heading unless an item is shown large above it.
 */
function Groups({ page: { featured, items }, bundles, hasLead }: GroupsProps) {
  const words = useWords();
  const names = words.shop.home.shelves;
  const card = (edition: Edition) => cardOf(words, edition);
  const ofKind = (kind: ItemKind) => items.filter(({ manifest }) => manifest.kind === kind).map(card);
  const groups = [
    [names.featured, featured.slice(hasLead ? 1 : 0).map(card)],
    [names.books, ofKind('book')],
    [names.bundles, bundles.map((shown) => bundleCard(words, shown))],
    [names.skills, ofKind('skill')],
  ] as const;
  const filled = groups.filter(([, cards]) => cards.length > 0);
  if (filled.length === 1 && !hasLead) return <Cards items={filled.flatMap(([, cards]) => cards)} />;
  return (
    <div class="shelves">
      {filled.map(([name, cards]) => (
        <section>
          <h2>{name}</h2>
          <Cards items={cards} level={3} />
        </section>
      ))}
    </div>
  );
}

const NothingYet = ({ view: { visitor, words } }: { view: View }) =>
  visitor === 'owner' ? (
    <Empty action={<ButtonLink href="/admin">{words.shop.home.openOffice}</ButtonLink>}>
      {words.shop.home.emptyForOwner}
    </Empty>
  ) : (
    <Empty action={<QuietLink href="/feed.xml">{words.shop.home.followFeed}</QuietLink>}>
      {words.shop.home.empty}
    </Empty>
  );

function bundleCard(words: Words, shown: ShownBundle): Card {
  const { bundle, makers, editions } = shown;
  return {
    href: `/bundles/${bundle.slug}`,
    title: bundle.title,
    makers,
    price: priceIn(words, bundle),
    cover: `/covers/${bundleCover(shown).name}`,
    isSquare: false,
    summary: editions.map(({ manifest }) => splitTitle(manifest.title).name).join(' · '),
  };
}

/**
 * Shows a page of the publisher's own, such as the terms, from its file. If stall.yaml has an address instead, links to that.
 */
export async function showText(stall: Stall, view: View, key: StallText): Promise<Response> {
  const { frame, shop } = view.words;
  const address = view.manifest[key];
  if (address === null) throw notFound(`/${key}`);
  const { language } = view.manifest;
  const markdown = stall.stallFiles()[key];
  const hasTitle = markdown?.trimStart().startsWith('# ') === true;
  const level = hasTitle ? 1 : 2;
  const html =
    markdown === null ? null : await stall.pages.renderText({ markdown, language, level, place: null });
  return sendPage(
    view,
    {
      title: frame[key],
      ...(hasTitle ? { heading: null } : {}),
      canonical: `/${key}`,
      headers: pageCacheHeaders(view),
    },
    html === null ? (
      <p>{shop.home[`${key}At`]({ address: <a href={address}>{address}</a> })}</p>
    ) : (
      <Rendered html={html} language={view.manifest.language} />
    ),
  );
}

export function showContact(view: View): Response {
  const { contact, name } = view.manifest;
  if (contact === null) throw notFound('/contact');
  return sendPage(
    view,
    { title: view.words.frame.contact, canonical: '/contact', headers: pageCacheHeaders(view) },
    <p>{view.words.shop.home.contact({ stall: name, contact: <ContactLink contact={contact} /> })}</p>,
  );
}
