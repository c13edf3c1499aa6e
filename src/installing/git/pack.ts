// Writes the pack format, gitformat-pack(5), version 2: whole objects only, no deltas.
import type { GitObject, ObjectType } from './object.ts';
import { loadZlib } from '../../platform/base/runtime.ts';
import { createTrailer, toSideBand, TRAILER_SIZE } from './packet-line.ts';

const TYPES: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3 };

/** The first bytes of a zlib stream (RFC 1950): deflate, a window of 32 KiB, the default level. */
export const ZLIB_HEADER: Uint8Array<ArrayBuffer> = Uint8Array.of(0x78, 0x9c);

export function packHeader(objects: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(12);
  header.write('PACK');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects, 8);
  return new Uint8Array(header);
}

/** Writes an entry's header: the type of the object and its inflated size in bytes. Its zlib stream follows. */
export function entryHeader(type: ObjectType, size: number): Uint8Array<ArrayBuffer> {
  const bytes = [];
  let byte = (TYPES[type] << 4) | (size & 0x0f);
  // Division, since a shift would cut sizes over 2 GiB.
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
  }
  return Uint8Array.of(...bytes, byte);
}

export const packEntry = ({ type, body }: GitObject): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat([entryHeader(type, body.length), loadZlib().deflateSync(body)]));

export function zlibTrailer(adler32: number): Uint8Array<ArrayBuffer> {
  const trailer = Buffer.alloc(4);
  trailer.writeUInt32BE(adler32);
  return new Uint8Array(trailer);
}

/** Writes the beginning of a pack: its header, and these objects; `more` objects follow. */
export const packStart = (objects: readonly GitObject[], more: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array(Buffer.concat([packHeader(objects.length + more), ...objects.map(packEntry)]));

/**
 * A pack as it is sent, in lines of a side-band: `head`, then a body of `bodySize` bytes that are already such lines,
 * then the trailer.
 */
export type FramedPack = {
  readonly head: Uint8Array<ArrayBuffer>;
  readonly bodySize: number;
  readonly length: number;
  /** Returns the trailer; null until an answer has computed it. */
  readonly trailer: () => Uint8Array<ArrayBuffer> | null;
  /** Hashes the body: `update` takes its pieces, `end` returns the trailer. */
  readonly hash: () => { update: (lines: Uint8Array) => void; end: () => Uint8Array<ArrayBuffer> };
};

/**
 * Creates a pack that begins with the bytes `start` (see `packStart`). The trailer is a hash of everything before it: the
 * first answer that sends the body computes it, later ones reuse it.
 */
export function createFramedPack(start: Uint8Array, bodySize: number): FramedPack {
  const head = toSideBand(start);
  let trailer: Uint8Array<ArrayBuffer> | null = null;
  return {
    head,
    bodySize,
    length: head.length + bodySize + TRAILER_SIZE,
    trailer: () => trailer,
    hash() {
      const { update, end } = createTrailer(start);
      return { update, end: () => (trailer ??= end()) };
    },
  };
}

let empty: Uint8Array<ArrayBuffer> | null = null;

export function emptyPack(): Uint8Array<ArrayBuffer> {
  if (empty !== null) return empty;
  const { head, hash } = createFramedPack(packStart([], 0), 0);
  return (empty = new Uint8Array(Buffer.concat([head, hash().end()])));
}

// Adler-32 (RFC 1950 §9) joined from the checksums of pieces, as the runtime's function cannot continue from an earlier
// value.
const BASE = 65_521;

export const ADLER32_EMPTY = 1;

export function adler32Combine(a: number, b: number, lengthB: number): number {
  const length = lengthB % BASE;
  const [lowA, highA] = [a & 0xffff, a >>> 16];
  const [lowB, highB] = [b & 0xffff, b >>> 16];
  const low = (lowA + lowB + BASE - 1) % BASE;
  const high = (highA + highB + length * lowA + BASE - length) % BASE;
  return ((high << 16) | low) >>> 0;
}
