import { liveGrants } from '../../access/grant.ts';
import type { AccountPrincipal } from '../../access/principal.ts';
import type { Catalog } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';
import type { Store } from '../../store/store.ts';
import type { Library, LibraryItem } from './library.ts';

/** An item of the library and the end of its last live grant, in milliseconds since 1970; null is never. */
export type Holding = LibraryItem & { readonly until: number | null; readonly edition: Edition };

/** Lists the library with the editions and dates that its page shows. */
export function createHoldings(
  store: Store,
  library: (account: AccountPrincipal) => Promise<Library>,
  catalog: () => Catalog,
  now: () => number,
) {
  return async (account: AccountPrincipal): Promise<readonly Holding[]> => {
    const { items } = await library(account);
    const live = liveGrants(await store.findAccountGrants(account.accountId), now());
    const ends = Map.groupBy(live, ({ kind, itemKey }) => `${kind} ${itemKey}`);
    const { bySlug } = catalog();
    return items.flatMap((item) => {
      const edition = bySlug.get(item.slug);
      if (edition === undefined) return [];
      const grants = ends.get(`${item.kind} ${item.id ?? item.slug}`) ?? [];
      const end = Math.max(...grants.map(({ until }) => until ?? Infinity));
      return [{ ...item, edition, until: Number.isFinite(end) ? end : null }];
    });
  };
}
