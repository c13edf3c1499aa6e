import { type Grant, liveGrants, nextTurn } from '../../access/grant.ts';
import type { AccountPrincipal } from '../../access/principal.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import { isFree, itemKey, type Manifest } from '../../item/item.ts';
import type { Store } from '../../store/store.ts';
import { createMemo } from '../memo.ts';

/** The specification's library (2, 4.2) and the contract's further fields. */
export type Library = {
  readonly account: { readonly email: string; readonly subscriberId: string };
  readonly items: readonly LibraryItem[];
};

export type LibraryItem = {
  readonly kind: string;
  readonly slug: string;
  readonly id?: string;
  readonly title: string;
  readonly description: string;
  readonly unitAmountCents: number;
  readonly currency: string;
  readonly isFree: boolean;
  readonly publisher: string;
  readonly version: string | null;
  /** `sha256:` and the item digest. */
  readonly digest: string;
  /** ISO 8601 UTC with milliseconds: when its files or version last changed. */
  readonly updatedAt: string | null;
  /** ISO 8601 UTC with milliseconds: the earliest live grant. */
  readonly grantedAt: string;
};

/** A library, valid from `from` until the next grant begins or ends, and only with this catalog. */
type Shelf = {
  readonly library: Library;
  readonly catalog: Catalog;
  readonly from: number;
  readonly until: number;
};

/**
 * Lists the published paid items to which an account holds live grants, each once, by title and slug. The result is the same
 * object until something in it may have changed.
 */
export function createLibrary(store: Store, catalog: () => Catalog, now: () => number) {
  const remember = createMemo<Shelf>(store.generation);
  const read = async ({ accountId, email }: AccountPrincipal): Promise<Shelf> => {
    const at = now();
    const grants = await store.findAccountGrants(accountId);
    const items = listItems(catalog(), liveGrants(grants, at), store.findChangedAt);
    const library = { account: { email, subscriberId: accountId }, items };
    return { library, catalog: catalog(), from: at, until: nextTurn(grants, at) };
  };
  const isFresh = (shelf: Shelf): boolean =>
    shelf.catalog === catalog() && shelf.from <= now() && now() < shelf.until;
  return async (account: AccountPrincipal): Promise<Library> =>
    (await remember(account.accountId, () => read(account), isFresh)).library;
}

function listItems(
  catalog: Catalog,
  live: readonly Grant[],
  findChangedAt: Store['findChangedAt'],
): readonly LibraryItem[] {
  const grantedAt = new Map<string, number>();
  for (const grant of live) {
    const key = `${grant.kind} ${grant.itemKey}`;
    grantedAt.set(key, Math.min(grantedAt.get(key) ?? Infinity, grant.grantedAt));
  }
  const items = catalog.editions.flatMap(({ manifest, digest }) => {
    const at = grantedAt.get(`${manifest.kind} ${itemKey(manifest)}`);
    if (at === undefined || manifest.status !== 'published' || isFree(manifest)) return [];
    const changedAt = findChangedAt(manifest.kind, itemKey(manifest));
    return [describe(manifest, digest, changedAt, at)];
  });
  return items.sort(byTitle);
}

function describe(
  manifest: Manifest,
  digest: string,
  changedAt: number | null,
  grantedAt: number,
): LibraryItem {
  const { kind, slug, id, title, description, unitAmountCents, currency, publisher, version } = manifest;
  return {
    ...(id === null ? { kind, slug } : { kind, slug, id }),
    title,
    description,
    unitAmountCents,
    currency,
    isFree: false,
    publisher,
    version,
    digest: `sha256:${digest}`,
    updatedAt: changedAt === null ? null : new Date(changedAt).toISOString(),
    grantedAt: new Date(grantedAt).toISOString(),
  };
}

function byTitle(a: LibraryItem, b: LibraryItem): number {
  return compare(a.title, b.title) || compare(a.slug, b.slug);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
