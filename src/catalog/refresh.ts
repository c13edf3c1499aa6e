import { existsSync, rmSync } from 'node:fs';
import { findNotes } from '../item/changelog.ts';
import { itemDigest } from '../item/digest.ts';
import type { Chapter } from '../item/chapter.ts';
import type { Manifest } from '../item/item.ts';
import { packedProblems } from '../item/limit.ts';
import { error, type Problem } from '../item/problem.ts';
import {
  artefactFile,
  type ArchiveKind,
  type Artefact,
  artefactName,
  byArchiveKind,
  temporaryFile,
} from './artefact.ts';
import { ChangedWhileRead, compileArchives, placeArtefact } from './compile.ts';
import type { Edition, EditionFile } from './edition.ts';
import { changesSince, versionProblems } from './file-changes.ts';
import { hashFile } from './hash.ts';
import { inspectItem, type InspectedFile } from './inspect.ts';
import { inputsHash } from './up-to-date.ts';
import { findSampleImages } from './reading/sample-images.ts';
import { readFileRecord } from './file-record.ts';
import { orderChapters } from './reading-order.ts';
import type { RefreshJob, Refreshed } from './refresh-job.ts';
import { readChangelog } from './scan.ts';
import { findChanged, findChangedAfter } from './settled.ts';
import { messageOf } from '../refusal.ts';

/** The port that search fills: writes a book's index to a new file; false if the book has no text to index. */
export type CompileIndex = (
  file: string,
  book: { readonly manifest: Manifest; readonly chapters: Iterable<IndexedChapter> },
) => boolean;

export type IndexedChapter = Chapter & { readonly content: string };

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
  const inputs = inputsHash(job.item.folder, job.limits);
  const { manifest, files, problems: found } = inspectItem(job.item, job.limits, stamped, now);
  refuseLateChange(job, now);
  if (manifest === null) return { edition: null, problems: found, isChanging: false };
  const digest = itemDigest(files);
  const problems = [...found, ...versionProblems(job.previous, { manifest, digest })];
  const chapters = orderChapters(job.item.folder, manifest, files);
  const index = manifest.kind === 'book' ? reuseIndex(job, manifest, digest, chapters) : undefined;
  const isRead = manifest.kind === 'book' && index === undefined;
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
  const images =
    manifest.sample.length === 0 ? {} : { sampleImages: findSampleImages(job.dataDirectory, edition) };
  const packed = packedProblems(manifest.kind, archives.artefacts.tar.size);
  const made = index ?? makeIndex(job, edition, compileIndex);
  const artefacts = made === null ? edition.artefacts : { ...edition.artefacts, index: made };
  refuseChange(job, files, inputs);
  return {
    edition: { ...edition, ...images, artefacts, warnings: [...problems, ...packed] },
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
function refuseChange(
  { item: { folder }, limits }: RefreshJob,
  files: readonly InspectedFile[],
  inputs: string,
): void {
  const changed = findChanged(folder, files) ?? (inputsHash(folder, limits) === inputs ? null : 'item.yaml');
  if (changed !== null) throw new ChangedWhileRead(changed);
}

type ArchiveSet = {
  readonly files: readonly EditionFile[];
  readonly artefacts: Readonly<Record<ArchiveKind, Artefact>>;
};

/** The archives of the previous edition if they hold these files, else null; `isRead` if an index will be made from them. */
function reuseArchives(
  job: RefreshJob,
  manifest: Manifest,
  digest: string,
  files: readonly InspectedFile[],
  isRead: boolean,
): ArchiveSet | null {
  if (job.rebuild) return null;
  const names = archiveNames(manifest, digest);
  const artefacts = byArchiveKind((kind) => {
    const known = job.previous?.artefacts[kind];
    return known?.name === names[kind] && existsSync(artefactFile(job.dataDirectory, known)) ? known : null;
  });
  if (!isWhole(artefacts)) return null;
  const json = artefacts.files;
  if (isRead && hashFile(artefactFile(job.dataDirectory, json)).sha256 !== json.sha256) return null;
  const records = new Map(job.previous?.files.map((file) => [file.path, file.json]));
  return {
    artefacts,
    files: files.map((file) => ({ ...file, json: records.get(file.path) ?? { start: 0, end: 0 } })),
  };
}

function isWhole(
  artefacts: Readonly<Record<ArchiveKind, Artefact | null>>,
): artefacts is Readonly<Record<ArchiveKind, Artefact>> {
  return Object.values(artefacts).every((artefact) => artefact !== null);
}

function makeArchives(
  job: RefreshJob,
  manifest: Manifest,
  digest: string,
  files: readonly InspectedFile[],
): ArchiveSet {
  const { artefacts, json } = compileArchives({
    folder: job.item.folder,
    slug: manifest.slug,
    files,
    dataDirectory: job.dataDirectory,
    names: archiveNames(manifest, digest),
  });
  return { artefacts, files: files.map((file, n) => ({ ...file, json: json[n] ?? { start: 0, end: 0 } })) };
}

function archiveNames(manifest: Manifest, digest: string) {
  return byArchiveKind((kind) => artefactName(kind, manifest, digest, []));
}

function reuseIndex(
  job: RefreshJob,
  manifest: Manifest,
  digest: string,
  chapters: readonly Chapter[],
): Artefact | undefined {
  const index = job.previous?.artefacts.index;
  if (job.rebuild || index?.name !== artefactName('index', manifest, digest, chapters)) return undefined;
  return existsSync(artefactFile(job.dataDirectory, index)) ? index : undefined;
}

/** The book's index, made from the verified file JSON and not from the folder, which may change at any time. */
function makeIndex(job: RefreshJob, edition: Edition, compileIndex: CompileIndex): Artefact | null {
  const { manifest, digest, chapters } = edition;
  if (manifest.kind !== 'book') return null;
  const temporary = temporaryFile(job.dataDirectory);
  try {
    if (!compileIndex(temporary, { manifest, chapters: readChapters(job.dataDirectory, edition) }))
      return null;
    const { size, sha256 } = hashFile(temporary);
    const artefact: Artefact = {
      kind: 'index',
      name: artefactName('index', manifest, digest, chapters),
      size,
      sha256,
      crc32: 0,
      rawSize: size,
    };
    placeArtefact(job.dataDirectory, artefact, temporary);
    return artefact;
  } finally {
    rmSync(temporary, { force: true });
  }
}

function* readChapters(dataDirectory: string, edition: Edition): Iterable<IndexedChapter> {
  const files = new Map(edition.files.map((file) => [file.path, file]));
  for (const chapter of edition.chapters) {
    const file = files.get(chapter.path);
    if (file !== undefined)
      yield { ...chapter, content: readFileRecord(dataDirectory, edition, file).content };
  }
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
