import { closeSync, openSync, writeSync } from 'node:fs';

/** Bytes over which one of an artefact's block checksums goes. */
export const BLOCK_SIZE = 1 << 19;

/** A file being written: counts and hashes what passes, gathers small writes. */
export type HashingWriter = {
  readonly write: (bytes: Uint8Array) => void;
  /** Writes the rest and closes; the SHA-256 is lower-case hex, `blocks` the CRC-32 of every `BLOCK_SIZE` bytes. */
  readonly finish: () => {
    readonly size: number;
    readonly sha256: string;
    readonly blocks: readonly number[];
  };
  /** Closes without a thought for what was written. */
  readonly abandon: () => void;
};

/** Creates a file and a sink into it. Throws what the system throws, a full disk's ENOSPC for one. */
export function createHashingWriter(file: string): HashingWriter {
  const descriptor = openSync(file, 'wx', 0o600);
  const hasher = new Bun.CryptoHasher('sha256');
  const buffer = Buffer.allocUnsafe(BLOCK_SIZE);
  let filled = 0;
  let size = 0;
  let isOpen = true;
  const close = (): void => {
    if (isOpen) closeSync(descriptor);
    isOpen = false;
  };
  const blocks: number[] = [];
  // Every flush but the last is of one whole block.
  const flush = (): void => {
    const block = buffer.subarray(0, filled);
    hasher.update(block);
    blocks.push(Bun.hash.crc32(block));
    for (let at = 0; at < filled;) at += writeSync(descriptor, buffer, at, filled - at);
    filled = 0;
  };
  return {
    write(bytes) {
      size += bytes.length;
      for (let at = 0; at < bytes.length;) {
        const part = bytes.subarray(at, at + BLOCK_SIZE - filled);
        buffer.set(part, filled);
        filled += part.length;
        at += part.length;
        if (filled === BLOCK_SIZE) flush();
      }
    },
    finish() {
      if (filled > 0) flush();
      // Not synced: what a power cut takes is told by its hash when it is opened, and compiled again.
      close();
      return { size, sha256: hasher.digest('hex'), blocks };
    },
    abandon: close,
  };
}
