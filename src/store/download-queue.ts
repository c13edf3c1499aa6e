import type { Log } from '../log.ts';
import type { Download } from './downloads.ts';
import type { Write } from './write-queue.ts';

/** The most a crash can lose, in milliseconds of downloads. */
const INTERVAL = 100;

/**
 * Write-behind: a download's row waits at most `INTERVAL` minus the commit, so that no archive waits for a disk.
 * Rows that cannot be written are counted and logged; installs go on.
 */
export function createDownloadQueue(write: Write, log: Log) {
  let waiting: Download[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  let lost = 0;

  const flush = async (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const rows = waiting;
    waiting = [];
    if (rows.length === 0) return;
    try {
      await write('addDownloads', rows);
    } catch (error) {
      lost += rows.length;
      log({
        event: 'downloads-lost',
        message: `Cannot write ${rows.length} downloads: ${error instanceof Error ? error.message : error}`,
        lost,
      });
    }
  };

  return {
    add(download: Download): void {
      waiting.push(download);
      timer ??= setTimeout(() => void flush(), INTERVAL / 2);
    },
    flush,
  };
}

export type DownloadQueue = ReturnType<typeof createDownloadQueue>;
