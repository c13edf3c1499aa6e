// Where pictures end: PNG, https://www.w3.org/TR/png-3/#5Chunk-layout; JPEG, ITU T.81 §B.2.1; GIF89a §27; WebP, RFC 9649 §2.4.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

/** Bytes that programs put behind a picture's end, such as a second picture, are looked over to this length. */
const TAIL = 64 * 1024;

/** Reads bytes of an open file; fewer at its end. */
type Read = (start: number, length: number) => Buffer;

/** By how a picture begins, whether a file of `size` bytes lacks its end. */
const FORMATS: readonly (readonly [start: RegExp, lacksEnd: (read: Read, size: number) => boolean])[] = [
  [/^\x89PNG\r\n/, isPngCut],
  [/^\xff\xd8\xff/, (read, size) => !tailOf(read, size).includes(Buffer.of(0xff, 0xd9))],
  [/^GIF8[79]a/, (read, size) => !tailOf(read, size).includes(0x3b)],
  [/^RIFF[^]{4}WEBP/, (read, size) => read(4, 4).readUInt32LE() + 8 > size],
];

/** Whether a file is a picture whose end is missing, as after a broken copy. False of one that cannot be read. */
export function isCutShort(file: string): boolean {
  try {
    const descriptor = openSync(file, 'r');
    try {
      const { size } = fstatSync(descriptor);
      const read: Read = (start, length) => {
        const bytes = Buffer.alloc(length);
        return bytes.subarray(0, readSync(descriptor, bytes, 0, length, start));
      };
      const start = read(0, 12).toString('latin1');
      return FORMATS.find(([begins]) => begins.test(start))?.[1](read, size) ?? false;
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return false;
  }
}

function tailOf(read: Read, size: number): Buffer {
  const start = Math.max(0, size - TAIL);
  return read(start, size - start);
}

/** Goes from chunk to chunk, of which a picture of many megabytes may have thousands. */
function isPngCut(read: Read, size: number): boolean {
  for (let at = 8; at + 12 <= size;) {
    const head = read(at, 8);
    at += head.readUInt32BE() + 12;
    if (head.toString('latin1', 4) === 'IEND') return at > size;
  }
  return true;
}
