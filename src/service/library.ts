import { isLive } from '../access/grant.ts';
import type { AccountPrincipal } from '../access/principal.ts';
import type { Catalog } from '../catalog/catalog.ts';
import { isFree, itemKey } from '../item/item.ts';
import type { Store } from '../store/store.ts';

/** The specification's library (2, 4.2) and the contract's three further fields. */
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
  /** ISO 8601 UTC with milliseconds: the earliest live grant. */
  readonly grantedAt: string;
};

/** What an account holds live grants to, by title and slug: published paid items alone, each once. */
export function createLibrary(store: Store, catalog: () => Catalog, now: () => number) {
  return async ({ accountId, email }: AccountPrincipal): Promise<Library> => {
    const grantedAt = new Map<string, number>();
    for (const grant of await store.findAccountGrants(accountId)) {
      if (!isLive(grant, now())) continue;
      const key = `${grant.kind} ${grant.itemKey}`;
      grantedAt.set(key, Math.min(grantedAt.get(key) ?? Infinity, grant.grantedAt));
    }
    const items = catalog().editions.flatMap(({ manifest }) => {
      const at = grantedAt.get(`${manifest.kind} ${itemKey(manifest)}`);
      if (at === undefined || manifest.status !== 'published' || isFree(manifest)) return [];
      const { kind, slug, id, title, description, unitAmountCents, currency, publisher, version } = manifest;
      const named = id === null ? { kind, slug } : { kind, slug, id };
      return [
        {
          ...named,
          title,
          description,
          unitAmountCents,
          currency,
          isFree: false,
          publisher,
          version,
          grantedAt: new Date(at).toISOString(),
        },
      ];
    });
    return { account: { email, subscriberId: accountId }, items: items.sort(byTitle) };
  };
}

function byTitle(a: LibraryItem, b: LibraryItem): number {
  return compare(a.title, b.title) || compare(a.slug, b.slug);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
