import type { Principal } from '../../../access/principal.ts';
import { findInWindow, type WindowPage, type WindowQuery } from '../../../service/window.ts';
import { isUnmodified, notModified } from '../../etag.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { pageCacheHeaders, type PageHead, pageResponse, renderPage } from '../frame/page.tsx';
import type { View } from '../frame/view.ts';
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

const remember = catalogCache<CachedPage>();

/** The shop window. Its first page is rendered only once for each catalog and kind of visitor. */
export async function showWindow(
  deps: RouteDeps,
  request: Request,
  visitor: Principal,
  typed: Readonly<Record<string, string>>,
): Promise<Response> {
  const view = deps.viewOf(visitor);
  const query = readWindowQuery(typed);
  const isFirst = windowUrl(query) === '/';
  return send(
    request,
    view,
    isFirst ? await first(deps, view) : publicText(HTML, await render(deps, view, query)),
  );
}

async function first(deps: RouteDeps, view: View): Promise<PublicText> {
  const { html, text } = await remember(
    deps.stall.catalog(),
    `${view.visitor} ${view.insecure}`,
    async () => {
      const html = await render(deps, { ...view, email: view.email === null ? null : SOMEBODY }, EVERYTHING);
      return { html, text: publicText(HTML, html) };
    },
  );
  if (view.email === null) return text;
  const email = Bun.escapeHTML(view.email);
  // A function, since a replacement string would read "$&" in an address as a pattern.
  return publicText(
    HTML,
    html.replaceAll(SOMEBODY, () => email),
  );
}

async function render({ stall }: RouteDeps, view: View, query: WindowQuery): Promise<string> {
  const page = await findInWindow(stall, query);
  const markdown = windowUrl(query) === '/' ? view.stall.intro : null;
  const intro = markdown === null ? null : await stall.pages.renderText({ markdown, level: 2, place: null });
  const bundles = searchBundles(stall.catalog(), query);
  return renderPage(view, headOf(view, query, page), <Window {...{ view, query, page, bundles, intro }} />);
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
