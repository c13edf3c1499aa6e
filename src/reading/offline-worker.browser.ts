// The service worker `/offline.js`, which shows kept books without a network. It is registered for the pages of each kept book
// and for `/offline`.
import { type OfflineBook, listKept, readerOf, renewKept } from './offline-book.browser.ts';

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
/**
 * The names of two entries in a book's cache: the address of the page that was read last, and the place on it that is not sent
 * yet.
 */
const LAST = '/offline/last';
const UNSENT = '/offline/place';
const PLACES = '/dashboard/place';

addEventListener('install', () => void skipWaiting());
// A page that came by the network, not through a service worker, sends a message: the stall can be reached.
addEventListener('message', (told: Event) =>
  (told as FetchEvent).waitUntil(sendUnsentPlaces().then(renewAll)),
);
addEventListener('fetch', (asked) => {
  const event = asked as FetchEvent;
  const { method, mode, destination, url } = event.request;
  const isOwn = method === 'GET' && url.startsWith(`${location.origin}/`);
  if (isOwn && mode === 'navigate') event.respondWith(openPage(event));
  else if (isOwn && PARTS.includes(destination)) event.respondWith(sendPart(url));
  else if (method === 'POST' && url === location.origin + PLACES) event.respondWith(sendPlace(event.request));
});

/** Whether an answer is a page. A download is not, and must not be read here: it may be long. */
const isPage = ({ ok, headers }: Response): boolean =>
  ok && headers.get('content-type')?.startsWith('text/html') === true;

/** Opens a page by the network, or the kept one if the network fails or takes too long. */
async function openPage(event: FetchEvent): Promise<Response> {
  const { request } = event;
  const fresh = sendUnsentPlaces().then(() => fetch(request));
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
  // Fetches the address, not the request: the worker's own policy forbids requests for pictures.
  return fetch(url).catch(() => kept ?? Response.error());
}

/** Lists no books while somebody signs in: only the next page says whether the reader is still the same. */
const listShown = async (): Promise<readonly OfflineBook[]> =>
  (await caches.has('locked')) ? [] : listKept();

async function findKept(...addresses: string[]) {
  for (const book of await listShown())
    for (const address of addresses) {
      const cache = await caches.open(book.name);
      const response = await cache.match(address, { ignoreVary: true });
      if (response !== undefined) return { response, cache, address };
    }
  return null;
}

/**
 * Finds a kept page. For an address that is not kept, returns a redirect: from a book's `read` to the book's last page, from
 * any other to the list of kept books. Null if no book is kept.
 */
async function findPage(request: Request): Promise<Response | null> {
  const { pathname, search } = new URL(request.url);
  const found = await findKept(pathname + search, pathname);
  if (found !== null) {
    if (pathname !== '/offline') await putLast(found.cache, found.address);
    return found.response;
  }
  const [, slug, page] = /^\/books\/([^/]+)\/([^/]+)$/.exec(pathname) ?? [];
  const shown = await listShown();
  const book = shown.find((one) => one.slug === slug);
  if (page !== 'read' || book === undefined) return shown.length > 0 ? Response.redirect('/offline') : null;
  const last = await readLast(await caches.open(book.name));
  return Response.redirect(last ?? book.pages[0] ?? '/offline');
}

const readLast = async (cache: Cache): Promise<string | undefined> => (await cache.match(LAST))?.text();

const withoutPlace = (address: string | undefined): string | undefined => address?.replace(/#.*/s, '');

/** Remembers the page that was read last. If it is the same page, the place stored with it stays. */
async function putLast(cache: Cache, address: string): Promise<void> {
  if (withoutPlace(await readLast(cache)) !== address) await putIn(cache, LAST, new Response(address));
}

/** A full disk is no failure: nothing more is remembered, but what is kept still opens. */
const putIn = (cache: Cache, address: string, response: Response): Promise<void> =>
  cache.put(address, response).catch(() => {});

/**
 * Sends the place at which a page is left; without a network the browser alone would drop it. It is then sent before the next
 * page is asked for.
 */
async function sendPlace(request: Request): Promise<Response> {
  const [body, at] = [await request.clone().text(), Date.now()];
  const { page = '', block, reader } = Object.fromEntries(new URLSearchParams(body));
  const response = await fetch(request).catch(() => null);
  for (const { slug, name, reader: owner } of await listShown()) {
    if (!page.startsWith(`/books/${slug}/`)) continue;
    const cache = await caches.open(name);
    const last = withoutPlace(await readLast(cache));
    if (last?.replace(/\?.*/s, '') === page) await putIn(cache, LAST, new Response(`${last}#at:${block}`));
    if (response === null && owner === reader) await putIn(cache, UNSENT, Response.json({ body, at }));
  }
  return response ?? new Response(null, { status: 204 });
}

async function renewAll(): Promise<void> {
  for (const book of await listKept()) await renewKept(book);
}

async function sendUnsentPlaces(): Promise<void> {
  for (const { name } of await listKept()) {
    const cache = await caches.open(name);
    const unsent = await cache.match(UNSENT);
    if (unsent === undefined) continue;
    const { body, at } = (await unsent.json()) as { readonly body: string; readonly at: number };
    const fields = new URLSearchParams(body);
    fields.set('age', String(Number(fields.get('age')) + Date.now() - at));
    const response = await fetch(PLACES, { method: 'POST', body: fields }).catch(() => null);
    if (response?.status === 204) await cache.delete(UNSENT);
  }
}

/** Replaces the same reader's kept page by the one that came by the network, and asks the stall about the book. */
async function renew(request: Request, response: Response | null): Promise<void> {
  const { pathname, search } = new URL(request.url);
  const reader = response === null ? null : readerOf(await response.clone().text());
  const books = await listKept();
  for (const book of books) {
    const cache = await caches.open(book.name);
    const isKept = (await cache.match(pathname + search)) !== undefined;
    if (reader !== book.reader || !isKept) continue;
    await putIn(cache, pathname + search, response!.clone());
    if (book.pages.includes(pathname) && pathname !== '/offline') await putLast(cache, pathname + search);
  }
  const isOf = ({ slug }: OfflineBook): boolean =>
    [`/books/${slug}/`, '/offline'].some((scope) => registration.scope.endsWith(scope));
  for (const book of books.filter(isOf)) await renewKept(book);
  if (!(await listKept()).some(isOf)) await registration.unregister();
}
