// The logs of questions and of downloads: as lists for commands, in pages for the site, and whole as CSV.
import type {
  DailyUsage,
  DownloadSelection,
  FetchSelection,
  ListedDownload,
  ListedFetchLog,
  LogSelection,
  PagedDownload,
  PagedFetchLog,
} from '../store/tables/logs.ts';
import { findAccount } from './accounts.ts';
import { readInstant } from './instant.ts';
import { type LogPage, type PagePlace, type Read, readPage, walk } from './row-pages.ts';
import type { Stall } from './stall.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { DAY, formatDuration } from '../duration.ts';
import { messageOf } from '../refusal.ts';
import { startChore } from './chore.ts';

type Part = Pick<Stall, 'store' | 'now' | 'isServed'>;

/** A question's row for people: an open row of the running server is `running`, of any other `interrupted`. */
type Shown<Row> = Omit<Row, 'serverStartId' | 'outcome'> & { readonly outcome: string };

export type ShownFetchLog = Shown<ListedFetchLog>;
export type PagedQuestion = Shown<PagedFetchLog>;

/** Selects rows. `item` is a slug, or the key by which grants name an item; null matches any. */
export type LogQuery = LogSelection & { readonly item: string | null };
export type FetchQuery = LogQuery & { readonly outcome: string | null };
export type DownloadQuery = LogQuery & { readonly door: string | null };

/** Lists the questions of an account, or of all, since an instant in ISO 8601. Refuses an unknown account and another format. */
export async function listQuestions(
  stall: Part,
  email: string | null,
  since: string | null,
): Promise<readonly ShownFetchLog[]> {
  const living = await findLiving(stall);
  const rows = await stall.store.listFetchLogs(await filterOf(stall, email, since));
  return rows.map((row) => showOutcome(row, living));
}

/** Lists questions and tokens by day (UTC) and engine, oldest first. Refuses as `listQuestions`. */
export async function listUsage(
  stall: Part,
  email: string | null,
  since: string | null,
): Promise<readonly DailyUsage[]> {
  return stall.store.listDailyUsage(await filterOf(stall, email, since));
}

/** Lists downloads. Refuses as `listQuestions`. */
export async function listDownloads(
  stall: Part,
  email: string | null,
  since: string | null,
): Promise<readonly ListedDownload[]> {
  return stall.store.listDownloads(await filterOf(stall, email, since));
}

export async function questionPage(
  stall: Part,
  query: FetchQuery,
  place: PagePlace,
): Promise<LogPage<PagedQuestion>> {
  return readPage(await readQuestions(stall, query), place);
}

export async function downloadPage(
  stall: Part,
  query: DownloadQuery,
  place: PagePlace,
): Promise<LogPage<PagedDownload>> {
  return readPage(await readDownloads(stall, query), place);
}

/** Every question, newest first, in steps of some hundred rows; no transaction is open between steps. */
export async function* questionRows(
  stall: Part,
  query: FetchQuery,
): AsyncGenerator<readonly PagedQuestion[]> {
  yield* walk(await readQuestions(stall, query));
}

/** Every download, in the same way. */
export async function* downloadRows(
  stall: Part,
  query: DownloadQuery,
): AsyncGenerator<readonly PagedDownload[]> {
  yield* walk(await readDownloads(stall, query));
}

async function readQuestions(stall: Part, { item, ...query }: FetchQuery): Promise<Read<PagedQuestion>> {
  const known = item === null ? null : await stall.store.findKnownItem(item);
  const living = await findLiving(stall);
  const bookId = known?.kind === 'book' ? known.itemKey : item;
  const selection: FetchSelection = { ...query, bookId, living };
  return async (window) =>
    (await stall.store.listFetchLogPage(selection, window)).map((row) => showOutcome(row, living));
}

async function readDownloads(
  { store }: Part,
  { item, ...query }: DownloadQuery,
): Promise<Read<PagedDownload>> {
  const known = item === null ? null : await store.findKnownItem(item);
  const selection: DownloadSelection = {
    ...query,
    kind: known?.kind ?? null,
    itemKey: known?.itemKey ?? item,
  };
  return (window) => store.listDownloadPage(selection, window);
}

async function filterOf(stall: Part, email: string | null, since: string | null) {
  return {
    accountId: email === null ? null : (await findAccount(stall, email)).id,
    since: since === null ? 0 : readInstant(since),
  };
}

/** The start of the running server; null if none runs. */
async function findLiving({ store, isServed }: Part): Promise<string | null> {
  return isServed() ? ((await store.findLastStart())?.id ?? null) : null;
}

function showOutcome<Row extends { readonly serverStartId: string; readonly outcome: string | null }>(
  { serverStartId, outcome, ...row }: Row,
  living: string | null,
) {
  return { ...row, outcome: outcome ?? (serverStartId === living ? 'running' : 'interrupted') };
}

/** Rows of each log that one write deletes, and the pause in milliseconds in which others write. */
const BATCH = 500;
const PAUSE = 20;

/** Deletes rows of the logs that are older than `keep`, in milliseconds, at once and then daily, a few at a time so that no request waits. */
export function startRetention({ store, log, now }: Pick<Stall, 'store' | 'log' | 'now'>, keep: number) {
  const closed = new AbortController();

  const sweep = async (): Promise<void> => {
    const before = now() - keep;
    let [questions, downloads] = [0, 0];
    try {
      for (let isDone = false; !isDone && !closed.signal.aborted; await sleep(PAUSE)) {
        const deleted = await store.write.deleteOldLogs({ before, atMost: BATCH });
        questions += deleted.questions;
        downloads += deleted.downloads;
        isDone = deleted.questions < BATCH && deleted.downloads < BATCH;
      }
    } catch (error) {
      const message = `Cannot delete old log rows: ${messageOf(error)}. It is tried again tomorrow`;
      log({ event: 'retention-failed', message });
    }
    if (questions + downloads === 0) return;
    const message = `Deleted the log rows older than ${formatDuration(keep)}`;
    log({ event: 'retention', message, questions, downloads });
  };

  const chore = startChore(DAY, sweep, () => {});
  void chore.run();
  return {
    close(): void {
      chore.close();
      closed.abort();
    },
  };
}
