import { type OfflineContents, NOBODY } from './offline-contents.rule.ts';

/** A book in a browser cache of its own, and when the stall was last reached, in milliseconds since 1970. */
export type OfflineBook = OfflineContents & { readonly name: string; readonly reachedAt: number };

/** The address of the list within a book's cache. It is stored last: a cache without it is half filled, and serves nothing. */
const LIST = '/offline/list';
const LOCK = 'keep';
/** After this time without contact, in milliseconds, a book is deleted. */
const LONGEST_KEPT = 30 * 24 * 60 * 60 * 1000;
const AT_ONCE = 4;
const MOST_TRIES = 10;

const listAddress = (slug: string): string => `/books/${slug}/offline`;

/** Lists the books that are kept whole. Deletes those that are too old, and what an interrupted keeping left. */
export async function listKept(): Promise<readonly OfflineBook[]> {
  const kept: OfflineBook[] = [];
  for (const name of await caches.keys()) {
    if (!name.startsWith('kept ')) continue;
    const list = await (await caches.open(name)).match(LIST);
    const book = list && { ...((await list.json()) as Omit<OfflineBook, 'name'>), name };
    if (book !== undefined && Date.now() - book.reachedAt < LONGEST_KEPT) kept.push(book);
    else if (book !== undefined || (await navigator.locks.query()).held?.length === 0)
      await caches.delete(name);
  }
  return kept;
}

export async function dropKept(slug: string): Promise<void> {
  for (const name of await caches.keys()) if (name.split(' ')[2] === slug) await caches.delete(name);
}

/** Asks the stall for the list of a book; null if it cannot be reached or does not answer with one. */
async function askList(slug: string) {
  try {
    const response = await fetch(listAddress(slug), { redirect: 'error', cache: 'no-store' });
    return {
      status: response.status,
      body: (await response.json()) as OfflineContents & { readonly code?: string },
    };
  } catch {
    return null;
  }
}

/**
 * Asks the stall about a kept book. Deletes it if another account reads now, or if the stall itself says that this one may not
 * read it or that it is gone; renews it if it has changed. Every other answer deletes nothing: a session may have ended.
 */
export async function renewKept(book: OfflineBook): Promise<void> {
  const { status, body: list } = (await askList(book.slug)) ?? {};
  if (list === undefined) return;
  if ((status === 403 && list.code === 'ACCESS_DENIED') || (status === 404 && list.code !== undefined))
    return dropKept(book.slug);
  if (status !== 200 || list.slug !== book.slug) return;
  const isEnded = list.reader === NOBODY;
  if (!isEnded && book.reader !== NOBODY && book.reader !== list.reader) return dropKept(book.slug);
  const isSame = list.version === book.version || (isEnded && book.reader !== NOBODY);
  const renewed = isSame
    ? putList(await caches.open(book.name), { ...book, reachedAt: Date.now() })
    : keepListed(list);
  await renewed.catch(() => {});
}

const putList = (cache: Cache, { name: _, ...book }: OfflineBook): Promise<void> =>
  cache.put(LIST, Response.json(book));

/** Keeps a book whole, and then deletes its earlier editions; or throws, and leaves things as they were. */
export async function keepBook(slug: string): Promise<void> {
  const { status, body } = (await askList(slug)) ?? {};
  if (body === undefined || status !== 200) throw new Error(`Cannot keep "${slug}": status ${status}`);
  await keepListed(body);
}

const keepListed = (list: OfflineContents): Promise<void> =>
  navigator.locks.request(LOCK, async () => {
    const name = `kept ${list.reader} ${list.slug} ${list.version}`;
    if ((await listKept()).some((book) => book.name === name)) return;
    await caches.delete(name);
    const cache = await caches.open(name);
    const queue = [...list.files, ...list.pages];
    const work = async (): Promise<void> => {
      for (let address = queue.shift(); address !== undefined; address = queue.shift()) {
        const response = await take(address);
        const next = await nextPart(response.clone(), address, list.reader);
        if (next !== null) queue.unshift(next);
        await cache.put(address, response);
      }
    };
    try {
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      await putList(cache, { ...list, name, reachedAt: Date.now() });
    } catch (error) {
      queue.length = 0;
      await caches.delete(name);
      throw error;
    }
    for (const one of await caches.keys())
      if (one.split(' ')[2] === list.slug && one !== name) await caches.delete(one);
  });

/**
 * Fetches one address, and waits if the stall asks for it. The header keeps this from counting as reading, which would move the
 * reader's place.
 */
async function take(address: string, tries = MOST_TRIES): Promise<Response> {
  const response = await fetch(address, { redirect: 'error', headers: { Purpose: 'prefetch' } });
  if (response.ok) return response;
  if (![429, 503].includes(response.status) || tries === 1)
    throw new Error(`Cannot keep "${address}": status ${response.status}`);
  const seconds = Number(response.headers.get('retry-after') ?? 1);
  await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
  return take(address, tries - 1);
}

/** Returns the address of a long text's next part; null at its end. Throws at a page of another account. */
async function nextPart(response: Response, address: string, reader: string): Promise<string | null> {
  if (response.headers.get('content-type')?.startsWith('text/html') !== true) return null;
  const html = await response.text();
  if (readerOf(html) !== reader) throw new Error('Cannot keep a page of another account');
  const [, next = ''] = /<a rel="next" href="([^"]+)"/.exec(html) ?? [];
  return next.startsWith(`${address.replace(/\?.*/s, '')}?part=`) ? next : null;
}

/** Returns the name of the account for which a page was made, from the page itself; NOBODY without an account. */
export const readerOf = (html: string): string => /\sdata-reader="([\w-]+)"/.exec(html)?.[1] ?? NOBODY;
