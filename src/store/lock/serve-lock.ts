import { existsSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../../refusal.ts';
import { unlessDiskFault } from './disk-fault.ts';
import { lockFile } from './file-lock.ts';

/** In milliseconds: outlasts `isServed`, which holds the lock for a moment to see whether it is free. */
const PATIENCE = 500;

/** Holds the data directory for one server until `release` or the end of the process, kill -9 too. Refuses if another process holds it. */
export function lockDataDirectory(dataDirectory: string): { release(): void } {
  const lock = lockFile(fileOf(dataDirectory), 'exclusive', PATIENCE);
  if (lock !== null) return lock;
  throw new Refusal(
    'storage-unavailable',
    `Cannot serve from "${dataDirectory}": another bookstall serves from it; stop that one, or choose another directory with --data`,
  );
}

/** Whether a server holds the data directory now. */
export function isServed(dataDirectory: string): boolean {
  if (!existsSync(fileOf(dataDirectory))) return false;
  const lock = lockFile(fileOf(dataDirectory), 'exclusive', 0);
  lock?.release();
  return lock === null;
}

/** Writes the id of the process that serves, for `reindex` to signal, if the disk allows it; for the holder of the lock. */
export function announceServer(dataDirectory: string): { withdraw(): void } {
  unlessDiskFault(dataDirectory, () =>
    writeFileSync(join(dataDirectory, 'serve.pid'), `${process.pid}\n`, { mode: 0o600 }),
  );
  return { withdraw: () => removeServerNotes(dataDirectory) };
}

/** Removes the notes of a killed server, if the disk allows it; for the holder of the lock. */
export function removeServerNotes(dataDirectory: string): void {
  unlessDiskFault(dataDirectory, () => {
    for (const file of [join(dataDirectory, 'serve.pid'), noteFile(dataDirectory)])
      rmSync(file, { force: true });
  });
}

/** Lets commands that wait for a report know that it could not be written. It needs no space: it sets the time of the lock file. */
export function markReportLost(dataDirectory: string): void {
  try {
    const now = new Date();
    utimesSync(fileOf(dataDirectory), now, now);
  } catch {
    // A read-only file system: the command sees that by itself.
  }
}

/** When a report was last lost, as a mark that only changes then. */
export function readReportLoss(dataDirectory: string): number | null {
  return statSync(fileOf(dataDirectory), { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** The file with the server's note about itself. */
export function noteFile(dataDirectory: string): string {
  return join(dataDirectory, 'serve.json');
}

/** The process id of the server that holds the data directory now; null if none does, or one is starting. */
export function findServer(dataDirectory: string): number | null {
  const file = join(dataDirectory, 'serve.pid');
  if (!isServed(dataDirectory) || !existsSync(file)) return null;
  const pid = Number(readFileSync(file, 'utf8'));
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

function fileOf(dataDirectory: string): string {
  return join(dataDirectory, 'serve.lock');
}
