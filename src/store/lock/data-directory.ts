import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { syncFolder } from './sync.ts';

/**
 * Makes the data directory where there is none. Each folder made is synced into the one above it: else a power cut could
 * take it, and with it a database that is synced itself. Throws what the system throws.
 */
export function makeDataDirectory(path: string): void {
  const first = mkdirSync(path, { recursive: true, mode: 0o700 });
  if (first === undefined) return;
  for (let made = resolve(path); made.length >= resolve(first).length; made = dirname(made))
    syncFolder(dirname(made));
}
