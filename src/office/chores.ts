import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChore } from '../platform/base/chores.ts';
import { DAY, formatDuration } from '../platform/base/duration.ts';
import { messageOf } from '../platform/base/refusal.ts';
import type { Config } from '../platform/config/config.ts';
import type { Backup } from '../platform/store/backup.ts';
import { backupTime } from '../platform/store/copy.ts';
import { runBackup } from '../publishing/backup.ts';
import type { Stall } from './stall.ts';

/** How often to check whether a backup is due, and the longest wait before a failed one is tried again, in milliseconds. */
const LOOK_PAUSE = 60_000;
const RETRY = 15 * 60_000;

type Part = Pick<Stall, 'log' | 'now'> & { readonly config: Pick<Config, 'data' | 'backup'> };

/**
 * Makes backups, one at a time: when the newest one in the configured folder is old enough, so that a restart makes none too
 * early, and when `make` is called. Logs a failure, and tries again later if backups are scheduled.
 */
export function createBackups({ config, log, now }: Part, interval: number = LOOK_PAUSE) {
  const abandoned = new AbortController();
  let notBefore = 0;
  let failure: string | null = null;
  let running: Promise<Backup> | null = null;

  const backUp = async (): Promise<Backup> => {
    const { every, directory, keep } = config.backup;
    const begun = performance.now();
    try {
      const to = { folder: directory, keep };
      const backup = await runBackup({ dataDirectory: config.data, at: now(), to }, abandoned.signal);
      const ms = Math.round(performance.now() - begun);
      const { path, bytes, removed } = backup;
      log({ event: 'backup', message: `Backed up to "${path}"`, bytes, removed: removed.length, ms });
      failure = null;
      return backup;
    } catch (error) {
      if (abandoned.signal.aborted) throw error;
      failure = messageOf(error);
      const retry = Math.min(every ?? Infinity, RETRY);
      notBefore = now() + retry;
      const again = every === null ? '' : ` It is tried again in ${formatDuration(retry)}`;
      log({ event: 'backup-failed', message: `${failure}.${again}` });
      throw error;
    }
  };
  const make = (): Promise<Backup> => (running ??= backUp().finally(() => (running = null)));

  const look = async (): Promise<void> => {
    const { every, directory } = config.backup;
    const at = now();
    if (every === null || abandoned.signal.aborted || at < notBefore) return;
    if (at - newest(await namesIn(directory), at) >= every) await make().catch(() => {});
  };

  let chore: ReturnType<typeof startChore> | null = null;
  return {
    /** Makes a backup now. If one is being made, returns that one. */
    make,
    /** Why the last backup failed; null if it did not. */
    failure: () => failure,
    /** Starts to make backups whenever one is due, by the schedule of that moment. */
    start(): void {
      chore = startChore(interval, look, () => {});
      void chore.run();
    },
    /** Checks at once whether a backup is due, as after a change of the schedule. */
    look: () => void chore?.run(),
    close(): void {
      chore?.close();
      abandoned.abort();
    },
  };
}

export type Backups = ReturnType<typeof createBackups>;

/** Returns the time of the newest backup; 0 without any. Ignores times in the future: the clock was set back since. */
const newest = (names: readonly string[], now: number): number =>
  Math.max(0, ...names.map((name) => backupTime(name) ?? 0).filter((time) => time <= now));

/** Lists the names in a directory; none if it cannot be read: the next backup then reports the reason. */
const namesIn = (directory: string): Promise<readonly string[]> => readdir(directory).catch(() => []);

/** The maximum number of rows that one write deletes in each log, and the pause after it for other writes, in milliseconds. */
const BATCH = 500;
const PAUSE = 20;

/**
 * Deletes log rows older than `keep` milliseconds, at once and then daily; only a few with each write, so that no request
 * waits.
 */
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
