import { accessSync, constants, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProxySight } from '../../budget/address.ts';
import { replaceFileSync } from '../../replace-file.ts';
import { findServer, isServed, noteFile } from './serve-lock.ts';

/**
 * What a running server tells of itself to the commands beside it, which may stand in another shell, with another
 * environment. `startedAt` is in milliseconds since 1970, `uptime` the machine's seconds then, by a clock nobody sets.
 */
export type ServerNote = {
  readonly pid: number;
  /** Null where the system has no user ids. */
  readonly uid: number | null;
  readonly openFiles: number | null;
  readonly version: string;
  readonly startedAt: number;
  readonly uptime: number;
  /** The settings it runs with, as flags would give them; paths are absolute, the port is the true one. */
  readonly settings: Readonly<Record<string, string>>;
  /** What was seen of proxies since the start: the first peer of each kind. */
  readonly proxies: Readonly<Partial<Record<ProxySight, string>>>;
};

/** `held` is a server that just starts, or a reindex without one; `hidden` a lock that this user may not look at. */
export type ServerState =
  | { readonly state: 'stopped' | 'held' | 'hidden' }
  | { readonly state: 'running'; readonly pid: number; readonly note: ServerNote | null };

/** Writes the note of the server that holds the data directory; `see` adds what it sees of proxies, `write` writes it again. */
export function keepServerNote(dataDirectory: string, first: ServerNote) {
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

/** Whether a server holds the data directory now, and what it tells of itself. Changes nothing. */
export function readServerState(dataDirectory: string): ServerState {
  const lock = join(dataDirectory, 'serve.lock');
  try {
    // What is closed looks absent, and a lock that may only be read looks free to SQLite.
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
    // One of an older program, or of another start, says nothing of this one.
    return note.pid === pid && typeof note.settings === 'object' ? note : null;
  } catch {
    return null;
  }
}
