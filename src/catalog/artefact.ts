import { sha256 } from '../runtime.ts';
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Chapter } from '../item/chapters.ts';
import type { Manifest } from '../item/item.ts';
import { copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises';

/**
 * Every kind of artefact with the version of its format, raised whenever a compiler writes other bytes for the same item.
 * The archives are written in one pass over an item's files; the indexes are made from the finished file JSON: `index` of a
 * book, `sample` of its samples alone, for those who may not read the rest.
 */
const FORMATS = { tar: 1, zip: 1, files: 1, pack: 2, index: 7, sample: 7 } as const;

export type ArtefactKind = keyof typeof FORMATS;

export type IndexKind = 'index' | 'sample';

/** A kind that is written in the pass over an item's files. */
export type ArchiveKind = Exclude<ArtefactKind, IndexKind>;

const KINDS = Object.keys(FORMATS) as ArtefactKind[];
const ARCHIVES = KINDS.filter((kind) => !isIndexKind(kind));

function isIndexKind(kind: Artefact['kind']): kind is IndexKind {
  return kind === 'index' || kind === 'sample';
}

/** A value for every archive kind. */
export const byArchiveKind = <T>(make: (kind: ArchiveKind) => T): Readonly<Record<ArchiveKind, T>> =>
  Object.fromEntries(ARCHIVES.map((kind) => [kind, make(kind)])) as Record<ArchiveKind, T>;

/**
 * One compiled file in the data directory. `name` follows from its inputs, `sha256` from its bytes. `size` is its
 * length in bytes; a tar body also has the CRC-32 and length of the bytes before deflating.
 */
export type Artefact = {
  /** A `skill` and an `epub` belong to no edition: each is made at the first demand. */
  readonly kind: ArtefactKind | 'skill' | 'epub';
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly crc32: number;
  readonly rawSize: number;
  /** A pack's tree and objects; see `PackContent`. */
  readonly content?: { readonly tree: string; readonly objects: number } | null;
};

/** The artefact's name: SHA-256 of kind, format, slug, item digest and, for an index, language, formulas, chapters and the SHA-256 of questions.yaml; a pack's depends on the kind of item. */
export function artefactName(
  kind: ArtefactKind,
  manifest: Pick<Manifest, 'kind' | 'slug' | 'language' | 'aliases' | 'math'>,
  digest: string,
  chapters: readonly Chapter[],
  questions: string | null = null,
): string {
  const parts = [
    kind,
    FORMATS[kind],
    manifest.slug,
    digest,
    ...(kind === 'pack' ? [manifest.kind] : []),
    ...(isIndexKind(kind) ? [manifest.language, chapters, manifest.aliases] : []),
    ...(isIndexKind(kind) && questions !== null ? [questions] : []),
    ...(isIndexKind(kind) && manifest.math ? ['math'] : []),
  ];
  return sha256(JSON.stringify(parts));
}

/** The path of an artefact's file. */
export const artefactFile = (dataDirectory: string, artefact: Pick<Artefact, 'kind' | 'name'>): string =>
  join(dataDirectory, 'artefacts', artefact.name.slice(0, 2), fileNameOf(artefact));

/** The name of an artefact's file in its folder. */
export const fileNameOf = ({ kind, name }: Pick<Artefact, 'kind' | 'name'>): string => `${name}.${kind}`;

/** The names that a compiler gives its files. */
const FILE_NAME = new RegExp(`^[0-9a-f]{64}\\.(${KINDS.join('|')})$`);

/** A new path on the same file system; the finished file is renamed from there. */
export function temporaryFile(dataDirectory: string): string {
  const folder = join(dataDirectory, 'artefacts', 'new');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, crypto.randomUUID());
}

/** Moves a finished file to its artefact's path, replacing a broken one. */
export function placeArtefact(
  dataDirectory: string,
  artefact: Pick<Artefact, 'kind' | 'name'>,
  temporary: string,
): void {
  const place = artefactFile(dataDirectory, artefact);
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  renameSync(temporary, place);
}

/** A missing file means a broken artefact; other system errors, such as too many open files, are not the artefact's fault. */
export function toBrokenArtefact(error: unknown, artefact: Artefact): unknown {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return isMissing ? new BrokenArtefact(artefact) : error;
}

/** Thrown when an artefact's file is missing or differs from the compiled one. */
export class BrokenArtefact extends Error {
  override readonly name = 'BrokenArtefact';
  constructor(artefact: Artefact) {
    super(`Artefact ${artefact.name}.${artefact.kind} is missing or broken`);
  }
}

/** The directory of kept tar bodies, laid out like a data directory's own artefacts. */
export const keptDirectory = (dataDirectory: string): string => join(dataDirectory, 'kept');

/** Keeps a tar body after its edition is superseded: a hard link, or a copy if the file system has none. */
export async function keepTar(dataDirectory: string, tar: Artefact): Promise<void> {
  const [from, to] = [artefactFile(dataDirectory, tar), artefactFile(keptDirectory(dataDirectory), tar)];
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    if (error.code === 'ENOENT' || error.code === 'ENOSPC') throw error;
    await copyFile(from, to);
  });
}

