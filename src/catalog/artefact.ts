import { sha256 } from '../platform/base/runtime.ts';
import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Chapter } from './chapters.rule.ts';
import type { Manifest } from './item.rule.ts';
import { editionKeys } from './manifest-key.rule.ts';
import { copyFile, link, mkdir, readdir, rm, stat } from 'node:fs/promises';

/**
 * The kinds of artefact (compiled file), each with the version of its format. Raise the version when a compiler writes other
 * bytes for the same item. The first four are written in one pass over an item's files; `files` is JSON with all their
 * contents. Search indexes are made from `files`: `index` from the whole book, `sample` from its samples, for people who may
 * not read the rest.
 */
const FORMATS = { tar: 1, zip: 1, files: 1, pack: 2, index: 8, sample: 8 } as const;

export type ArtefactKind = keyof typeof FORMATS;

export type IndexKind = 'index' | 'sample';

export type ArchiveKind = Exclude<ArtefactKind, IndexKind>;

const KINDS = Object.keys(FORMATS) as ArtefactKind[];
const ARCHIVES = KINDS.filter((kind) => !isIndexKind(kind));

function isIndexKind(kind: Artefact['kind']): kind is IndexKind {
  return kind === 'index' || kind === 'sample';
}

export const byArchiveKind = <T>(make: (kind: ArchiveKind) => T): Readonly<Record<ArchiveKind, T>> =>
  Object.fromEntries(ARCHIVES.map((kind) => [kind, make(kind)])) as Record<ArchiveKind, T>;

/**
 * A compiled file in the data directory. `name` is a hash of everything it was made from, `sha256` is the hash of its bytes,
 * and `size` is its length in bytes. For a tar, `crc32` and `rawSize` are of its bytes before compression.
 */
export type Artefact = {
  /** A `skill` or `epub` is none of an edition's artefacts: it is made when a reader asks for it. */
  readonly kind: ArtefactKind | 'skill' | 'epub';
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
  readonly crc32: number;
  readonly rawSize: number;
  readonly content?: { readonly tree: string; readonly objects: number } | null;
};

/**
 * Returns an artefact's name: the SHA-256 of everything that its bytes depend on. That is its kind and format, and the item's
 * slug and digest; for an index also language, aliases, formulas, chapters and questions.yaml; for a pack also the kind of
 * item.
 */
export function artefactName(
  kind: ArtefactKind,
  {
    manifest,
    digest,
    chapters,
    questions = null,
  }: {
    readonly manifest: Pick<Manifest, 'kind' | 'slug' | 'language' | 'aliases' | 'math'>;
    readonly digest: string;
    readonly chapters: readonly Chapter[];
    readonly questions?: string | null;
  },
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

export const artefactFile = (dataDirectory: string, artefact: Pick<Artefact, 'kind' | 'name'>): string =>
  join(dataDirectory, 'artefacts', artefact.name.slice(0, 2), fileNameOf(artefact));

export const fileNameOf = ({ kind, name }: Pick<Artefact, 'kind' | 'name'>): string => `${name}.${kind}`;

const FILE_NAME = new RegExp(`^[0-9a-f]{64}\\.(${KINDS.join('|')})$`);

/** Returns an unused path on the same file system as the artefacts, so that the finished file can be renamed to its place. */
export function temporaryFile(dataDirectory: string): string {
  const folder = join(dataDirectory, 'artefacts', 'new');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return join(folder, crypto.randomUUID());
}

export function placeArtefact(
  dataDirectory: string,
  artefact: Pick<Artefact, 'kind' | 'name'>,
  temporary: string,
): void {
  const place = artefactFile(dataDirectory, artefact);
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  renameSync(temporary, place);
}

/**
 * Returns the error to throw when an artefact cannot be read: BrokenArtefact if its file is missing. Other system errors,
 * such as too many open files, are not the artefact's fault and are returned as they are.
 */
export function toBrokenArtefact(error: unknown, artefact: Artefact): unknown {
  const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
  return isMissing ? new BrokenArtefact(artefact) : error;
}

export class BrokenArtefact extends Error {
  override readonly name = 'BrokenArtefact';
  constructor(artefact: Artefact) {
    super(`Artefact ${artefact.name}.${artefact.kind} is missing or broken`);
  }
}

/** The folder of the packs that were made for git clients and that hold more than the served edition. */
export const packDirectory = (dataDirectory: string): string => join(dataDirectory, 'packs');

export const keptDirectory = (dataDirectory: string): string => join(dataDirectory, 'kept');

/**
 * Adds an edition's tar to the folder `kept`, where it stays after the edition is superseded: as a hard link, or as a copy if
 * the file system has no links.
 */
export async function keepTar(dataDirectory: string, tar: Artefact): Promise<void> {
  const [from, to] = [artefactFile(dataDirectory, tar), artefactFile(keptDirectory(dataDirectory), tar)];
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code === 'EEXIST') return;
    if (error.code === 'ENOENT' || error.code === 'ENOSPC') throw error;
    await copyFile(from, to);
  });
}

type ArtefactPath = { readonly name: string; readonly file: string };

export async function listArtefacts(dataDirectory: string): Promise<readonly ArtefactPath[]> {
  const root = join(dataDirectory, 'artefacts');
  const found: ArtefactPath[] = [];
  for (const folder of await readdir(root).catch(() => []))
    for (const name of await readdir(join(root, folder)).catch(() => []))
      if (FILE_NAME.test(name)) found.push({ name, file: join(root, folder, name) });
  return found;
}

export const listKeptBodies = (dataDirectory: string): Promise<readonly ArtefactPath[]> =>
  listArtefacts(keptDirectory(dataDirectory));

/** Returns the size in bytes of a superseded edition's tar; 0 if it was deleted since it was listed. */
export const sizeOfBody = async ({ file }: ArtefactPath): Promise<number> =>
  (await stat(file).catch(() => null))?.size ?? 0;

export const keptFileName = (tar: string): string => fileNameOf(JSON.parse(tar) as Artefact);

export async function removeTars(dataDirectory: string, tars: readonly Artefact[]): Promise<void> {
  for (const tar of tars) await rm(artefactFile(keptDirectory(dataDirectory), tar), { force: true });
}

const KEYS = ['signature', 'needs', ...editionKeys] as const;

/** Returns as JSON the values of a manifest that belong to this one edition of the item, such as its version. */
export const pickManifest = (manifest: Manifest): string =>
  JSON.stringify(Object.fromEntries(KEYS.map((key) => [key, manifest[key]])));

export const isPicked = (manifest: Manifest, picked: string): boolean =>
  Bun.deepEquals(JSON.parse(pickManifest(manifest)), JSON.parse(picked));

export function mergeManifest(
  today: Manifest,
  { version, manifest: picked }: { readonly version: string | null; readonly manifest: string },
): Manifest {
  const { needs: _, ...others } = today;
  return {
    ...others,
    signature: null,
    ...(JSON.parse(picked) as Pick<Manifest, (typeof KEYS)[number]>),
    version,
  };
}

const BUFFER_SIZE = 1 << 19;

/** Creates a file and a writer to it. Throws system errors, such as ENOSPC of a full disk. */
export function createHashingWriter(file: string) {
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
      // The file is not synced to disk: if a power cut damages it, the next opening finds another hash, and the file is
      // compiled again.
      close();
      return { size, sha256: hasher.digest('hex') };
    },
    abandon: close,
  };
}

export type HashingWriter = ReturnType<typeof createHashingWriter>;

export async function writeArtefact(
  directory: string,
  { kind, name }: Pick<Artefact, 'name'> & { readonly kind: 'skill' | 'epub' | 'pack' },
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
