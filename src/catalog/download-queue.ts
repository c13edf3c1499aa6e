import type { Log } from '../platform/base/log.ts';
import { messageOf } from '../platform/base/refusal.ts';
import { createWriteBehind } from '../platform/store/write-queue.ts';

export type Download = {
  readonly id: string;
  readonly accountId: string | null;
  readonly keyId: number | null;
  readonly kind: string;
  readonly itemKey: string;
  readonly slug: string;
  readonly digest: string;
  readonly door: string;
  readonly bytes: number;
  readonly downloadedAt: number;
};
/** A crash loses at most the downloads of this time, in milliseconds. */
const INTERVAL = 100;

/**
 * Makes the queue of rows for the log of downloads. A row waits a tenth of `INTERVAL`; the rest of it is for the commit, which
 * may have to wait for commands that hold the write lock. Rows that cannot be written are counted and logged.
 */
export function createDownloadQueue(
  write: { readonly addDownloads: (rows: string) => Promise<unknown> },
  log: Log,
) {
  let lost = 0;
  const behind = createWriteBehind<Download>(INTERVAL / 10, async (rows) => {
    try {
      await write.addDownloads(JSON.stringify(rows));
    } catch (error) {
      lost += rows.length;
      const reason = messageOf(error);
      log({ event: 'downloads-lost', message: `Cannot write ${rows.length} downloads: ${reason}`, lost });
    }
  });
  return {
    add(download: Download): void {
      behind.waiting().set(download.id, download);
      behind.begin();
    },
    flush: behind.flush,
  };
}

export type DownloadQueue = ReturnType<typeof createDownloadQueue>;
