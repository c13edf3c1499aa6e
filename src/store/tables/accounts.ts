import { type Sql, sql, type Statements } from '../statements.ts';
import { type Audited, auditInserts } from './audit-log.ts';
import { orderFolds } from './order-folds.ts';
import { type NewSession, passwordInserts, sessionInserts } from './sessions.ts';
import { liveGrant } from './order-grants.ts';
import { liveKey } from './keys.ts';
import { accountsByAddress } from './account-addresses.ts';

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

const ACCOUNT_COLUMNS = sql`id, email, is_owner AS isOwner, password_hash IS NOT NULL AS hasPassword,
  created_at AS createdAt, disabled_at AS disabledAt, verified_at AS verifiedAt`;

export function accountReads(db: Statements) {
  const find = (condition: Sql): Account | null => {
    const row = db.one<AccountRow>`SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE ${condition}`;
    return row && toAccount(row);
  };
  const byAddress = accountsByAddress(db);
  return {
    /** The account of this e-mail address, in any case, or null. */
    findAccount: async (email: string) => find(sql`email = ${email}`),
    findAccountById: async (id: string) => find(sql`id = ${id}`),
    /** The account of an address in any of its spellings, as those of orders are compared; or null. */
    async findAccountByAddress(address: string): Promise<Account | null> {
      const found = byAddress(address);
      return found && find(sql`id = ${found.id}`);
    },
    /** The account of the stall's owner, or null. */
    findOwner: async () => find(sql`is_owner = 1`),
    /** Every account, by e-mail address. */
    listAccounts: async (): Promise<readonly Account[]> =>
      db.all<AccountRow>`SELECT ${ACCOUNT_COLUMNS} FROM accounts ORDER BY email`.map(toAccount),
  };
}

type Disabling = { readonly id: string; readonly at: number | null };

export function accountWrites(db: Statements) {
  const sessions = sessionInserts(db);
  const folds = orderFolds(db);
  const log = auditInserts(db);
  return {
    /** False if the e-mail address has an account already. A verified one gets the orders that wait for its address. */
    addAccount({ audit, ...account }: Omit<Account, 'hasPassword'> & Audited): boolean {
      const { id, email, isOwner, createdAt, verifiedAt } = account;
      const { changes } = db.run`INSERT INTO accounts (id, email, is_owner, created_at, verified_at)
        VALUES (${id}, ${email}, ${isOwner}, ${createdAt}, ${verifiedAt}) ON CONFLICT DO NOTHING`;
      if (changes === 0) return false;
      log(audit);
      if (verifiedAt !== null) folds.attachWaiting(id, { at: createdAt });
      return true;
    },
    /** Disables the account at a time and ends its sessions, or enables it if the time is null. */
    setAccountDisabled({ id, at, audit }: Disabling & Audited): void {
      log(audit);
      if (at === null) return void db.run`UPDATE accounts SET disabled_at = NULL WHERE id = ${id}`;
      db.run`UPDATE accounts SET disabled_at = coalesce(disabled_at, ${at}) WHERE id = ${id}`;
      sessions.endAll(id, at);
    },
  };
}

/** The account of a row, with the row's other columns. */
function toAccount<Row extends AccountRow>(row: Row) {
  return { ...row, isOwner: row.isOwner === 1, hasPassword: row.hasPassword === 1 };
}

/** An account as the office lists it: `keys` and `grants` count the live ones, `lastSeenAt` is the last use of a key or session. */
export type AccountSummary = Account & {
  readonly keys: number;
  readonly grants: number;
  readonly lastSeenAt: number | null;
};

/** How much an account did, and how many sessions it has open. */
type AccountFigures = Readonly<Record<'sessions' | 'questions' | 'downloads', number>>;

/** Accounts whose e-mail address holds `search` in any case, or whose id it is. */
type AccountSearchPage = {
  readonly search: string;
  readonly now: number;
  readonly atMost: number;
  readonly skip: number;
};

type Row = AccountRow & Omit<AccountSummary, keyof Account>;

