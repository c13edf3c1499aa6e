import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { SPLICE_BUFFER } from '../archive/gzip.ts';
import { artefactFile, type Artefact, toBrokenArtefact, BrokenArtefact, MEMORY_LIMIT } from './artefact.ts';
import { type BlockReader, openBlockReader } from './block-reader.ts';

/** All artefacts kept in memory together, in bytes. */
const SHELF_SIZE = 64 * 1024 * 1024;
const CHUNK_SIZE = 1 << 18;

/**
 * A verified artefact. A small one is in memory: as one Blob, or, a tar body, in a buffer with `SPLICE_BUFFER` around it.
 * A large one has neither and is read block by block, verified again.
 */
export type OpenedArtefact = {
  readonly file: string;
  readonly blob: Blob | null;
  readonly spliceBuffer: Uint8Array<ArrayBuffer> | null;
  readonly openReader: () => Promise<BlockReader>;
};

/**
 * Opens artefacts by name and verifies each the first time this process does. What is in memory is given without a wait;
 * the least recently opened are let go beyond `SHELF_SIZE`. Throws BrokenArtefact.
 */
export function createArtefactShelf(dataDirectory: string) {
  const verified = new Set<string>();
  const inMemory = new Map<string, OpenedArtefact>();
  let held = 0;

  const remember = (artefact: Artefact, opened: OpenedArtefact): void => {
    if (inMemory.has(artefact.name)) return;
    inMemory.set(artefact.name, opened);
    held += sizeInMemory(opened);
    for (const [oldest, opened] of inMemory) {
      if (held <= SHELF_SIZE) break;
      inMemory.delete(oldest);
      held -= sizeInMemory(opened);
    }
  };

  /** What is in memory, else null: the way of a hot path that must not wait. */
  const peek = (artefact: Artefact): OpenedArtefact | null => {
    const opened = inMemory.get(artefact.name);
    if (opened === undefined) return null;
    // Put last again: the first are the first to go.
    inMemory.delete(artefact.name);
    inMemory.set(artefact.name, opened);
    return opened;
  };

  const opening = new Map<string, Promise<OpenedArtefact>>();

  /** Once for all who ask meanwhile: else a hundred readers of a large artefact after a start hash it a hundred times. */
  const openArtefact = (artefact: Artefact): Promise<OpenedArtefact> => {
    const running =
      opening.get(artefact.name) ?? openAlone(artefact).finally(() => opening.delete(artefact.name));
    opening.set(artefact.name, running);
    return running;
  };

  const openAlone = async (artefact: Artefact): Promise<OpenedArtefact> => {
    const known = peek(artefact);
    if (known !== null) return known;
    const file = artefactFile(dataDirectory, artefact);
    const describe = (kept: Kept): OpenedArtefact => ({
      file,
      ...kept,
      openReader: () => openReader(file, artefact),
    });
    // An index is read from its file, by SQLite: memory would hold it for nobody.
    const isSmall = artefact.kind !== 'index' && artefact.size <= MEMORY_LIMIT;
    if (!isSmall && verified.has(artefact.name) && isWhole(file, artefact)) return describe(NOT_KEPT);
    const spliceBuffer = bufferFor(artefact, isSmall);
    await verify(file, artefact, spliceBuffer.bytes);
    verified.add(artefact.name);
    const opened = describe(spliceBuffer.kept());
    if (isSmall) remember(artefact, opened);
    return opened;
  };

  /** Opens it to be sent; a block that turns out wrong has the next open verify all of it, and compile it again. */
  const openReader = async (file: string, artefact: Artefact): Promise<BlockReader> => {
    const { read, close } = await openBlockReader(file, artefact);
    const readOrForget: BlockReader['read'] = (at, end, buffer) =>
      read(at, end, buffer).catch((error: unknown) => {
        forget(artefact);
        throw error;
      });
    return { read: readOrForget, close };
  };

  /** Makes the next open verify again. */
  const forget = (artefact: Artefact): void => {
    verified.delete(artefact.name);
    const opened = inMemory.get(artefact.name);
    if (opened !== undefined) held -= sizeInMemory(opened);
    inMemory.delete(artefact.name);
  };

  return { peek, open: openArtefact, forget };
}

export type ArtefactShelf = ReturnType<typeof createArtefactShelf>;

/** What one look tells of a file that was verified before: a disk that fills or is tidied up leaves it empty or gone. */
function isWhole(file: string, artefact: Artefact): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === artefact.size;
}

type Kept = Pick<OpenedArtefact, 'blob' | 'spliceBuffer'>;

const NOT_KEPT: Kept = { blob: null, spliceBuffer: null };

/** Where a small artefact's bytes go, and what is kept of them once they are verified; a large one is kept nowhere. */
function bufferFor(
  { kind, size }: Artefact,
  isSmall: boolean,
): { readonly bytes: Uint8Array<ArrayBuffer> | null; readonly kept: () => Kept } {
  if (!isSmall) return { bytes: null, kept: () => NOT_KEPT };
  const { before, after } = kind === 'tar' ? SPLICE_BUFFER : { before: 0, after: 0 };
  const spliceBuffer = new Uint8Array(before + size + after);
  return {
    bytes: spliceBuffer.subarray(before, before + size),
    kept: () =>
      kind === 'tar' ? { blob: null, spliceBuffer } : { blob: new Blob([spliceBuffer]), spliceBuffer: null },
  };
}

function sizeInMemory({ blob, spliceBuffer }: OpenedArtefact): number {
  return blob?.size ?? spliceBuffer?.length ?? 0;
}

/** Reads a file whole, also into `kept`, and compares its hash: a large one needs one chunk of memory. */
async function verify(file: string, artefact: Artefact, kept: Uint8Array<ArrayBuffer> | null): Promise<void> {
  const hasher = new Bun.CryptoHasher('sha256');
  let size = 0;
  try {
    await using handle = await open(file, 'r');
    const chunk = new Uint8Array(CHUNK_SIZE);
    for (let read = 1; read > 0; size += read) {
      read = (await handle.read(chunk, 0, CHUNK_SIZE, size)).bytesRead;
      if (size + read > artefact.size) throw new BrokenArtefact(artefact);
      hasher.update(chunk.subarray(0, read));
      kept?.set(chunk.subarray(0, read), size);
    }
  } catch (error) {
    throw toBrokenArtefact(error, artefact);
  }
  if (size !== artefact.size || hasher.digest('hex') !== artefact.sha256) throw new BrokenArtefact(artefact);
}
