import { DAY } from '../platform/base/duration.ts';
import { sql, type Statements, values } from '../platform/store/statements.ts';
import { type Audited, logAct, type NewAuditEntry } from '../platform/store/audit-log.sql.ts';

/**
 * An assistant that a reader connected to their account. Beside reading, it may ask questions if `asks`, and see the
 * reader's notes if `notes`.
 */
export type Connection = {
  readonly id: string;
  readonly accountId: string;
  readonly clientId: string;
  readonly name: string;
  readonly host: string;
  readonly asks: boolean;
  readonly notes: boolean;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly endedAt: number | null;
  readonly endedBy: ConnectionEnd | null;
};

type ConnectionEnd = 'reader' | 'owner' | 'client' | 'reuse' | 'password' | 'address' | 'restore';

type NewConnection = Omit<Connection, 'lastUsedAt' | 'endedAt' | 'endedBy'>;

type Row = Omit<Connection, 'asks' | 'notes'> & { readonly asks: 0 | 1; readonly notes: 0 | 1 };

/** The connection that an access token belongs to, and when the token expires. */
type ConnectionHolder = Pick<Connection, 'id' | 'accountId' | 'asks' | 'notes'> & {
  readonly email: string;
  readonly expiresAt: number;
};

type Secret = { readonly hash: Uint8Array; readonly expiresAt: number };

/** An authorization code, and the values that its exchange must match. */
type Code = Secret & { readonly redirect: string; readonly challenge: string; readonly resource: string };

type Pair = { readonly access: Secret; readonly refresh: Secret };

type Ending = { readonly id: string; readonly at: number; readonly by: ConnectionEnd } & Audited;

type Refreshing = Pair & {
  readonly hash: Uint8Array;
  readonly clientId: string;
  readonly at: number;
  readonly audit: NewAuditEntry;
};

type CodeExchange = Refreshing & {
  readonly redirect: string | null;
  readonly challenge: string;
  readonly resource: string | null;
};

/** How long a refresh token still works after its successor's first use, in milliseconds: clients may refresh twice at once. */
const OVERLAP = 60_000;

/** The maximum number of a reader's open connections; one more ends the oldest. */
export const MOST_OPEN = 50;

/** How long an ended connection is kept and listed, in milliseconds, and how many ended ones are kept for a reader. */
const SHOWN_ENDED = 30 * DAY;
const MOST_ENDED = 100;

/**
 * How many of a connection's earlier tokens of each kind a refresh keeps. A client that refreshes all day must not fill the
 * database.
 */
const MOST_TOKENS = 50;

const COLUMNS = sql`id, account_id AS accountId, client_id AS clientId, name, host, asks, notes, created_at AS createdAt,
  last_used_at AS lastUsedAt, ended_at AS endedAt, ended_by AS endedBy`;

const toConnection = (row: Row): Connection => ({ ...row, asks: row.asks === 1, notes: row.notes === 1 });

export const connectionReads = (db: Statements) => ({
  /** Finds the open connection of an access token, even of an expired one; null if the account is disabled. */
  findAccess(hash: Uint8Array): ConnectionHolder | null {
    const row = db.one<Omit<ConnectionHolder, 'asks' | 'notes'> & Pick<Row, 'asks' | 'notes'>>`
      SELECT connections.id, account_id AS accountId, email, asks, notes, expires_at AS expiresAt FROM connection_tokens
      JOIN connections ON connections.id = connection_id JOIN accounts ON accounts.id = account_id
      WHERE hash = ${hash} AND kind = 'access' AND ended_at IS NULL AND disabled_at IS NULL`;
    return row && { ...row, asks: row.asks === 1, notes: row.notes === 1 };
  },
  isConnected: (id: string): boolean =>
    db.has`SELECT 1 FROM connections JOIN accounts ON accounts.id = account_id
      WHERE connections.id = ${id} AND ended_at IS NULL AND disabled_at IS NULL`,
  findConnection(id: string): Connection | null {
    const row = db.one<Row>`SELECT ${COLUMNS} FROM connections WHERE id = ${id}`;
    return row && toConnection(row);
  },
  /**
   * Lists an account's connections, newest first: open ones with an unexpired refresh token, and those that ended in the
   * last 30 days.
   */
  listConnections: (accountId: string, at: number): readonly Connection[] =>
    db.all<Row>`SELECT ${COLUMNS} FROM connections WHERE account_id = ${accountId}
      AND (ended_at > ${at - SHOWN_ENDED} OR (ended_at IS NULL AND ${hasToken(at, 'refresh')}))
      ORDER BY created_at DESC, rowid DESC`.map(toConnection),
});

