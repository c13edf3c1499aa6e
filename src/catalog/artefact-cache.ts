import { rmSync, statSync } from 'node:fs';
import { TRAILER } from './archive/gzip.ts';
import { open } from 'node:fs/promises';
import {
  type Artefact,
  artefactFile,
  BrokenArtefact,
  fileNameOf,
  listArtefacts,
  toBrokenArtefact,
} from './artefact.ts';
import type { Edition } from './catalog.ts';
import { createKept, createOnce } from '../platform/base/cache.ts';
import { createTurns } from '../platform/base/turn.ts';

/** The maximum bytes of all artefacts in memory together. One of more than `LARGEST_CACHED` bytes is never kept in memory. */
const CACHE_SIZE = 64 * 1024 * 1024;
const LARGEST_CACHED = 256 * 1024;
const CHUNK_SIZE = 1 << 18;

/**
 * The free bytes before and after a small tar in memory: each answer writes its reader's install record before the tar, and a
 * trailer behind it.
 */
export const ROOM = { before: 4096, after: TRAILER };

/**
 * An artefact whose hash was verified. `bytes` is a small tar or pack in memory, to which each answer adds its own parts; null
 * for any other artefact, which is read from `file`.
 */
export type OpenedArtefact = { readonly file: string; readonly bytes: Uint8Array<ArrayBuffer> | null };

/**
 * Opens artefacts, and keeps the small ones that were used last in memory. Verifies the hash whenever an artefact is loaded
 * into memory; for one that is not, at the first opening and after its file was replaced. Throws BrokenArtefact if the hash
 * differs.
 */
export function createArtefactCache(dataDirectory: string, mostBytes: number = CACHE_SIZE) {
  const verified = new Map<string, string>();
  const inMemory = createKept<OpenedArtefact>(mostBytes, ({ bytes }) => bytes?.buffer.byteLength ?? 0);
  const opening = createOnce<OpenedArtefact>();

  /** Returns the artefact if it is in memory, else null. It never waits, so that frequent requests can try it first. */
  const peek = ({ name }: Artefact): OpenedArtefact | null => inMemory.get(name) ?? null;

  const openAlone = async (artefact: Artefact): Promise<OpenedArtefact> => {
    const known = peek(artefact);
    if (known !== null) return known;
    const file = artefactFile(dataDirectory, artefact);
    const { kind, name, size } = artefact;
    const isKept = (kind === 'tar' || kind === 'pack') && size <= LARGEST_CACHED;
    const bytes = isKept
      ? new Uint8Array(ROOM.before + size + ROOM.after).subarray(ROOM.before, -ROOM.after)
      : null;
    const stamp = stampOf(file);
    if (bytes === null && stamp !== undefined && verified.get(name) === stamp) return { file, bytes };
    await verify(file, artefact, bytes);
    if (stamp !== undefined) verified.set(name, stamp);
    const opened = { file, bytes };
    if (bytes !== null) inMemory.set(name, opened);
    return opened;
  };

  const invalidate = ({ name }: Artefact): void => {
    verified.delete(name);
    inMemory.drop(name);
  };

  return {
    peek,
    invalidate,
    /**
     * Opens an artefact. Simultaneous calls for one artefact share a single opening: otherwise a hundred readers would hash a
     * large artefact a hundred times.
     */
    open: (artefact: Artefact): Promise<OpenedArtefact> =>
      opening.run(artefact.name, () => openAlone(artefact)),
  };
}

export type ArtefactCache = ReturnType<typeof createArtefactCache>;

/**
 * Describes a file by inode, size and modification time, so that a replaced file is noticed; undefined if the file is missing.
 */
function stampOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.ino} ${found.size} ${found.mtimeMs}`;
}

async function verify(file: string, artefact: Artefact, buffer: Uint8Array<ArrayBuffer> | null) {
  const hasher = new Bun.CryptoHasher('sha256');
  let size = 0;
  try {
    await using handle = await open(file, 'r');
    const chunk = new Uint8Array(CHUNK_SIZE);
    for (let read = 1; read > 0; size += read) {
      read = (await handle.read(chunk, 0, CHUNK_SIZE, size)).bytesRead;
      if (size + read > artefact.size) throw new BrokenArtefact(artefact);
      hasher.update(chunk.subarray(0, read));
      buffer?.set(chunk.subarray(0, read), size);
    }
  } catch (error) {
    throw toBrokenArtefact(error, artefact);
  }
  if (size !== artefact.size || hasher.digest('hex') !== artefact.sha256) throw new BrokenArtefact(artefact);
}

/**
 * The time between two scans, in milliseconds. A response that began before the catalog stopped naming an artefact may still
 * open it.
 */
const GRACE = 10_000;

/**
 * Removes the artefacts that no edition refers to, once two scans, `grace` milliseconds apart, found them unused. `named` gives
 * the editions in use. `isQuiet` is false during a compile, since no edition refers to its new artefacts yet. A response that
 * already opened a file can read it to its end.
 */
export function createArtefactGc(
  dataDirectory: string,
  given: {
    readonly named: () => Iterable<Edition>;
    readonly isQuiet: () => boolean;
    readonly grace?: number | undefined;
  },
) {
  const { named, isQuiet, grace = GRACE } = given;
  let suspects: ReadonlySet<string> = new Set();
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isClosed = false;

  const scan = async (): Promise<void> => {
    timer = null;
    if (!isQuiet()) return;
    const editions = [...named()];
    const unnamed = await findUnnamed(dataDirectory, editions);
    if (isClosed || !isQuiet()) return;
    if (!isSame(editions, [...named()])) return start();
    // There must be no `await` below: a compile that began meanwhile could write one of these files again.
    for (const { name, file } of unnamed) if (suspects.has(name)) rmSync(file, { force: true });
    const left = unnamed.filter(({ name }) => !suspects.has(name));
    suspects = new Set(left.map(({ name }) => name));
    if (left.length > 0) start();
  };

  const start = (): void => {
    timer ??= setTimeout(() => void scan(), grace).unref();
  };

  return {
    start,
    close(): void {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/**
 * Finds the artefacts on disk that none of these editions refers to. Works in slices, since comparing the hundred
 * thousand artefacts of ten thousand editions at once would delay every request by 60 ms.
 */
async function findUnnamed(dataDirectory: string, editions: readonly Edition[]) {
  const turn = createTurns();
  const wanted = new Set<string>();
  for (const { artefacts } of editions) {
    for (const artefact of Object.values(artefacts)) wanted.add(fileNameOf(artefact));
    await turn();
  }
  return (await listArtefacts(dataDirectory)).filter(({ name }) => !wanted.has(name));
}

const isSame = (one: readonly Edition[], other: readonly Edition[]): boolean =>
  one.length === other.length && one.every((edition, n) => edition === other[n]);
