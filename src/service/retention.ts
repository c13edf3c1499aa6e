import { setTimeout as sleep } from 'node:timers/promises';
import { DAY, formatDuration } from '../duration.ts';
import { messageOf } from '../refusal.ts';
import { startChore } from './chore.ts';
import type { Stall } from './stall.ts';

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