/** Makes the condition that a connection has an unexpired token, of this kind or of any. */
const hasToken = (at: number, kind: 'refresh' | null) =>
  sql`EXISTS (SELECT 1 FROM connection_tokens WHERE connection_id = connections.id AND expires_at > ${at}
    AND kind = ifnull(${kind}, kind))`;

type TokenRow = {
  readonly connectionId: string;
  readonly redirect: string | null;
  readonly challenge: string | null;
  readonly resource: string | null;
  readonly former: Uint8Array | null;
  readonly supersededAt: number | null;
};

/** Finds an unexpired token of this client's open connection, even one that was exchanged already. */
const findToken = (db: Statements, { hash, clientId, at }: Refreshing, kind: 'code' | 'refresh') =>
  db.one<TokenRow>`SELECT connection_id AS connectionId, redirect, challenge, resource, former,
    superseded_at AS supersededAt FROM connection_tokens JOIN connections ON connections.id = connection_id
    JOIN accounts ON accounts.id = account_id WHERE hash = ${hash} AND kind = ${kind} AND client_id = ${clientId}
    AND expires_at > ${at} AND ended_at IS NULL AND disabled_at IS NULL`;

/**
 * Ends connections and deletes their tokens, so that these open nothing from the next request on. With `audit`, logs each
 * under the address of its account.
 */
export function endConnections(
  db: Statements,
  condition: ReturnType<typeof sql>,
  { at, by, audit }: { readonly at: number; readonly by: ConnectionEnd; readonly audit?: NewAuditEntry },
): void {
  const ended = db.all<{ id: string; name: string; email: string }>`UPDATE connections
    SET ended_at = ${at}, ended_by = ${by} WHERE ${condition} AND ended_at IS NULL
    RETURNING id, name, (SELECT email FROM accounts WHERE accounts.id = account_id) AS email`;
  for (const { id, name, email } of ended) {
    db.run`DELETE FROM connection_tokens WHERE connection_id = ${id}`;
    if (audit !== undefined) logAct(db, { ...audit, subject: email, details: { name } });
  }
}

/**
 * Ends all connections and device keys in a backup that becomes the database: readers may have ended them since, and a
 * refresh token used since would count as stolen. Backups from before migrations 037 and 038 lack the tables.
 */
export function endRestored(db: Statements, at: number): void {
  const has = (table: string) => db.has`SELECT 1 FROM sqlite_master WHERE name = ${table}`;
  if (has('connections')) endConnections(db, sql`true`, { at, by: 'restore' });
  // Without `WHERE`, SQLite writes even if there is no row, and the restored file would differ from the backup.
  if (has('device_keys')) db.run`DELETE FROM device_keys WHERE true`;
}

function addPair(db: Statements, connectionId: string, { access, refresh }: Pair, former: Uint8Array | null) {
  for (const [kind, { hash, expiresAt }] of [
    ['access', access],
    ['refresh', refresh],
  ] as const)
    db.run`INSERT INTO connection_tokens (hash, connection_id, kind, expires_at, former)
      VALUES (${hash}, ${connectionId}, ${kind}, ${expiresAt}, ${former})`;
}

const supersede = (db: Statements, former: Uint8Array | null, at: number): void => {
  if (former !== null)
    db.run`UPDATE connection_tokens SET superseded_at = ${at} WHERE hash = ${former} AND superseded_at IS NULL`;
};

