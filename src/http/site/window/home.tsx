import { Elysia } from 'elysia';
import type { WindowPage, WindowQuery } from '../../../service/shop/window.ts';
import { isUnmodified, notModified } from '../../etag.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { type PageHead, pageResponse, renderPage } from '../frame/page.tsx';
import { Empty } from '../parts/empty.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { PageHeading } from '../parts/heading.tsx';
import { formatPrice } from '../../../item/price.ts';
import { Pager } from '../parts/pager.tsx';
import { Shelf } from '../parts/shelf.tsx';
import type { View } from '../frame/view.ts';
import { coverUrl } from '../cover/cover-name.ts';
import { Filters } from './filters.tsx';
import { pageCacheHeaders } from './page-cache-headers.ts';
import { catalogCache } from './catalog-cache.ts';
import { publicText, type PublicText } from './public-text.ts';
import { EVERYTHING, readWindowQuery, windowUrl } from './window-query.ts';

/** The placeholder for the visitor's e-mail address in a cached page. */
const SOMEBODY = `somebody-${crypto.randomUUID()}`;

const HTML = 'text/html';

/** A cached page: as anonymous visitors get it, and the HTML to fill in for signed-in ones. */
type CachedPage = { readonly html: string; readonly text: PublicText };

/** `GET /`: the shop window. Its first page is rendered only once for each catalog and kind of visitor. */
export function home({ service, identity, viewOf }: RouteDeps) {
  const remember = catalogCache<CachedPage>(service.catalog);
  const render = async (view: View, query: WindowQuery): Promise<string> => {
    const page = await service.findInWindow(query);
    const markdown = windowUrl(query) === '/' ? (view.stall.intro ?? null) : null;
    const intro = markdown === null ? null : await service.renderText({ markdown, level: 2, place: null });
    const props = { view, query, page, intro };
    return renderPage(view, headOf(view, query, page), <Window {...props} />);
  };
  const first = async (view: View): Promise<PublicText> => {
    const { html, text } = await remember(`${view.visitor} ${view.insecure}`, async () => {
      const html = await render({ ...view, email: view.email === null ? null : SOMEBODY }, EVERYTHING);
      return { html, text: publicText(HTML, html) };
    });
    if (view.email === null) return text;
    const email = Bun.escapeHTML(view.email);
    // A function, since a replacement string would read "$&" in an address as a pattern.
    return publicText(
      HTML,
      html.replaceAll(SOMEBODY, () => email),
    );
  };
  return new Elysia().use(identity).get(
    '/',
    async ({ request, query, visitor }) => {
      const view = viewOf(visitor);
      const wanted = readWindowQuery(query);
      const isFirst = windowUrl(wanted) === '/';
      return send(request, view, isFirst ? await first(view) : publicText(HTML, await render(view, wanted)));
    },
    { visitorGuard: true },
  );
}

function send(request: Request, view: View, { bytes, etag }: PublicText): Response {
  const headers = { ...pageCacheHeaders(view), ETag: etag };
  if (isUnmodified(request, etag)) return notModified({ ...headers, Vary: 'Cookie' });
  return pageResponse(view, bytes, { headers });
}

function headOf({ stall }: View, query: WindowQuery, { page, count }: WindowPage): PageHead {
  const url = windowUrl({ ...query, page });
  const head = { title: stall.name, description: `Books and skills of ${stall.name}`, current: '/' };
  // Search engines should index neither the results of a search nor an empty page.
  return query.words === '' && count > 0 ? { ...head, canonical: url } : head;
}

type WindowProps = {
  readonly view: View;
  readonly query: WindowQuery;
  readonly page: WindowPage;
  /** The stall's introduction as HTML that passed the allow-list; null on pages without one. */
  readonly intro: string | null;
};

function Window({ view, query, page, intro }: WindowProps) {
  const isEverything = windowUrl({ ...query, page: 1 }) === '/';
  if (isEverything && page.count === 0) return <NothingYet view={view} />;
  return (
    <>
      <div class="window-name">
        <PageHeading title={view.stall.name} />
      </div>
      {intro !== null && <div class="reading" dangerouslySetInnerHTML={{ __html: intro }} />}
      <Filters query={query} page={page} />
      <div class="shelf-head">
        <p class="quiet" role="status">
          {isEverything ? counted(page.count) : `${counted(page.count)} found`}
          {!isEverything && (
            <>
              {' · '}
              <a href="/">Show everything</a>
            </>
          )}
        </p>
      </div>
      {page.count === 0 ? (
        <Empty action={<ButtonLink href="/">Show everything</ButtonLink>}>
          No items match. Try fewer or different words.
        </Empty>
      ) : (
        <Shelves items={page.items} />
      )}
      <Pages query={query} page={page} />
    </>
  );
}

/** Books and skills, on shelves of their own if there are both. */
function Shelves({ items }: Pick<WindowPage, 'items'>) {
  const [books, skills] = (['book', 'skill'] as const).map((kind) =>
    items.filter(({ manifest }) => manifest.kind === kind).map(cardOf),
  );
  if (!books?.length || !skills?.length) return <Shelf items={items.map(cardOf)} />;
  return (
    <>
      <section>
        <h2>Books</h2>
        <Shelf items={books} level={3} />
      </section>
      <section>
        <h2>Skills</h2>
        <Shelf items={skills} level={3} />
      </section>
    </>
  );
}

function NothingYet({ view: { stall, visitor } }: { view: View }) {
  return (
    <>
      <PageHeading title={stall.name} />
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

const BY_TITLE = ['Previous', 'Next'] as const;

function Pages({ query, page: { page, pages } }: { query: WindowQuery; page: WindowPage }) {
  const to = (number: number): string | null =>
    number < 1 || number > pages ? null : windowUrl({ ...query, page: number });
  return <Pager newer={to(page - 1)} older={to(page + 1)} names={BY_TITLE} />;
}

function cardOf(edition: WindowPage['items'][number]) {
  const { kind, slug, title, publisher, unitAmountCents, currency, language } = edition.manifest;
  return {
    href: `/${kind}s/${slug}`,
    title,
    publisher,
    price: formatPrice(unitAmountCents, currency),
    cover: coverUrl(edition),
    isSquare: kind === 'skill',
    language,
  };
}

function counted(count: number): string {
  return count === 1 ? '1 item' : `${count} items`;
}
