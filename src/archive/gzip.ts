// One gzip member, RFC 1952, made of a new first part and a body that was deflated before.
import { crc32Combiner } from './crc32.ts';
import { storedBlock, storedSize } from './deflate.ts';

// ID1 ID2, CM deflate, no flags, MTIME 0 (none), XFL 0, OS 255 (unknown): no trace of machine or time
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/** CRC-32 and ISIZE, in bytes. */
const TRAILER = 8;

/** CRC-32 and size in bytes of a cached body when inflated. */
interface SpliceBody {
  readonly crc32: number;
  readonly size: number;
}

/** The bytes before and after the cached deflated body. */
interface Splice {
  readonly head: Uint8Array<ArrayBuffer>;
  readonly tail: Uint8Array<ArrayBuffer>;
}

function trailer(crc32: number, size: number): Uint8Array<ArrayBuffer> {
  const tail = new Uint8Array(TRAILER);
  const view = new DataView(tail.buffer);
  view.setUint32(0, crc32, true);
  view.setUint32(4, size, true);
  return tail;
}

/**
 * Prepares one cached body, chunks that end in END_OF_DEFLATE, to follow many different first parts:
 * `head`, the body and `tail` are one gzip member (RFC 1952) of `first` and the body's bytes.
 */
export function createSplice(body: SpliceBody): (first: Uint8Array) => Splice {
  const combine = crc32Combiner(body.size);
  return (first) => {
    const blocks = storedBlock(first);
    const head = new Uint8Array(HEADER.length + blocks.length);
    head.set(HEADER);
    head.set(blocks, HEADER.length);
    // setUint32 keeps the size modulo 2^32, as ISIZE wants it
    return { head, tail: trailer(combine(Bun.hash.crc32(first), body.crc32), first.length + body.size) };
  };
}

/** The length in bytes of a member spliced of a first part of `firstSize` bytes and a deflated body of `bodySize`. */
export function splicedLength(firstSize: number, bodySize: number): number {
  return HEADER.length + storedSize(firstSize) + bodySize + TRAILER;
}
