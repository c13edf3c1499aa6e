import type { Principal } from '../../../access/principal.ts';
import {
  findInWindow,
  searchBundles,
  type ShownBundle,
  type WindowOrder,
  type WindowPage,
  type WindowQuery,
} from '../../../service/window.ts';
import { isUnmodified, notModified } from '../../answer.ts';
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
import { asset, type Asset, imageUrls } from '../frame/assets.ts';
import { catalogCache } from './sitemap.ts';
import { Button, ButtonLink, Field, Select } from '../parts/form.tsx';
import type { ItemKind } from '../../../item/item.ts';
import { formatPrice } from '../../../item/price.ts';
import { bundleCover, coverUrl } from './covers.ts';
import { addressAt, counted, Empty, Pager, readPageNumber } from '../parts/data-table.tsx';
import { Rendered, Shelf, type ShelfItem } from '../parts/shelf.tsx';
import { summaryOf } from '../../../item/manifest.ts';
import { notFound } from '../../../service/access.ts';
import type { Stall } from '../../../service/stall.ts';
import { ContactLink } from '../parts/buy.tsx';

/** The placeholder for the visitor's e-mail address in a cached page. */
const SOMEBODY = `somebody-${crypto.randomUUID()}`;

const HTML = 'text/html';

/** A cached page: as anonymous visitors get it, and the HTML to fill in for signed-in ones. */
type CachedPage = { readonly html: string; readonly text: Asset };

const remember = catalogCache<CachedPage>();

/** The shop window. Its first page is rendered only once for each catalog and kind of visitor. */
export async function showWindow(http: Http, request: Request, visitor: Principal, typed: Query) {
  const view = http.viewOf(visitor);
  const query = readWindowQuery(typed);
  const isFirst = windowUrl(query) === '/';
  return send(
    request,
    view,
    isFirst ? await first(http, view) : asset(HTML, await render(http, view, query)),
  );
}

async function first(http: Http, view: View): Promise<Asset> {
  const { html, text } = await remember(
    http.stall.catalog(),
    `${view.visitor} ${view.insecure}`,
    async () => {
      const html = await render(http, { ...view, email: view.email === null ? null : SOMEBODY }, EVERYTHING);
      return { html, text: asset(HTML, html) };
    },
  );
  if (view.email === null) return text;
  const email = Bun.escapeHTML(view.email);
  // A function, since a replacement string would read "$&" in an address as a pattern.
  return asset(
    HTML,
    html.replaceAll(SOMEBODY, () => email),
  );
}

async function render({ stall }: Http, view: View, query: WindowQuery): Promise<string> {
  const page = await findInWindow(stall, query);
  const markdown = windowUrl(query) === '/' ? view.stall.intro : null;
  const images = imageUrls(stall.stallFiles());
  const intro =
    markdown === null ? null : await stall.pages.renderText({ markdown, level: 2, place: null, images });
  const bundles = searchBundles(stall.catalog(), query);
  return renderPage(
    view,
    headOf(view, query, page),
    <Window view={view} query={query} page={page} bundles={bundles} intro={intro} />,
  );
}

function send(request: Request, view: View, { body, etag }: Asset): Response {
  const headers = { ...pageCacheHeaders(view), ETag: etag };
  if (isUnmodified(request, etag)) return notModified({ ...headers, Vary: 'Cookie' });
  return pageResponse(view, body, { headers });
}

function headOf({ stall }: View, query: WindowQuery, { page, count }: WindowPage): PageHead {
  const url = windowUrl({ ...query, page });
  const head = {
    title: stall.name,
    heading: null,
    description: `Books and skills of ${stall.name}`,
    current: '/',
  };
  // Search engines should index neither the results of a search, nor an empty page, nor the items again in another order.
  return query.words === '' && query.order === 'title' && count > 0 ? { ...head, canonical: url } : head;
}

const MOST_CHARACTERS = 200;

/** The query for all items, first page. */
export const EVERYTHING: WindowQuery = {
  words: '',
  kind: null,
  price: null,
  tag: null,
  language: null,
  order: 'title',
  page: 1,
};

