import { chownSync, lchownSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Files } from '../helpers/harness.ts';
import { PROGRAM, stallDirectory } from './program.ts';

/** Root reads everything: there the program runs as nobody. */
export const isRoot = process.getuid?.() === 0;
const NOBODY = 65_534;

export const program = isRoot
  ? ['setpriv', `--reuid=${NOBODY}`, `--regid=${NOBODY}`, '--clear-groups', PROGRAM]
  : [PROGRAM];

/** Gives a directory and all that is in it to the user of `program`. */
export function giveAway(directory: string): void {
  if (!isRoot) return;
  chownSync(directory, NOBODY, NOBODY);
  for (const path of readdirSync(directory, { recursive: true }))
    lchownSync(join(directory, String(path)), NOBODY, NOBODY);
}

/** A stall's directory that belongs to the user of `program`. */
export function ownDirectory(files?: Files): string {
  const directory = stallDirectory(files);
  giveAway(directory);
  return directory;
}
