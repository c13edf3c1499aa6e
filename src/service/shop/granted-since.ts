import { liveGrants } from '../../access/grant.ts';
import type { Principal } from '../../access/principal.ts';
import type { Edition } from '../../catalog/edition.ts';
import type { FindGrants, ListKeys } from '../access.ts';

/** The earliest live grant of an item to a principal, in milliseconds since 1970; null if there is none. */
export function createGrantedSince(findGrants: FindGrants, keysOf: ListKeys, now: () => number) {
  return async (principal: Principal, { manifest }: Edition): Promise<number | null> => {
    if (principal.kind === 'anonymous') return null;
    const { accountId } = principal;
    const found = await Promise.all(
      keysOf(manifest).map(async (key) => await findGrants(accountId, manifest.kind, key)),
    );
    const live = liveGrants(found.flat(), now());
    return live.length === 0 ? null : Math.min(...live.map(({ grantedAt }) => grantedAt));
  };
}
