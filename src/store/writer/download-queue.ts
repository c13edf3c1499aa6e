import type { Log } from '../../log.ts';
import type { Download } from '../tables/logs.ts';
import type { Write } from './write-queue.ts';
import { messageOf } from '../../refusal.ts';

/** The most a crash can lose, in milliseconds of downloads. */
const INTERVAL = 100;

/**
 * Write-behind: a download's row waits a tenth of `INTERVAL`, so that no archive waits for a disk and the commit has
 * the rest of it to wait for commands that hold the write lock.
 * Rows that cannot be written are counted and logged; installs continue.
 */
export function createDownloadQueue(write: Pick<Write, 'addDownloads'>, log: Log) {
  let waiting: Download[] = [];
  let timer: ReturnType<typeof setTimeout> | null = null;
  let lost = 0;
  let lastBatch: Promise<void> = Promise.resolve();

  const writeRows = async (rows: readonly Download[]): Promise<void> => {
    try {
      await write.addDownloads(JSON.stringify(rows));
    } catch (error) {
      lost += rows.length;
      const reason = messageOf(error);
      log({ event: 'downloads-lost', message: `Cannot write ${rows.length} downloads: ${reason}`, lost });
    }
  };

  /** Kept when every row added so far is written, those of an earlier flush too, or counted as lost. */
  const flush = (): Promise<void> => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const rows = waiting;
    waiting = [];
    // The writer keeps their order: the last batch is written last.
    if (rows.length > 0) lastBatch = writeRows(rows);
    return lastBatch;
  };

  return {
    add(download: Download): void {
      waiting.push(download);
      timer ??= setTimeout(() => void flush(), INTERVAL / 10);
    },
    flush,
  };
}

export type DownloadQueue = ReturnType<typeof createDownloadQueue>;
