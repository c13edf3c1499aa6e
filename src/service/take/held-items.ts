import { liveGrants } from '../../access/grant.ts';
import type { AgentPrincipal } from '../../access/principal.ts';
import { type Catalog, findByKey } from '../../catalog/catalog.ts';
import type { Edition } from '../../catalog/edition.ts';
import { Refusal } from '../../refusal.ts';
import type { Store } from '../../store/store.ts';
import type { Access } from '../access.ts';

/** Lists the items that a principal may take because of a grant, and those that its token names; by slug. */
export function createHeldItems(store: Store, catalog: () => Catalog, access: Access, now: () => number) {
  return async (principal: AgentPrincipal): Promise<readonly Edition[]> => {
    if (principal.kind === 'anonymous') return [];
    const grants = liveGrants(await store.findAccountGrants(principal.accountId), now());
    const named = principal.kind === 'token' ? principal.scope.items : null;
    const candidates = new Set(
      (named ?? grants).flatMap(({ kind, itemKey }) => findByKey(catalog(), kind, itemKey) ?? []),
    );
    const held: Edition[] = [];
    for (const edition of candidates) if (await mayTake(access, principal, edition)) held.push(edition);
    return held.sort((a, b) => (a.manifest.slug < b.manifest.slug ? -1 : 1));
  };
}

/** Whether `access` lets a principal take an item. */
export async function mayTake(access: Access, principal: AgentPrincipal, edition: Edition): Promise<boolean> {
  try {
    await access(principal, edition, 'take');
    return true;
  } catch (error) {
    if (error instanceof Refusal) return false;
    throw error;
  }
}
