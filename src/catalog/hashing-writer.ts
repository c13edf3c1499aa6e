import { closeSync, openSync, writeSync } from 'node:fs';

const BUFFER_SIZE = 1 << 19;

/** A file being written: counts and hashes its bytes, buffers small writes. */
export type HashingWriter = {
  readonly write: (bytes: Uint8Array) => void;
  /** Writes the rest and closes; the SHA-256 is lower-case hex. */
  readonly finish: () => { readonly size: number; readonly sha256: string };
  /** Closes the file without finishing it. */
  readonly abandon: () => void;
};

/** Creates a file and a writer to it. Throws system errors, such as ENOSPC of a full disk. */
export function createHashingWriter(file: string): HashingWriter {
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
    write(bytes) {
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
      // Not synced: if a power cut damages it, its hash shows that when it is opened, and it is compiled again.
      close();
      return { size, sha256: hasher.digest('hex') };
    },
    abandon: close,
  };
}
