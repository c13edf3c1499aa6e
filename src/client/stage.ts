import { DAY } from '../duration.ts';
import { existsSync, lstatSync } from 'node:fs';
import { lstat, mkdir, mkdtemp, readdir, realpath, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { quote } from '../item/problem.ts';
import { Refusal } from '../refusal.ts';

const NAME = /^\.bookstall-[a-z0-9-]+-[A-Za-z0-9]{6}$/;

/** The age in milliseconds after which a stage counts as a leftover of a killed process. */
const STALE = DAY;

/**
 * Makes a hidden folder in `parent`, beside the item's place, so that the last step is a rename on the same disk. Removes
 * it when `use` has ended, and also the leftovers of processes that were killed a day ago.
 */
export async function withStage<T>(
  parent: string,
  slug: string,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const made = await mkdir(parent, { recursive: true });
  await sweep(parent);
  const folder = await mkdtemp(join(parent, `.bookstall-${slug}-`));
  try {
    return await use(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
    if (made !== undefined) await removeEmpty(parent, made);
  }
}

async function sweep(parent: string): Promise<void> {
  for (const name of await readdir(parent)) {
    if (!NAME.test(name)) continue;
    const folder = join(parent, name);
    const status = await lstat(folder).catch(() => null);
    if (status?.isDirectory() === true && Date.now() - status.mtimeMs > STALE)
      await rm(folder, { recursive: true, force: true }).catch(() => {});
  }
}

/** Removes the folders that were made but stayed empty, from `folder` up to `top`. */
async function removeEmpty(folder: string, top: string): Promise<void> {
  for (let at = folder; at.length >= top.length; at = dirname(at)) {
    try {
      await rmdir(at);
    } catch {
      return;
    }
  }
}

/** Moves `item`, a folder in a stage, to `target`; the folder `before`, the same or another, is removed with the stage. */
export async function swap(item: string, before: string, target: string): Promise<void> {
  const status = lstatSync(before, { throwIfNoEntry: false });
  if (status?.isSymbolicLink())
    throw new Refusal('invalid-request', `Cannot install into ${quote(before)}: it is a link; remove it`);
  const old = join(dirname(item), '.old');
  try {
    if (status !== undefined) await rename(before, old);
    await rename(item, target);
  } catch (error) {
    if (existsSync(old)) await rename(old, before).catch(() => {});
    throw error;
  }
}

const CONFLICTS: readonly unknown[] = ['ENOTEMPTY', 'EEXIST', 'ENOENT'];

/** The system's error when two programs change `target` at once, as a refusal; any other error unchanged. */
export function toConflict(error: unknown, target: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || !CONFLICTS.includes(error.code)) return error;
  return new Refusal(
    'invalid-request',
    `Cannot install into ${quote(target)}: another program changed it at the same moment; try again`,
  );
}

/** The folder's path with all links resolved; the folder need not exist yet. */
export async function realFolder(folder: string): Promise<string> {
  let there = resolve(folder);
  while (!existsSync(there) && dirname(there) !== there) there = dirname(there);
  return join(await realpath(there), relative(there, resolve(folder)));
}
