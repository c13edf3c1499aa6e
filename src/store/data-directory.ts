import { chmodSync, closeSync, fsyncSync, mkdirSync, openSync, readdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** Error codes of systems that cannot sync a folder. */
const CANNOT_SYNC = ['EISDIR', 'EINVAL', 'EPERM', 'EACCES', 'ENOTSUP'];

/**
 * Makes the data directory if it is missing, for its owner alone; an empty one that is there is closed to others too. Each folder made is synced into the one above it: otherwise a power cut could
 * take it, and with it a database that is synced itself. Throws what the system throws.
 */
export function makeDataDirectory(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return closeIfEmpty(path);
  for (let made = resolve(path); made.length >= resolve(first).length; made = dirname(made))
    syncFolder(dirname(made));
}

function closeIfEmpty(path: string): void {
  if (readdirSync(path).length > 0) return;
  try {
    chmodSync(path, 0o700);
  } catch {
    // Another user's, a volume for example: the doctor says if others can change it.
  }
}

/** Returns when the file's bytes are on disk. */
export function syncFile(file: string): void {
  sync(file, 'r+');
}

/** Returns when the names in a folder are on disk: those of files made, linked and renamed in it. */
export function syncFolder(folder: string): void {
  try {
    sync(folder, 'r');
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && CANNOT_SYNC.includes(String(error.code)))) throw error;
  }
}

function sync(path: string, flags: string): void {
  const descriptor = openSync(path, flags);
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
