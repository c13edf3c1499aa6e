import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { type Artefact, placeArtefact, temporaryFile } from './artefact.ts';

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

/** Writes an artefact that is made on demand; `write` gets a function that adds bytes. Leaves nothing behind if it throws. */
export async function writeArtefact(
  directory: string,
  { kind, name }: { readonly kind: 'skill' | 'epub'; readonly name: string },
  write: (put: (bytes: Uint8Array) => void) => void | Promise<void>,
): Promise<Artefact> {
  const temporary = temporaryFile(directory);
  const writer = createHashingWriter(temporary);
  try {
    await write(writer.write);
    const { size, sha256 } = writer.finish();
    const artefact = { kind, name, size, sha256, crc32: 0, rawSize: size } as const;
    placeArtefact(directory, artefact, temporary);
    return artefact;
  } catch (error) {
    writer.abandon();
    rmSync(temporary, { force: true });
    throw error;
  }
}
