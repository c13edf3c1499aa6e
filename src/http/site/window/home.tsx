import { Elysia } from 'elysia';
import { findInWindow, type WindowPage, type WindowQuery } from '../../../service/window.ts';
import { isUnmodified, notModified } from '../../etag.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { type PageHead, pageResponse, renderPage } from '../frame/page.tsx';
import type { View } from '../frame/view.ts';
import { pageCacheHeaders } from './page-cache-headers.ts';
import { catalogCache } from './catalog-cache.ts';
import { publicText, type PublicText } from './public-text.ts';
import { EVERYTHING, readWindowQuery, windowUrl } from './window-query.ts';
import { Window } from './window-view.tsx';
import { searchBundles } from '../../../service/bundles.ts';

/** The placeholder for the visitor's e-mail address in a cached page. */
const SOMEBODY = `somebody-${crypto.randomUUID()}`;

const HTML = 'text/html';

/** A cached page: as anonymous visitors get it, and the HTML to fill in for signed-in ones. */
type CachedPage = { readonly html: string; readonly text: PublicText };

/** `GET /`: the shop window. Its first page is rendered only once for each catalog and kind of visitor. */
export function home({ service, identity, viewOf }: RouteDeps) {
  const remember = catalogCache<CachedPage>(service.stall.catalog);
  const render = async (view: View, query: WindowQuery): Promise<string> => {
    const page = await findInWindow(service.stall, query);
    const markdown = windowUrl(query) === '/' ? view.stall.intro : null;
    const intro =
      markdown === null ? null : await service.stall.pages.renderText({ markdown, level: 2, place: null });
    const bundles = searchBundles(service.stall.catalog(), query);
    const props = { view, query, page, bundles, intro };
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
  // Search engines should index neither the results of a search, nor an empty page, nor the items again in another order.
  return query.words === '' && query.order === 'title' && count > 0 ? { ...head, canonical: url } : head;
}
