import { createHash } from 'node:crypto';
import { createKept } from '../platform/base/cache.ts';
import { DAY, HOUR } from '../platform/base/duration.ts';
import { hashKey, isAccess, mintAccess, mintRefresh } from '../platform/base/key.ts';
import type { Actor, Anonymous, SessionPrincipal, TokenPrincipal } from '../platform/base/principal.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import { ToldRefusal } from '../platform/base/told.ts';
import { USE_INTERVAL } from './key.rule.ts';
import { mintSecret } from './secret.rule.ts';
import type { Connection } from './connection.sql.ts';
import type { Records } from './stall.ts';

export type { Connection } from './connection.sql.ts';
export { endRestored } from './connection.sql.ts';

/** How long a code, an access token and an unused refresh token last, in milliseconds. */
const CODE_TIME = 60_000;
export const ACCESS_TIME = HOUR;
export const UNUSED_CONNECTION = 60 * DAY;

/** The number of access tokens whose last use is remembered. */
const REMEMBERED = 10_000;

/** A reader's consent: the client and address that get the code, and what the assistant may do. */
type Consent = Pick<Connection, 'clientId' | 'name' | 'host' | 'asks' | 'notes'> & {
  readonly redirect: string;
  readonly challenge: string;
  readonly resource: string;
};

export async function connectAssistant(
  { store, now }: Records,
  reader: SessionPrincipal,
  { redirect, challenge, resource, ...asked }: Consent,
): Promise<string> {
  const at = now();
  const code = mintSecret();
  await store.write.addConnection({
    connection: { ...asked, id: crypto.randomUUID(), accountId: reader.accountId, createdAt: at },
    code: { hash: hashKey(code), expiresAt: at + CODE_TIME, redirect, challenge, resource },
    audit: auditEntry(reader, at, 'assistant.connect', reader.email, { name: asked.name }),
  });
  return code;
}

export type Tokens = { readonly access: string; readonly refresh: string; readonly expiresIn: number };

/** The code or refresh token that a client sends, and the client's id. */
type Shown = { readonly secret: string; readonly clientId: string };

/**
 * The values that a client sends with a code, to be compared with the consent. `redirect` and `resource` are null if it
 * sends none.
 */
type Repeated = {
  readonly redirect: string | null;
  readonly resource: string | null;
  readonly verifier: string;
};

/**
 * Exchanges a code for tokens; null if it was used or has expired, or was given for another client, redirect, verifier or
 * resource.
 */
export async function exchangeCode(
  { store, now }: Records,
  { redirect, resource, verifier, ...shown }: Shown & Repeated,
): Promise<Tokens | null> {
  const { tokens, asked } = mintPair(now(), shown);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return (await store.write.exchangeCode({ ...asked, redirect, challenge, resource })) ? tokens : null;
}

/** Exchanges a refresh token for new tokens; null if it is not good for this client any more. */
export async function refreshTokens({ store, now }: Records, shown: Shown): Promise<Tokens | null> {
  const { tokens, asked } = mintPair(now(), shown);
  return (await store.write.refreshConnection(asked)) ? tokens : null;
}

function mintPair(at: number, { secret, clientId }: Shown) {
  const [access, refresh] = [mintAccess(), mintRefresh()];
  return {
    tokens: { access, refresh, expiresIn: ACCESS_TIME / 1000 },
    asked: {
      hash: hashKey(secret),
      clientId,
      at,
      audit: auditEntry('signal', at, 'assistant.reuse', ''),
      access: { hash: hashKey(access), expiresAt: at + ACCESS_TIME },
      refresh: { hash: hashKey(refresh), expiresAt: at + UNUSED_CONNECTION },
    },
  };
}

/** Ends the connection of a token, if it is this client's. */
export const revokeToken = ({ store, now }: Records, clientId: string, token: string): Promise<void> => {
  const at = now();
  const audit = auditEntry('signal', at, 'assistant.disconnect', '');
  return store.write.revokeToken({ hash: hashKey(token), clientId, at, audit });
};

export function findOwnConnection(
  { store }: Records,
  { accountId }: SessionPrincipal,
  id: string,
): Connection {
  const connection = store.findConnection(id);
  if (connection?.accountId === accountId) return connection;
  throw new ToldRefusal('not-found', (r) => r.account.noAssistant);
}

export const listAssistants = ({ store, now }: Records, accountId: string): readonly Connection[] =>
  store.listConnections(accountId, now()).filter(({ endedAt }) => endedAt === null);

export async function disconnectAssistant(
  { store, now }: Records,
  by: Exclude<Actor, string>,
  { id, accountId }: Pick<Connection, 'id' | 'accountId'>,
): Promise<void> {
  const at = now();
  const audit = auditEntry(by, at, 'assistant.disconnect', '');
  await store.write.endConnection({ id, at, by: by.accountId === accountId ? 'reader' : 'owner', audit });
}

/**
 * Creates the function that finds the account of an access token. It stores the token's use at once, and then once a minute
 * at most.
 */
export function createAssistants({ store, now }: Records) {
  const uses = createKept<number>(REMEMBERED);
  const find = store.remember((token: string) => store.findAccess(hashKey(token)));
  return {
    byAccess(token: string): Anonymous | TokenPrincipal {
      const at = now();
      const found = isAccess(token) ? find(token) : null;
      if (found === null || found.expiresAt <= at) return { kind: 'anonymous', complaint: UNKNOWN };
      const { id, accountId, email, asks, notes } = found;
      if (at - (uses.get(token) ?? 0) >= USE_INTERVAL) {
        uses.set(token, at);
        store.write.useConnection({ id, hash: hashKey(token), at }).catch(() => uses.drop(token));
      }
      const may = asks ? (['read', 'ask'] as const) : (['read'] as const);
      return {
        kind: 'token',
        accountId,
        email,
        tokenId: 0,
        connection: { id, notes },
        scope: { items: null, may },
      };
    },
  };
}

const UNKNOWN = 'the access token is unknown or has expired; refresh it, or connect this stall again';
