import { isBookId, isSlug } from '../item/path.ts';
import { quote } from '../item/problem.ts';
import { didYouMean } from '../item/spelling.ts';
import { Refusal } from '../refusal.ts';
import { unexpectedAnswer } from './failure.ts';
import { readText, type StallClient } from './stall-client.ts';

/** An item as the catalog or the library names it; `id` is a book's. */
export type ItemSummary = {
  readonly kind: 'book' | 'skill';
  readonly slug: string;
  readonly id: string | null;
  readonly title: string;
  readonly publisher: string;
  readonly unitAmountCents: number;
  readonly currency: string;
  readonly version: string | null;
  readonly digest: string | null;
  readonly grantedAt: string | null;
};

export type Library = {
  readonly email: string;
  readonly subscriberId: string;
  readonly items: readonly ItemSummary[];
};

const MOST = 64 * 1024 * 1024;
const PAGES = 1000;
/** More than any stall has; a list without an end would fill the memory. */
const MOST_ITEMS = 200_000;

/** The account a key belongs to, and what it holds. */
export async function fetchLibrary(stall: StallClient): Promise<Library> {
  const { account, items } = objectOf(await fetchJson(stall, '/api/cli/library'));
  const { email, subscriberId } = objectOf(account);
  if (typeof email !== 'string' || typeof subscriberId !== 'string' || !Array.isArray(items))
    throw unexpectedAnswer(`Cannot read the library of ${stall.url}`);
  return { email, subscriberId, items: items.map(readSummary) };
}

/** All that a stall sells or gives away. */
export async function fetchCatalog(stall: StallClient): Promise<readonly ItemSummary[]> {
  const listed: ItemSummary[] = [];
  let after: string | null = '';
  for (let page = 0; after !== null && page < PAGES; page++) {
    const query: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const { items, next } = objectOf(await fetchJson(stall, `/api/items?limit=1000${query}`));
    if (!Array.isArray(items) || listed.length > MOST_ITEMS)
      throw unexpectedAnswer(`Cannot read the catalog of ${stall.url}`);
    listed.push(...items.map(readSummary));
    after = typeof next === 'string' ? next : null;
  }
  return listed;
}

/** The item a reader names by slug or id: of the catalog, else of the library (archived items are in neither, and are found by their id alone). */
export async function findItem(
  stall: StallClient,
  name: string,
  kinds: readonly string[] = ['book', 'skill'],
): Promise<ItemSummary> {
  const catalog = await fetchCatalog(stall);
  const wanted = catalog.filter(({ kind }) => kinds.includes(kind));
  const found = wanted.find(({ slug }) => slug === name) ?? wanted.find(({ id }) => id === name);
  if (found !== undefined) return found;
  const what = kinds.length === 1 ? kinds[0] : 'item';
  throw new Refusal(
    'not-found',
    `Cannot find the ${what} ${quote(name)} on ${stall.url}. ${suggest(name, wanted)}`,
  );
}

/** What a reader may have meant, in a sentence. */
export function suggest(name: string, items: readonly ItemSummary[]): string {
  return didYouMean(
    name,
    items.flatMap(({ slug, id }) => (id === null ? [slug] : [slug, id])),
    '"bookstall library --all" lists what there is',
  );
}

/** A JSON answer; refuses what is none. */
export async function fetchJson(stall: StallClient, path: string): Promise<unknown> {
  const text = await readText(await stall.send(path), MOST);
  try {
    return JSON.parse(text);
  } catch {
    throw unexpectedAnswer(`Cannot read the answer of ${stall.url}`);
  }
}

/** A value as an object whose fields are still unknown; anything else has none. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function readSummary(value: unknown): ItemSummary {
  const fields = objectOf(value);
  const text = (name: string): string | null => (typeof fields[name] === 'string' ? fields[name] : null);
  const [kind, slug, id] = [text('kind'), text('slug') ?? '', text('id')];
  // Both are shown, compared and put into paths: nothing but what they can be.
  if ((kind !== 'book' && kind !== 'skill') || !isSlug(slug) || !isBookId(id ?? 'none'))
    throw unexpectedAnswer('Cannot read a list of items');
  return {
    kind,
    slug,
    id,
    title: text('title') ?? slug,
    publisher: text('publisher') ?? '',
    unitAmountCents: Number(fields['unitAmountCents'] ?? 0),
    currency: text('currency') ?? 'usd',
    version: text('version'),
    digest: text('digest'),
    grantedAt: text('grantedAt'),
  };
}
