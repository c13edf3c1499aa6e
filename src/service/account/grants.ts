import type { Actor } from '../../access/actor.ts';
import { Refusal } from '../../refusal.ts';
import type { ListedGrant, NewGrant } from '../../store/tables/grants.ts';
import type { Store } from '../../store/store.ts';
import { findAccount } from '../accounts.ts';
import { describeActs } from '../audit-entry.ts';
import type { GrantRequest } from './grant-csv.ts';
import { createGrantImport } from './grant-import.ts';
import { findGrantedItem, planGrant } from './grant-plan.ts';

/** The values that identify one grant. */
type NamedGrant = Pick<ListedGrant, 'accountId' | 'kind' | 'itemKey' | 'source' | 'email' | 'slug'>;

/** The use cases of grants. An item must have been published from this data directory once; a book is granted by its id. */
export function createGrants(store: Store, by: Actor, now: () => number) {
  const act = describeActs(by, now);
  const prepare = async (request: GrantRequest): Promise<NewGrant> => {
    const { id: accountId } = await findAccount({ store }, request.email);
    const item = await findGrantedItem(store, request.slug);
    const known = await store.findGrants(accountId, item.kind, item.itemKey);
    return planGrant(request, { accountId, item, known, at: now() });
  };

  return {
    async add(request: GrantRequest): Promise<NewGrant> {
      const grant = await prepare(request);
      const { source, from, until } = grant;
      const audit = act('grant.add', request.email.trim(), { item: request.slug, source, from, until });
      await store.write('addGrants', { grants: [grant], audit });
      return grant;
    },
    async list(email: string | null): Promise<readonly ListedGrant[]> {
      return store.listGrants(email === null ? null : (await findAccount({ store }, email)).id);
    },
    /** How many grants were revoked: of every source, unless one is named. */
    async revoke(email: string, slug: string, source: string | null): Promise<number> {
      const { id } = await findAccount({ store }, email);
      const { kind, itemKey } = await findGrantedItem(store, slug);
      const audit = act('grant.revoke', email.trim(), { item: slug, source: source ?? 'every source' });
      const change = { accountId: id, kind, source, at: now(), audit };
      const keys = await store.listGrantKeys(kind, itemKey);
      const revoked = keys.map((key) => store.write('revokeGrants', { ...change, itemKey: key }));
      return (await Promise.all(revoked)).reduce((sum, count) => sum + count, 0);
    },
    /** Revokes one grant, by the item's key: its slug may be another item's by now. Refuses one that is not there, or revoked. */
    async revokeOne({ accountId, kind, itemKey, source, email, slug }: NamedGrant): Promise<void> {
      const audit = act('grant.revoke', email, { item: slug, source });
      const change = { accountId, kind, itemKey, source, at: now(), audit };
      if ((await store.write('revokeGrants', change)) > 0) return;
      throw new Refusal('not-found', 'Cannot revoke this grant: it is revoked already, or never was there');
    },
    ...createGrantImport(store, by, now),
  };
}

export type Grants = ReturnType<typeof createGrants>;
