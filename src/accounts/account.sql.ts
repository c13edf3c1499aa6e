import type { Language } from '../words/words.ts';
import { type Sql, sql, type Statements } from '../platform/store/statements.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import type { AccountFollowers } from './account-follow-up.rule.ts';
import { aliveSession } from './session.rule.ts';
import { proveAddress, TYPED } from './address-proof.sql.ts';
import { beginSession, endSessions, beginAgain, type NewSession } from './session.sql.ts';
import { liveGrant } from './grant.rule.ts';
import { liveKey } from './key.rule.ts';
import { accountByAddress } from './account-by-address.sql.ts';

/** An account. At most one is the owner's. Times are milliseconds since 1970 UTC. */
export type Account = {
  readonly id: string;
  readonly email: string;
  readonly isOwner: boolean;
  readonly hasPassword: boolean;
  readonly createdAt: number;
  readonly disabledAt: number | null;
  /**
   * When the address was confirmed, or null: the owner added the account by hand, a sign-in proxy named it, or its one-time
   * link was used.
   */
  readonly verifiedAt: number | null;
};

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
  return {
    countHoldings: (now: number): Holdings =>
      db.one<Holdings>`SELECT
        (SELECT count(*) FROM accounts) AS accounts, (SELECT count(disabled_at) FROM accounts) AS disabled,
        (SELECT count(*) FROM all_grants WHERE ${liveGrant(now)}) AS grants,
        (SELECT count(*) FROM keys WHERE ${liveKey(now)}) AS keys`!,
    findAccount: (email: string) => find(sql`email = ${email}`),
    findAccountById: (id: string) => find(sql`id = ${id}`),
    findAccountByAddress(address: string): Account | null {
      const found = accountByAddress(db, address);
      return found && find(sql`id = ${found.id}`);
    },
    /**
     * Returns the language of an account's mails: the one its reader chose, else that of the last sign-in's page; null if
     * unknown.
     */
    findMailLanguage: (id: string) =>
      db.value<Language | null>`SELECT coalesce(language, mail_language) FROM accounts WHERE id = ${id}`,
    listEditors: (): readonly Account[] =>
      db.all<AccountRow>`SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE is_editor = 1 ORDER BY email`.map(
        toAccount,
      ),
    findOwner: () => find(sql`is_owner = 1`),
    /** Whether a visitor typed the account's address, and nobody has confirmed it. */
    isTyped: (id: string): boolean => db.has`SELECT 1 FROM accounts WHERE id = ${id} AND ${TYPED}`,
    listAccounts: (): readonly Account[] =>
      db.all<AccountRow>`SELECT ${ACCOUNT_COLUMNS} FROM accounts ORDER BY email`.map(toAccount),
    searchAccounts(page: AccountSearchPage): readonly AccountSummary[] {
      const { search, now, atMost, skip } = page;
      // Late pages cost little: SQLite skips the rows of OFFSET before it reads the other tables.
      return db.all<Row>`${selectSummaries(now)}
        WHERE ${search} = '' OR instr(lower(email), lower(${search})) > 0 OR id = ${search}
        ORDER BY accounts.rowid DESC LIMIT ${atMost} OFFSET ${skip}`.map(toAccount);
    },
    findAccountSummary(id: string, now: number): AccountSummary | null {
      const row = db.one<Row>`${selectSummaries(now)} WHERE id = ${id}`;
      return row && toAccount(row);
    },
    countActivity: (id: string, now: number): AccountFigures =>
      db.one<AccountFigures>`SELECT
        (SELECT count(*) FROM sessions WHERE account_id = ${id} AND ${aliveSession(now)}) AS sessions,
        (SELECT count(*) FROM fetch_logs WHERE account_id = ${id}) AS questions,
        (SELECT count(*) FROM downloads WHERE account_id = ${id}) AS downloads`!,
  };
}

/**
 * Counts of accounts, and of grants and keys in force. Those of disabled accounts count, but not their grants by the group
 * `everyone`.
 */
type Holdings = {
  readonly accounts: number;
  readonly disabled: number;
  readonly grants: number;
  readonly keys: number;
};

type Disabling = { readonly id: string; readonly at: number | null };

