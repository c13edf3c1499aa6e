// One gzip member, RFC 1952, composed of a new first part and a body deflated earlier.
import { crc32Combiner } from './crc32.ts';
import { storedBlock } from './deflate.ts';

// ID1 ID2, CM deflate, no flags, MTIME 0 (none), XFL 0, OS 255 (unknown): nothing of the machine or the time
const HEADER = Uint8Array.of(0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255);

/** What is known of a cached body: CRC-32 and size in bytes of what it inflates to. */
export interface SpliceBody {
  readonly crc32: number;
  readonly size: number;
}

/** What goes before and after the cached deflated body. */
export interface Splice {
  readonly head: Uint8Array<ArrayBuffer>;
  readonly tail: Uint8Array<ArrayBuffer>;
}

function trailer(crc32: number, size: number): Uint8Array<ArrayBuffer> {
  const tail = new Uint8Array(8);
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
