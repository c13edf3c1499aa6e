import { hashKey, keyPrefix, mintKey } from '../access/key.ts';
import { Refusal } from '../refusal.ts';
import type { StoredKey } from '../store/keys.ts';
import type { Store } from '../store/store.ts';
import type { Accounts } from './accounts.ts';

const DAY = 24 * 60 * 60 * 1000;

/** A key just made: the only time its text is seen. */
export type CreatedKey = {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly prefix: string;
  readonly expiresAt: number | null;
};

export type Term = { readonly days: number } | 'never';

/** The use cases of API keys. */
export function createKeys(store: Store, accounts: Accounts, now: () => number) {
  const mint = (accountId: string, name: string, term: Term) => {
    const key = mintKey();
    const createdAt = now();
    const expiresAt = term === 'never' ? null : createdAt + term.days * DAY;
    return {
      key,
      row: { accountId, name, prefix: keyPrefix(key), createdAt, expiresAt, hash: hashKey(key) },
    };
  };

  const find = async (id: string): Promise<StoredKey> => {
    const key = /^[1-9][0-9]{0,14}$/.test(id) ? await store.findKeyHolderById(Number(id)) : null;
    if (key !== null) return key;
    throw new Refusal(
      'not-found',
      `Cannot find a key "${id.slice(0, 40)}": "bookstall key list EMAIL" shows an account's keys and their ids`,
    );
  };

  return {
    async create(email: string, name: string, term: Term): Promise<CreatedKey> {
      const account = await accounts.find(email);
      const { key, row } = mint(account.id, name, term);
      return {
        id: await store.write('addKey', row),
        key,
        name,
        prefix: row.prefix,
        expiresAt: row.expiresAt,
      };
    },
    async list(email: string): Promise<readonly StoredKey[]> {
      return store.listKeys((await accounts.find(email)).id);
    },
    async revoke(id: string): Promise<StoredKey> {
      const key = await find(id);
      await store.write('revokeKey', { id: key.id, at: now() });
      return key;
    },
    /** A new key of the same name and term; the old one ends at once. */
    async rotate(id: string): Promise<CreatedKey> {
      const old = await find(id);
      if (old.revokedAt !== null)
        throw new Refusal('invalid-request', `Cannot rotate key ${id}: it is revoked; create a new one`);
      const term = old.expiresAt === null ? 'never' : { days: (old.expiresAt - old.createdAt) / DAY };
      const { key, row } = mint(old.accountId, old.name, term);
      return {
        id: await store.write('replaceKey', { key: row, replaces: old.id }),
        key,
        name: old.name,
        prefix: row.prefix,
        expiresAt: row.expiresAt,
      };
    },
    /** A key that takes the place of every earlier one of its name. */
    async renew(email: string, name: string, term: Term): Promise<CreatedKey> {
      const { key, row } = mint((await accounts.find(email)).id, name, term);
      return {
        id: await store.write('replaceKey', { key: row, replaces: 'same-name' }),
        key,
        name,
        prefix: row.prefix,
        expiresAt: row.expiresAt,
      };
    },
  };
}

export type Keys = ReturnType<typeof createKeys>;