export const connectionWrites = (db: Statements) => ({
  addConnection({
    connection,
    code,
    audit,
  }: { readonly connection: NewConnection; readonly code: Code } & Audited): void {
    const { id, accountId, createdAt } = connection;
    db.run`INSERT INTO connections ${values(connection)}`;
    db.run`INSERT INTO connection_tokens ${values({ ...code, connectionId: id, kind: 'code' })}`;
    const oldest = sql`id IN (SELECT id FROM connections WHERE account_id = ${accountId} AND ended_at IS NULL
      ORDER BY created_at DESC, rowid DESC LIMIT -1 OFFSET ${MOST_OPEN})`;
    db.run`DELETE FROM connections WHERE account_id = ${accountId} AND ended_at IS NULL AND NOT ${hasToken(createdAt, null)}`;
    endConnections(db, oldest, { at: createdAt, by: 'reader' });
    db.run`DELETE FROM connections WHERE account_id = ${accountId} AND (ended_at < ${createdAt - SHOWN_ENDED} OR id IN
      (SELECT id FROM connections WHERE account_id = ${accountId} AND ended_at IS NOT NULL
        ORDER BY ended_at DESC LIMIT -1 OFFSET ${MOST_ENDED}))`;
    logAct(db, audit);
  },
  /** Stores the tokens for a code; false if the code or a value with it is wrong. A second exchange ends the connection. */
  exchangeCode(asked: CodeExchange): boolean {
    const { hash, redirect, challenge, resource, at, audit } = asked;
    const code = findToken(db, asked, 'code');
    const isRight =
      code?.challenge === challenge &&
      (redirect === null || code.redirect === redirect) &&
      (resource === null || code.resource === resource);
    if (!isRight) return false;
    const { connectionId: id } = code;
    if (code.supersededAt !== null) {
      endConnections(db, sql`id = ${id}`, { at, by: 'reuse', audit });
      return false;
    }
    db.run`UPDATE connection_tokens SET superseded_at = ${at} WHERE hash = ${hash}`;
    addPair(db, id, asked, null);
    return true;
  },
  /**
   * Stores new tokens for a refresh token; false if it is not valid. If it comes over a minute after it was
   * superseded, by a use of its successor or another exchange of its predecessor, somebody copied it: the connection ends.
   */
  refreshConnection(asked: Refreshing): boolean {
    const { hash, at, audit, refresh } = asked;
    const found = findToken(db, asked, 'refresh');
    if (found === null) return false;
    const { connectionId: id } = found;
    if (found.supersededAt !== null && at > found.supersededAt + OVERLAP) {
      endConnections(db, sql`id = ${id}`, { at, by: 'reuse', audit });
      return false;
    }
    supersede(db, found.former, at);
    // Supersedes the token's earlier successors. A thief could otherwise exchange a copied token first, wait until its
    // owner did too, and go on unseen.
    db.run`UPDATE connection_tokens SET superseded_at = ${at} WHERE connection_id = ${id} AND kind = 'refresh'
      AND former = ${hash} AND superseded_at IS NULL AND expires_at < ${refresh.expiresAt - OVERLAP}`;
    // Deletes expired tokens, and all but the newest of each kind: parallel refreshes could pile them up.
    db.run`DELETE FROM connection_tokens WHERE connection_id = ${id} AND hash <> ${hash} AND (expires_at <= ${at - OVERLAP}
      OR hash IN (SELECT hash FROM (SELECT hash, row_number() OVER (PARTITION BY kind ORDER BY expires_at DESC) AS place
        FROM connection_tokens WHERE connection_id = ${id}) WHERE place > ${MOST_TOKENS}))`;
    addPair(db, id, asked, hash);
    db.run`UPDATE connections SET last_used_at = ${at} WHERE id = ${id}`;
    return true;
  },
  /**
   * Records the use of an access token: the client has received it, so the refresh token that was exchanged for it is
   * superseded.
   */
  useConnection({ id, hash, at }: Pick<Refreshing, 'hash' | 'at'> & { readonly id: string }): void {
    db.run`UPDATE connections SET last_used_at = ${at} WHERE id = ${id} AND ended_at IS NULL`;
    const token = db.one<Pick<TokenRow, 'former'>>`SELECT former FROM connection_tokens WHERE hash = ${hash}`;
    supersede(db, token?.former ?? null, at);
  },
  setConnection({ id, asks, notes }: Pick<Connection, 'id' | 'asks' | 'notes'>): void {
    db.run`UPDATE connections SET asks = ${asks}, notes = ${notes} WHERE id = ${id} AND ended_at IS NULL`;
  },
  endConnection({ id, at, by, audit }: Ending): void {
    endConnections(db, sql`id = ${id}`, { at, by, audit });
  },
  revokeToken({ hash, clientId, at, audit }: Omit<Refreshing, keyof Pair>): void {
    const mine = sql`client_id = ${clientId} AND id IN (SELECT connection_id FROM connection_tokens WHERE hash = ${hash})`;
    endConnections(db, mine, { at, by: 'client', audit });
  },
});
