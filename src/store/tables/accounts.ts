import type { Database } from 'bun:sqlite';
import { type Audited, auditInserts } from './audit-log.ts';
import { orderFolds } from './order-folds.ts';
import { type NewSession, passwordInserts, sessionInserts } from './sessions.ts';
import { foldEmail } from '../../access/email-address.ts';
import { LIVE_GRANT } from './grants.ts';
import { LIVE_KEY } from './keys.ts';

/** A subscriber; one may be the owner. Times are milliseconds since 1970 UTC. */
export type Account = {
  readonly id: string;
  readonly email: string;
  readonly isOwner: boolean;
  /** An account without one cannot sign in; a link sets it. */
  readonly hasPassword: boolean;
  readonly createdAt: number;
  readonly disabledAt: number | null;
  /** When its address was known to be its holder's: the owner added it, or a link sent there was used. */
  readonly verifiedAt: number | null;
};

/** An account as a row of `ACCOUNT_COLUMNS`. */
type AccountRow = Omit<Account, 'isOwner' | 'hasPassword'> & {
  readonly isOwner: 0 | 1;
  readonly hasPassword: 0 | 1;
};

const ACCOUNT_COLUMNS = `id, email, is_owner AS isOwner, password_hash IS NOT NULL AS hasPassword,
  created_at AS createdAt, disabled_at AS disabledAt, verified_at AS verifiedAt`;

export function accountReads(db: Database) {
  const byEmail = db.prepare<AccountRow, [string]>(`SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE email = ?`);
  const byId = db.prepare<AccountRow, [string]>(`SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE id = ?`);
  const byAddress = accountsByAddress(db);
  const owner = db.prepare<AccountRow, []>(`SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE is_owner = 1`);
  const all = db.prepare<AccountRow, []>(`SELECT ${ACCOUNT_COLUMNS} FROM accounts ORDER BY email`);
  return {
    /** The account of this e-mail address, in any case, or null. */
    async findAccount(email: string): Promise<Account | null> {
      const row = byEmail.get(email);
      return row && toAccount(row);
    },
    async findAccountById(id: string): Promise<Account | null> {
      const row = byId.get(id);
      return row && toAccount(row);
    },
    /** The account of an address in any of its spellings, as those of orders are compared; or null. */
    async findAccountByAddress(address: string): Promise<Account | null> {
      const found = byAddress(address);
      const row = found && byId.get(found.id);
      return row && toAccount(row);
    },
    /** The account of the stall's owner, or null. */
    async findOwner(): Promise<Account | null> {
      const row = owner.get();
      return row && toAccount(row);
    },
    /** Every account, by e-mail address. */
    async listAccounts(): Promise<readonly Account[]> {
      return all.all().map(toAccount);
    },
  };
}

