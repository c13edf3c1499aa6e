// The pack format, gitformat-pack(5), version 2: whole objects only, no deltas.
import type { GitObject, ObjectType } from './object.ts';
import { loadZlib } from '../zlib.ts';

const TYPES: Readonly<Record<ObjectType, number>> = { commit: 1, tree: 2, blob: 3 };

/** The first bytes of a zlib stream (RFC 1950): deflate, a window of 32 KiB, the default level. */
export const ZLIB_HEADER: Uint8Array<ArrayBuffer> = Uint8Array.of(0x78, 0x9c);

/** The twelve bytes at the start of a pack of `objects` objects. */
export function packHeader(objects: number): Uint8Array<ArrayBuffer> {
  const header = Buffer.alloc(12);
  header.write('PACK');
  header.writeUInt32BE(2, 4);
  header.writeUInt32BE(objects, 8);
  return new Uint8Array(header);
}

/** The type and inflated size, in bytes, that precede an object's zlib stream. */
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

/** An object at hand as a pack's entry. */
export function packEntry({ type, body }: GitObject): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([entryHeader(type, body.length), loadZlib().deflateSync(body)]));
}

/** The four bytes that end a zlib stream. */
export function zlibTrailer(adler32: number): Uint8Array<ArrayBuffer> {
  const trailer = Buffer.alloc(4);
  trailer.writeUInt32BE(adler32);
  return new Uint8Array(trailer);
}

/** The first bytes of a pack: its header, and these objects; `more` objects follow. */
export function packStart(objects: readonly GitObject[], more: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat([packHeader(objects.length + more), ...objects.map(packEntry)]));
}
