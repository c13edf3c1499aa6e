import { liveGrants } from '../../access/grant.ts';
import type { Principal } from '../../access/principal.ts';
import type { Edition } from '../../catalog/edition.ts';
import { itemKey } from '../../item/item.ts';
import type { FindGrants } from '../access.ts';

/** The earliest live grant of an item to a principal, in milliseconds since 1970; null if there is none. */
export function createGrantedSince(findGrants: FindGrants, now: () => number) {
  return async (principal: Principal, { manifest }: Edition): Promise<number | null> => {
    if (principal.kind === 'anonymous') return null;
    const grants = await findGrants(principal.accountId, manifest.kind, itemKey(manifest));
    const live = liveGrants(grants, now());
    return live.length === 0 ? null : Math.min(...live.map(({ grantedAt }) => grantedAt));
  };
}
