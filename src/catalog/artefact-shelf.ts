import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { SPLICE_BUFFER } from '../archive/gzip.ts';
import {
  type Artefact,
  artefactFile,
  BrokenArtefact,
  isIndexKind,
  MEMORY_LIMIT,
  toBrokenArtefact,
} from './artefact.ts';
import { type BlockReader, createBlockReaders } from './block-reader.ts';
import { BLOCK_SIZE } from './hashing-writer.ts';

/** The most memory for artefacts, in bytes. */
const SHELF_SIZE = 64 * 1024 * 1024;
const CHUNK_SIZE = 1 << 18;

/**
 * A verified artefact. A small one is in memory: a tar body in a buffer with `SPLICE_BUFFER` around it, a pack's body in one
 * of its size, any other in a Blob. A large one has neither. Either is read block by block and verified again.
 */
export type OpenedArtefact = {
  readonly file: string;
  readonly blob: Blob | null;
  readonly spliceBuffer: Uint8Array<ArrayBuffer> | null;
  readonly openReader: () => Promise<BlockReader>;
};

/**
 * Opens artefacts and verifies each one the first time. Keeps up to `mostBytes` bytes of small ones in memory, those
 * used last. Throws BrokenArtefact.
 */
export function createArtefactShelf(dataDirectory: string, mostBytes: number = SHELF_SIZE) {
  const verified = new Set<string>();
  const openBlockReader = createBlockReaders();
  const inMemory = new Map<string, OpenedArtefact>();
  let bytesInMemory = 0;

  const remember = (artefact: Artefact, opened: OpenedArtefact): void => {
    if (inMemory.has(artefact.name)) return;
    inMemory.set(artefact.name, opened);
    bytesInMemory += sizeInMemory(opened);
    for (const [oldest, opened] of inMemory) {
      if (bytesInMemory <= mostBytes) break;
      inMemory.delete(oldest);
      bytesInMemory -= sizeInMemory(opened);
    }
  };

  /** The artefact if it is in memory, else null; for the hot path, which must not wait. */
  const peek = (artefact: Artefact): OpenedArtefact | null => {
    const opened = inMemory.get(artefact.name);
    if (opened === undefined) return null;
    // Moved to the end: the first entries are dropped first.
    inMemory.delete(artefact.name);
    inMemory.set(artefact.name, opened);
    return opened;
  };

  const opening = new Map<string, Promise<OpenedArtefact>>();

  /** Shared by all callers while it runs: else a hundred readers of one large artefact would hash it a hundred times. */
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
    const describe = (content: Content, blocks = artefact.blocks): OpenedArtefact => ({
      file,
      ...content,
      openReader: () => openReader(file, blocks === undefined ? artefact : { ...artefact, blocks }),
    });
    // SQLite reads an index from its file: a copy in memory would be of no use.
    const isSmall = !isIndexKind(artefact.kind) && artefact.size <= MEMORY_LIMIT;
    if (!isSmall && verified.has(artefact.name) && isWhole(file, artefact)) return describe(ON_DISK);
    const { bytes, content } = bufferFor(artefact, isSmall);
    await verify(file, artefact, bytes);
    verified.add(artefact.name);
    const opened = describe(content(), bytes === null ? undefined : blocksOf(bytes));
    if (isSmall) remember(artefact, opened);
    return opened;
  };

  /** After a damaged block the next open verifies the whole artefact, so that it is compiled again. */
  const openReader = async (file: string, artefact: Artefact): Promise<BlockReader> => {
    const { read, close } = await openBlockReader(file, artefact);
    const readOrInvalidate: BlockReader['read'] = (at, end) =>
      read(at, end).catch((error: unknown) => {
        invalidate(artefact);
        throw error;
      });
    return { read: readOrInvalidate, close };
  };

  /** Makes the next open verify again. */
  const invalidate = (artefact: Artefact): void => {
    verified.delete(artefact.name);
    const opened = inMemory.get(artefact.name);
    if (opened !== undefined) bytesInMemory -= sizeInMemory(opened);
    inMemory.delete(artefact.name);
  };

  return { peek, open: openArtefact, invalidate };
}

export type ArtefactShelf = ReturnType<typeof createArtefactShelf>;

/** Whether a verified file still has its size: a full disk or a cleanup leaves it empty or missing. */
function isWhole(file: string, artefact: Artefact): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === artefact.size;
}

type Content = Pick<OpenedArtefact, 'blob' | 'spliceBuffer'>;

const ON_DISK: Content = { blob: null, spliceBuffer: null };

/** The buffer for a small artefact's bytes, and its content once they are verified; a large artefact stays on disk. */
function bufferFor(
  { kind, size }: Artefact,
  isSmall: boolean,
): { readonly bytes: Uint8Array<ArrayBuffer> | null; readonly content: () => Content } {
  if (!isSmall) return { bytes: null, content: () => ON_DISK };
  const { before, after } = kind === 'tar' ? SPLICE_BUFFER : { before: 0, after: 0 };
  const spliceBuffer = new Uint8Array(before + size + after);
  return {
    bytes: spliceBuffer.subarray(before, before + size),
    content: () =>
      kind === 'tar' || kind === 'pack'
        ? { blob: null, spliceBuffer }
        : { blob: new Blob([spliceBuffer]), spliceBuffer: null },
  };
}

/** Checksums of a small artefact as a large one has them, so that its file can be sent to readers for whom no memory is kept. */
function blocksOf(bytes: Uint8Array): readonly number[] {
  return Array.from({ length: Math.ceil(bytes.length / BLOCK_SIZE) }, (_, number) =>
    Bun.hash.crc32(bytes.subarray(number * BLOCK_SIZE, (number + 1) * BLOCK_SIZE)),
  );
}

function sizeInMemory({ blob, spliceBuffer }: OpenedArtefact): number {
  return blob?.size ?? spliceBuffer?.length ?? 0;
}

/** Reads a whole file, also into `buffer`, and compares its hash; needs one chunk of memory besides. */
async function verify(
  file: string,
  artefact: Artefact,
  buffer: Uint8Array<ArrayBuffer> | null,
): Promise<void> {
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
