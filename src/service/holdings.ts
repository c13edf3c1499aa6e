import {
  type AccountPrincipal,
  type AgentPrincipal,
  type Grant,
  liveGrants,
  nextTurn,
  type Principal,
} from '../access/principal.ts';
import { type Catalog, type Edition, findByKey, grantKeys, listFormerSlugs } from '../catalog/catalog.ts';
import { itemKey } from '../item/item.ts';
import { compareText } from '../text.ts';
import type { Store } from '../store/store.ts';
import { may } from './access.ts';
import {
  describeItem,
  type HeldItem,
  type Holdings,
  isInLibrary,
  type Library,
  type Shelf,
} from './library.ts';
import type { Records, Stall } from './stall.ts';

/** The items of the specification's library, by title and slug (4.2). The same object until something in it may have changed. */
export async function listLibrary(stall: Stall, account: AccountPrincipal): Promise<Library> {
  return (await shelfOf(stall, account)).library;
}

/** Every item to which an account holds live grants, each once, by title and slug. */
export async function listHoldings(stall: Stall, account: AccountPrincipal): Promise<Holdings> {
  return (await shelfOf(stall, account)).holdings;
}

/** The same with their editions, for a page. */
export async function listHeld(stall: Stall, account: AccountPrincipal): Promise<readonly HeldItem[]> {
  return (await shelfOf(stall, account)).held;
}

function shelfOf(stall: Stall, account: AccountPrincipal): Shelf | Promise<Shelf> {
  const { catalog, now } = stall;
  const isFresh = (shelf: Shelf): boolean =>
    shelf.catalog === catalog() && shelf.from <= now() && now() < shelf.until;
  return stall.shelves(account.accountId, () => readShelf(stall, account), isFresh);
}

async function readShelf({ store, catalog, now }: Stall, { accountId, email }: AccountPrincipal) {
  const at = now();
  const grants = await store.findAccountGrants(accountId);
  const held = describeHeld(catalog(), liveGrants(grants, at), store.findChangedAt);
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
}

function describeHeld(catalog: Catalog, live: readonly Grant[], findChangedAt: Store['findChangedAt']) {
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
  return compareText(a.title, b.title) || compareText(a.slug, b.slug);
}

/** The earliest live grant of an item to a principal, in milliseconds since 1970; null if there is none. */
export async function grantedSince(
  { findGrants, catalog, now }: Stall,
  principal: Principal,
  { manifest }: Edition,
): Promise<number | null> {
  if (principal.kind === 'anonymous') return null;
  const { accountId } = principal;
  const found = await Promise.all(
    grantKeys(catalog(), manifest).map(async (key) => await findGrants(accountId, manifest.kind, key)),
  );
  const live = liveGrants(found.flat(), now());
  return live.length === 0 ? null : Math.min(...live.map(({ grantedAt }) => grantedAt));
}

/** A test of whether an item's files changed since an account last fetched it; false for one it never fetched. */
export async function changedSinceFetch({ store }: Records, accountId: string) {
  const downloads = await store.listLastDownloads(accountId);
  const fetched = new Map(downloads.map((one) => [`${one.kind} ${one.itemKey}`, one]));
  return ({ manifest, digest }: Edition) => {
    const key = itemKey(manifest);
    const last = fetched.get(`${manifest.kind} ${key}`);
    if (last === undefined || last.digest === digest) return false;
    // A reader who took an older edition on purpose knows of the newer one.
    return (store.findChangedAt(manifest.kind, key) ?? 0) > last.downloadedAt;
  };
}

/** The items that a principal may take because of a grant, and those that its token names; by slug. */
export async function listTakeable(stall: Stall, principal: AgentPrincipal): Promise<readonly Edition[]> {
  if (principal.kind === 'anonymous') return [];
  const grants = liveGrants(await stall.store.findAccountGrants(principal.accountId), stall.now());
  const named = principal.kind === 'token' ? principal.scope.items : null;
  const candidates = new Set(
    (named ?? grants).flatMap(({ kind, itemKey: key }) => findByKey(stall.catalog(), kind, key) ?? []),
  );
  const held: Edition[] = [];
  for (const edition of candidates) if (await may(stall, principal, edition, 'take')) held.push(edition);
  return held.sort((a, b) => (a.manifest.slug < b.manifest.slug ? -1 : 1));
}
