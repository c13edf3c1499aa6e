// The service worker that shows kept books without a network: `/offline.js`, registered for each book's pages and for `/offline`.
import { type KeptBook, listKept, readerOf, renewKept } from './kept-book.browser.ts';

type FetchEvent = Event & {
  readonly request: Request;
  readonly respondWith: (answer: Promise<Response>) => void;
  readonly waitUntil: (done: Promise<unknown>) => void;
};

declare const registration: ServiceWorkerRegistration;
declare const skipWaiting: () => Promise<void>;

/** How long a page is waited for before the kept one is shown, in milliseconds. */
const PATIENCE = 3000;
const PARTS = ['image', 'font', 'style', 'script'];
/** The address of the page that was read last, within a book's cache. */
const LAST = '/offline/last';

addEventListener('install', () => void skipWaiting());
addEventListener('fetch', (asked) => {
  const event = asked as FetchEvent;
  const { method, mode, destination, url } = event.request;
  const isOwn = method === 'GET' && url.startsWith(`${location.origin}/`);
  if (isOwn && mode === 'navigate') event.respondWith(openPage(event));
  else if (isOwn && PARTS.includes(destination)) event.respondWith(sendPart(url));
});

/** A download may be long, and is not read. */
const isPage = ({ ok, headers }: Response): boolean =>
  ok && headers.get('content-type')?.startsWith('text/html') === true;

/** Opens a page by the network, or the kept one if there is none. */
async function openPage(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const fresh = fetch(request);
  const seen = fresh.then((response) => renew(request, isPage(response) ? response.clone() : null));
  event.waitUntil(seen.catch(() => {}));
  const patience = new Promise<null>((resolve) => setTimeout(() => resolve(null), PATIENCE));
  const first = await Promise.race([fresh.catch(() => null), patience]);
  return first ?? (await findPage(request)) ?? fresh;
}

/** Files of the site never change under their names; pictures come from the network, if there is one. */
async function sendPart(url: string): Promise<Response> {
  const { pathname } = new URL(url);
  const kept = (await findKept(pathname))?.response;
  if (kept !== undefined && pathname.startsWith('/assets/')) return kept;
  // By its address alone, since the worker's own policy loads no pictures.
  return fetch(url).catch(() => kept ?? Response.error());
}

/** Lists nothing while somebody signs in: the next page tells whether it is the same reader. */
const listShown = async (): Promise<readonly KeptBook[]> => ((await caches.has('locked')) ? [] : listKept());

async function findKept(...addresses: string[]) {
  for (const book of await listShown())
    for (const address of addresses) {
      const cache = await caches.open(book.name);
      const response = await cache.match(address, { ignoreVary: true });
      if (response !== undefined) return { response, cache, address };
    }
  return null;
}

/** Finds a kept page; instead of the others, which are not kept, the last page of the book or the list of kept books. */
async function findPage(request: Request): Promise<Response | null> {
  const { pathname, search } = new URL(request.url);
  const found = await findKept(pathname + search, pathname);
  if (found !== null) {
    if (pathname !== '/offline') await found.cache.put(LAST, new Response(found.address));
    return found.response;
  }
  const [, slug, page] = /^\/books\/([^/]+)\/([^/]+)$/.exec(pathname) ?? [];
  const shown = await listShown();
  const book = shown.find((one) => one.slug === slug);
  if (page !== 'read' || book === undefined) return shown.length > 0 ? Response.redirect('/offline') : null;
  const last = await (await caches.open(book.name)).match(LAST);
  return Response.redirect((await last?.text()) ?? book.pages[0] ?? '/offline');
}

/** Puts a page that came by the network in the place of the same reader's kept one, and asks the stall about the book. */
async function renew(request: Request, response: Response | null): Promise<void> {
  const { pathname, search } = new URL(request.url);
  const reader = response === null ? null : readerOf(await response.clone().text());
  const books = await listKept();
  for (const book of books) {
    const cache = await caches.open(book.name);
    const isKept = (await cache.match(pathname + search)) !== undefined;
    if (reader !== book.reader || !isKept) continue;
    await cache.put(pathname + search, response!.clone());
    if (book.pages.includes(pathname) && pathname !== '/offline')
      await cache.put(LAST, new Response(pathname + search));
  }
  const isOf = ({ slug }: KeptBook): boolean =>
    [`/books/${slug}/`, '/offline'].some((scope) => registration.scope.endsWith(scope));
  for (const book of books.filter(isOf)) await renewKept(book);
  if (!(await listKept()).some(isOf)) await registration.unregister();
}
