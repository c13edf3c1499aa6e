import { findNotes } from '../item/changelog.ts';
import { itemDigest } from '../item/digest.ts';
import { packedProblems } from '../item/limit.ts';
import { error, type Problem } from '../item/problem.ts';
import { messageOf } from '../refusal.ts';
import { makeArchives, reuseArchives } from './archive-set.ts';
import { type CompileIndex, makeIndexes, planIndexes } from './book-index.ts';
import { ChangedWhileRead } from './compile.ts';
import type { Edition } from './edition.ts';
import { changesSince, versionProblems } from './file-changes.ts';
import { type InspectedFile, inspectItem } from './inspect.ts';
import { orderChapters } from './reading-order.ts';
import { findSampleImages } from './reading/sample-images.ts';
import type { Refreshed, RefreshJob } from './refresh-job.ts';
import { readChangelog, readText } from './scan.ts';
import { inputsHash } from './up-to-date.ts';
import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { createIgnore } from '../item/ignore.ts';
import { type TreeFile, walkTree } from './tree.ts';

const ATTEMPTS = 5;

/** Reads an item's folder, compiles the artefacts that are missing, and gives the edition to serve. Runs in a Worker. */
export function refreshItem(
  job: RefreshJob,
  compileIndex: CompileIndex,
  now: () => number = Date.now,
): Refreshed {
  for (let attempt = 1; ; attempt++) {
    try {
      // After a mismatch no stamp is trusted: a wrong one would be wrong again.
      return refreshOnce(job, attempt === 1 ? job.previous : null, compileIndex, now);
    } catch (cause) {
      const isChanging = cause instanceof ChangedWhileRead;
      // An item that changed after the tree had settled is still being edited: another attempt would not help.
      if (isChanging && attempt < ATTEMPTS && job.settledBefore === null) continue;
      return { edition: null, problems: [compileProblem(cause)], isChanging };
    }
  }
}

function refreshOnce(
  job: RefreshJob,
  stamped: Edition | null,
  compileIndex: CompileIndex,
  now: () => number,
): Refreshed {
  // Before the item is read: a change in between must show at the next publish.
  const inputs = inputsHash(job.item, job.limits);
  const { manifest, files, problems: found } = inspectItem(job.item, job.limits, stamped, now);
  refuseLateChange(job, now);
  if (manifest === null) return { edition: null, problems: found, isChanging: false };
  const digest = itemDigest(files);
  const problems = [...found, ...versionProblems(job.previous, { manifest, digest })];
  const chapters = orderChapters(job.item.folder, manifest, files);
  const indexes = planIndexes(job, manifest, digest, chapters);
  const isRead = indexes.some(({ made }) => made === null);
  const archives =
    reuseArchives(job, manifest, digest, files, isRead) ?? makeArchives(job, manifest, digest, files);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const edition = {
    manifest,
    files: archives.files,
    digest,
    size,
    chapters,
    artefacts: { ...archives.artefacts },
    warnings: problems,
    inputsHash: inputs,
    changes: changesSince(job.previous, digest, files),
    notes: findNotes(manifest, readChangelog(job.item.folder, files)),
  };
  const sampleImages = findSampleImages(job.dataDirectory, edition);
  const packed = packedProblems(manifest.kind, archives.artefacts.tar.size);
  const artefacts = { ...edition.artefacts, ...makeIndexes(job, edition, indexes, compileIndex) };
  refuseChange(job, files, inputs);
  return {
    edition: {
      ...edition,
      ...(sampleImages.length === 0 ? {} : { sampleImages }),
      artefacts,
      warnings: [...problems, ...packed],
    },
    problems: [...problems, ...packed],
    isChanging: false,
  };
}

/** Refuses an item that is being edited: its files may belong to two states. */
function refuseLateChange({ item: { folder }, settledBefore }: RefreshJob, now: () => number): void {
  const late = settledBefore === null ? null : findChangedAfter(folder, settledBefore, now());
  if (late !== null) throw new ChangedWhileRead(late);
}

/** Refuses an item that changed since its first file was read. */
function refuseChange({ item, limits }: RefreshJob, files: readonly InspectedFile[], inputs: string): void {
  const changed =
    findChanged(item.folder, files) ?? (inputsHash(item, limits) === inputs ? null : 'item.yaml');
  if (changed !== null) throw new ChangedWhileRead(changed);
}

function compileProblem(cause: unknown): Problem {
  if (cause instanceof ChangedWhileRead) {
    return error(
      'keeps-changing',
      cause.message,
      `Cannot compile "${cause.message}": it keeps changing`,
      'Wait until nothing writes it, then run "bookstall reindex"',
    );
  }
  const reason = messageOf(cause);
  return error(
    'cannot-compile',
    '',
    `Cannot compile the item: ${reason}`,
    'Check free space and permissions of the data directory, and that the item stays in place',
  );
}

/** The path of a file that changed since its inspection, was added or removed; null if none did. */
function findChanged(folder: string, inspected: readonly InspectedFile[]): string | null {
  const before = new Map(inspected.map((file) => [file.path, file]));
  for (const file of filesIn(folder)) {
    const known = before.get(file.path);
    if (known === undefined || !isSame(file, known)) return file.path;
    before.delete(file.path);
  }
  return [...before.keys()][0] ?? null;
}

/**
 * The path of a file whose inode changed after `time`, in milliseconds since 1970; null if there is none. A change later
 * than `now` was made by a clock that was set back since, and does not count.
 */
function findChangedAfter(folder: string, time: number, now: number): string | null {
  const isLate = (changed: bigint): boolean => Number(changed) > time && Number(changed) <= now;
  const own = ['item.yaml', '.bookstallignore'].flatMap((path) => {
    const stat = lstatSync(join(folder, path), { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? [] : [{ path, stat }];
  });
  return [...own, ...filesIn(folder)].find(({ stat }) => isLate(stat.ctimeMs))?.path ?? null;
}

function filesIn(folder: string): readonly TreeFile[] {
  return walkTree(folder, createIgnore(readText(folder, '.bookstallignore'))).files;
}

function isSame({ size, executable, stat }: TreeFile, known: InspectedFile): boolean {
  const { inode, mtime, ctime } = known.stamp;
  return (
    size === known.size &&
    executable === known.executable &&
    String(stat.ino) === inode &&
    String(stat.mtimeNs) === mtime &&
    String(stat.ctimeNs) === ctime
  );
}
