import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';

/** A file being written: counts and hashes what passes, gathers small writes. */
export type Sink = {
  readonly write: (bytes: Uint8Array) => void;
  /** Bytes written so far. */
  readonly size: () => number;
  /** Puts everything on disk and closes; the SHA-256 is lower-case hex. */
  readonly finish: () => { readonly size: number; readonly sha256: string };
  /** Closes without a thought for what was written. */
  readonly abandon: () => void;
};

const BUFFER_SIZE = 1 << 18;

/** Creates a file and a sink into it. Throws what the system throws, a full disk's ENOSPC for one. */
export function createSink(file: string): Sink {
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
  const put = (bytes: Uint8Array): void => {
    hasher.update(bytes);
    for (let at = 0; at < bytes.length;) at += writeSync(descriptor, bytes, at);
  };
  const flush = (): void => {
    if (filled > 0) put(buffer.subarray(0, filled));
    filled = 0;
  };
  return {
    write(bytes) {
      size += bytes.length;
      if (filled + bytes.length > BUFFER_SIZE) flush();
      if (bytes.length > BUFFER_SIZE) return put(bytes);
      buffer.set(bytes, filled);
      filled += bytes.length;
    },
    size: () => size,
    finish() {
      flush();
      fsyncSync(descriptor);
      close();
      return { size, sha256: hasher.digest('hex') };
    },
    abandon: close,
  };
}
