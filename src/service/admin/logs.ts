import type { ListedDownload } from '../../store/tables/downloads.ts';
import type { DailyUsage, ListedFetchLog } from '../../store/tables/fetch-logs.ts';
import type { Store } from '../../store/store.ts';
import { findAccount } from '../accounts.ts';
import { readInstant } from '../instant.ts';
import { createLogPages } from './log-pages.ts';

/** A question's row for people: an open row of the running server is `running`, of any other `interrupted`. */
export type ShownFetchLog = Omit<ListedFetchLog, 'serverStartId' | 'outcome'> & { readonly outcome: string };

/** The use cases of the logs. `isServed` is whether a server holds the data directory now. */
export function createLogs(store: Store, isServed: () => boolean) {
  const filterOf = async (email: string | null, since: string | null) => ({
    accountId: email === null ? null : (await findAccount({ store }, email)).id,
    since: since === null ? 0 : readInstant(since),
  });

  const findLiving = async (): Promise<string | null> =>
    isServed() ? ((await store.findLastStart())?.id ?? null) : null;

  return {
    ...createLogPages(store, findLiving),
    async fetches(email: string | null, since: string | null): Promise<readonly ShownFetchLog[]> {
      const living = await findLiving();
      const rows = await store.listFetchLogs(await filterOf(email, since));
      return rows.map(({ serverStartId, outcome, ...row }) => ({
        ...row,
        outcome: outcome ?? (serverStartId === living ? 'running' : 'interrupted'),
      }));
    },
    /** Questions and tokens by day (UTC) and engine, oldest first. */
    async usage(email: string | null, since: string | null): Promise<readonly DailyUsage[]> {
      return store.listDailyUsage(await filterOf(email, since));
    },
    async downloads(email: string | null, since: string | null): Promise<readonly ListedDownload[]> {
      return store.listDownloads(await filterOf(email, since));
    },
  };
}
