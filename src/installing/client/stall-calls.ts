// The calls to a stall's API by which commands read its catalog, an account's library and notes, files and searches.
import { isBookId, isSlug } from '../../catalog/path.rule.ts';
import { quote, didYouMean } from '../../platform/base/problem.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import {
  objectOf,
  readText,
  type RequestOptions,
  type StallClient,
  unexpectedAnswer,
} from './stall-client.ts';
import { ITEM_KINDS } from '../../platform/base/principal.ts';

export type ItemSummary = {
  readonly kind: string;
  readonly slug: string;
  readonly id: string | null;
  readonly title: string;
  readonly publisher: string;
  readonly unitAmountCents: number;
  readonly currency: string;
  readonly version: string | null;
  readonly digest: string | null;
  readonly grantedAt: string | null;
  /** The item's status, null if the stall sends none. `archived`: it is no longer sold, but this account holds it. */
  readonly status: string | null;
  readonly formerly: readonly string[];
};

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_PAGES = 1000;
/** The maximum number of items in a catalog: an endless list would fill the memory. */
const MAX_ITEMS = 200_000;

export async function fetchLibrary(stall: StallClient) {
  const { account, items } = objectOf(await fetchJson(stall, '/api/cli/library'));
  const { email, subscriberId } = objectOf(account);
  if (typeof email !== 'string' || typeof subscriberId !== 'string' || !Array.isArray(items))
    throw unexpectedAnswer(`Cannot read the library of ${stall.url}`);
  return { email, subscriberId, items: items.map(readSummary) };
}

/** Lists all items that the key's account holds, archived ones too; none if the stall is too old to have this list. */
export async function fetchHoldings(stall: StallClient): Promise<readonly ItemSummary[]> {
  const { items = [] } = objectOf(await fetchJson(stall, '/api/holdings').catch(ignoreMissing));
  if (!Array.isArray(items)) throw unexpectedAnswer(`Cannot read the holdings of ${stall.url}`);
  return items.map(readSummary);
}

export async function fetchCatalog(stall: StallClient): Promise<readonly ItemSummary[]> {
  const listed: ItemSummary[] = [];
  let after: string | null = '';
  for (let page = 0; after !== null && page < MAX_PAGES; page++) {
    const query: string = after === '' ? '' : `&after=${encodeURIComponent(after)}`;
    const { items, next } = objectOf(await fetchJson(stall, `/api/items?limit=1000${query}`));
    if (!Array.isArray(items) || listed.length > MAX_ITEMS)
      throw unexpectedAnswer(`Cannot read the catalog of ${stall.url}`);
    listed.push(...items.map(readSummary));
    after = typeof next === 'string' ? next : null;
  }
  return listed;
}

/** Finds an item in the catalog by slug, id or former slug; if it is not there, among the items that the account holds. */
export async function findItem(
  stall: StallClient,
  name: string,
  kinds: readonly string[] = ITEM_KINDS,
): Promise<ItemSummary> {
  const isWanted = ({ kind }: ItemSummary): boolean => kinds.includes(kind);
  const wanted = (await fetchCatalog(stall)).filter(isWanted);
  const sold = pick(wanted, name);
  if (sold !== undefined) return sold;
  // Held items come second, since most items are in the catalog, and there may be no key.
  const held = stall.key === null ? [] : (await fetchHoldings(stall)).filter(isWanted);
  const found = pick(held, name);
  if (found !== undefined) return found;
  const what = kinds.length === 1 ? kinds[0] : 'item';
  throw Refusal.missing(`Cannot find the ${what} ${quote(name)} on ${stall.url}. ${suggest(name, wanted)}`);
}

function pick(items: readonly ItemSummary[], name: string): ItemSummary | undefined {
  return (
    items.find(({ slug }) => slug === name) ??
    items.find(({ id }) => id === name) ??
    items.find(({ formerly }) => formerly.includes(name))
  );
}

/** The refusals that may mean that a slug is out of date: it is gone, or belongs to another item now. */
const GONE: ReadonlySet<string> = new Set(['not-found', 'gone', 'access-denied', 'unauthenticated']);

type Named = Pick<ItemSummary, 'id' | 'slug'>;

/** Returns the present slug of the book with this id; null if it is unchanged, for a skill, and for a book that is gone. */
export async function findNewSlug(stall: StallClient, { id, slug }: Named): Promise<string | null> {
  if (id === null) return null;
  const held = stall.key === null ? [] : await fetchHoldings(stall).catch(() => []);
  const isIt = (item: Named): boolean => item.id === id;
  const found = held.find(isIt) ?? (await fetchCatalog(stall)).find(isIt);
  return found === undefined || found.slug === slug ? null : found.slug;
}

/**
 * Calls `call` with the item's slug. If it is refused as if the slug were out of date (`GONE`), calls it with the book's
 * present slug.
 */
export async function followBook<T>(
  stall: StallClient,
  named: Named,
  call: (slug: string) => Promise<T>,
): Promise<T> {
  try {
    return await call(named.slug);
  } catch (error) {
    if (!(error instanceof Refusal && GONE.has(error.kind))) throw error;
    const slug = await findNewSlug(stall, named).catch(() => null);
    if (slug === null) throw error;
    return call(slug);
  }
}

