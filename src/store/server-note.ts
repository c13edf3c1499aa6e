import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ProxySight } from '../budget/address.ts';
import { replaceFileSync } from '../replace-file.ts';
import { unlessDiskFault } from './data-directory.ts';
import { Refusal } from '../refusal.ts';
import { lockFile } from './file-lock.ts';

/**
 * A running server's note for commands on its machine, which may run in another shell with another
 * environment. `startedAt` is in milliseconds since 1970.
 */
export type ServerNote = {
  readonly pid: number;
  /** Null if the system has no user ids. */
  readonly uid: number | null;
  readonly version: string;
  readonly startedAt: number;
  /** The settings it runs with, as flags; paths are absolute, and the port is the one it got. */
  readonly settings: Readonly<Record<string, string>>;
  /** The first peer of each kind of proxy that was seen since the start. */
  readonly proxies: Readonly<Partial<Record<ProxySight, string>>>;
};

/** `held` is a server that is starting, or a reindex without one; `hidden` is a lock that this user may not read. */
export type ServerState =
  | { readonly state: 'stopped' | 'held' | 'hidden' }
  | { readonly state: 'running'; readonly pid: number; readonly note: ServerNote | null };

/** Writes the note of the server that holds the data directory; `see` adds a sight of proxies, `write` writes it again. */
export function openServerNote(dataDirectory: string, first: ServerNote) {
  let note = first;
  const write = (): void => {
    try {
      replaceFileSync(noteFile(dataDirectory), `${JSON.stringify(note)}\n`);
    } catch {
      // On a full disk readers are still served, and only the doctor knows less.
    }
  };
  write();
  return {
    write,
    see(sight: ProxySight, peer: string): void {
      note = { ...note, proxies: { ...note.proxies, [sight]: peer } };
      write();
    },
  };
}

/** Whether a server holds the data directory now, and its note. Changes nothing. */
export function readServerState(dataDirectory: string): ServerState {
  const lock = join(dataDirectory, 'serve.lock');
  try {
    // A closed directory looks missing, and a lock file that may only be read looks free to SQLite.
    if (existsSync(dataDirectory)) accessSync(dataDirectory, constants.R_OK | constants.X_OK);
    if (existsSync(lock)) accessSync(lock, constants.R_OK | constants.W_OK);
    if (!isServed(dataDirectory)) return { state: 'stopped' };
    const pid = findServer(dataDirectory);
    return pid === null ? { state: 'held' } : { state: 'running', pid, note: readNote(dataDirectory, pid) };
  } catch {
    return { state: 'hidden' };
  }
}

function readNote(dataDirectory: string, pid: number): ServerNote | null {
  try {
    const note = JSON.parse(readFileSync(noteFile(dataDirectory), 'utf8')) as ServerNote;
    // A note of an older program, or of another start, says nothing about this server.
    return note.pid === pid && typeof note.settings === 'object' ? note : null;
  } catch {
    return null;
  }
}

/** Writes the owner's set-up link to `<data>/setup-url`, for this user's eyes; a full disk is no reason not to start. */
export function writeSetupUrl(dataDirectory: string, url: string): void {
  try {
    replaceFileSync(join(dataDirectory, 'setup-url'), `${url}\n`);
  } catch {
    // It is printed as well.
  }
}

/** Removes the file that `writeSetupUrl` wrote, if it is there. */
export function removeSetupUrl(dataDirectory: string): void {
  unlessDiskFault(dataDirectory, () => rmSync(join(dataDirectory, 'setup-url'), { force: true }));
}

/** In milliseconds: outlasts `isServed`, which holds the lock for a moment to see whether it is free. */
const PATIENCE = 500;

/** Holds the data directory for one server until `release` or the end of the process, kill -9 too. Refuses if another process holds it. */
export function lockDataDirectory(dataDirectory: string): { release(): void } {
  const lock = lockFile(fileOf(dataDirectory), 'exclusive', PATIENCE);
  if (lock !== null) return lock;
  throw Refusal.storage(
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
export const readReportLoss = (dataDirectory: string): number | null =>
  statSync(fileOf(dataDirectory), { throwIfNoEntry: false })?.mtimeMs ?? null;

/** The file with the server's note about itself. */
const noteFile = (dataDirectory: string): string => join(dataDirectory, 'serve.json');

/** The process id of the server that holds the data directory now; null if none does, or one is starting. */
export function findServer(dataDirectory: string): number | null {
  const file = join(dataDirectory, 'serve.pid');
  if (!isServed(dataDirectory) || !existsSync(file)) return null;
  const pid = Number(readFileSync(file, 'utf8'));
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

const fileOf = (dataDirectory: string): string => join(dataDirectory, 'serve.lock');
