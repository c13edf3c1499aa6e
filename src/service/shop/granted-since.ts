import { isLive } from '../../access/grant.ts';
import type { Principal } from '../../access/principal.ts';
import type { Edition } from '../../catalog/edition.ts';
import { itemKey } from '../../item/item.ts';
import type { FindGrants } from '../access.ts';

/** Since when an account holds an item by a grant that is live, in milliseconds since 1970; null where it does not. */
export function createGrantedSince(findGrants: FindGrants, now: () => number) {
  return async (principal: Principal, { manifest }: Edition): Promise<number | null> => {
    if (principal.kind === 'anonymous') return null;
    const at = now();
    const grants = await findGrants(principal.accountId, manifest.kind, itemKey(manifest));
    const live = grants.filter((grant) => isLive(grant, at)).map(({ grantedAt }) => grantedAt);
    return live.length === 0 ? null : Math.min(...live);
  };
}
