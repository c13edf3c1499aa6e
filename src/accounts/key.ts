// Issues, lists, finds and revokes API keys and install tokens. An install token is the secret part of an install link.
import {
  type Actor,
  type Anonymous,
  type KeyPrincipal,
  type ScopedItem,
  type TokenPrincipal,
  type TokenScope,
  tokenActions,
} from '../platform/base/principal.ts';
import {
  hashKey,
  isKey,
  isPublishKey,
  isToken,
  keyPrefix,
  mintKey,
  mintToken,
} from '../platform/base/key.ts';
import { DAY, HOUR } from '../platform/base/duration.ts';
import { createKept } from '../platform/base/cache.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import { type KeyHolder, type NewKey, type StoredKey, type StoredToken } from './key.sql.ts';
import { findGrantedItem } from './grant.ts';
import { keyEnd, type KeyKind, LONGEST_KEY_NAME, MOST_LIVE, USE_INTERVAL } from './key.rule.ts';
import { type AuditAction, auditEntry } from '../platform/store/audit-entry.ts';
import type { Records } from './stall.ts';
import { readRowId } from '../platform/base/text.ts';

export type { StoredKey, StoredToken } from './key.sql.ts';

/**
 * The actor who issues or revokes a key: somebody who runs the stall, or `itself`, the account on its own page, whose acts
 * are not logged.
 */
type By = Actor | 'itself';
type Owner = { readonly accountId: string; readonly email: string };

export type KeyTerm = { readonly days: number } | 'never';

/** How long a replaced key still works, in milliseconds. */
const OVERLAPS = { now: 0, '1h': HOUR, '24h': DAY, '7d': 7 * DAY } as const;
export type Overlap = keyof typeof OVERLAPS;

const MOST_ITEMS = 100;

export type CreatedKey = Pick<StoredKey, 'id' | 'name' | 'prefix' | 'expiresAt'> & {
  readonly secret: string;
};
export type CreatedToken = CreatedKey & Pick<StoredToken, 'scope'>;

/** A request for an API key. `renewKey` revokes the account's earlier keys of this name, `addKey` leaves them. */
type KeyRequest = {
  readonly name: string;
  readonly term: KeyTerm;
  readonly write?: 'addKey' | 'renewKey';
};

/** A request for a token. If `items` is null, it opens every item of the account. `reads` also allows reading and asking. */
type TokenRequest = {
  readonly name: string;
  readonly items: readonly ScopedItem[] | null;
  readonly reads: boolean;
  readonly term: KeyTerm;
};

/** Creates an API key. Refuses a malformed name and, unless `write` is `renewKey`, more than `MOST_LIVE` keys. */
export async function createKey(
  stall: Records,
  by: By,
  owner: Owner,
  { name, term, write = 'addKey' }: KeyRequest,
): Promise<CreatedKey> {
  const { secret, row } = mint(mintKey(), owner, { name: readKeyName(name), term }, stall.now());
  const audit = auditOf(by, row.createdAt, 'key.create', { ...row, email: owner.email });
  return created('key', secret, row, await stall.store.write[write]({ ...row, audit }));
}

/**
 * Replaces a key by a new one of the same name that lasts as many days. The old one ends at once, or after the overlap.
 * Refuses a revoked key, and during an overlap more than `MOST_LIVE` keys.
 */
export async function rotateKey(stall: Records, by: By, old: KeyHolder<'key'>, overlap: Overlap = 'now') {
  const at = stall.now();
  const term = old.expiresAt === null ? 'never' : { days: (old.expiresAt - old.createdAt) / DAY };
  const { secret, row } = mint(mintKey(), old, { name: old.name, term }, at);
  const audit = auditOf(by, at, 'key.rotate', { ...row, email: old.email, overlap });
  const change = { key: row, replaces: old.id, endsAt: at + OVERLAPS[overlap], audit };
  return created('key', secret, row, await stall.store.write.replaceKey(change));
}

/** Creates an install token. Refuses a malformed name, more than `MOST_LIVE` tokens, and a list of no item or over 100. */
export async function createToken(
  stall: Records,
  by: By,
  owner: Owner,
  { name, items, reads, term }: TokenRequest,
): Promise<CreatedToken> {
  const { secret, row } = mint(mintToken(), owner, { name: readKeyName(name, 'token'), term }, stall.now());
  const scope: TokenScope = {
    items: items === null ? null : readItems(items),
    may: tokenActions(reads),
  };
  const audit = auditOf(by, row.createdAt, 'token.create', { ...row, email: owner.email });
  const id = await stall.store.write.addToken({ ...row, scope, audit });
  return { ...created('token', secret, row, id), scope };
}

