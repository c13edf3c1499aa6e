import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { createIgnore } from '../item/ignore.ts';
import type { Limits } from '../item/limit.ts';
import { COMMIT, VERSION } from '../version.ts';
import { artefactFile } from './artefact.ts';
import type { Edition } from './edition.ts';
import { isUnchanged } from './inspect.ts';
import type { RefreshJob } from './refresh.ts';
import { readText } from './scan.ts';
import { walkTree } from './tree.ts';

/**
 * What an item is judged by besides its files, as a hash: item.yaml, .bookstallignore, the limits, and this program,
 * whose rules the next version may change.
 */
export function inputsHash(folder: string, limits: Limits): string {
  const own = ['item.yaml', '.bookstallignore'].map((path) => readText(folder, path));
  return createHash('sha256')
    .update(JSON.stringify([VERSION, COMMIT, limits, own]))
    .digest('hex');
}

/**
 * The jobs whose previous edition stands as it is. Names and stamps are compared on this thread and nothing is parsed, so
 * that a start over unchanged content needs no Worker; between two items, signals and requests are heard.
 */
export async function findUnchanged(
  jobs: readonly RefreshJob[],
  now: () => number = Date.now,
): Promise<ReadonlySet<RefreshJob>> {
  const standing = new Set<RefreshJob>();
  for (const job of jobs) {
    if (job.previous !== null && stands(job, job.previous, now())) standing.add(job);
    await new Promise(setImmediate);
  }
  return standing;
}

function stands(
  { item: { folder }, limits, dataDirectory }: RefreshJob,
  previous: Edition,
  now: number,
): boolean {
  try {
    return (
      lstatSync(folder).isDirectory() &&
      inputsHash(folder, limits) === previous.inputsHash &&
      holdsFiles(folder, previous, now) &&
      Object.values(previous.artefacts).every((one) => existsSync(artefactFile(dataDirectory, one)))
    );
  } catch {
    // What cannot be read is for the compiler to tell.
    return false;
  }
}

function holdsFiles(folder: string, previous: Edition, now: number): boolean {
  const { files, problems } = walkTree(folder, createIgnore(readText(folder, '.bookstallignore')));
  if (problems.length > 0 || files.length !== previous.files.length) return false;
  const known = new Map(previous.files.map((file) => [file.path, file]));
  return files.every((file) => {
    const before = known.get(file.path);
    return before?.executable === file.executable && isUnchanged(file, before, now);
  });
}
