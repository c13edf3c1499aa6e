import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { backupTime } from './backup-name.ts';

/** The name of an unfinished copy: its final name, and the process that makes it; SQLite adds a journal. */
const UNFINISHED = /^(.*)\.unfinished-(\d+)(-journal)?$/s;

/** Under which name this process writes a file until it is whole. */
export function tempName(target: string): string {
  return `${target}.unfinished-${process.pid}`;
}

/** Removes the unfinished copies of this process, and those of killed processes in the same folder. Never fails. */
export function removeTempFiles(target: string): void {
  const folder = dirname(target);
  try {
    for (const name of readdirSync(folder)) {
      const [, whole = '', pid = ''] = UNFINISHED.exec(name) ?? [];
      const isOurs = whole === basename(target) || backupTime(whole) !== null;
      if (isOurs && !isAtWork(Number(pid))) rmSync(join(folder, name), { force: true });
    }
  } catch {
    // The copy itself reports whatever is in its way.
  }
}

/** A copy of this process is over when the next begins. */
function isAtWork(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