/** A file of an artefact; `name` is that of the file. */
type ArtefactPath = { readonly name: string; readonly file: string };

/** The files of artefacts below a directory of them. */
export async function listArtefacts(dataDirectory: string): Promise<readonly ArtefactPath[]> {
  const root = join(dataDirectory, 'artefacts');
  const found: ArtefactPath[] = [];
  for (const folder of await readdir(root).catch(() => []))
    for (const name of await readdir(join(root, folder)).catch(() => []))
      if (FILE_NAME.test(name)) found.push({ name, file: join(root, folder, name) });
  return found;
}

/** Lists the kept bodies by their file names; see `fileNameOf`. */
export const listKeptBodies = (dataDirectory: string): Promise<readonly ArtefactPath[]> =>
  listArtefacts(keptDirectory(dataDirectory));

/** The size of a body in bytes; 0 for one that was deleted in between. */
export const sizeOfBody = async ({ file }: ArtefactPath): Promise<number> =>
  (await stat(file).catch(() => null))?.size ?? 0;

/** The file name of a tar whose artefact is given as JSON. */
export const keptFileName = (tar: string): string => fileNameOf(JSON.parse(tar) as Artefact);

/** Deletes kept tar bodies. */
export async function removeTars(dataDirectory: string, tars: readonly Artefact[]): Promise<void> {
  for (const tar of tars) await rm(artefactFile(keptDirectory(dataDirectory), tar), { force: true });
}

/** The keys of item.yaml that belong to the files of an edition: they name its paths, or say how to read them. */
const READING_KEYS = ['language', 'cover', 'chapters', 'sample', 'include', 'formats'] as const;
const KEYS = ['version', 'changes', 'signature', ...READING_KEYS] as const;

type EditionKeys = Pick<Manifest, (typeof KEYS)[number]>;

/** The part of a manifest that belongs to its edition's files, as JSON. */
export const pickManifest = (manifest: Manifest): string =>
  JSON.stringify(Object.fromEntries(KEYS.map((key) => [key, manifest[key]])));

/** Today's manifest with the part that belongs to an edition. */
export function mergeManifest(
  today: Manifest,
  { version, manifest: picked }: { readonly version: string | null; readonly manifest: string },
): Manifest {
  return { ...today, signature: null, ...(JSON.parse(picked) as EditionKeys), version };
}

const BUFFER_SIZE = 1 << 19;

/** A file being written: counts and hashes its bytes, buffers small writes. */
export type HashingWriter = {
  readonly write: (bytes: Uint8Array) => void;
  /** Writes the rest and closes; the SHA-256 is lower-case hex. */
  readonly finish: () => { size: number; sha256: string };
  /** Closes the file without finishing it. */
  readonly abandon: () => void;
};

/** Creates a file and a writer to it. Throws system errors, such as ENOSPC of a full disk. */
export function createHashingWriter(file: string): HashingWriter {
  const descriptor = openSync(file, 'wx', 0o600);
  const hasher = new Bun.CryptoHasher('sha256');
  const buffer = Buffer.allocUnsafe(BUFFER_SIZE);
  let filled = 0;
  let size = 0;
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  const flush = (): void => {
    const block = buffer.subarray(0, filled);
    hasher.update(block);
    for (let at = 0; at < filled;) at += writeSync(descriptor, buffer, at, filled - at);
    filled = 0;
  };
  return {
    write(bytes: Uint8Array): void {
      size += bytes.length;
      for (let at = 0; at < bytes.length;) {
        const part = bytes.subarray(at, at + BUFFER_SIZE - filled);
        buffer.set(part, filled);
        filled += part.length;
        at += part.length;
        if (filled === BUFFER_SIZE) flush();
      }
    },
    finish() {
      if (filled > 0) flush();
      // Not synced: if a power cut damages it, its hash shows that when it is opened, and it is compiled again.
      close();
      return { size, sha256: hasher.digest('hex') };
    },
    abandon: close,
  };
}

/** Writes an artefact that is made on demand; `write` gets a function that adds bytes. Leaves nothing behind if it throws. */
export async function writeArtefact(
  directory: string,
  { kind, name }: { readonly kind: 'skill' | 'epub'; readonly name: string },
  write: (put: (bytes: Uint8Array) => void) => void | Promise<void>,
): Promise<Artefact> {
  const temporary = temporaryFile(directory);
  const writer = createHashingWriter(temporary);
  try {
    await write(writer.write);
    const { size, sha256 } = writer.finish();
    const artefact = { kind, name, size, sha256, crc32: 0, rawSize: size } as const;
    placeArtefact(directory, artefact, temporary);
    return artefact;
  } catch (error) {
    writer.abandon();
    rmSync(temporary, { force: true });
    throw error;
  }
}
