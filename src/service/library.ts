import type { AccountPrincipal, AgentPrincipal } from '../access/principal.ts';
import { type Grant, liveGrants, nextTurn } from '../access/grant.ts';
import { type Catalog, type Edition, findByKey, listFormerSlugs, publicFace } from '../catalog/catalog.ts';
import { isFree, isShown, itemKey } from '../item/item.ts';
import type { Store } from '../store/store.ts';
import { compareText } from '../text.ts';
import { isOwner } from './access.ts';

/**
 * The holdings of an account: every item to which it holds live grants, each once, by title and slug; `held`
 * with their editions, `library` in the form of `GET /api/cli/library`. The same object until one of them may
 * have changed.
 */
export function readShelf(
  { store, catalog, now, shelves }: Given,
  { accountId, email }: Pick<AccountPrincipal, 'accountId' | 'email'>,
): Shelf {
  const [at, editions, known] = [now(), catalog(), shelves(accountId)];
  const { shelf } = known;
  if (shelf?.catalog === editions && shelf.from <= at && at < shelf.until) return shelf;
  const grants = store.findAccountGrants(accountId);
  const byItem = Map.groupBy(liveGrants(grants, at), ({ kind, itemKey: key }) =>
    findByKey(editions, kind, key),
  );
  const held = [...byItem]
    .flatMap(([edition, live]) =>
      edition === undefined || edition.manifest.status === 'draft'
        ? []
        : [describe(edition, live, store, listFormerSlugs(editions, edition.manifest.slug))],
    )
    .sort(({ item: a }, { item: b }) => compareText(a.title, b.title) || compareText(a.slug, b.slug));
  const account = { email, subscriberId: accountId };
  const listed = held.filter(({ edition }) => isInLibrary(edition)).map(({ item }) => item);
  return (known.shelf = {
    held,
    holdings: { account, items: held.map(({ holding }) => holding) },
    library: { account, items: listed },
    private: held.map(({ edition }) => edition).filter(isPrivate),
    catalog: editions,
    from: at,
    until: nextTurn(grants, at),
  });
}

type Given = {
  readonly store: Store;
  readonly catalog: () => Catalog;
  readonly now: () => number;
  readonly shelves: Shelves;
};

type Account = { readonly email: string; readonly subscriberId: string };

/** An account's items, from `from` until a grant begins or ends, and only with this catalog. */
type Shelf = {
  readonly held: readonly HeldItem[];
  readonly holdings: { readonly account: Account; readonly items: readonly HeldItem['holding'][] };
  readonly library: { readonly account: Account; readonly items: readonly HeldItem['item'][] };
  readonly private: readonly Edition[];
  readonly catalog: Catalog;
  readonly from: number;
  readonly until: number;
};

/** An account may hold thousands of items. */
const MOST_SHELVES = 200;

/** Where the shelf of an account is kept until any process writes. */
export const createShelves = ({ remember }: Store): Shelves =>
  remember((_accountId: string) => ({ shelf: null as Shelf | null }), MOST_SHELVES);

export type Shelves = (accountId: string) => { shelf: Shelf | null };

/** Whether an item that an account holds is in its library: free and archived items never are, private ones always. */
export function isInLibrary(edition: Edition): boolean {
  const { manifest } = publicFace(edition);
  return (isShown(manifest) || manifest.status === 'private') && !isFree(manifest);
}

const isPrivate = ({ manifest }: Edition): boolean => manifest.status === 'private';

const ofOwner = new WeakMap<Catalog, readonly Edition[]>();

/** The private items in the lists of an asker: of those it holds, of the owner's browser all. The same array while its items are. */
export function listPrivate(stall: Given, asker: AgentPrincipal): readonly Edition[] {
  const catalog = stall.catalog();
  const all = ofOwner.getOrInsertComputed(catalog, ({ editions }) => editions.filter(isPrivate));
  if (all.length === 0 || asker.kind !== 'account') return [];
  return isOwner(asker) ? all : readShelf(stall, asker).private;
}

function describe(
  edition: Edition,
  grants: readonly Grant[],
  { findChangedAt }: Store,
  formerly: readonly string[],
) {
  const { manifest, digest } = edition;
  const { kind, slug, id, title, description, unitAmountCents, currency, publisher, version } = manifest;
  const changedAt = findChangedAt(kind, itemKey(manifest));
  const end = Math.max(...grants.map(({ until }) => until ?? Infinity));
  const item = {
    ...(id === null ? { kind, slug } : { kind, slug, id }),
    title,
    description,
    /** Never null: only drafts lack a price. */
    unitAmountCents,
    suggestedAmountCents: manifest.suggestedAmountCents,
    currency,
    isFree: isFree(manifest),
    publisher,
    version,
    digest: `sha256:${digest}`,
    /** When its files or version last changed. */
    updatedAt: changedAt === null ? null : isoOf(changedAt),
    /** The earliest live grant. */
    grantedAt: isoOf(Math.min(...grants.map((grant) => grant.grantedAt))),
  };
  const holding = {
    ...item,
    status: manifest.status === 'draft' ? ('archived' as const) : manifest.status,
    until: Number.isFinite(end) ? isoOf(end) : null,
    ...(formerly.length === 0 ? {} : { formerly }),
  };
  return { holding, item, edition };
}

const isoOf = (time: number): string => new Date(time).toISOString();

/** An item as the library lists it, as `GET /api/holdings` does, whose `until` is when its last grant ends, and its edition. */
export type HeldItem = ReturnType<typeof describe>;