/** Reads the window's query; a malformed value counts as missing. */
function readWindowQuery(query: Query): WindowQuery {
  const text = (name: string): string | null => query[name]?.trim().slice(0, MOST_CHARACTERS) || null;
  return {
    words: text('q') ?? '',
    kind: oneOf(text('kind'), ['book', 'skill']),
    price: oneOf(text('price'), ['free', 'paid']),
    tag: text('tag'),
    language: text('language'),
    order: oneOf(text('sort'), ['newest']) ?? 'title',
    page: readPageNumber(query),
  };
}

/** The window's address for a query: equal queries have equal addresses. */
export function windowUrl({ words, kind, price, tag, language, order, page }: WindowQuery): string {
  const sort = order === 'title' ? null : order;
  return addressAt('/', { q: words, kind, price, tag, language, sort }, page);
}

function oneOf<Word extends string>(text: string | null, words: readonly Word[]): Word | null {
  return words.find((word) => word === text) ?? null;
}

const KINDS = Object.entries({ book: 'Books', skill: 'Skills' });
const PRICES = Object.entries({ free: 'Free', paid: 'Paid' });

let languages: Intl.DisplayNames | null = null;

/** The search form of the shop window; its choices are folded on a phone until one is made. */
function Filters({ query, page }: { query: WindowQuery; page: WindowPage }) {
  const { words, kind, price, tag, language, order } = query;
  const [tags, spoken] = [withChosen(page.tags, tag), withChosen(page.languages, language)];
  const named = spoken.map((one) => [one, languageName(one)] as const);
  return (
    <form class="filters" action="/" method="get" role="search">
      <Field label="Search" name="q" type="search" value={words} maxLength={200} />
      <details open={[kind, price, tag, language].some((one) => one !== null)}>
        <summary>Filters</summary>
        <div>
          <Select label="Kind" name="kind" any="Books and skills" options={KINDS} value={kind ?? ''} />
          <Select label="Price" name="price" any="Any price" options={PRICES} value={price ?? ''} />
          {tags.length > 0 && (
            <Select
              label="Tag"
              name="tag"
              any="Any tag"
              options={tags.map((one) => [one, one])}
              value={tag ?? ''}
            />
          )}
          {named.length > 0 && (
            <Select
              label="Language"
              name="language"
              any="Any language"
              options={named}
              value={language ?? ''}
            />
          )}
        </div>
      </details>
      {order !== 'title' && <input type="hidden" name="sort" value={order} />}
      <Button kind="quiet">Search</Button>
    </form>
  );
}

/** The values, and the chosen one if it is not among them. */
function withChosen(values: readonly string[], chosen: string | null): readonly string[] {
  return chosen === null || values.includes(chosen) ? values : [chosen, ...values];
}

/** A language's English name. */
export function languageName(tag: string): string {
  try {
    languages ??= new Intl.DisplayNames('en', { type: 'language', fallback: 'code' });
    return languages.of(tag) ?? tag;
  } catch {
    return tag;
  }
}

type WindowProps = {
  readonly view: View;
  readonly query: WindowQuery;
  readonly page: WindowPage;
  /** The bundles that were looked for; the first page shows them. */
  readonly bundles: readonly ShownBundle[];
  /** The stall's introduction as HTML that passed the allow-list; null on pages without one. */
  readonly intro: string | null;
};