/**
 * Finds the items that a token shall open, by their slugs; without slugs returns null, for every item. Refuses a slug that
 * was never published.
 */
export const readTokenItems = (stall: Records, slugs: readonly string[]) =>
  slugs.length === 0 ? null : slugs.map((slug) => findGrantedItem(stall, slug));

export async function revokeKey(stall: Records, by: By, kind: KeyKind, key: KeyHolder): Promise<void> {
  const at = stall.now();
  const audit = auditOf(by, at, `${kind}.revoke`, key);
  await stall.store.write.revokeKey({ kind, id: key.id, at, audit });
}

export function findKey<Kind extends KeyKind>(
  { store }: Records,
  kind: Kind,
  id: string,
  accountId: string | null = null,
): KeyHolder<Kind> {
  const row = readRowId(id);
  const key = row === null ? null : store.findKeyHolderById(kind, row);
  if (key !== null && (accountId === null || key.accountId === accountId)) return key;
  const named = { id: id.slice(0, 40) };
  if (accountId !== null) throw new ToldRefusal('not-found', (r) => r.library[kind].notFound(named));
  throw Refusal.missing(
    `Cannot find a ${kind} "${named.id}": "bookstall ${kind} list EMAIL" shows an account's ${kind}s and their ids`,
  );
}

/** Reads how long a key lasts: a number of days from 1 to 9999, or `never`. */
export function readTerm(text: string): KeyTerm {
  if (text === 'never') return 'never';
  if (/^[1-9][0-9]{0,3}$/.test(text)) return { days: Number(text) };
  throw new ToldRefusal('invalid-request', (r) => r.library.noTerm({ text: text.slice(0, 40) }));
}

export function readOverlap(text: string): Overlap {
  if (Object.hasOwn(OVERLAPS, text)) return text as Overlap;
  throw Refusal.invalid(
    `Cannot let the old key work for "${text.slice(0, 40)}": give ${Object.keys(OVERLAPS).join(', ')}`,
  );
}

/**
 * Reads the name of a key or token, which must be one line: a line break or an escape could fake entries of lists and
 * logs.
 */
export function readKeyName(text: string, kind: KeyKind = 'key'): string {
  const name = text.trim();
  const length = [...name].length;
  if (length >= 1 && length <= LONGEST_KEY_NAME && !/[\p{Cc}\p{Bidi_Control}]/u.test(name)) return name;
  throw new ToldRefusal('invalid-request', (r) => r.library[kind].badName({ most: LONGEST_KEY_NAME }));
}

function readItems(items: readonly ScopedItem[]): readonly ScopedItem[] {
  const unique = new Map(items.map(({ kind, itemKey }) => [`${kind} ${itemKey}`, { kind, itemKey }]));
  if (unique.size >= 1 && unique.size <= MOST_ITEMS) return [...unique.values()];
  throw Refusal.invalid(`Cannot create this link: name 1 to ${MOST_ITEMS} items, or none for every item`);
}

function mint(
  secret: string,
  owner: Owner,
  { name, term }: Pick<KeyRequest, 'name' | 'term'>,
  createdAt: number,
) {
  const expiresAt = term === 'never' ? null : createdAt + term.days * DAY;
  const row: NewKey = {
    accountId: owner.accountId,
    name,
    prefix: keyPrefix(secret),
    createdAt,
    expiresAt,
    hash: hashKey(secret),
  };
  return { secret, row };
}

function created(
  kind: KeyKind,
  secret: string,
  { name, prefix, expiresAt }: NewKey,
  id: number | 'full' | 'revoked',
): CreatedKey {
  if (typeof id === 'number') return { id, secret, name, prefix, expiresAt };
  if (id === 'revoked') throw Refusal.invalid('Cannot rotate this key: it is revoked; create a new one');
  throw new ToldRefusal('invalid-request', (r) => r.library[kind].full({ most: MOST_LIVE[kind] }));
}

type AuditedKey = Pick<StoredKey, 'name' | 'prefix'> & { readonly email: string; readonly overlap?: Overlap };

