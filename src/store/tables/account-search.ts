import type { Database } from 'bun:sqlite';
import { type Account, ACCOUNT_COLUMNS, type AccountRow, toAccount } from './accounts.ts';
import { LIVE_GRANT } from './grants.ts';
import { LIVE_KEY } from './keys.ts';

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
