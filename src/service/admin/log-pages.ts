import type { DownloadSelection, PagedDownload } from '../../store/tables/downloads.ts';
import type { FetchSelection, PagedFetchLog } from '../../store/tables/fetch-logs.ts';
import type { LogSelection } from '../../store/tables/log-page.ts';
import type { Store } from '../../store/store.ts';
import { type LogPage, type PagePlace, type Read, readPage, walk } from '../row-pages.ts';

/** Selects rows. `item` is a slug, or the key by which grants name an item; null matches any. */
export type LogQuery = LogSelection & { readonly item: string | null };

export type FetchQuery = LogQuery & { readonly outcome: string | null };

export type DownloadQuery = LogQuery & { readonly door: string | null };

export type PagedQuestion = Omit<PagedFetchLog, 'outcome' | 'serverStartId'> & { readonly outcome: string };

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

function showOutcome(
  { serverStartId, outcome, ...row }: PagedFetchLog,
  living: string | null,
): PagedQuestion {
  return { ...row, outcome: outcome ?? (serverStartId === living ? 'running' : 'interrupted') };
}
