import type { LogPlace, LogWindow } from '../store/tables/logs.ts';

/** Rows of one page, and of one step of a whole list, each of which blocks the event loop for a few milliseconds. */
const PAGE = 50;
const STEP = 500;

/** The place of a page: next to a row, or null for the newest. */
export type PagePlace = { readonly beside: LogPlace; readonly side: 'newer' | 'older' } | null;

/** A page of a log, newest first; `newer` and `older` are the places of the neighbouring pages, or null. */
export type LogPage<Row> = {
  readonly rows: readonly Row[];
  readonly newer: PagePlace;
  readonly older: PagePlace;
};

/** Reads the rows of a window. */
export type Read<Row> = (window: LogWindow) => Promise<readonly Row[]>;

/** Reads the page at a place. */
export async function readPage<Row extends LogPlace>(
  read: Read<Row>,
  place: PagePlace,
): Promise<LogPage<Row>> {
  const { beside, side } = place ?? { beside: null, side: 'older' };
  // One row more than the page shows whether another page follows.
  const found = await read({ beside, side, limit: PAGE + 1 });
  const hasMore = found.length > PAGE;
  // A page towards the newest that is not full becomes the first page; so does a page whose rows have been deleted.
  if (place !== null && (side === 'newer' ? !hasMore : found.length === 0)) return readPage(read, null);
  const rows = side === 'newer' && hasMore ? found.slice(1) : found.slice(0, PAGE);
  return {
    rows,
    newer: beside === null ? null : placeBeside(rows[0], 'newer'),
    older: side === 'newer' || hasMore ? placeBeside(rows.at(-1), 'older') : null,
  };
}

function placeBeside(row: LogPlace | undefined, side: 'newer' | 'older'): PagePlace {
  return row === undefined ? null : { beside: { at: row.at, row: row.row }, side };
}

/** Every row, newest first, so many at a time. */
export async function* walk<Row extends LogPlace>(
  read: Read<Row>,
  step = STEP,
): AsyncGenerator<readonly Row[]> {
  for (let beside: LogPlace | null = null; ;) {
    const rows: readonly Row[] = await read({ beside, side: 'older', limit: step });
    if (rows.length > 0) yield rows;
    beside = rows.at(-1) ?? null;
    if (rows.length < step) return;
  }
}
