import { closeSync, openSync, readSync } from 'node:fs';

/** The length of a piece in bytes. For each slow client an answer in pieces holds one piece in memory. */
export const PIECE = 64 * 1024;

/** The bytes `start` to `end` (exclusive) of a file. `bytes` is the whole file if it is in memory. */
export type FileSlice = {
  readonly file: string;
  readonly bytes?: Uint8Array | null;
  readonly start: number;
  readonly end: number;
};

export const readSlice = (file: string, start: number, end: number): Buffer =>
  Buffer.concat(Array.from(readPieces({ file, start, end }), (piece) => piece.slice()));

// One buffer serves all readers: the caller must copy or send a piece before it reads the next one.
const memory = new Uint8Array(PIECE);

const NOTHING = new Uint8Array(0);

/**
 * Yields `before`, the slice of the file and `after` in pieces. The first piece is empty: from then on the file is open, and
 * can be read to its end even if it is deleted. The next piece, of this or any other slice, overwrites the last one. Throws
 * system errors, and if the file is too short.
 */
export function* readPieces(
  { file, bytes = null, start, end }: FileSlice,
  before: Uint8Array = NOTHING,
  after: Uint8Array = NOTHING,
): Generator<Uint8Array, void> {
  const descriptor = bytes === null ? openSync(file, 'r') : null;
  try {
    yield NOTHING;
    // A short `before` shares a piece with the file's first bytes, since each piece costs a system call.
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