export function accountWrites(db: Database) {
  const insert = db.prepare<AccountRow, [string, string, number, number, number | null]>(
    'INSERT INTO accounts (id, email, is_owner, created_at, verified_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const disable = db.prepare('UPDATE accounts SET disabled_at = coalesce(disabled_at, ?) WHERE id = ?');
  const sessions = sessionInserts(db);
  const folds = orderFolds(db);
  const log = auditInserts(db);
  const enable = db.prepare('UPDATE accounts SET disabled_at = NULL WHERE id = ?');
  return {
    /** False if the e-mail address has an account already. A verified one gets the orders that wait for its address. */
    addAccount({ audit, ...account }: Omit<Account, 'hasPassword'> & Audited): boolean {
      const { id, email, isOwner, createdAt, verifiedAt } = account;
      if (insert.run(id, email, isOwner ? 1 : 0, createdAt, verifiedAt).changes === 0) return false;
      log(audit);
      if (verifiedAt !== null) folds.attachWaiting(id, { at: createdAt });
      return true;
    },
    /** Disables the account at a time and ends its sessions, or enables it if the time is null. */
    setAccountDisabled({
      id,
      at,
      audit,
    }: { readonly id: string; readonly at: number | null } & Audited): void {
      log(audit);
      if (at === null) return void enable.run(id);
      disable.run(at, id);
      sessions.endAll(id, at);
    },
  };
}

/** The account of a row, with the row's other columns. */
function toAccount<Row extends AccountRow>(row: Row) {
  return { ...row, isOwner: row.isOwner === 1, hasPassword: row.hasPassword === 1 };
}

type Known = { readonly id: string; readonly email: string; readonly isVerified: 0 | 1 };

/** Finds the account of an address in any spelling; of several, a verified one. */
export function accountsByAddress(db: Database) {
  const columns = 'SELECT id, email, verified_at IS NOT NULL AS isVerified FROM accounts';
  const order = 'ORDER BY verified_at IS NULL, created_at';
  const plain = db.prepare<Known, [string, string]>(`${columns} WHERE email IN (?, ?) ${order}`);
  // SQLite compares only ASCII without case: an address with other letters is looked for among those.
  const foreign = db.prepare<Known, []>(
    `${columns} WHERE email GLOB '*[^ -~]*' OR email LIKE '%xn--%' ${order}`,
  );
  return (address: string): Known | null => {
    const folded = foldEmail(address);
    const isPlain = /^[ -~]*$/.test(address) && !folded.includes('xn--');
    const found = isPlain ? plain.all(address.trim(), folded) : foreign.all();
    return found.find(({ email }) => foldEmail(email) === folded) ?? null;
  };
}

/** An account as the office lists it: `keys` and `grants` count the live ones, `lastSeenAt` is the last use of a key or session. */
export type AccountSummary = Account & {
  readonly keys: number;
  readonly grants: number;
  readonly lastSeenAt: number | null;
};

/** How much an account did, and how many sessions it has open. */
export type AccountFigures = {
  readonly sessions: number;
  readonly questions: number;
  readonly downloads: number;
};

/** Accounts whose e-mail address holds `search` in any case, or whose id it is. */
type AccountSearchPage = {
  readonly search: string;
  readonly now: number;
  readonly atMost: number;
  readonly skip: number;
};

type Row = AccountRow & Omit<AccountSummary, keyof Account>;

const ROW = `SELECT ${ACCOUNT_COLUMNS},
  (SELECT count(*) FROM keys WHERE account_id = accounts.id AND ${LIVE_KEY}) AS keys,
  (SELECT count(*) FROM grants WHERE account_id = accounts.id AND ${LIVE_GRANT}) AS grants,
  (SELECT max(at) FROM (SELECT max(last_used_at) AS at FROM keys WHERE account_id = accounts.id
     UNION ALL SELECT max(last_seen_at) FROM sessions WHERE account_id = accounts.id)) AS lastSeenAt
  FROM accounts`;
const MATCHES = `(?2 = '' OR instr(lower(email), lower(?2)) > 0 OR id = ?2)`;

export function accountSearchReads(db: Database) {
  // SQLite skips the rows of OFFSET before it looks into the other tables.
  const page = db.prepare<Row, [number, string, number, number]>(
    `${ROW} WHERE ${MATCHES} ORDER BY accounts.rowid DESC LIMIT ?3 OFFSET ?4`,
  );
  const one = db.prepare<Row, [number, string]>(`${ROW} WHERE id = ?2`);
  const figures = db.prepare<AccountFigures, [number, string]>(
    `SELECT (SELECT count(*) FROM sessions WHERE account_id = ?2 AND ended_at IS NULL AND expires_at > ?1) AS sessions,
       (SELECT count(*) FROM fetch_logs WHERE account_id = ?2) AS questions,
       (SELECT count(*) FROM downloads WHERE account_id = ?2) AS downloads`,
  );
  return {
    /** The accounts of a page, the newest first. */
    async searchAccounts({
      search,
      now,
      atMost,
      skip,
    }: AccountSearchPage): Promise<readonly AccountSummary[]> {
      return page.all(now, search, atMost, skip).map(toAccount);
    },
    /** The account of this id at a time, or null. */
    async findAccountSummary(id: string, now: number): Promise<AccountSummary | null> {
      const row = one.get(now, id);
      return row && toAccount(row);
    },
    async countActivity(id: string, now: number): Promise<AccountFigures> {
      return figures.get(now, id) ?? { sessions: 0, questions: 0, downloads: 0 };
    },
  };
}

/** The parts of a transaction that verify an account's address. */
export function verificationInserts(db: Database) {
  const folds = orderFolds(db);
  const byAddress = accountsByAddress(db);
  const add = db.prepare('INSERT INTO accounts (id, email, created_at) VALUES (?, ?, ?)');
  const isDoubtful = db.prepare<{ yes: 1 }, [string]>(
    'SELECT 1 AS yes FROM accounts WHERE id = ? AND verified_at IS NULL AND password_hash IS NOT NULL',
  );
  const revokeKeys = db.prepare('UPDATE keys SET revoked_at = ? WHERE account_id = ? AND revoked_at IS NULL');
  const revokeTokens = db.prepare(
    'UPDATE tokens SET revoked_at = ? WHERE account_id = ? AND revoked_at IS NULL',
  );
  const verify = db.prepare('UPDATE accounts SET verified_at = ? WHERE id = ? AND verified_at IS NULL');
  return {
    /** The account of an address; created without a password if it is new. */
    findOrAdd({
      id,
      email,
      at,
    }: {
      readonly id: string;
      readonly email: string;
      readonly at: number;
    }): string {
      const known = byAddress(email);
      if (known !== null) return known.id;
      add.run(id, email, at);
      return id;
    },
    /**
     * Revokes the keys and tokens of an unverified account before its password is replaced: somebody may have made it under
     * another's address. An account without a password keeps those that the owner made for it.
     */
    distrust(accountId: string, at: number): void {
      if (isDoubtful.get(accountId) === null) return;
      revokeKeys.run(at, accountId);
      revokeTokens.run(at, accountId);
    },
    /** Marks the account as verified, and gives it the order of the link that showed it and every waiting one of its address. */
    verify(accountId: string, orderId: number | null, at: number): void {
      verify.run(at, accountId);
      if (orderId !== null)
        folds.act({ orderId, fact: { kind: 'attach', accountId, by: 'mail' }, origin: 'buyer', at });
      folds.attachWaiting(accountId, { at });
    },
  };
}

/** An account that somebody makes with a password; nobody has verified its address. */
export type JoiningAccount = { readonly id: string; readonly email: string; readonly passwordHash: string };

/** The part of a transaction that makes such an account and signs it in; false if the address has one. */
export function joinInserts(db: Database) {
  const [byAddress, followPassword] = [accountsByAddress(db), passwordInserts(db)];
  const add = db.prepare('INSERT INTO accounts (id, email, password_hash, created_at) VALUES (?, ?, ?, ?)');
  return ({ id, email, passwordHash }: JoiningAccount, session: NewSession, at: number): boolean => {
    if (byAddress(email) !== null) return false;
    add.run(id, email, passwordHash, at);
    followPassword(id, session, at);
    return true;
  };
}