/** The shop window: the publisher's choice, and the items that were looked for. */
function Window({ view, query, page, bundles, intro }: WindowProps) {
  const firstPage = windowUrl({ ...query, page: 1 });
  const isEverything = firstPage === '/';
  const count = page.count + bundles.length;
  if (isEverything && page.count === 0) return <NothingYet view={view} />;
  return (
    <>
      <div class="window-name unseen">
        <PageHeading title={view.stall.name} language={view.stall.language ?? undefined} />
      </div>
      {intro !== null && <Rendered html={intro} language={view.stall.language} />}
      <Filters query={query} page={page} />
      <div class="shelf-head">
        <p class="quiet" role="status">
          {counted(count, 'item')}
          {!isEverything && ' found'}
          {!isEverything && (
            <>
              {' · '}
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
        {page.count > 1 && <Orders query={query} />}
      </div>
      {count === 0 ? (
        <Empty action={<ButtonLink href="/">Show everything</ButtonLink>}>
          No items match. Try fewer or different words.
        </Empty>
      ) : (
        <Shelves page={page} bundles={page.page === 1 ? bundles : []} />
      )}
      <Pages query={query} page={page} />
    </>
  );
}

const ORDERS: readonly (readonly [order: WindowOrder, name: string])[] = [
  ['title', 'A to Z'],
  ['newest', 'Newest first'],
];

/** The choice of an order, which begins at the first page again. */
function Orders({ query }: { query: WindowQuery }) {
  return (
    <ul class="orders" aria-label="Order">
      {ORDERS.map(([order, name]) => (
        <li>
          <a
            href={windowUrl({ ...query, order, page: 1 })}
            aria-current={order === query.order ? 'true' : undefined}
          >
            {name}
          </a>
        </li>
      ))}
    </ul>
  );
}

/** The publisher's choice, books and skills: on shelves of their own if there are several of them. */
function Shelves({ page: { featured, items }, bundles }: Pick<WindowProps, 'page' | 'bundles'>) {
  const ofKind = (kind: ItemKind) => items.filter(({ manifest }) => manifest.kind === kind);
  const shelves = [
    ['Featured', featured.map(cardOf)],
    ['Bundles', bundles.map(bundleCard)],
    ['Books', ofKind('book').map(cardOf)],
    ['Skills', ofKind('skill').map(cardOf)],
  ] as const;
  const filled = shelves.filter(([, cards]) => cards.length > 0);
  if (filled.length === 1) return <Shelf items={filled.flatMap(([, cards]) => cards)} />;
  return filled.map(([name, cards]) => (
    <section>
      <h2>{name}</h2>
      <Shelf items={cards} level={3} />
    </section>
  ));
}

function NothingYet({ view: { stall, visitor } }: { view: View }) {
  return (
    <>
      <PageHeading title={stall.name} language={stall.language ?? undefined} />
      {visitor === 'owner' ? (
        <Empty action={<ButtonLink href="/admin">Open the office</ButtonLink>}>
          This stall is still empty. Add a book or a skill to the content directory, then reload content.
        </Empty>
      ) : (
        <Empty>No books or skills yet.</Empty>
      )}
    </>
  );
}

function Pages({ query, page: { page, pages } }: { query: WindowQuery; page: WindowPage }) {
  return (
    <Pager
      newer={page > 1 ? page - 1 : null}
      older={page < pages ? page + 1 : null}
      to={(number) => windowUrl({ ...query, page: number })}
      names={['Previous', 'Next']}
    />
  );
}

/** An item on a shelf; a book's cover says what it is, a skill's square does not. */
function cardOf(edition: WindowPage['items'][number]): ShelfItem {
  const { kind, slug, title, publisher, unitAmountCents, currency, language } = edition.manifest;
  const isSkill = kind === 'skill';
  return {
    href: `/${kind}s/${slug}`,
    title,
    publisher,
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
    publisher: makers,
    price: formatPrice(bundle.unitAmountCents, bundle.currency),
    cover: `/covers/${bundleCover(shown).name}`,
    isSquare: false,
    summary: editions.map(({ manifest }) => manifest.title).join(' · '),
  };
}

/** Rendered once, since 256 KB take a third of a second. */
const rememberText = catalogCache<string>();

/** The publisher's terms, or who they are: a file, or the address of a page elsewhere. */
export async function showText(stall: Stall, view: View, key: 'terms' | 'imprint'): Promise<Response> {
  const address = view.stall[key];
  if (address === null) throw notFound(`/${key}`);
  const markdown = stall.stallFiles()[key];
  const html =
    markdown === null
      ? null
      : await rememberText(stall.catalog(), markdown, () =>
          stall.pages.renderText({ markdown, level: 2, place: null }),
        );
  return sendPage(
    view,
    {
      title: key === 'terms' ? 'Terms' : 'Imprint',
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
