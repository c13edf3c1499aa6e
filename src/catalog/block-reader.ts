import { open } from 'node:fs/promises';
import { type Artefact, toBrokenArtefact, BrokenArtefact } from './artefact.ts';
import { BLOCK_SIZE } from './hashing-writer.ts';

/** Reads an open artefact. The open file can be read to its end even after the artefact was removed. */
export type BlockReader = {
  /**
   * The bytes from `at` to the end of its block or `end` (exclusive), whichever is first. Reads the whole block into
   * `buffer`, of `BLOCK_SIZE`, and compares its CRC-32 first. Throws BrokenArtefact.
   */
  readonly read: (
    at: number,
    end: number,
    buffer: Uint8Array<ArrayBuffer>,
  ) => Promise<Uint8Array<ArrayBuffer>>;
  readonly close: () => void;
};

/** Opens a large artefact for sending. Throws BrokenArtefact if the file is missing. */
export async function openBlockReader(file: string, artefact: Artefact): Promise<BlockReader> {
  const handle = await open(file, 'r').catch((error: unknown) => {
    throw toBrokenArtefact(error, artefact);
  });
  let isOpen = true;
  return {
    async read(at, end, buffer) {
      const number = Math.floor(at / BLOCK_SIZE);
      const from = number * BLOCK_SIZE;
      const length = Math.min(BLOCK_SIZE, artefact.size - from);
      const { bytesRead } = await handle.read(buffer, 0, length, from);
      const block = buffer.subarray(0, length);
      if (bytesRead !== length || Bun.hash.crc32(block) !== artefact.blocks?.[number])
        throw new BrokenArtefact(artefact);
      return block.subarray(at - from, end - from);
    },
    close(): void {
      if (isOpen) void handle.close();
      isOpen = false;
    },
  };
}
