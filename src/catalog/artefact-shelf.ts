import { statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { artefactFile, type Artefact } from './artefact.ts';

/** Artefacts up to this size are kept in memory and sent with a Content-Length. */
export const MEMORY_LIMIT = 8 * 1024 * 1024;

/** All artefacts kept in memory together, in bytes. */
const SHELF_SIZE = 64 * 1024 * 1024;
const CHUNK_SIZE = 1 << 18;

/** Thrown where an artefact's file is missing or not what was compiled. */
export class BrokenArtefact extends Error {
  override readonly name = 'BrokenArtefact';
  constructor(readonly artefact: Artefact) {
    super(`Artefact ${artefact.name}.${artefact.kind} is missing or broken`);
  }
}

/** A verified artefact: its file, and its bytes as one cached Blob where it is small. */
export type OpenedArtefact = { readonly file: string; readonly blob: Blob | null };

/**
 * Opens artefacts by name and verifies each the first time this process does. What is in memory is given without a wait;
 * the least recently opened are let go beyond `SHELF_SIZE`. Throws BrokenArtefact.
 */
export function createArtefactShelf(dataDirectory: string) {
  const verified = new Set<string>();
  const inMemory = new Map<string, Blob>();
  let held = 0;

  const remember = (key: string, blob: Blob): void => {
    inMemory.set(key, blob);
    held += blob.size;
    for (const [oldest, { size }] of inMemory) {
      if (held <= SHELF_SIZE) break;
      inMemory.delete(oldest);
      held -= size;
    }
  };

  /** The bytes if they are in memory, else null: the way of a hot path that must not wait. */
  const peek = (artefact: Artefact): Blob | null => {
    const blob = inMemory.get(artefact.name);
    if (blob === undefined) return null;
    inMemory.delete(artefact.name);
    inMemory.set(artefact.name, blob);
    return blob;
  };

  const openArtefact = async (artefact: Artefact): Promise<OpenedArtefact> => {
    const file = artefactFile(dataDirectory, artefact);
    const isSmall = artefact.size <= MEMORY_LIMIT;
    const blob = peek(artefact);
    if (blob !== null || (!isSmall && verified.has(artefact.name) && isWhole(file, artefact)))
      return { file, blob };
    const bytes = await readVerified(file, artefact, isSmall);
    verified.add(artefact.name);
    if (bytes === null) return { file, blob: null };
    const loaded = new Blob([bytes]);
    if (!inMemory.has(artefact.name)) remember(artefact.name, loaded);
    return { file, blob: loaded };
  };

  /** Makes the next open verify again. */
  const forget = (artefact: Artefact): void => {
    verified.delete(artefact.name);
    held -= inMemory.get(artefact.name)?.size ?? 0;
    inMemory.delete(artefact.name);
  };

  return { peek, open: openArtefact, forget };
}

export type ArtefactShelf = ReturnType<typeof createArtefactShelf>;

/** What one look tells of a file that was verified before: a disk that fills or is tidied up leaves it empty or gone. */
function isWhole(file: string, artefact: Artefact): boolean {
  return statSync(file, { throwIfNoEntry: false })?.size === artefact.size;
}

/** Reads a file whole and compares its hash; keeps the bytes only where asked, so that a large one needs one chunk. */
async function readVerified(
  file: string,
  artefact: Artefact,
  keep: boolean,
): Promise<Uint8Array<ArrayBuffer> | null> {
  const hasher = new Bun.CryptoHasher('sha256');
  const kept = keep ? new Uint8Array(artefact.size) : null;
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
  } catch {
    throw new BrokenArtefact(artefact);
  }
  if (size !== artefact.size || hasher.digest('hex') !== artefact.sha256) throw new BrokenArtefact(artefact);
  return kept;
}
