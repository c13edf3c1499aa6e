import { type FileHandle, open } from 'node:fs/promises';
import { type Artefact, toBrokenArtefact, BrokenArtefact } from './artefact.ts';
import { createBlockCache } from './block-cache.ts';
import { BLOCK_SIZE } from './hashing-writer.ts';

/** Reads an open artefact. The open file can be read to its end even after the artefact was removed. */
export type BlockReader = {
  /**
   * The bytes from `at` to the end of its block or `end` (exclusive), whichever is first; valid until the next wait. The
   * whole block was compared with its CRC-32 before. Throws BrokenArtefact.
   */
  readonly read: (at: number, end: number) => Promise<Uint8Array<ArrayBuffer>>;
  readonly close: () => void;
};

/** A file that is open for all its readers: a descriptor each would be used up by a crowd. */
type SharedFile = { readonly opened: Promise<FileHandle>; readers: number };

/** Opens large artefacts to be sent; their readers share open files and verified blocks. */
export function createBlockReaders() {
  const cache = createBlockCache();
  const files = new Map<string, SharedFile>();

  const share = (path: string): SharedFile => {
    const file = files.get(path) ?? { opened: open(path, 'r'), readers: 0 };
    files.set(path, file);
    file.readers++;
    return file;
  };
  const forget = (path: string, file: SharedFile): void => {
    if (files.get(path) === file) files.delete(path);
  };
  const leave = async (path: string, file: SharedFile): Promise<void> => {
    if (--file.readers > 0) return;
    forget(path, file);
    const handle = await file.opened;
    await cache.drop(handle);
    await handle.close();
  };

  /** Throws BrokenArtefact if the file is gone. */
  return async (path: string, artefact: Artefact): Promise<BlockReader> => {
    const file = share(path);
    const handle = await file.opened.catch((error: unknown) => {
      forget(path, file);
      throw toBrokenArtefact(error, artefact);
    });
    const load = (number: number): Promise<void> =>
      cache.load(handle, artefact, number).catch((error: unknown) => {
        // The next reader opens the file that is made instead.
        if (error instanceof BrokenArtefact) forget(path, file);
        throw error;
      });
    let isOpen = true;
    return {
      async read(at, end) {
        const number = Math.floor(at / BLOCK_SIZE);
        let block = cache.find(handle, number);
        for (; block === null; block = cache.find(handle, number)) await load(number);
        return block.subarray(at - number * BLOCK_SIZE, end - number * BLOCK_SIZE);
      },
      close(): void {
        if (isOpen) void leave(path, file);
        isOpen = false;
      },
    };
  };
}
