import { hashKey, keyPrefix, mintKey } from '../../access/key.ts';
import { Refusal } from '../../refusal.ts';
import { MOST_KEYS, type NewKey, type StoredKey } from '../../store/tables/keys.ts';
import type { Store } from '../../store/store.ts';
import type { Accounts } from './accounts.ts';

const HOUR = 60 * 60 * 1000;
const DAY = 24 * HOUR;
const LONGEST_NAME = 80;

/** How long a rotated key goes on beside its successor, in milliseconds. */
const OVERLAPS = { now: 0, '1h': HOUR, '24h': DAY, '7d': 7 * DAY } as const;

export type Overlap = keyof typeof OVERLAPS;

/** A key just made: the only time its text is seen. */
export type CreatedKey = {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly prefix: string;
  readonly expiresAt: number | null;
};

export type Term = { readonly days: number } | 'never';

/** The use cases of API keys: by e-mail address and id for who runs the stall, `…For` and `…Own` for an account itself. */
export function createKeys(store: Store, accounts: Accounts, now: () => number) {
  const create = async (accountId: string, name: string, term: Term): Promise<CreatedKey> => {
    const { key, row } = mint(accountId, readName(name), term, now());
    return shown(key, row, await store.write('addKey', row));
  };
  const find = async (id: string): Promise<StoredKey> =>
    (await findKey(id)) ??
    refuse(
      'not-found',
      `find a key "${id.slice(0, 40)}": "bookstall key list EMAIL" shows an account's keys and their ids`,
    );
  const findOwn = async (accountId: string, id: string): Promise<StoredKey> => {
    const key = await findKey(id);
    if (key?.accountId === accountId) return key;
    return refuse(
      'not-found',
      `find a key "${id.slice(0, 40)}" among yours: open the list of your keys again`,
    );
  };
  const findKey = async (id: string): Promise<StoredKey | null> =>
    /^[1-9][0-9]{0,14}$/.test(id) ? store.findKeyHolderById(Number(id)) : null;

  const revoke = async (key: StoredKey): Promise<StoredKey> => {
    await store.write('revokeKey', { id: key.id, at: now() });
    return key;
  };
  const rotate = async (old: StoredKey, overlap: Overlap): Promise<CreatedKey> => {
    const at = now();
    const term = old.expiresAt === null ? 'never' : { days: (old.expiresAt - old.createdAt) / DAY };
    const { key, row } = mint(old.accountId, old.name, term, at);
    const change = { key: row, replaces: old.id, endsAt: at + OVERLAPS[overlap] };
    return shown(key, row, await store.write('replaceKey', change));
  };

  return {
    create: async (email: string, name: string, term: Term): Promise<CreatedKey> =>
      create((await accounts.find(email)).id, name, term),
    list: async (email: string): Promise<readonly StoredKey[]> =>
      store.listKeys((await accounts.find(email)).id),
    revoke: async (id: string): Promise<StoredKey> => revoke(await find(id)),
    /** A new key of the same name and term; the old one ends at once, or after the overlap. */
    rotate: async (id: string, overlap: Overlap = 'now'): Promise<CreatedKey> =>
      rotate(await find(id), overlap),
    /** A key that takes the place of every earlier one of its name. */
    async renew(email: string, name: string, term: Term): Promise<CreatedKey> {
      const { key, row } = mint((await accounts.find(email)).id, name, term, now());
      return shown(key, row, await store.write('renewKey', row));
    },

    createFor: create,
    listFor: store.listKeys,
    /** Another account's key is as little found as one that is not there. */
    revokeOwn: async (accountId: string, id: string): Promise<StoredKey> =>
      revoke(await findOwn(accountId, id)),
    rotateOwn: async (accountId: string, id: string, overlap: Overlap): Promise<CreatedKey> =>
      rotate(await findOwn(accountId, id), overlap),
  };
}

export type Keys = ReturnType<typeof createKeys>;

/** How long a key lasts, written as a number of days from 1 to 9999 or as `never`. */
export function readTerm(text: string): Term {
  if (text === 'never') return 'never';
  if (/^[1-9][0-9]{0,3}$/.test(text)) return { days: Number(text) };
  return refuse(
    'invalid-request',
    `let a key last "${text.slice(0, 40)}": give a number of days from 1 to 9999, or never`,
  );
}

/** How long the old key of a rotation goes on, written as `now`, `1h`, `24h` or `7d`. */
export function readOverlap(text: string): Overlap {
  if (Object.hasOwn(OVERLAPS, text)) return text as Overlap;
  return refuse(
    'invalid-request',
    `let the old key go on for "${text.slice(0, 40)}": give ${Object.keys(OVERLAPS).join(', ')}`,
  );
}

/** One line that tells keys apart: a line break or an escape would forge lists and logs. */
function readName(text: string): string {
  const name = text.trim();
  const length = [...name].length;
  if (length >= 1 && length <= LONGEST_NAME && !/[\p{Cc}\p{Bidi_Control}]/u.test(name)) return name;
  return refuse(
    'invalid-request',
    `take this name for a key: give 1 to ${LONGEST_NAME} characters without line breaks`,
  );
}

function mint(accountId: string, name: string, term: Term, createdAt: number) {
  const key = mintKey();
  const expiresAt = term === 'never' ? null : createdAt + term.days * DAY;
  return { key, row: { accountId, name, prefix: keyPrefix(key), createdAt, expiresAt, hash: hashKey(key) } };
}

function shown(
  key: string,
  { name, prefix, expiresAt }: NewKey,
  id: number | 'full' | 'revoked',
): CreatedKey {
  if (typeof id === 'number') return { id, key, name, prefix, expiresAt };
  return refuse('invalid-request', FAULTS[id]);
}

const FAULTS = {
  full: `create another key: the account has ${MOST_KEYS} live ones; revoke one first`,
  revoked: 'rotate this key: it is revoked; create a new one',
} as const;

function refuse(kind: 'not-found' | 'invalid-request', reason: string): never {
  throw new Refusal(kind, `Cannot ${reason}`);
}
