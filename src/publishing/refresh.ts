import { unpackTar } from '../catalog/unpack-edition.ts';
import { QUESTIONS } from '../catalog/questions.rule.ts';
import { findNotes } from '../catalog/changelog.rule.ts';
import { itemDigest, type Manifest } from '../catalog/item.rule.ts';
import { isReadable } from '../catalog/chapter-limit.rule.ts';
import { packedProblems } from '../catalog/limit.rule.ts';
import { error, type Problem, quote, warning } from '../platform/base/problem.ts';
import { messageOf } from '../platform/base/refusal.ts';
import { type CompileIndex, makeIndexes, planIndexes } from '../asking/book-index.ts';
import { orderChapters, orderTexts } from '../catalog/text-order.ts';
import { readFileRecord } from '../catalog/file-record.ts';
import { ChangedWhileRead, compileArchives } from './compile.ts';
import { type Changes, type ComparedFile, compareFiles } from '../catalog/file-changes.ts';
import type { Edition } from '../catalog/catalog.ts';
import type { Refreshed, RefreshJob, ItemFolder } from '../catalog/compile-job.ts';
import {
  hasStampOf,
  inputsHash,
  type InspectedFile,
  inspectItem,
  isError,
  itemProblems,
  readChangelog,
  walkItem,
} from './scan.ts';
import { readText, hashFile } from '../catalog/file-scan.ts';
import { existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { QUOTES, QUOTES_SIGNATURE, SIGNATURE, SIGNED } from '../catalog/edition-signature.rule.ts';
import { OWN_FILES } from '../catalog/ignore.rule.ts';
import { readSectionQuestions } from '../asking/section-questions.ts';
import { isMarkdown, playerOf } from '../catalog/path.rule.ts';
import { shownPicture } from '../catalog/picture.rule.ts';
import {
  type ArchiveKind,
  type Artefact,
  artefactFile,
  artefactName,
  byArchiveKind,
  keptDirectory,
  temporaryFile,
} from '../catalog/artefact.ts';
import { bookSkillFiles } from '../catalog/book-skill.rule.ts';
import { picturesIn } from '../platform/base/markdown-link.ts';
import { picturesOf } from '../catalog/chapters.rule.ts';

const ATTEMPTS = 5;

/**
 * Reads an item's folder, compiles the artefacts that are missing, and returns the edition to serve. Runs in a Worker;
 * never throws.
 */
export function refreshItem(
  job: RefreshJob,
  compileIndex: CompileIndex,
  now: () => number = Date.now,
): Refreshed {
  for (let attempt = 1; ; attempt++) {
    try {
      // The first attempt trusts the inode and times stored with each hash. If a file has changed all the same, others may
      // have too: the further attempts hash every file.
      return refreshOnce(job, attempt === 1 ? job.previous : null, compileIndex, now);
    } catch (cause) {
      const isChanging = cause instanceof ChangedWhileRead;
      // With `settledBefore` there is no second attempt: the item is still being edited, and the watcher will try again.
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
  // Hashed before the item is read, so that the next publish notices a change made during the reading.
  const inputs = inputsHash(job.item, job.limits);
  const { manifest, files, problems: found } = inspectItem(job.item, job.limits, stamped, now);
  refuseLateChange(job, now);
  if (manifest === null) return { edition: null, problems: found, isChanging: false };
  const digest = itemDigest(files);
  const order = orderTexts(job.item.folder, manifest, files);
  const chapters = orderChapters(job.item.folder, manifest, files, order);
  const questions = job.item.sharesQuestions
    ? null
    : readSectionQuestions(job.item.folder, manifest, chapters);
  const problems = [
    ...itemProblems({ problems: found, order, files, questions, isCheck: false }),
    ...versionProblems(job.previous, { manifest, digest }),
  ];
  const indexes = planIndexes(job, { manifest, digest, chapters, questions });
  const isRead = indexes.some(({ made }) => made === null);
  const content = { manifest, digest, files };
  const archives = reuseArchives(job, content, isRead) ?? makeArchives(job, content);
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
      ...(job.item.isPushed === true ? { isPushed: true } : {}),
      ...(sampleImages.length === 0 ? {} : { sampleImages }),
      ...(questions === null ? {} : { questions: questions.coverage }),
      artefacts,
      warnings: [...problems, ...packed],
    },
    problems: [...problems, ...packed],
    isChanging: false,
  };
}

/**
 * Throws ChangedWhileRead if the item changed after `settledBefore`, since its editor may have saved only some of the
 * files.
 */
function refuseLateChange({ item, settledBefore }: RefreshJob, now: () => number): void {
  const late =
    settledBefore === null || item.isPushed === true ? null : findChangedAfter(item, settledBefore, now());
  if (late !== null) throw new ChangedWhileRead(late);
}

function refuseChange({ item, limits }: RefreshJob, files: readonly InspectedFile[], inputs: string): void {
  const changed = findChanged(item, files) ?? (inputsHash(item, limits) === inputs ? null : 'item.yaml');
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
    'Check free space and permissions of the data directory, and that the item stays in place and the user of the stall may read it',
  );
}

