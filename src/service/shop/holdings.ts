import { type Grant, liveGrants, nextTurn } from '../../access/grant.ts';
import type { AccountPrincipal } from '../../access/principal.ts';
import { type Catalog, findByKey, listFormerSlugs } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';
import { itemKey } from '../../item/item.ts';
import type { Store } from '../../store/store.ts';
import { createMemo } from '../memo.ts';
import { describeItem, isInLibrary, type Library, type LibraryItem, type ListedAccount } from './library.ts';

/** An item that an account holds, as `GET /api/holdings` lists it; `until` is when its last grant ends, null is never. */
type Holding = LibraryItem & {
  readonly status: 'published' | 'archived';
  readonly until: string | null;
  /** Left out if it was never renamed. */
  readonly formerly?: readonly string[];
};

/** A holding with its edition. */
export type HeldItem = { readonly holding: Holding; readonly item: LibraryItem; readonly edition: Edition };

type Holdings = { readonly account: ListedAccount; readonly items: readonly Holding[] };

/** The holdings of an account, valid from `from` until the next grant begins or ends, and only with this catalog. */
type Shelf = {
  readonly held: readonly HeldItem[];
  readonly holdings: Holdings;
  readonly library: Library;
  readonly catalog: Catalog;
  readonly from: number;
  readonly until: number;
};

/**
 * Lists the items to which an account holds live grants, each once, by title and slug: all of them, or those of its library.
 * Each list is the same object until something in it may have changed.
 */
export function createHoldings(store: Store, catalog: () => Catalog, now: () => number) {
  const remember = createMemo<Shelf>(store.generation);
  const read = async ({ accountId, email }: AccountPrincipal): Promise<Shelf> => {
    const at = now();
    const grants = await store.findAccountGrants(accountId);
    const held = listHeld(catalog(), liveGrants(grants, at), store.findChangedAt);
    const account = { email, subscriberId: accountId };
    return {
      held,
      holdings: { account, items: held.map(({ holding }) => holding) },
      library: {
        account,
        items: held.filter(({ edition }) => isInLibrary(edition)).map(({ item }) => item),
      },
      catalog: catalog(),
      from: at,
      until: nextTurn(grants, at),
    };
  };
  const isFresh = (shelf: Shelf): boolean =>
    shelf.catalog === catalog() && shelf.from <= now() && now() < shelf.until;
  const find = (account: AccountPrincipal) => remember(account.accountId, () => read(account), isFresh);
  return {
    library: async (account: AccountPrincipal): Promise<Library> => (await find(account)).library,
    holdings: async (account: AccountPrincipal): Promise<Holdings> => (await find(account)).holdings,
    /** The same with their editions, for a page. */
    listHeld: async (account: AccountPrincipal): Promise<readonly HeldItem[]> => (await find(account)).held,
  };
}

function listHeld(
  catalog: Catalog,
  live: readonly Grant[],
  findChangedAt: Store['findChangedAt'],
): readonly HeldItem[] {
  const byItem = Map.groupBy(live, ({ kind, itemKey: key }) => findByKey(catalog, kind, key));
  const held = [...byItem].flatMap(([edition, grants]) => {
    if (edition === undefined || edition.manifest.status === 'draft') return [];
    const { kind, slug } = edition.manifest;
    const changedAt = findChangedAt(kind, itemKey(edition.manifest));
    return [describe(edition, grants, changedAt, listFormerSlugs(catalog, slug))];
  });
  return held.sort(byTitle);
}

function describe(
  edition: Edition,
  grants: readonly Grant[],
  changedAt: number | null,
  formerly: readonly string[],
): HeldItem {
  const grantedAt = Math.min(...grants.map((grant) => grant.grantedAt));
  const end = Math.max(...grants.map(({ until }) => until ?? Infinity));
  const item = describeItem(edition, { changedAt, grantedAt });
  const holding = {
    ...item,
    status: edition.manifest.status === 'archived' ? ('archived' as const) : ('published' as const),
    until: Number.isFinite(end) ? new Date(end).toISOString() : null,
    ...(formerly.length === 0 ? {} : { formerly }),
  };
  return { holding, item, edition };
}

function byTitle({ item: a }: HeldItem, { item: b }: HeldItem): number {
  return compare(a.title, b.title) || compare(a.slug, b.slug);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
