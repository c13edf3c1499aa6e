import { expect } from 'bun:test';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { writeDatabase } from '../platform/store/database-file.ts';
import { run, stallDirectory } from './program.ts';

/** The output of a command with --json, which must succeed. */
export async function json(directory: string, ...words: string[]) {
  const { code, out, err } = await run([...words, '--json'], { cwd: directory });
  expect([code, err]).toEqual([0, expect.any(String)]);
  return JSON.parse(out) as Record<string, never>;
}

/** A directory with a data directory of so many accounts, and a backup of it in `one.db`. */
export async function backedUp(accounts: number): Promise<string> {
  const directory = stallDirectory();
  mkdirSync(join(directory, 'data'));
  writeDatabase(join(directory, 'data/bookstall.db'), accounts);
  await json(directory, 'backup', 'one.db');
  return directory;
}