export const accountWrites = (db: Statements, follow: AccountFollowers) => ({
  /**
   * Adds an account; false if the address has one already. A verified account gets the orders that were bought with its
   * address.
   */
  addAccount({ audit, ...account }: Omit<Account, 'hasPassword'> & Audited): boolean {
    const { id, email, isOwner, createdAt, verifiedAt } = account;
    const { changes } = db.run`INSERT INTO accounts (id, email, is_owner, created_at, verified_at)
        VALUES (${id}, ${email}, ${isOwner}, ${createdAt}, ${verifiedAt}) ON CONFLICT DO NOTHING`;
    if (changes === 0) return false;
    logAct(db, audit);
    if (verifiedAt !== null) follow.verified(id, createdAt);
    return true;
  },
  /**
   * Begins a session for a reader whom a trusted proxy signed in, and verifies the address. False if the account is
   * disabled.
   */
  addProxySession(session: NewSession): boolean {
    const { accountId, createdAt: at } = session;
    if (!db.has`SELECT 1 FROM accounts WHERE id = ${accountId} AND disabled_at IS NULL`) return false;
    proveAddress(db, follow, accountId, at);
    beginSession(db, session);
    return true;
  },
  setAccountDisabled({ id, at, audit }: Disabling & Audited): void {
    logAct(db, audit);
    if (at === null) return void db.run`UPDATE accounts SET disabled_at = NULL WHERE id = ${id}`;
    db.run`UPDATE accounts SET disabled_at = coalesce(disabled_at, ${at}) WHERE id = ${id}`;
    endSessions(db, id, at);
  },
  setEditor({ id, isEditor, audit }: { readonly id: string; readonly isEditor: boolean } & Audited): void {
    logAct(db, audit);
    db.run`UPDATE accounts SET is_editor = ${isEditor} WHERE id = ${id}`;
  },
  setLanguage({ accountId, language }: { readonly accountId: string; readonly language: Language }): void {
    db.run`UPDATE accounts SET language = ${language} WHERE id = ${accountId}`;
  },
});

function toAccount<Row extends AccountRow>(row: Row) {
  return { ...row, isOwner: row.isOwner === 1, hasPassword: row.hasPassword === 1 };
}

/**
 * An account as the office lists it. `keys` and `grants` count those in force; `lastSeenAt` is the last use of a key or
 * session, or null.
 */
export type AccountSummary = Account & {
  readonly keys: number;
  readonly grants: number;
  readonly lastSeenAt: number | null;
};

type AccountFigures = Readonly<Record<'sessions' | 'questions' | 'downloads', number>>;

/** Selects the accounts whose e-mail address contains `search` in any case, or whose id is `search`; '' selects all. */
type AccountSearchPage = {
  readonly search: string;
  readonly now: number;
  readonly atMost: number;
  readonly skip: number;
};

type Row = AccountRow & Omit<AccountSummary, keyof Account>;

const selectSummaries = (now: number) => sql`SELECT ${ACCOUNT_COLUMNS},
  (SELECT count(*) FROM keys WHERE account_id = accounts.id AND ${liveKey(now)}) AS keys,
  (SELECT count(*) FROM all_grants WHERE account_id = accounts.id AND ${liveGrant(now)}) AS grants,
  (SELECT max(at) FROM (SELECT max(last_used_at) AS at FROM keys WHERE account_id = accounts.id
     UNION ALL SELECT max(last_seen_at) FROM sessions WHERE account_id = accounts.id)) AS lastSeenAt
  FROM accounts`;

export type JoiningAccount = {
  readonly id: string;
  readonly email: string;
};

/**
 * Adds a visitor's new account and signs the visitor in, in the caller's transaction; false if the address has an account
 * already.
 */
export function joinAccount(
  db: Statements,
  account: JoiningAccount,
  session: NewSession,
  at: number,
): boolean {
  const { id, email } = account;
  if (accountByAddress(db, email) !== null) return false;
  db.run`INSERT INTO accounts (id, email, created_at, is_typed) VALUES (${id}, ${email}, ${at}, 1)`;
  beginAgain(db, session, at);
  return true;
}
