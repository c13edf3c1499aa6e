import type { AccountPrincipal, AgentPrincipal } from '../platform/base/principal.ts';
import { type Grant, liveGrants, nextTurn } from './grant.rule.ts';
import { type Catalog, type Edition, findByKey, listFormerSlugs, publicFace } from '../catalog/catalog.ts';
import { isFree, isShown, itemKey } from '../catalog/item.rule.ts';
import type { Store } from './stall.ts';
import { compareText } from '../platform/base/text.ts';
import { isOwner } from './access.ts';

/**
 * Reads an account's library: the items of which it has a grant in force, by title and slug. `held` has them with their
 * editions; `holdings` and `library` are the answers of `GET /api/holdings` and `GET /api/cli/library`. Callers get the
 * same object until something may have changed.
 */
export function readLibrary(
  { store, catalog, now, libraries }: Given,
  { accountId, email }: Pick<AccountPrincipal, 'accountId' | 'email'>,
): Library {
  const [at, editions, known] = [now(), catalog(), libraries(accountId)];
  const { cached } = known;
  if (cached?.catalog === editions && cached.from <= at && at < cached.until) return cached;
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
  return (known.cached = {
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
  readonly libraries: Libraries;
};

type Account = { readonly email: string; readonly subscriberId: string };

type Library = {
  readonly held: readonly HeldItem[];
  readonly holdings: { readonly account: Account; readonly items: readonly HeldItem['holding'][] };
  readonly library: { readonly account: Account; readonly items: readonly HeldItem['item'][] };
  readonly private: readonly Edition[];
  readonly catalog: Catalog;
  readonly from: number;
  readonly until: number;
};

/** The maximum number of accounts whose libraries are cached, since a library may have thousands of items. */
const MOST_LIBRARIES = 200;

/** Creates the cache of accounts' libraries. It is emptied whenever any process writes to the database. */
export const createLibraries = ({ remember }: Store): Libraries =>
  remember((_accountId: string) => ({ cached: null as Library | null }), MOST_LIBRARIES);

export type Libraries = (accountId: string) => { cached: Library | null };

/** Whether the library lists an item that an account has: private ones always, others unless they are free or archived. */
export function isInLibrary(edition: Edition): boolean {
  const { manifest } = publicFace(edition);
  return (isShown(manifest) || manifest.status === 'private') && !isFree(manifest);
}

const isPrivate = ({ manifest }: Edition): boolean => manifest.status === 'private';

const ofOwner = new WeakMap<Catalog, readonly Edition[]>();

/**
 * Lists the private items that an asker may see: those of its own account, or all in the owner's browser. Callers get the
 * same array until something changes.
 */
export function listPrivate(stall: Given, asker: AgentPrincipal): readonly Edition[] {
  const catalog = stall.catalog();
  const all = ofOwner.getOrInsertComputed(catalog, ({ editions }) => editions.filter(isPrivate));
  if (all.length === 0 || asker.kind !== 'account') return [];
  return isOwner(asker) ? all : readLibrary(stall, asker).private;
}

export type HeldItem = ReturnType<typeof describe>;

/**
 * Describes an item of an account's library, as `holding` for `GET /api/holdings` and as `item` for `GET /api/cli/library`.
 * `updatedAt` is when its files or version last changed, `grantedAt` when the earliest grant in force was made, `until`
 * when the last one ends; null if one never ends. `unitAmountCents` is not null, since only drafts lack a price.
 */
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
    unitAmountCents,
    suggestedAmountCents: manifest.suggestedAmountCents,
    currency,
    isFree: isFree(manifest),
    publisher,
    version,
    digest: `sha256:${digest}`,
    updatedAt: changedAt === null ? null : isoOf(changedAt),
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
