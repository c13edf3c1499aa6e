import type { DownloadSelection, PagedDownload } from '../../store/tables/downloads.ts';
import type { FetchSelection, PagedFetchLog } from '../../store/tables/fetch-logs.ts';
import type { LogPlace, LogSelection, LogWindow } from '../../store/tables/log-page.ts';
import type { Store } from '../../store/store.ts';

/** Rows of one page, and of one step of a whole list, each of which blocks the event loop for a few milliseconds. */
const PAGE = 50;
const STEP = 500;

/** Selects rows. `item` is a slug, or the key by which grants name an item; null matches any. */
export type LogQuery = LogSelection & { readonly item: string | null };

export type FetchQuery = LogQuery & { readonly outcome: string | null };

export type DownloadQuery = LogQuery & { readonly door: string | null };

/** The place of a page: next to a row, or null for the newest. */
export type PagePlace = { readonly beside: LogPlace; readonly side: 'newer' | 'older' } | null;

/** A page of a log, newest first; `newer` and `older` are the places of the neighbouring pages, or null. */
export type LogPage<Row> = {
  readonly rows: readonly Row[];
  readonly newer: PagePlace;
  readonly older: PagePlace;
};

export type PagedQuestion = Omit<PagedFetchLog, 'outcome' | 'serverStartId'> & { readonly outcome: string };

type Read<Row> = (window: LogWindow) => Promise<readonly Row[]>;

/** Reads both logs in pages, of one account or of all. `findLiving` finds the start of the running server, or null. */
export function createLogPages(store: Store, findLiving: () => Promise<string | null>) {
  const readFetches = async ({ item, ...query }: FetchQuery): Promise<Read<PagedQuestion>> => {
    const known = item === null ? null : await store.findKnownItem(item);
    const living = await findLiving();
    const bookId = known?.kind === 'book' ? known.itemKey : item;
    const selection: FetchSelection = { ...query, bookId, living };
    return async (window) =>
      (await store.listFetchLogPage(selection, window)).map((row) => showOutcome(row, living));
  };
  const readDownloads = async ({ item, ...query }: DownloadQuery): Promise<Read<PagedDownload>> => {
    const known = item === null ? null : await store.findKnownItem(item);
    const selection: DownloadSelection = {
      ...query,
      kind: known?.kind ?? null,
      itemKey: known?.itemKey ?? item,
    };
    return (window) => store.listDownloadPage(selection, window);
  };

  return {
    async fetchPage(query: FetchQuery, place: PagePlace): Promise<LogPage<PagedQuestion>> {
      return readPage(await readFetches(query), place);
    },
    async downloadPage(query: DownloadQuery, place: PagePlace): Promise<LogPage<PagedDownload>> {
      return readPage(await readDownloads(query), place);
    },
    /** Every question, newest first, in steps of some hundred rows; no transaction is open between steps. */
    async *fetchRows(query: FetchQuery): AsyncGenerator<readonly PagedQuestion[]> {
      yield* walk(await readFetches(query));
    },
    /** Every download, in the same way. */
    async *downloadRows(query: DownloadQuery): AsyncGenerator<readonly PagedDownload[]> {
      yield* walk(await readDownloads(query));
    },
  };
}

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

function showOutcome(
  { serverStartId, outcome, ...row }: PagedFetchLog,
  living: string | null,
): PagedQuestion {
  return { ...row, outcome: outcome ?? (serverStartId === living ? 'running' : 'interrupted') };
}
