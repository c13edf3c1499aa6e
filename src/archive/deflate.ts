// Raw deflate, RFC 1951. Chunks are ended by a sync flush (§3.2.4, an empty stored block), so that they
// are byte-aligned and not final: any sequence of them followed by END_OF_DEFLATE is one deflate stream.
import { loadZlib } from '../zlib.ts';

const STORED_MAX = 65_535;
const STORED_HEADER = 5;

/** The final, empty block (fixed codes, end of block) that ends a sequence of chunks. */
export const END_OF_DEFLATE: Uint8Array<ArrayBuffer> = Uint8Array.of(0x03, 0x00);

/** The length of `storedBlock`'s output for `size` bytes. */
export function storedSize(size: number): number {
  return size + STORED_HEADER * Math.ceil(size / STORED_MAX);
}

/** The bytes as stored blocks (RFC 1951 §3.2.4) of at most 65,535 bytes, none of them final; empty for no bytes. */
export function storedBlock(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const blocks = new Uint8Array(storedSize(bytes.length));
  for (let from = 0, at = 0; from < bytes.length; from += STORED_MAX) {
    const part = bytes.subarray(from, from + STORED_MAX);
    const { length } = part;
    blocks.set([0, length & 0xff, length >> 8, ~length & 0xff, (~length >> 8) & 0xff], at);
    blocks.set(part, at + STORED_HEADER);
    at += STORED_HEADER + length;
  }
  return blocks;
}

/**
 * The bytes deflated at level 6 without reference to earlier ones, not final and byte-aligned; empty for no bytes. Bytes
 * that do not shrink are stored, so that a chunk grows by at most 5 bytes for each 65,535.
 */
export function deflateChunk(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  if (bytes.length === 0) return new Uint8Array(0);
  const { constants, deflateRawSync } = loadZlib();
  const deflated = deflateRawSync(bytes, { level: 6, finishFlush: constants.Z_SYNC_FLUSH });
  return deflated.length < storedSize(bytes.length) ? deflated : storedBlock(bytes);
}
