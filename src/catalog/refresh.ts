import { existsSync, rmSync } from 'node:fs';
import { readingOrder } from '../item/chapters.ts';
import { itemDigest } from '../item/digest.ts';
import type { Chapter, Manifest } from '../item/item.ts';
import { packedProblems, type Limits } from '../item/limit.ts';
import { error, type Problem } from '../item/problem.ts';
import { artefactFile, artefactName, temporaryFile, type Artefact } from './artefact.ts';
import { ChangedWhileRead, compileArchives, placeArtefact } from './compile.ts';
import type { Edition, EditionFile } from './edition.ts';
import { hashFile } from './hash.ts';
import { inspectItem, type InspectedFile } from './inspect.ts';
import { inputsHash } from './up-to-date.ts';
import { readFileRecord } from './file-record.ts';
import { readText, type ItemFolder } from './scan.ts';

/** The port that search fills: writes a book's index to a new file; false where the book has no text to index. */
export type CompileIndex = (
  file: string,
  book: { readonly manifest: Manifest; readonly chapters: Iterable<IndexedChapter> },
) => boolean;

export type IndexedChapter = Chapter & { readonly content: string };

/** One item to bring up to date. `rebuild` names an artefact that turned out broken and must be made again. */
export type RefreshJob = {
  readonly item: ItemFolder;
  readonly previous: Edition | null;
  readonly dataDirectory: string;
  readonly limits: Limits;
  readonly rebuild: boolean;
};

/** `edition` is null where the item has an error; then its last good edition stays. */
export type Refreshed = { readonly edition: Edition | null; readonly problems: readonly Problem[] };

const ATTEMPTS = 5;

/** Reads an item's folder, compiles what its artefacts do not hold yet, and gives the edition to serve. Runs in a Worker. */
export function refreshItem(
  job: RefreshJob,
  compileIndex: CompileIndex,
  now: () => number = Date.now,
): Refreshed {
  for (let attempt = 1; ; attempt++) {
    try {
      // After a mismatch no stamp is trusted: one that lies would lie again.
      return refreshOnce(job, attempt === 1 ? job.previous : null, compileIndex, now);
    } catch (cause) {
      if (cause instanceof ChangedWhileRead && attempt < ATTEMPTS) continue;
      return { edition: null, problems: [compileProblem(cause)] };
    }
  }
}

function refreshOnce(
  job: RefreshJob,
  stamped: Edition | null,
  compileIndex: CompileIndex,
  now: () => number,
): Refreshed {
  // Before the item is read: what changes in between is judged again next time.
  const judged = inputsHash(job.item.folder, job.limits);
  const { manifest, files, problems } = inspectItem(job.item, job.limits, stamped, now);
  if (manifest === null) return { edition: null, problems };
  const digest = itemDigest(files);
  const chapters = manifest.kind === 'book' ? orderChapters(job.item.folder, manifest, files) : [];
  const index = manifest.kind === 'book' ? keepIndex(job, manifest, digest, chapters) : undefined;
  const isRead = manifest.kind === 'book' && index === undefined;
  const archives =
    keepArchives(job, manifest, digest, files, isRead) ?? makeArchives(job, manifest, digest, files);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  const edition = {
    manifest,
    files: archives.files,
    digest,
    size,
    chapters,
    artefacts: { ...archives.artefacts },
    warnings: problems,
    inputsHash: judged,
  };
  const packed = packedProblems(manifest.kind, archives.artefacts.tar.size);
  const made = index ?? makeIndex(job, edition, compileIndex);
  const artefacts = made === null ? edition.artefacts : { ...edition.artefacts, index: made };
  return {
    edition: { ...edition, artefacts, warnings: [...problems, ...packed] },
    problems: [...problems, ...packed],
  };
}

type ArchiveSet = {
  readonly files: readonly EditionFile[];
  readonly artefacts: Readonly<Record<'tar' | 'zip' | 'files', Artefact>>;
};

/** The archives of the previous edition, where they are those of these files; verified where an index is made from them. */
function keepArchives(
  job: RefreshJob,
  manifest: Manifest,
  digest: string,
  files: readonly InspectedFile[],
  isRead: boolean,
): ArchiveSet | null {
  const names = archiveNames(manifest, digest);
  const { tar, zip, files: json } = job.previous?.artefacts ?? {};
  if (tar?.name !== names.tar || zip?.name !== names.zip || json?.name !== names.files) return null;
  const artefacts = { tar, zip, files: json };
  if (
    job.rebuild ||
    !Object.values(artefacts).every((one) => existsSync(artefactFile(job.dataDirectory, one)))
  )
    return null;
  if (isRead && hashFile(artefactFile(job.dataDirectory, json)).sha256 !== json.sha256) return null;
  const records = new Map(job.previous?.files.map((file) => [file.path, file.json]));
  return {
    artefacts,
    files: files.map((file) => ({ ...file, json: records.get(file.path) ?? { start: 0, end: 0 } })),
  };
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
  const name = (kind: 'tar' | 'zip' | 'files') => artefactName(kind, manifest, digest, []);
  return { tar: name('tar'), zip: name('zip'), files: name('files') };
}

function keepIndex(
  job: RefreshJob,
  manifest: Manifest,
  digest: string,
  chapters: readonly Chapter[],
): Artefact | undefined {
  const index = job.previous?.artefacts.index;
  if (job.rebuild || index?.name !== artefactName('index', manifest, digest, chapters)) return undefined;
  return existsSync(artefactFile(job.dataDirectory, index)) ? index : undefined;
}

/** The book's index, made from the file JSON just verified and not from the folder, which may change meanwhile. */
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

function orderChapters(
  folder: string,
  manifest: Manifest,
  files: readonly InspectedFile[],
): readonly Chapter[] {
  const textPaths = files.filter((file) => file.text).map((file) => file.path);
  const summaryPath = ['SUMMARY.md', 'src/SUMMARY.md'].find((path) => textPaths.includes(path)) ?? '';
  return readingOrder({
    manifest,
    textPaths,
    summary: summaryPath === '' ? null : readText(folder, summaryPath),
    summaryPath,
  });
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
  const reason = cause instanceof Error ? cause.message : String(cause);
  return error(
    'cannot-compile',
    '',
    `Cannot compile the item: ${reason}`,
    'Check free space and permissions of the data directory, and that the item stays in place',
  );
}
