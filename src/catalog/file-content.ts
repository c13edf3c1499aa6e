// An edition keeps the contents of its files in one JSON file. This code turns a file's record there back into its bytes.
import type { EditionFile } from './catalog.ts';
import { wholeCodePoints } from './file-scan.ts';
import { closeSync, openSync, readSync } from 'node:fs';

/**
 * Returns the range of bytes in an edition's JSON file that a file's content takes, without the quotation marks around it.
 */
export function contentSlice({ path, text, json }: EditionFile): {
  readonly start: number;
  readonly end: number;
} {
  const before = `{"path":${JSON.stringify(path)},"content":"`;
  const after = `","sha256":"${'0'.repeat(64)}"${text ? '' : ',"encoding":"base64"'}}`;
  return { start: json.start + Buffer.byteLength(before), end: json.end - after.length };
}

/**
 * Decodes a file's content from pieces of its record in the edition's JSON file. Each yielded piece is a new buffer, which
 * the caller may keep.
 */
export function* decodePieces(
  pieces: Iterable<Uint8Array>,
  file: Pick<EditionFile, 'text'>,
): Generator<Uint8Array, void> {
  // A text is stored with JSON's escapes, any other file in base64.
  const decode = file.text ? createDecoder(wholeEscapes, unescape) : createDecoder(wholeGroups, fromBase64);
  for (const piece of pieces) yield decode(piece, false);
  yield decode(new Uint8Array(0), true);
}

/** Makes a decoder that decodes the whole characters of each piece, and keeps an incomplete one for the next. */
function createDecoder(
  wholeLength: (bytes: Buffer) => number,
  decode: (bytes: Buffer) => Uint8Array<ArrayBuffer>,
) {
  let rest: Buffer = Buffer.alloc(0);
  return (part: Uint8Array, isLast: boolean) => {
    const view = Buffer.from(part.buffer, part.byteOffset, part.length);
    const joined = rest.length === 0 ? view : Buffer.concat([rest, view]);
    const whole = isLast ? joined.length : wholeLength(joined);
    rest = Buffer.from(joined.subarray(whole));
    return decode(joined.subarray(0, whole));
  };
}

const BACKSLASH = 0x5c;
const U = 0x75;

/** Returns the length of the longest prefix that ends in the middle of neither an escape nor a UTF-8 sequence. */
export function wholeEscapes(bytes: Buffer): number {
  const end = wholeCodePoints(bytes);
  const last = bytes.lastIndexOf(BACKSLASH, end - 1);
  if (last === -1 || last < end - 6) return end;
  let first = last;
  while (bytes[first - 1] === BACKSLASH) first--;
  const isEscaped = (last - first) % 2 === 1;
  const length = bytes[last + 1] === U ? 6 : 2;
  return isEscaped || last + length <= end ? end : last;
}

const unescape = (json: Buffer): Buffer<ArrayBuffer> =>
  Buffer.from(JSON.parse(`"${json.toString()}"`) as string);

const wholeGroups = (bytes: Buffer): number => bytes.length - (bytes.length % 4);

const fromBase64 = (base64: Buffer): Buffer<ArrayBuffer> => Buffer.from(base64.toString('latin1'), 'base64');

/** The length of a piece in bytes. An answer in pieces holds one in memory for a slow client. */
export const PIECE = 64 * 1024;

/** Bytes `start` to `end` (exclusive) of a file; `bytes` is all of it if it is in memory. */
export type FileSlice = {
  readonly file: string;
  readonly bytes?: Uint8Array | null;
  readonly start: number;
  readonly end: number;
};

/** Reads the bytes from `start` to `end` (exclusive) of a file into a new buffer. Throws as `readPieces` does. */
export const readSlice = (file: string, start: number, end: number): Buffer =>
  Buffer.concat(Array.from(readPieces({ file, start, end }), (piece) => piece.slice()));

// One buffer for all readers: the caller must copy or send a piece before it reads the next one.
const memory = new Uint8Array(PIECE);

const NOTHING = new Uint8Array(0);

/**
 * Yields `before`, the slice of the file and `after` in pieces. The first piece is empty and shows that the file is
 * open, so that it can be read to its end even if it is removed. The next piece, of this or any other slice, overwrites
 * the last one. Throws system errors, and if the file is too short.
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
