import { hashKey, keyPrefix, mintKey } from '../../access/key.ts';
import { DAY } from '../../duration.ts';
import { Refusal } from '../../refusal.ts';
import type { NewAuditEntry } from '../../store/tables/audit-log.ts';
import { MOST_KEYS, type NewKey, type StoredKey } from '../../store/tables/keys.ts';
import type { Store } from '../../store/store.ts';
import { readCredentialName } from './credential-name.ts';
import { OVERLAPS, type Overlap, type Term } from './key-term.ts';

/** A key just made: the only time its text is seen. */
export type CreatedKey = {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly prefix: string;
  readonly expiresAt: number | null;
};

/** Describes the act for the audit log, once the key's name and prefix are known. */
type DescribeKey = (key: Pick<NewKey, 'name' | 'prefix'>) => NewAuditEntry;

/** Issues the keys of both the stall's commands and an account's own page; a page's own acts are not audited. */
export function createKeyIssue(store: Store, now: () => number) {
  return {
    async create(accountId: string, name: string, term: Term, audit?: DescribeKey): Promise<CreatedKey> {
      const { key, row } = mint(accountId, readCredentialName(name, 'a key'), term, now());
      return created(key, row, await store.write('addKey', { ...row, audit: audit?.(row) }));
    },
    /** A key that takes the place of every earlier one of its name. */
    async renew(accountId: string, name: string, term: Term, audit?: DescribeKey): Promise<CreatedKey> {
      const { key, row } = mint(accountId, name, term, now());
      return created(key, row, await store.write('renewKey', { ...row, audit: audit?.(row) }));
    },
    /** A new key of the same name and term; the old one ends at once, or after the overlap. */
    async rotate(old: StoredKey, overlap: Overlap, audit?: DescribeKey): Promise<CreatedKey> {
      const at = now();
      const term = old.expiresAt === null ? 'never' : { days: (old.expiresAt - old.createdAt) / DAY };
      const { key, row } = mint(old.accountId, old.name, term, at);
      const change = { key: row, replaces: old.id, endsAt: at + OVERLAPS[overlap], audit: audit?.(row) };
      return created(key, row, await store.write('replaceKey', change));
    },
    /** The key of an id as people type it, or null. */
    find: async (id: string) => (/^[1-9][0-9]{0,14}$/.test(id) ? store.findKeyHolderById(Number(id)) : null),
  };
}

function mint(accountId: string, name: string, term: Term, createdAt: number) {
  const key = mintKey();
  const expiresAt = term === 'never' ? null : createdAt + term.days * DAY;
  return { key, row: { accountId, name, prefix: keyPrefix(key), createdAt, expiresAt, hash: hashKey(key) } };
}

function created(
  key: string,
  { name, prefix, expiresAt }: NewKey,
  id: number | 'full' | 'revoked',
): CreatedKey {
  if (typeof id === 'number') return { id, key, name, prefix, expiresAt };
  throw new Refusal('invalid-request', FAULTS[id]);
}

const FAULTS = {
  full: `Cannot create another key: the account has ${MOST_KEYS} live ones; revoke one first`,
  revoked: 'Cannot rotate this key: it is revoked; create a new one',
} as const;
