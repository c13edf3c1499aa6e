import type { Database } from 'bun:sqlite';
import type { Grant } from '../../access/grant.ts';
import { LIVE_GRANT } from './grants.ts';
import type { LogPlace, LogWindow } from './log-page.ts';

/** The time of the last of something; `not lately` if the account did it often, but not with this item. */
export type LastTime = number | 'not lately' | null;

/** A grant of one item with its account; `at` is when it was granted. */
export type Holder = LogPlace &
  Pick<Grant, 'accountId' | 'source' | 'from' | 'until' | 'revokedAt'> & {
    readonly email: string;
    readonly disabledAt: number | null;
    readonly lastDownload: LastTime;
    /** Its last question about a book. */
    readonly lastQuestion: LastTime;
  };

/** Selects the grants of an item: those that are live at a time, or all of them. */
type HolderSelection = {
  readonly kind: string;
  readonly itemKey: string;
  /** The keys under which grants name it; a skill's former slugs are among them. */
  readonly grantKeys: readonly string[];
  readonly now: number;
  readonly isLive: boolean;
};

type Row = Omit<Holder, 'lastDownload' | 'lastQuestion'> & {
  readonly lastDownload: number | null;
  readonly lastQuestion: number | null;
};

/** How many of an account's last downloads and questions are looked through, since no index has both account and item. */
const LOOKED_THROUGH = 200;

/** The time of an account's last row of a log about the item; 0 if it is not found and there are more rows. */
const lastTime = (table: string, time: string, isOfItem: string): string =>
  `coalesce(
     (SELECT time FROM (SELECT ${time} AS time, ${isOfItem} AS isOfItem FROM ${table}
        WHERE account_id = grants.account_id ORDER BY ${time} DESC LIMIT ?8) WHERE isOfItem LIMIT 1),
     (SELECT 0 FROM ${table} WHERE account_id = grants.account_id LIMIT 1 OFFSET ?8))`;

const SELECT = `SELECT grants.id AS row, granted_at AS at, account_id AS accountId, email, disabled_at AS disabledAt, source,
    starts_at AS "from", ends_at AS "until", revoked_at AS revokedAt,
    ${lastTime('downloads', 'downloaded_at', 'kind = ?2 AND item_key = ?3')} AS lastDownload,
    ${lastTime('fetch_logs', 'asked_at', "?2 = 'book' AND book_id = ?3")} AS lastQuestion
  FROM grants JOIN accounts ON accounts.id = account_id WHERE grants.kind = ?2 AND grants.item_key = ?9`;

/** Places beyond every row. */
const LAST: LogPlace = { at: Number.MAX_SAFE_INTEGER, row: Number.MAX_SAFE_INTEGER };
const FIRST: LogPlace = { at: -1, row: -1 };

export function holderReads(db: Database) {
  const prepare = (compare: '<' | '>', direction: 'ASC' | 'DESC') =>
    db.prepare<Row, [number, string, string, number, number, number, number, number, string]>(
      `${SELECT} AND (?4 = 0 OR ${LIVE_GRANT} AND disabled_at IS NULL) AND (granted_at, grants.id) ${compare} (?5, ?6)
       ORDER BY granted_at ${direction}, grants.id ${direction} LIMIT ?7`,
    );
  const [older, newer] = [prepare('<', 'DESC'), prepare('>', 'ASC')];
  // Few accounts are disabled: looking for their grants costs less than looking for each holder's account.
  const live = `kind = ?2 AND item_key IN (SELECT value FROM json_each(?3)) AND ${LIVE_GRANT}`;
  const count = db.prepare<{ holders: number }, [number, string, string]>(
    `SELECT (SELECT count(DISTINCT account_id) FROM grants WHERE ${live})
       - (SELECT count(*) FROM accounts WHERE disabled_at IS NOT NULL
            AND EXISTS (SELECT 1 FROM grants WHERE account_id = accounts.id AND ${live})) AS holders`,
  );
  return {
    /** How many accounts hold an item at a time. */
    async countHolders({
      kind,
      grantKeys,
      now,
    }: Omit<HolderSelection, 'isLive' | 'itemKey'>): Promise<number> {
      return count.get(now, kind, JSON.stringify(grantKeys))?.holders ?? 0;
    },
    /** The grants of an item in a window of the list, those granted last first. */
    async listHolders(
      { kind, itemKey, grantKeys, now, isLive }: HolderSelection,
      { beside, side, limit }: LogWindow,
    ): Promise<readonly Holder[]> {
      const { at, row } = beside ?? (side === 'older' ? LAST : FIRST);
      const statement = side === 'older' ? older : newer;
      const rows = grantKeys.flatMap((key) =>
        statement.all(now, kind, itemKey, Number(isLive), at, row, limit, LOOKED_THROUGH, key),
      );
      const sorted = rows.toSorted((a, b) => b.at - a.at || b.row - a.row);
      return (side === 'older' ? sorted.slice(0, limit) : sorted.slice(-limit)).map(toHolder);
    },
  };
}

function toHolder(row: Row): Holder {
  return {
    ...row,
    lastDownload: row.lastDownload === 0 ? 'not lately' : row.lastDownload,
    lastQuestion: row.lastQuestion === 0 ? 'not lately' : row.lastQuestion,
  };
}
