import { chmodSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { syncFolder } from './sync.ts';

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
