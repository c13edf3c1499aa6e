import type { FileHandle } from 'node:fs/promises';
import { type Artefact, BrokenArtefact } from './artefact.ts';
import { BLOCK_SIZE } from './hashing-writer.ts';

/** Blocks kept for all readers together: 16 MB. */
const MOST = 32;
/** Blocks read from disk at once, each into a buffer of its own. */
const MOST_LOADS = 8;

type Block = { readonly buffer: Uint8Array<ArrayBuffer>; readonly length: number };

/** Verified blocks of the artefacts being sent, shared by their readers: a slow one holds no block while it waits. */
type BlockCache = {
  /** A verified block, if it is here; valid until the next wait. */
  readonly find: (file: FileHandle, number: number) => Uint8Array<ArrayBuffer> | null;
  /** Reads and verifies a block, once for all who wait for it. Throws BrokenArtefact. */
  readonly load: (file: FileHandle, artefact: Artefact, number: number) => Promise<void>;
  /** Drops a file's blocks, once none is being read: its last reader has left. */
  readonly drop: (file: FileHandle) => Promise<void>;
};

export function createBlockCache(): BlockCache {
  const files = new Map<FileHandle, Map<number, Block>>();
  // The least recently used first.
  const recent = new Map<Block, () => void>();
  const loading = new Map<FileHandle, Map<number, Promise<void>>>();
  const spare: Uint8Array<ArrayBuffer>[] = [];
  const slots = createSlots(MOST_LOADS);

  const takeBuffer = (): Uint8Array<ArrayBuffer> => {
    const [oldest] = recent.size < MOST ? [] : recent.entries();
    oldest?.[1]();
    return spare.pop() ?? new Uint8Array(BLOCK_SIZE);
  };
  const keep = (file: FileHandle, number: number, block: Block): void => {
    const blocks = files.get(file) ?? new Map<number, Block>();
    files.set(file, blocks.set(number, block));
    recent.set(block, () => {
      recent.delete(block);
      blocks.delete(number);
      if (spare.length < MOST_LOADS) spare.push(block.buffer);
    });
  };
  const read = async (file: FileHandle, artefact: Artefact, number: number): Promise<void> => {
    await slots.enter();
    const buffer = takeBuffer();
    try {
      const from = number * BLOCK_SIZE;
      const length = Math.min(BLOCK_SIZE, artefact.size - from);
      const { bytesRead } = await file.read(buffer, 0, length, from);
      if (bytesRead !== length || Bun.hash.crc32(buffer.subarray(0, length)) !== artefact.blocks?.[number])
        throw new BrokenArtefact(artefact);
      keep(file, number, { buffer, length });
    } catch (error) {
      spare.push(buffer);
      throw error;
    } finally {
      slots.leave();
    }
  };

  return {
    find(file, number) {
      const block = files.get(file)?.get(number);
      if (block === undefined) return null;
      const release = recent.get(block)!;
      recent.delete(block);
      recent.set(block, release);
      return block.buffer.subarray(0, block.length);
    },
    load(file, artefact, number) {
      const loads = loading.get(file) ?? new Map<number, Promise<void>>();
      loading.set(file, loads);
      const running =
        loads.get(number) ??
        read(file, artefact, number).finally(() => {
          loads.delete(number);
          if (loads.size === 0) loading.delete(file);
        });
      loads.set(number, running);
      return running;
    },
    async drop(file) {
      await Promise.allSettled([...(loading.get(file)?.values() ?? [])]);
      for (const block of [...(files.get(file)?.values() ?? [])]) recent.get(block)!();
      files.delete(file);
    },
  };
}

/** At most so many may be between `enter` and `leave`; the others wait in order. */
function createSlots(most: number) {
  let taken = 0;
  const waiting: (() => void)[] = [];
  return {
    async enter(): Promise<void> {
      if (taken === most) await new Promise<void>((resolve) => waiting.push(resolve));
      else taken++;
    },
    leave(): void {
      const next = waiting.shift();
      if (next === undefined) taken--;
      else next();
    },
  };
}