/** Turns a not-found error into an empty answer, for older stalls that lack the address; throws all other errors. */
export function ignoreMissing(error: unknown): unknown {
  if (error instanceof Refusal && error.kind === 'not-found') return {};
  throw error;
}

export function suggest(name: string, items: readonly ItemSummary[]): string {
  return didYouMean(
    name,
    items.flatMap(({ slug, id }) => (id === null ? [slug] : [slug, id])),
    '"bookstall library --all" lists what there is',
  );
}

export async function fetchJson(
  stall: StallClient,
  path: string,
  options?: RequestOptions,
): Promise<unknown> {
  const text = await readText(await stall.send(path, options), MAX_BYTES);
  try {
    return JSON.parse(text);
  } catch {
    throw unexpectedAnswer(`Cannot read the answer of ${stall.url}`);
  }
}

function readSummary(value: unknown): ItemSummary {
  const fields = objectOf(value);
  const text = (name: string): string | null => (typeof fields[name] === 'string' ? fields[name] : null);
  const [kind, slug, id] = [text('kind'), text('slug') ?? '', text('id')];
  // Checks slugs and ids, since they are shown, compared and put into paths.
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
    status: text('status'),
    formerly: readSlugs(fields['formerly']),
  };
}

function readSlugs(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string' && isSlug(one)) : [];
}

export async function fetchFiles(
  stall: StallClient,
  { kind, id, slug }: Pick<ItemSummary, 'kind' | 'id' | 'slug'>,
  path?: string,
) {
  const base =
    kind === 'book'
      ? `/api/books/${encodeURIComponent(id ?? slug)}`
      : `/api/skills/${encodeURIComponent(slug)}`;
  const query = path === undefined ? 'content=false' : `path=${encodeURIComponent(path)}`;
  const { files } = objectOf(await fetchJson(stall, `${base}/files?${query}`));
  if (!Array.isArray(files)) throw unexpectedAnswer(`Cannot read the files of "${slug}"`);
  return files.map((file) => {
    const { path: name, sha256, content, encoding } = objectOf(file);
    if (typeof name !== 'string' || typeof sha256 !== 'string')
      throw unexpectedAnswer(`Cannot read the files of "${slug}"`);
    const bytes =
      typeof content === 'string' ? Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8') : null;
    return { path: name, sha256, content: bytes };
  });
}

const notesPath = (book: ItemSummary | null): string =>
  book === null ? '/api/notes' : `/api/books/${encodeURIComponent(book.id ?? book.slug)}/notes`;

/**
 * Fetches an account's notes in one book, or in all if `book` is null. `fields` has everything that the stall sent of a
 * note.
 */
export async function fetchNotes(stall: StallClient, book: ItemSummary | null) {
  const all: Readonly<Record<string, unknown>>[] = [];
  let bytes = 0;
  for (let after: unknown = null; ;) {
    const query = typeof after === 'string' ? `?after=${encodeURIComponent(after)}` : '';
    const answer = objectOf(await fetchJson(stall, notesPath(book) + query));
    const { notes, next } = answer;
    bytes += JSON.stringify(answer).length;
    // Limits the total size, since an endless list would fill the memory.
    if (!Array.isArray(notes) || (notes.length === 0 && next != null) || bytes > MAX_BYTES)
      throw unexpectedAnswer(`Cannot read the notes of ${stall.url}`);
    all.push(...notes.map(objectOf));
    if (typeof next !== 'string') break;
    after = next;
  }
  return all.map((fields) => {
    const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
    return { path: text('path'), state: text('state'), exact: text('exact'), text: text('text'), fields };
  });
}

export const fetchNotesText = async (
  stall: StallClient,
  book: ItemSummary | null,
  format: 'markdown' | 'csv',
): Promise<string> => readText(await stall.send(`${notesPath(book)}?format=${format}`), MAX_BYTES);

export type SearchedText = Readonly<Record<'title' | 'path' | 'heading' | 'text' | 'url', string>> & {
  readonly first: number;
};

/**
 * Searches the texts of a stall, or only the items with these slugs. `first` is the offset of the first found word in
 * `text`; `answer` is all that the stall sent.
 */
export async function searchStall(stall: StallClient, words: string, slugs: readonly string[]) {
  const query = new URLSearchParams({ q: words });
  for (const slug of slugs) query.append('item', slug);
  const answer = objectOf(await fetchJson(stall, `/api/search?${query}`));
  if (!Array.isArray(answer['results'])) throw unexpectedAnswer('Cannot read what was found');
  const results = answer['results'].map((result): SearchedText => {
    const fields = objectOf(result);
    const text = (name: string): string => (typeof fields[name] === 'string' ? fields[name] : '');
    const [[marked = NaN] = []] = Array.isArray(fields['marked']) ? (fields['marked'] as number[][]) : [];
    const first = Math.max(0, Number(marked) - Number(fields['start'])) || 0;
    return {
      title: text('title'),
      path: text('path'),
      heading: text('heading'),
      text: text('text'),
      url: text('url'),
      first,
    };
  });
  return { results, answer };
}