function findChanged(item: ItemFolder, inspected: readonly InspectedFile[]): string | null {
  const before = new Map(inspected.map((file) => [file.path, file]));
  for (const file of walkItem(item).files) {
    const known = before.get(file.path);
    if (known === undefined || file.executable !== known.executable || !hasStampOf(file, known))
      return file.path;
    before.delete(file.path);
  }
  return [...before.keys()][0] ?? null;
}

/**
 * Returns the path of a file whose ctime is later than `time`, in milliseconds since 1970; null if there is none. A ctime
 * later than `now` does not count: the clock must have been set back.
 */
function findChangedAfter(item: ItemFolder, time: number, now: number): string | null {
  const isLate = (changed: bigint): boolean => Number(changed) > time && Number(changed) <= now;
  const own = OWN_FILES[item.kind].flatMap((path) => {
    const stat = lstatSync(join(item.folder, path), { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? [] : [{ path, stat }];
  });
  return [...own, ...walkItem(item).files].find(({ stat }) => isLate(stat.ctimeMs))?.path ?? null;
}

/**
 * A superseded edition to compile again: its stored tar, its digest, and the manifest to serve it with; see `mergeManifest`.
 */
export type Restoration = { readonly tar: Artefact; readonly digest: string; readonly manifest: Manifest };

/**
 * Compiles a superseded edition again from its stored tar, in a Worker. If the tar is missing or damaged, returns a
 * problem.
 */
export async function restoreItem(
  job: RefreshJob,
  { tar, digest, manifest }: Restoration,
  compileIndex: CompileIndex,
): Promise<Refreshed> {
  const folder = temporaryFile(job.dataDirectory);
  try {
    const body = artefactFile(keptDirectory(job.dataDirectory), tar);
    if (hashFile(body).sha256 !== tar.sha256) throw new Error('its archive is damaged');
    mkdirSync(folder, { mode: 0o700 });
    await unpackTar(body, folder);
    writeFileSync(join(folder, 'item.yaml'), toItemYaml(manifest));
    const sharesQuestions = existsSync(join(folder, QUESTIONS));
    const isAsked = manifest.kind === 'book' && !sharesQuestions;
    const questions = isAsked ? readText(job.item.folder, QUESTIONS) : null;
    if (questions !== null) writeFileSync(join(folder, QUESTIONS), questions);
    if (manifest.signature != null) {
      writeFileSync(join(folder, SIGNATURE), manifest.signature.armored);
      writeFileSync(join(folder, SIGNED), manifest.signature.text);
      const { quotes } = manifest.signature;
      if (quotes != null) {
        writeFileSync(join(folder, QUOTES_SIGNATURE), quotes.armored);
        writeFileSync(join(folder, QUOTES), quotes.text);
      }
    }
    const item = { ...job.item, kind: manifest.kind, slug: manifest.slug, folder, sharesQuestions };
    const { edition, problems } = refreshItem({ ...job, item, previous: null }, compileIndex);
    const problem = problems.find(isError);
    if (problem !== undefined) throw new Error(problem.sentence);
    if (edition?.digest !== digest) throw new Error('its archive holds other files');
    return { edition, problems, isChanging: false };
  } catch (cause) {
    return { edition: null, problems: [cannotRestore(manifest, cause)], isChanging: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Writes a manifest as an item.yaml: JSON is YAML too. */
function toItemYaml({ kind: _, slug: __, signature: ___, needs: ____, ...values }: Manifest): string {
  const chapters = values.chapters?.map((entry) =>
    'path' in entry && entry.title === null && entry.level === 1 ? entry.path : entry,
  );
  return JSON.stringify({ ...values, chapters }, (_____, value: unknown) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && !isEmpty(one)));
  });
}

const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.keys(value).length === 0);

const cannotRestore = ({ version }: Manifest, cause: unknown): Problem =>
  error(
    'cannot-roll-back',
    '',
    `Cannot serve the edition ${version === null ? 'it was rolled back to' : quote(version)}: ${messageOf(cause)}`,
    'Roll back to another one; "bookstall editions" lists them',
  );

type ArchiveSet = ReturnType<typeof makeArchives>;

type ItemContent = {
  readonly manifest: Manifest;
  readonly digest: string;
  readonly files: readonly InspectedFile[];
};

/**
 * Returns the previous edition's archives if they are on disk and hold these files, else null. With `isRead`, search
 * indexes will be made from the JSON file with all contents, so its hash must be right.
 */
function reuseArchives(
  job: RefreshJob,
  { manifest, digest, files }: ItemContent,
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

const isWhole = (
  artefacts: Readonly<Record<ArchiveKind, Artefact | null>>,
): artefacts is Readonly<Record<ArchiveKind, Artefact>> =>
  Object.values(artefacts).every((artefact) => artefact !== null);

function makeArchives(job: RefreshJob, { manifest, digest, files }: ItemContent) {
  const { artefacts, json } = compileArchives({
    folder: job.item.folder,
    slug: manifest.slug,
    files,
    packed: manifest.kind === 'skill' ? files : bookSkillFiles(files),
    dataDirectory: job.dataDirectory,
    names: archiveNames(manifest, digest),
  });
  return { artefacts, files: files.map((file, n) => ({ ...file, json: json[n] ?? { start: 0, end: 0 } })) };
}

const archiveNames = (manifest: Manifest, digest: string) =>
  byArchiveKind((kind) => artefactName(kind, { manifest, digest, chapters: [] }));

/**
 * Lists the images and recordings that public texts of an item show: its samples, its description and the texts about
 * its authors. Anyone may load these files.
 */
function findSampleImages(dataDirectory: string, edition: Edition): readonly string[] {
  const { manifest, files } = edition;
  const samples = files.filter(
    (file) => isReadable(file) && isMarkdown(file.path) && manifest.sample.includes(file.path),
  );
  const shown = new Set([
    ...picturesOf(manifest),
    ...samples.flatMap((file) => picturesIn(readFileRecord(dataDirectory, edition, file).content, file.path)),
  ]);
  return files
    .map(({ path }) => path)
    .filter((path) => shown.has(path) && (shownPicture(path) ?? playerOf(path)) !== null);
}

/**
 * Compares the files with those of the previous edition; if there is none, all count as added. If the digest is the
 * same, the changes that the previous edition recorded are returned.
 */
function changesSince(previous: Edition | null, digest: string, files: readonly ComparedFile[]): Changes {
  if (previous === null) return { added: files.length, changed: 0, removed: 0 };
  if (previous.digest !== digest) return compareFiles(previous.files, files);
  return previous.changes ?? { added: files.length, changed: 0, removed: 0 };
}

const SAME_VERSION = 'same-version';
const OTHER_VERSION = 'other-version';

/** Warns if files changed but not the version, or the version but no file. Repeats the warning while both stay the same. */
function versionProblems(
  previous: Edition | null,
  { manifest: { version }, digest }: Pick<Edition, 'manifest' | 'digest'>,
): readonly Problem[] {
  const before = previous?.manifest.version ?? null;
  if (previous === null || version === null || before === null) return [];
  const isSame = previous.digest === digest;
  if (isSame && before === version)
    return previous.warnings.filter(({ code }) => code === SAME_VERSION || code === OTHER_VERSION);
  // Here a new version without changed files is no mistake: the warning SAME_VERSION asked for it.
  if (isSame && previous.warnings.some(({ code }) => code === SAME_VERSION)) return [];
  if (isSame) return [renamedEdition(before, version)];
  if (before !== version) return [];
  const sentence = `Files changed, but the version is still ${quote(version)}`;
  return [
    warning(SAME_VERSION, 'item.yaml', sentence, 'Raise "version", so that readers can tell the two apart'),
  ];
}

const renamedEdition = (before: string, version: string): Problem =>
  warning(
    OTHER_VERSION,
    'item.yaml',
    `No file changed: the edition ${quote(before)} is now called ${quote(version)}, and ${quote(before)} cannot be installed`,
    `Write "version: ${before}" again if readers pin it, and raise the version with the next change of a file`,
  );
