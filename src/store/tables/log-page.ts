import type { Database, SQLQueryBindings } from 'bun:sqlite';

/** A row's place in a log: its time, and its rowid, since rows may share a millisecond. */
export type LogPlace = { readonly at: number; readonly row: number };

/** Which rows of a log a command lists: those of one account or of all, since a time. */
export type LogFilter = { readonly accountId: string | null; readonly since: number };

/** Rows next to a place, or the newest; at most `limit` of them, always newest first. */
export type LogWindow = {
  readonly beside: LogPlace | null;
  readonly side: 'newer' | 'older';
  readonly limit: number;
};

/** Which rows of a log; null is any. Times in milliseconds, `until` exclusive. */
export type LogSelection = {
  readonly accountId: string | null;
  readonly keyId: number | null;
  readonly from: number | null;
  readonly until: number | null;
};

/** The columns of a page's row that every log has. Key and account are null if they were removed, or never existed. */
export type PageRow = LogPlace & {
  readonly email: string | null;
  readonly keyName: string | null;
  readonly keyPrefix: string | null;
};

type Condition = readonly [sql: string, value: SQLQueryBindings];

/** How a log is read in pages: its table, the column of its time, and the columns to show. */
type Log = { readonly table: string; readonly time: string; readonly columns: string };

/**
 * Reads a log in pages by keyset: each begins after the last one, however many rows came or went in between, and the
 * deepest costs as little as the first. Conditions are left out rather than made optional, so that an index serves them.
 */
export function createLogPages<Row extends PageRow>(db: Database, { table, time, columns }: Log) {
  const select = `SELECT ${columns}, ${time} AS at, ${table}.rowid AS row, email, keys.name AS keyName, keys.prefix AS keyPrefix
    FROM ${table} LEFT JOIN accounts ON accounts.id = ${table}.account_id LEFT JOIN keys ON keys.id = ${table}.key_id`;
  return (
    selection: LogSelection,
    more: readonly (Condition | null)[],
    { beside, side, limit }: LogWindow,
  ): readonly Row[] => {
    const [direction, compare] = side === 'older' ? ['DESC', '<'] : ['ASC', '>'];
    const given = [...selectionConditions(table, time, selection), ...more].filter((one) => one !== null);
    const sql = given.map(([condition]) => condition);
    const values = given.map(([, value]) => value);
    if (beside !== null) {
      sql.push(`(${time}, ${table}.rowid) ${compare} (?, ?)`);
      values.push(beside.at, beside.row);
    }
    const where = sql.length === 0 ? '' : `WHERE ${sql.join(' AND ')}`;
    const order = `ORDER BY ${time} ${direction}, ${table}.rowid ${direction} LIMIT ?`;
    // `query` keeps the statement; there are as many as combinations of conditions, not of values.
    const rows = db.query<Row, SQLQueryBindings[]>(`${select} ${where} ${order}`).all(...values, limit);
    return side === 'older' ? rows : rows.toReversed();
  };
}

function selectionConditions(
  table: string,
  time: string,
  { accountId, keyId, from, until }: LogSelection,
): readonly (Condition | null)[] {
  return [
    when(`${table}.account_id = ?`, accountId),
    when('key_id = ?', keyId),
    when(`${time} >= ?`, from),
    when(`${time} < ?`, until),
  ];
}

/** A condition on a value; null if the value is null. */
export function when(sql: string, value: SQLQueryBindings): Condition | null {
  return value === null ? null : [sql, value];
}
