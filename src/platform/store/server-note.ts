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
import type { ProxySight } from '../http/address.ts';
import { replaceFileSync } from '../base/replace-file.ts';
import { unlessDiskFault } from './data-directory.ts';
import { Refusal } from '../base/refusal.ts';
import { lockFile } from './file-lock.ts';

/**
 * Describes a running server, for commands beside it that may have other settings. `startedAt` is in milliseconds since 1970.
 */
export type ServerNote = {
  readonly pid: number;
  readonly uid: number | null;
  readonly version: string;
  readonly startedAt: number;
  /** The server's settings as command line flags. Paths are absolute, and the port is the one on which it listens. */
  readonly settings: Readonly<Record<string, string>>;
  /** For each `ProxySight`, the peer whose request first showed this sign of a proxy since the server started. */
  readonly proxies: Readonly<Partial<Record<ProxySight, string>>>;
};

/**
 * The state of the server: `held` if one is starting, or a command such as `reindex` has the lock; `hidden` if this user may
 * not read it.
 */
export type ServerState =
  | { readonly state: 'stopped' | 'held' | 'hidden' }
  | { readonly state: 'running'; readonly pid: number; readonly note: ServerNote | null };

/**
 * Writes the note of the server that holds the data directory. `see` adds the peer of a request with a sign of a proxy, for the
 * command `doctor`; `write` writes the note again.
 */
export function openServerNote(dataDirectory: string, first: ServerNote) {
  let note = first;
  const write = (): void => {
    try {
      replaceFileSync(noteFile(dataDirectory), `${JSON.stringify(note)}\n`);
    } catch {
      // Readers are served even if the disk is full; then only the command `doctor` lacks the note.
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

export function readServerState(dataDirectory: string): ServerState {
  const lock = join(dataDirectory, 'serve.lock');
  try {
    // Throws if this user lacks rights: without these checks, a closed directory would look missing, and a lock file that may
    // only be read would look free.
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
    // Ignores the note of an older version, or of an earlier start: it does not describe this server.
    return note.pid === pid && typeof note.settings === 'object' ? note : null;
  } catch {
    return null;
  }
}

/** Writes the link by which the owner sets up the stall to `<data>/setup-url`, readable for this user only. */
export function writeSetupUrl(dataDirectory: string, url: string): void {
  try {
    replaceFileSync(join(dataDirectory, 'setup-url'), `${url}\n`);
  } catch {
    // A failure is ignored, since the link is also printed.
  }
}

export function removeSetupUrl(dataDirectory: string): void {
  unlessDiskFault(dataDirectory, () => rmSync(join(dataDirectory, 'setup-url'), { force: true }));
}

/** How long to wait for the lock, in milliseconds. `isServed` holds it for a moment to see whether it is free. */
const PATIENCE = 500;

/**
 * Locks the data directory for one server, until `release` or the end of the process, even by kill -9. Refuses if it is locked.
 */
export function lockDataDirectory(dataDirectory: string): { release(): void } {
  const lock = lockFile(fileOf(dataDirectory), 'exclusive', PATIENCE);
  if (lock !== null) return lock;
  throw Refusal.storage(
    `Cannot serve from "${dataDirectory}": another bookstall serves from it; stop that one, or choose another directory with --data`,
  );
}

export function isServed(dataDirectory: string): boolean {
  if (!existsSync(fileOf(dataDirectory))) return false;
  const lock = lockFile(fileOf(dataDirectory), 'exclusive', 0);
  lock?.release();
  return lock === null;
}

/** Writes this process's id, for `reindex` to signal, if the disk allows it. Only the holder of the lock may call this. */
export function announceServer(dataDirectory: string): { withdraw(): void } {
  unlessDiskFault(dataDirectory, () =>
    writeFileSync(join(dataDirectory, 'serve.pid'), `${process.pid}\n`, { mode: 0o600 }),
  );
  return { withdraw: () => removeServerNotes(dataDirectory) };
}

/** Removes the process id and note of a server that ended, if the disk allows it. Only the holder of the lock may call this. */
export function removeServerNotes(dataDirectory: string): void {
  unlessDiskFault(dataDirectory, () => {
    for (const file of [join(dataDirectory, 'serve.pid'), noteFile(dataDirectory)])
      rmSync(file, { force: true });
  });
}

/**
 * Tells commands that wait for a publish that its report could not be written. Sets the lock file's time, which needs no space.
 */
export function markReportLost(dataDirectory: string): void {
  try {
    const now = new Date();
    utimesSync(fileOf(dataDirectory), now, now);
  } catch {
    // The file system is read-only, which the waiting command finds by itself.
  }
}

/** Returns a value that changes whenever the report of a publish could not be written; null if there is no lock file. */
export const readReportLoss = (dataDirectory: string): number | null =>
  statSync(fileOf(dataDirectory), { throwIfNoEntry: false })?.mtimeMs ?? null;

const noteFile = (dataDirectory: string): string => join(dataDirectory, 'serve.json');

export function findServer(dataDirectory: string): number | null {
  const file = join(dataDirectory, 'serve.pid');
  if (!isServed(dataDirectory) || !existsSync(file)) return null;
  const pid = Number(readFileSync(file, 'utf8'));
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

const fileOf = (dataDirectory: string): string => join(dataDirectory, 'serve.lock');
