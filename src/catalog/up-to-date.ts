import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { createIgnore } from '../item/ignore.ts';
import type { Limits } from '../item/limit.ts';
import { COMMIT, VERSION } from '../version.ts';
import { artefactFile } from './artefact.ts';
import type { Edition } from './edition.ts';
import { isUnchanged } from './inspect.ts';
import type { RefreshJob } from './refresh-job.ts';
import { readText } from './scan.ts';
import { walkTree } from './tree.ts';

/**
 * A hash of everything besides the files that decides an item's edition: item.yaml, .bookstallignore, the limits, and
 * the version of this program, since the rules of the next one may differ.
 */
export function inputsHash(folder: string, limits: Limits): string {
  const texts = ['item.yaml', '.bookstallignore'].map((path) => readText(folder, path));
  return createHash('sha256')
    .update(JSON.stringify([VERSION, COMMIT, limits, texts]))
    .digest('hex');
}

/**
 * The jobs whose previous edition is up to date. Compares names and stamps on this thread and parses nothing, so that a
 * start over unchanged content needs no Worker; yields between two items, so that signals and requests are handled.
 */
export async function findUnchanged(
  jobs: readonly RefreshJob[],
  now: () => number = Date.now,
): Promise<ReadonlySet<RefreshJob>> {
  const unchanged = new Set<RefreshJob>();
  for (const job of jobs) {
    if (job.previous !== null && isUpToDate(job, job.previous, now())) unchanged.add(job);
    await new Promise(setImmediate);
  }
  return unchanged;
}

function isUpToDate(
  { item: { folder }, limits, dataDirectory }: RefreshJob,
  previous: Edition,
  now: number,
): boolean {
  try {
    return (
      lstatSync(folder).isDirectory() &&
      inputsHash(folder, limits) === previous.inputsHash &&
      hasSameFiles(folder, previous, now) &&
      Object.values(previous.artefacts).every((one) => existsSync(artefactFile(dataDirectory, one)))
    );
  } catch {
    // The compiler reports what cannot be read.
    return false;
  }
}

function hasSameFiles(folder: string, previous: Edition, now: number): boolean {
  const { files, problems } = walkTree(folder, createIgnore(readText(folder, '.bookstallignore')));
  if (problems.length > 0 || files.length !== previous.files.length) return false;
  const known = new Map(previous.files.map((file) => [file.path, file]));
  return files.every((file) => {
    const before = known.get(file.path);
    return before?.executable === file.executable && isUnchanged(file, before, now);
  });
}
