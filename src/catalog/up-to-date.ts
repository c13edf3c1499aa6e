import { createHash } from 'node:crypto';
import { existsSync, lstatSync } from 'node:fs';
import { noDefaults } from '../item/defaults.ts';
import { createIgnore } from '../item/ignore.ts';
import type { Manifest } from '../item/item.ts';
import type { Limits } from '../item/limit.ts';
import { parseManifest } from '../item/manifest.ts';
import { COMMIT, VERSION } from '../version.ts';
import { artefactFile } from './artefact.ts';
import type { Edition } from './edition.ts';
import { isUnchanged } from './inspect.ts';
import type { RefreshJob } from './refresh-job.ts';
import { type ItemFolder, readText } from './scan.ts';
import { walkTree } from './tree.ts';

/**
 * A hash of everything besides the files that decides an item's edition: item.yaml, the stall's defaults,
 * .bookstallignore, the limits, and the version of this program, since the rules of the next one may differ.
 */
export function inputsHash({ folder, defaults = noDefaults }: ItemFolder, limits: Limits): string {
  const texts = ['item.yaml', '.bookstallignore'].map((path) => readText(folder, path));
  return createHash('sha256')
    .update(JSON.stringify([VERSION, COMMIT, limits, defaults, texts]))
    .digest('hex');
}

/** The jobs whose previous edition can be served: `unchanged` ones as they are, `outdated` ones until compiled again. */
export type ComparedJobs = {
  readonly unchanged: ReadonlySet<RefreshJob>;
  readonly outdated: ReadonlySet<RefreshJob>;
};

/**
 * Compares items with their saved editions by names and stamps, so that a start over unchanged content needs no Worker.
 * An edition is outdated if another version of this program made it from the same content, or with other limits. Yields
 * between two items, so that signals and requests are handled.
 */
export async function compareWithSaved(
  jobs: readonly RefreshJob[],
  now: () => number = Date.now,
): Promise<ComparedJobs> {
  const compared = { unchanged: new Set<RefreshJob>(), outdated: new Set<RefreshJob>() };
  for (const job of jobs) {
    const state = job.previous === null ? null : stateOf(job, job.previous, now());
    if (state !== null) compared[state].add(job);
    await new Promise(setImmediate);
  }
  return compared;
}

function stateOf(
  { item, limits, dataDirectory }: RefreshJob,
  previous: Edition,
  now: number,
): keyof ComparedJobs | null {
  try {
    const isHeld =
      lstatSync(item.folder).isDirectory() &&
      hasSameFiles(item.folder, previous, now) &&
      Object.values(previous.artefacts).every((one) => existsSync(artefactFile(dataDirectory, one)));
    if (!isHeld) return null;
    if (inputsHash(item, limits) === previous.inputsHash) return 'unchanged';
    return hasSameManifest(item, previous.manifest) ? 'outdated' : null;
  } catch {
    // The compiler reports what cannot be read.
    return null;
  }
}

/** Whether item.yaml still says the same, as far as the program that read it before could tell. */
function hasSameManifest(
  { folder, kind, slug, defaults = noDefaults }: ItemFolder,
  previous: Manifest,
): boolean {
  // A skill's SKILL.md, where title and description may come from, is one of its files.
  const { manifest } = parseManifest({
    kind,
    slug,
    yaml: readText(folder, 'item.yaml') ?? '',
    skill: { name: previous.title, description: previous.description },
    defaults,
  });
  if (manifest === null) return false;
  const values = new Map<string, unknown>(Object.entries(manifest));
  return Object.entries(previous).every(([key, value]) =>
    Bun.deepMatch({ value }, { value: values.get(key) }),
  );
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
