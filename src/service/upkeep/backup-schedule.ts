import { readdir } from 'node:fs/promises';
import type { BackupPlan } from '../../config.ts';
import { formatDuration } from '../../duration.ts';
import type { Log } from '../../log.ts';
import { backupTime } from '../../store/copy/copy.ts';
import { runBackup } from '../../store/backup/backup.ts';
import { messageOf } from '../../refusal.ts';

/** How often it is asked whether a backup is due, and how long after one that failed it is not, in milliseconds. */
const LOOK = 60_000;
const RETRY = 15 * 60_000;

type Schedule = {
  readonly dataDirectory: string;
  readonly plan: BackupPlan;
  readonly log: Log;
  readonly now: () => number;
};

/**
 * Makes a backup whenever the newest one in the plan's directory is old enough, so that a restart makes none too early.
 * One that fails is a line in the log, and is tried again. `close` abandons one that runs.
 */
export function scheduleBackups({ dataDirectory, plan, log, now }: Schedule) {
  const { every, directory, keep } = plan;
  const retry = Math.min(every, RETRY);
  const abandoned = new AbortController();
  let isRunning = false;
  let notBefore = 0;

  const backUp = async (at: number): Promise<void> => {
    const begun = performance.now();
    try {
      const to = { folder: directory, keep };
      const { path, bytes, removed } = await runBackup({ dataDirectory, at, to }, abandoned.signal);
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
    if (isRunning) return;
    isRunning = true;
    const at = now();
    if (at >= notBefore && at - newest(await namesIn(directory), at) >= every) await backUp(at);
    isRunning = false;
  };

  const timer = setInterval(() => void look(), Math.min(every, LOOK));
  void look();
  return {
    close(): void {
      clearInterval(timer);
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
