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
 * Describes a running server to commands on its machine, which may run in another shell with another environment. `startedAt`
 * is in milliseconds since 1970.
 */
export type ServerNote = {
  readonly pid: number;
  /** The server's user id; null if the system has none. */
  readonly uid: number | null;
  readonly version: string;
  readonly startedAt: number;
  /** The settings that the server runs with, as flags; paths are absolute, and the port is the one it got. */
  readonly settings: Readonly<Record<string, string>>;
  /** For each `ProxySight`, the address of the peer whose request first showed it since the server started. */
  readonly proxies: Readonly<Partial<Record<ProxySight, string>>>;
};

/** `held` means that a server is starting, or a reindex runs without one; `hidden` that this user may not read the lock. */
export type ServerState =
  | { readonly state: 'stopped' | 'held' | 'hidden' }
  | { readonly state: 'running'; readonly pid: number; readonly note: ServerNote | null };

/** Writes the note of the server that holds the data directory. Then `see` adds a proxy to it, and `write` writes it again. */
export function openServerNote(dataDirectory: string, first: ServerNote) {
  let note = first;
  const write = (): void => {
    try {
      replaceFileSync(noteFile(dataDirectory), `${JSON.stringify(note)}\n`);
    } catch {
      // If the disk is full, readers are served all the same, and only the doctor knows less.
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

/** Reports whether a server holds the data directory now, with its note. Changes nothing. */
export function readServerState(dataDirectory: string): ServerState {
  const lock = join(dataDirectory, 'serve.lock');
  try {
    // Throws here, since a closed directory would look missing below, and a lock file that may only be read would look free.
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
    // Ignores the note of an older program, or of another start, since it says nothing about this server.
    return note.pid === pid && typeof note.settings === 'object' ? note : null;
  } catch {
    return null;
  }
}

/** Writes the owner's set-up link to `<data>/setup-url`, for this user's eyes. Ignores failures such as a full disk. */
export function writeSetupUrl(dataDirectory: string, url: string): void {
  try {
    replaceFileSync(join(dataDirectory, 'setup-url'), `${url}\n`);
  } catch {
    // The link is printed as well.
  }
}

/** Removes the file that `writeSetupUrl` wrote, if it is there. */
export function removeSetupUrl(dataDirectory: string): void {
  unlessDiskFault(dataDirectory, () => rmSync(join(dataDirectory, 'setup-url'), { force: true }));
}

/** How long to wait for the lock, in milliseconds: `isServed` holds it for a moment to see whether it is free. */
const PATIENCE = 500;

/** Locks the data directory for one server, until `release` or the end of the process, kill -9 too. Refuses if it is locked. */
export function lockDataDirectory(dataDirectory: string): { release(): void } {
  const lock = lockFile(fileOf(dataDirectory), 'exclusive', PATIENCE);
  if (lock !== null) return lock;
  throw Refusal.storage(
    `Cannot serve from "${dataDirectory}": another bookstall serves from it; stop that one, or choose another directory with --data`,
  );
}

/** Reports whether a server holds the data directory now. */
export function isServed(dataDirectory: string): boolean {
  if (!existsSync(fileOf(dataDirectory))) return false;
  const lock = lockFile(fileOf(dataDirectory), 'exclusive', 0);
  lock?.release();
  return lock === null;
}

/** Writes this process's id, for `reindex` to signal, if the disk allows it. Only the holder of the lock may call it. */
export function announceServer(dataDirectory: string): { withdraw(): void } {
  unlessDiskFault(dataDirectory, () =>
    writeFileSync(join(dataDirectory, 'serve.pid'), `${process.pid}\n`, { mode: 0o600 }),
  );
  return { withdraw: () => removeServerNotes(dataDirectory) };
}

/** Removes the process id and note of a server that ended, if the disk allows it. Only the holder of the lock may call it. */
export function removeServerNotes(dataDirectory: string): void {
  unlessDiskFault(dataDirectory, () => {
    for (const file of [join(dataDirectory, 'serve.pid'), noteFile(dataDirectory)])
      rmSync(file, { force: true });
  });
}

/** Tells commands that wait for a report that it could not be written. Sets the lock file's time, which needs no space. */
export function markReportLost(dataDirectory: string): void {
  try {
    const now = new Date();
    utimesSync(fileOf(dataDirectory), now, now);
  } catch {
    // The file system is read-only, which the command sees by itself.
  }
}

/** Returns a mark that changes only when a report is lost; null if there is no lock file. */
export const readReportLoss = (dataDirectory: string): number | null =>
  statSync(fileOf(dataDirectory), { throwIfNoEntry: false })?.mtimeMs ?? null;

/** Returns the path of the running server's note. */
const noteFile = (dataDirectory: string): string => join(dataDirectory, 'serve.json');

/** Returns the process id of the server that holds the data directory now; null if none does, or it is still starting. */
export function findServer(dataDirectory: string): number | null {
  const file = join(dataDirectory, 'serve.pid');
  if (!isServed(dataDirectory) || !existsSync(file)) return null;
  const pid = Number(readFileSync(file, 'utf8'));
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

const fileOf = (dataDirectory: string): string => join(dataDirectory, 'serve.lock');
