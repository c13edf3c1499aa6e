import { closeSync, openSync, readSync } from 'node:fs';

/** The length of a piece in bytes: what a slow client makes the stall hold of an answer that is sent in pieces. */
export const PIECE = 64 * 1024;

/** Bytes `start` to `end` (exclusive) of a file; `bytes` is all of it if it is in memory. */
export type FileSlice = {
  readonly file: string;
  readonly bytes?: Uint8Array | null;
  readonly start: number;
  readonly end: number;
};

/** Bytes `start` to `end` (exclusive) of a file, in memory of their own. Throws as `readPieces`. */
export function readSlice(file: string, start: number, end: number): Buffer {
  return Buffer.concat(Array.from(readPieces({ file, start, end }), (piece) => piece.slice()));
}

// Pieces are copied, or taken by the kernel, before the next one is read: one buffer serves a crowd.
const memory = new Uint8Array(PIECE);

const NOTHING = new Uint8Array(0);

/**
 * `before`, the slice and `after` in pieces, of which the first is empty: it opens the file, which from then on can be read
 * to its end even if it is removed. A piece is valid until the next one of any slice. Throws system errors, and if the file
 * is too short.
 */
export function* readPieces(
  { file, bytes = null, start, end }: FileSlice,
  before: Uint8Array = NOTHING,
  after: Uint8Array = NOTHING,
): Generator<Uint8Array, void> {
  const descriptor = bytes === null ? openSync(file, 'r') : null;
  try {
    yield NOTHING;
    // What is short is sent with the file's own bytes: each piece is a call of the system.
    let filled = before.length < PIECE ? before.length : 0;
    if (filled === 0) yield before;
    else memory.set(before);
    for (let at = start; at < end; filled = 0) {
      const most = Math.min(PIECE - filled, end - at);
      const read = descriptor === null ? most : readSync(descriptor, memory, filled, most, at);
      if (bytes !== null) memory.set(bytes.subarray(at, at + most), filled);
      if (read === 0) throw new Error(`Cannot read byte ${at} of "${file}": it ends before`);
      at += read;
      const isLast = at === end && filled + read + after.length <= PIECE;
      if (isLast) memory.set(after, filled + read);
      yield memory.subarray(0, filled + read + (isLast ? after.length : 0));
      if (isLast) return;
    }
    if (filled > 0) yield memory.subarray(0, filled);
    yield after;
  } finally {
    if (descriptor !== null) closeSync(descriptor);
  }
}
