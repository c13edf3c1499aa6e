import { open } from 'node:fs/promises';
import { type Artefact, BrokenArtefact } from './artefact.ts';
import { BLOCK_SIZE } from './sink.ts';

/**
 * Reads bytes `start` to `end` (exclusive) of an artefact, block by block as they are taken, and compares each block with
 * its CRC-32 before a byte of it is given. Memory is one block. Throws BrokenArtefact.
 */
export async function* readBlocks(
  file: string,
  artefact: Artefact,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array> {
  await using handle = await open(file, 'r').catch(() => {
    throw new BrokenArtefact(artefact);
  });
  for (let number = Math.floor(start / BLOCK_SIZE); number * BLOCK_SIZE < end; number++) {
    const from = number * BLOCK_SIZE;
    const block = new Uint8Array(Math.min(BLOCK_SIZE, artefact.size - from));
    const { bytesRead } = await handle.read(block, 0, block.length, from);
    if (bytesRead !== block.length || Bun.hash.crc32(block) !== artefact.blocks?.[number])
      throw new BrokenArtefact(artefact);
    yield block.subarray(Math.max(0, start - from), end - from);
  }
}
