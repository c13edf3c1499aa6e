import { readdir } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startChore } from '../platform/base/chores.ts';
import { DAY, formatDuration } from '../platform/base/duration.ts';
import { messageOf } from '../platform/base/refusal.ts';
import type { BackupPlan, Config } from '../platform/config/config.ts';
import { backupTime } from '../platform/store/copy.ts';
import { runBackup } from '../publishing/backup.ts';
import type { Stall } from './stall.ts';

/** How often to check whether a backup is due, and how long to wait after a failed one, in milliseconds. */
const LOOK = 60_000;
const RETRY = 15 * 60_000;

type Part = Pick<Stall, 'log' | 'now'> & { readonly config: Pick<Config, 'data'> };

/**
 * Makes a backup whenever the newest one in the plan's directory is old enough, so that a restart makes none
 * too early. A failure is logged and tried again. `close` abandons a running backup.
 */
export function startBackups({ config, log, now }: Part, { every, directory, keep }: BackupPlan) {
  const retry = Math.min(every, RETRY);
  const abandoned = new AbortController();
  let notBefore = 0;

  const backUp = async (at: number): Promise<void> => {
    const begun = performance.now();
    try {
      const to = { folder: directory, keep };
      const { path, bytes, removed } = await runBackup(
        { dataDirectory: config.data, at, to },
        abandoned.signal,
      );
      const ms = Math.round(performance.now() - begun);
      log({ event: 'backup', message: `Backed up to "${path}"`, bytes, removed: removed.length, ms });
    } catch (error) {
      if (abandoned.signal.aborted) return;
      notBefore = now() + retry;
      const reason = messageOf(error);
      log({ event: 'backup-failed', message: `${reason}. It is tried again in ${formatDuration(retry)}` });
    }
  };

  const look = async (): Promise<void> => {
    const at = now();
    if (abandoned.signal.aborted || at < notBefore) return;
    if (at - newest(await namesIn(directory), at) >= every) await backUp(at);
  };

  const chore = startChore(Math.min(every, LOOK), look, () => {});
  void chore.run();
  return {
    close(): void {
      chore.close();
      abandoned.abort();
    },
  };
}

/** Returns the time of the newest backup; 0 without any. Ignores backups from the future: the clock was set back since. */
const newest = (names: readonly string[], now: number): number =>
  Math.max(0, ...names.map((name) => backupTime(name) ?? 0).filter((time) => time <= now));

/** Lists the names in a directory; none if it cannot be read, since making a backup then reports the reason. */
const namesIn = (directory: string): Promise<readonly string[]> => readdir(directory).catch(() => []);

/** The maximum number of rows of each log that one write deletes, and the pause after it for other writes, in milliseconds. */
const BATCH = 500;
const PAUSE = 20;

/**
 * Deletes log rows older than `keep` milliseconds, now and then daily. Each write deletes only a few, so that no
 * request waits.
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