function auditOf(by: By, at: number, action: AuditAction, { email, name, prefix, overlap }: AuditedKey) {
  if (by === 'itself') return undefined;
  const more: Readonly<Record<string, string>> = overlap === undefined ? {} : { overlap };
  return auditEntry(by, at, action, email, { name, prefix, ...more });
}

const REMEMBERED_USES = 10_000;

const MALFORMED = {
  key: 'the API key is malformed; copy it whole, svc_ and 38 letters or digits',
  token: 'the install token is malformed; copy it whole, svi_ and 38 letters or digits',
};
const TOKEN_AS_KEY = 'an install token opens git, well-known and marketplaces alone; send an API key, svc_…';

const VARIABLE =
  'a name is sent in place of the API key, since its variable is not set; set it in the shell that starts the program';

/** Says why a text is no API key. Some agents send the name of an environment variable if it is not set. */
function whyMalformed(key: string): string {
  if (isToken(key)) return TOKEN_AS_KEY;
  if (isPublishKey(key)) return FAULTS.key.unknown;
  return /^[$%{]/.test(key) ? VARIABLE : MALFORMED.key;
}

/**
 * Creates functions that find the account of an API key or an install token. For a text that is malformed or unknown, a key
 * that has ended and a disabled account, they return an anonymous principal with the reason.
 */
export function createAuthentication({ store, now }: Records) {
  const uses = createKept<number>(REMEMBERED_USES);
  const findHolder = {
    key: store.remember((key: string) => store.findKeyHolder('key', hashKey(key))),
    token: store.remember((token: string) => store.findKeyHolder('token', hashKey(token))),
  };
  /** Saves when a key was used, at most once a minute. Errors are ignored: a full disk must not keep a reader out. */
  const recordUse = (kind: KeyKind, { id, lastUsedAt }: KeyHolder, at: number): void => {
    const name = `${kind} ${id}`;
    if (at - Math.max(lastUsedAt ?? 0, uses.get(name) ?? 0) < USE_INTERVAL) return;
    uses.set(name, at);
    store.write.recordKeyUse({ kind, id, at }).catch(() => uses.drop(name));
  };
  const check = <Holder extends KeyHolder>(kind: KeyKind, holder: Holder | null): Holder | Anonymous => {
    const at = now();
    const fault = holder === null ? FAULTS[kind].unknown : findFault(kind, holder, at);
    if (fault !== null || holder === null) return { kind: 'anonymous', complaint: fault };
    recordUse(kind, holder, at);
    return holder;
  };

  return {
    byKey(key: string): Anonymous | KeyPrincipal {
      if (!isKey(key)) return { kind: 'anonymous', complaint: whyMalformed(key) };
      const holder = check('key', findHolder.key(key));
      if ('kind' in holder) return holder;
      return { kind: 'account', accountId: holder.accountId, email: holder.email, keyId: holder.id };
    },
    byToken(token: string): Anonymous | TokenPrincipal {
      if (!isToken(token)) return { kind: 'anonymous', complaint: MALFORMED.token };
      const holder = check('token', findHolder.token(token));
      if ('kind' in holder) return holder;
      const { accountId, email, id: tokenId, scope } = holder;
      return { kind: 'token', accountId, email, tokenId, scope };
    },
  };
}

export function isKeyValid({ store, now }: Records, principal: KeyPrincipal | TokenPrincipal) {
  if (principal.kind === 'token' && principal.connection !== undefined)
    return store.isConnected(principal.connection.id);
  const [kind, id] =
    principal.kind === 'token'
      ? (['token', principal.tokenId] as const)
      : (['key', principal.keyId] as const);
  const holder = store.findKeyHolderById(kind, id);
  return holder !== null && findFault(kind, holder, now()) === null;
}

const FAULTS = {
  key: {
    unknown: 'the API key is unknown here; check that it belongs to this stall',
    revoked: 'the API key is revoked; create a new one',
    expired: 'the API key has expired; create a new one',
    disabled: 'the account of this API key is disabled; ask the stall to enable it',
  },
  token: {
    unknown: 'the install token is unknown here; make a new link on the page /dashboard/connect',
    revoked: 'the install token is revoked; make a new link',
    expired: 'the install token has expired; make a new link',
    disabled: 'the account of this install token is disabled; ask the stall to enable it',
  },
};

function findFault(kind: KeyKind, holder: KeyHolder, now: number): string | null {
  const fault = keyEnd(holder, now) ?? (holder.accountDisabledAt === null ? null : 'disabled');
  return fault && FAULTS[kind][fault];
}
