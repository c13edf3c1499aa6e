import { closeSync, openSync, readSync } from 'node:fs';

/** The length of a piece in bytes: what a slow client makes the stall hold of an answer that is sent in pieces. */
export const PIECE = 64 * 1024;

/** Bytes `start` to `end` (exclusive) of a file. */
export type FileSlice = { readonly file: string; readonly start: number; readonly end: number };

// Pieces are copied, or taken by the kernel, before the next one is read: one buffer serves a crowd.
const memory = new Uint8Array(PIECE);

const NOTHING = new Uint8Array(0);

/**
 * `before`, the slice and `after` in pieces. A piece is valid until the next one of any slice. The file is opened with the
 * first piece: from then on it can be read to its end, even if it is removed. Throws system errors, and if it is too short.
 */
export function* readPieces(
  { file, start, end }: FileSlice,
  before: Uint8Array = NOTHING,
  after: Uint8Array = NOTHING,
): Generator<Uint8Array, void> {
  const descriptor = openSync(file, 'r');
  try {
    yield before;
    for (let at = start; at < end;) {
      const read = readSync(descriptor, memory, 0, Math.min(PIECE, end - at), at);
      if (read === 0) throw new Error(`Cannot read byte ${at} of "${file}": it ends before`);
      at += read;
      yield memory.subarray(0, read);
    }
    yield after;
  } finally {
    closeSync(descriptor);
  }
}