const selectSummaries = (now: number) => sql`SELECT ${ACCOUNT_COLUMNS},
  (SELECT count(*) FROM keys WHERE account_id = accounts.id AND ${liveKey(now)}) AS keys,
  (SELECT count(*) FROM grants WHERE account_id = accounts.id AND ${liveGrant(now)}) AS grants,
  (SELECT max(at) FROM (SELECT max(last_used_at) AS at FROM keys WHERE account_id = accounts.id
     UNION ALL SELECT max(last_seen_at) FROM sessions WHERE account_id = accounts.id)) AS lastSeenAt
  FROM accounts`;

export function accountSearchReads(db: Statements) {
  return {
    /** The accounts of a page, the newest first. */
    async searchAccounts(page: AccountSearchPage): Promise<readonly AccountSummary[]> {
      const { search, now, atMost, skip } = page;
      // SQLite skips the rows of OFFSET before it looks into the other tables.
      return db.all<Row>`${selectSummaries(now)}
        WHERE ${search} = '' OR instr(lower(email), lower(${search})) > 0 OR id = ${search}
        ORDER BY accounts.rowid DESC LIMIT ${atMost} OFFSET ${skip}`.map(toAccount);
    },
    /** The account of this id at a time, or null. */
    async findAccountSummary(id: string, now: number): Promise<AccountSummary | null> {
      const row = db.one<Row>`${selectSummaries(now)} WHERE id = ${id}`;
      return row && toAccount(row);
    },
    countActivity: async (id: string, now: number): Promise<AccountFigures> =>
      db.one<AccountFigures>`SELECT
        (SELECT count(*) FROM sessions
         WHERE account_id = ${id} AND ended_at IS NULL AND expires_at > ${now}) AS sessions,
        (SELECT count(*) FROM fetch_logs WHERE account_id = ${id}) AS questions,
        (SELECT count(*) FROM downloads WHERE account_id = ${id}) AS downloads`!,
  };
}

/** The parts of a transaction that verify an account's address. */
export function verificationInserts(db: Statements) {
  const folds = orderFolds(db);
  const byAddress = accountsByAddress(db);
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
      db.run`INSERT INTO accounts (id, email, created_at) VALUES (${id}, ${email}, ${at})`;
      return id;
    },
    /**
     * Revokes the keys and tokens of an unverified account before its password is replaced: somebody may have made it under
     * another's address. An account without a password keeps those that the owner made for it.
     */
    distrust(accountId: string, at: number): void {
      const isDoubtful = db.has`SELECT 1 FROM accounts
        WHERE id = ${accountId} AND verified_at IS NULL AND password_hash IS NOT NULL`;
      if (!isDoubtful) return;
      db.run`UPDATE keys SET revoked_at = ${at} WHERE account_id = ${accountId} AND revoked_at IS NULL`;
      db.run`UPDATE tokens SET revoked_at = ${at} WHERE account_id = ${accountId} AND revoked_at IS NULL`;
    },
    /** Marks the account as verified, and gives it the order of the link that showed it and every waiting one of its address. */
    verify(accountId: string, orderId: number | null, at: number): void {
      db.run`UPDATE accounts SET verified_at = ${at} WHERE id = ${accountId} AND verified_at IS NULL`;
      if (orderId !== null)
        folds.act({ orderId, fact: { kind: 'attach', accountId, by: 'mail' }, origin: 'buyer', at });
      folds.attachWaiting(accountId, { at });
    },
  };
}

/** An account that somebody makes with a password; nobody has verified its address. */
export type JoiningAccount = { readonly id: string; readonly email: string; readonly passwordHash: string };

/** The part of a transaction that makes such an account and signs it in; false if the address has one. */
export function joinInserts(db: Statements) {
  const [byAddress, followPassword] = [accountsByAddress(db), passwordInserts(db)];
  return ({ id, email, passwordHash }: JoiningAccount, session: NewSession, at: number): boolean => {
    if (byAddress(email) !== null) return false;
    db.run`INSERT INTO accounts (id, email, password_hash, created_at)
      VALUES (${id}, ${email}, ${passwordHash}, ${at})`;
    followPassword(id, session, at);
    return true;
  };
}
