import { setTimeout as sleep } from 'node:timers/promises';
import { DAY, formatDuration } from '../../duration.ts';
import type { Log } from '../../log.ts';
import type { Write } from '../../store/writer/write-queue.ts';
import { messageOf } from '../../refusal.ts';

/** Rows of each log that one write deletes, and the pause in milliseconds in which others write. */
const BATCH = 500;
const PAUSE = 20;

type Retention = {
  /** In milliseconds. */
  readonly keep: number;
  readonly write: Write;
  readonly log: Log;
  readonly now: () => number;
};

/** Deletes rows of the logs that are older than `keep`, at once and then daily, a few at a time so that no request waits. */
export function startRetention({ keep, write, log, now }: Retention) {
  const closed = new AbortController();

  const sweep = async (): Promise<void> => {
    const before = now() - keep;
    let [questions, downloads] = [0, 0];
    try {
      for (let isDone = false; !isDone && !closed.signal.aborted; await sleep(PAUSE)) {
        const deleted = await write('deleteOldLogs', { before, atMost: BATCH });
        questions += deleted.questions;
        downloads += deleted.downloads;
        isDone = deleted.questions < BATCH && deleted.downloads < BATCH;
      }
    } catch (error) {
      const reason = messageOf(error);
      log({
        event: 'retention-failed',
        message: `Cannot delete old log rows: ${reason}. It is tried again tomorrow`,
      });
    }
    if (questions + downloads === 0) return;
    const message = `Deleted the log rows older than ${formatDuration(keep)}`;
    log({ event: 'retention', message, questions, downloads });
  };

  const timer = setInterval(() => void sweep(), DAY);
  void sweep();
  return {
    close(): void {
      clearInterval(timer);
      closed.abort();
    },
  };
}
