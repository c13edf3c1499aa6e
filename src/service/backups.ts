import { readdir } from 'node:fs/promises';
import type { BackupPlan, Config } from '../config/config.ts';
import { formatDuration } from '../duration.ts';
import { backupTime } from '../store/copy.ts';
import { runBackup } from '../store/backup.ts';
import { messageOf } from '../refusal.ts';
import { startChore } from './chore.ts';
import type { Stall } from './stall.ts';

/** How often it is asked whether a backup is due, and how long after one that failed it is not, in milliseconds. */
const LOOK = 60_000;
const RETRY = 15 * 60_000;

type Part = Pick<Stall, 'log' | 'now'> & { readonly config: Pick<Config, 'data'> };

/**
 * Makes a backup whenever the newest one in the plan's directory is old enough, so that a restart makes none too early.
 * One that fails is a line in the log, and is tried again. `close` abandons one that runs.
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

/** Those of the future are passed over: the clock was set back. */
function newest(names: readonly string[], now: number): number {
  return Math.max(0, ...names.map((name) => backupTime(name) ?? 0).filter((time) => time <= now));
}

/** A directory that cannot be read has no backups; making one reports the reason. */
function namesIn(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch(() => []);
}
