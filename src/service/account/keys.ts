import type { Actor } from '../../access/actor.ts';
import { Refusal } from '../../refusal.ts';
import type { KeyHolder, StoredKey } from '../../store/tables/keys.ts';
import type { Store } from '../../store/store.ts';
import { describeActs } from '../audit-entry.ts';
import type { Accounts } from './accounts.ts';
import { type CreatedKey, createKeyIssue } from './issue-key.ts';
import type { Overlap, Term } from './key-term.ts';

/** The use cases of API keys for those who run the stall: by e-mail address and id. */
export function createKeys(store: Store, accounts: Accounts, by: Actor, now: () => number) {
  const act = describeActs(by, now);
  const issue = createKeyIssue(store, now);
  const find = async (id: string): Promise<KeyHolder> => {
    const key = await issue.find(id);
    if (key !== null) return key;
    throw new Refusal(
      'not-found',
      `Cannot find a key "${id.slice(0, 40)}": "bookstall key list EMAIL" shows an account's keys and their ids`,
    );
  };

  return {
    async create(email: string, name: string, term: Term): Promise<CreatedKey> {
      const account = await accounts.find(email);
      return issue.create(account.id, name, term, (key) => act('key.create', account.email, of(key)));
    },
    list: async (email: string): Promise<readonly StoredKey[]> =>
      store.listKeys((await accounts.find(email)).id),
    async revoke(id: string): Promise<StoredKey> {
      const key = await find(id);
      await store.write('revokeKey', { id: key.id, at: now(), audit: act('key.revoke', key.email, of(key)) });
      return key;
    },
    /** A new key of the same name and term; the old one ends at once, or after the overlap. */
    async rotate(id: string, overlap: Overlap = 'now'): Promise<CreatedKey> {
      const old = await find(id);
      return issue.rotate(old, overlap, (key) => act('key.rotate', old.email, { ...of(key), overlap }));
    },
    /** A key that takes the place of every earlier one of its name. */
    async renew(email: string, name: string, term: Term): Promise<CreatedKey> {
      const account = await accounts.find(email);
      return issue.renew(account.id, name, term, (key) => act('key.create', account.email, of(key)));
    },
  };
}

export type Keys = ReturnType<typeof createKeys>;

function of({ name, prefix }: Pick<StoredKey, 'name' | 'prefix'>) {
  return { name, prefix };
}
