import type { Database } from 'bun:sqlite';
import { type Audited, auditInserts } from './audit-log.ts';
import { orderFolds } from './order-folds.ts';
import { sessionInserts } from './sessions.ts';
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
export type AccountRow = Omit<Account, 'isOwner' | 'hasPassword'> & {
  readonly isOwner: 0 | 1;
  readonly hasPassword: 0 | 1;
};

export const ACCOUNT_COLUMNS = `id, email, is_owner AS isOwner, password_hash IS NOT NULL AS hasPassword,
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
export function toAccount<Row extends AccountRow>(row: Row) {
  return { ...row, isOwner: row.isOwner === 1, hasPassword: row.hasPassword === 1 };
}
