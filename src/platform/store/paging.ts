// Lists that are read in pages, newest first, or as a whole in steps.

import { type Query, type Sql, sql, type Statements, where } from './statements.ts';

/** The position of a row in a log: its time in milliseconds and its rowid, since several rows may have the same time. */
export type LogPlace = { readonly at: number; readonly row: number };

/**
 * Selects at most `limit` rows newer or older than the row at `beside`, or the newest if it is null; always sorted newest
 * first.
 */
export type LogWindow = {
  readonly beside: LogPlace | null;
  readonly side: 'newer' | 'older';
  readonly limit: number;
};

/** Rows to page through. They are sorted by the columns `time` and `row`. */
type PagedRows<Row> = {
  readonly select: Query<Row>;
  readonly time: Sql;
  readonly row: Sql;
  readonly conditions: readonly (Sql | null)[];
};

/**
 * Reads a page of rows, newest first, by keyset pagination: a page begins after the last row of the one before it. So rows that
 * are added or deleted in between shift nothing, and a late page costs as little as the first.
 */
export function readPage<Row>(
  db: Statements,
  { select, time, row, conditions }: PagedRows<Row>,
  { beside, side, limit }: LogWindow,
): readonly Row[] {
  const [direction, compare] = side === 'older' ? [sql`DESC`, sql`<`] : [sql`ASC`, sql`>`];
  const place = beside && sql`(${time}, ${row}) ${compare} (${beside.at}, ${beside.row})`;
  const rows = db.all<Row>`${select} ${where(...conditions, place)}
    ORDER BY ${time} ${direction}, ${row} ${direction} LIMIT ${limit}`;
  return side === 'older' ? rows : rows.toReversed();
}

/**
 * The maximum number of rows in one read: for a page, and for a step through a list. A read blocks the event loop for some ms.
 */
const ROWS_A_PAGE = 50;
const STEP = 500;

/** A page of a log: the rows that are `newer` or `older` than the row `beside`. Null means the newest page. */
export type PagePlace = { readonly beside: LogPlace; readonly side: 'newer' | 'older' } | null;

/** A page of a log, newest first. `newer` and `older` are the places of the neighbouring pages, null without one. */
export type LogPage<Row> = {
  readonly rows: readonly Row[];
  readonly newer: PagePlace;
  readonly older: PagePlace;
};

/**
 * Makes a log from `read`, which reads a window of rows, newest first. `page` returns one page; `all` goes through all rows,
 * `step` at a time, without an open transaction between steps.
 */
export function pagesOf<Row extends LogPlace>(
  read: (window: LogWindow) => readonly Row[],
  step = STEP,
): Paged<Row> {
  const page = (place: PagePlace): LogPage<Row> => {
    const { beside, side } = place ?? { beside: null, side: 'older' };
    // Reads one row more than a page has: if it exists, another page follows.
    const found = read({ beside, side, limit: ROWS_A_PAGE + 1 });
    const hasMore = found.length > ROWS_A_PAGE;
    // A newer page that is not full, or a page whose rows were all deleted, is replaced by the newest page.
    if (place !== null && (side === 'newer' ? !hasMore : found.length === 0)) return page(null);
    const rows = side === 'newer' && hasMore ? found.slice(1) : found.slice(0, ROWS_A_PAGE);
    return {
      rows,
      newer: beside === null ? null : placeBeside(rows[0], 'newer'),
      older: side === 'newer' || hasMore ? placeBeside(rows.at(-1), 'older') : null,
    };
  };
  function* all(): Generator<readonly Row[]> {
    for (let beside: LogPlace | null = null; ;) {
      const rows: readonly Row[] = read({ beside, side: 'older', limit: step });
      if (rows.length > 0) yield rows;
      beside = rows.at(-1) ?? null;
      if (rows.length < step) return;
    }
  }
  return { page, all };
}

export type Paged<Row extends LogPlace> = {
  readonly page: (place: PagePlace) => LogPage<Row>;
  readonly all: () => Generator<readonly Row[]>;
};

const placeBeside = (row: LogPlace | undefined, side: 'newer' | 'older'): PagePlace =>
  row === undefined ? null : { beside: { at: row.at, row: row.row }, side };
