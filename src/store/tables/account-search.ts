import type { Database } from 'bun:sqlite';
import { foldEmail } from '../../access/email-address.ts';
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
