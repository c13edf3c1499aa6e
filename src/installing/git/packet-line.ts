import { createSha1, SHA1_SIZE } from './object.ts';

// Packet lines, gitprotocol-common(5): four hex digits of length, themselves included, then the payload.

/** The line that ends a message, or in version 0 a list. It has no content. */
export const FLUSH = '0000';

/** The line between two sections of a message, in protocol version 2. */
export const DELIMITER = '0001';

/** The maximum number of bytes of a pack in one side-band-64k line, beside the five bytes of length and channel. */
export const SIDE_BAND_ROOM = 65_515;

const LENGTH = 4;
const LONGEST_PACKET = 65_520;

/** A line that was read: its text without the line break, or the mark `FLUSH` or `DELIMITER`. */
export type PacketLine = { readonly text: string } | typeof FLUSH | typeof DELIMITER;

export const packetLine = (text: string): string =>
  (Buffer.byteLength(text) + LENGTH).toString(16).padStart(LENGTH, '0') + text;

/** Writes the head of a side-band line with `size` bytes. Channel 1 carries the pack, 2 progress messages, 3 an error. */
export function sideBandHeader(channel: 1 | 2 | 3, size: number): Uint8Array<ArrayBuffer> {
  const head = Buffer.from((size + LENGTH + 1).toString(16).padStart(LENGTH, '0'));
  return Uint8Array.of(...head, channel);
}

/**
 * Reads the lines of a body. Throws RangeError if a length is not hexadecimal, is 2 or 3, is over 65,520 or runs past the
 * end, and if there are more than `most` lines.
 */
export function parsePacketLines(body: Uint8Array, most: number): readonly PacketLine[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const lines: PacketLine[] = [];
  for (let at = 0; at < bytes.length;) {
    const length = readLength(bytes, at);
    if (lines.length === most) throw new RangeError(`more than ${most} lines`);
    if (length >= LENGTH)
      lines.push({ text: bytes.toString('utf8', at + LENGTH, at + length).replace(/\n$/, '') });
    else lines.push(length === 0 ? FLUSH : DELIMITER);
    at += Math.max(length, LENGTH);
  }
  return lines;
}

function readLength(bytes: Buffer, at: number): number {
  const digits = bytes.toString('latin1', at, at + LENGTH);
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw new RangeError('a line without a length');
  const length = Number.parseInt(digits, 16);
  if (length === 2 || length === 3 || length > LONGEST_PACKET)
    throw new RangeError('a line of an impossible length');
  if (at + length > bytes.length) throw new RangeError('a line that is cut');
  return length;
}

// Below, a pack is put into side-band-64k lines of channel 1; every line is full except the last.

const HEAD = 5;
const LINE = SIDE_BAND_ROOM + HEAD;

/**
 * Creates a writer that puts a pack's bytes into side-band lines. `write` must use each full line at once, as the next one
 * overwrites it; `end` writes the rest.
 */
export function createSideBand(write: (line: Uint8Array) => void) {
  const line = new Uint8Array(LINE);
  let filled = HEAD;
  const flush = (): void => {
    if (filled === HEAD) return;
    line.set(sideBandHeader(1, filled - HEAD));
    write(line.subarray(0, filled));
    filled = HEAD;
  };
  return {
    push(bytes: Uint8Array): void {
      for (let at = 0; at < bytes.length;) {
        const part = bytes.subarray(at, at + LINE - filled);
        line.set(part, filled);
        filled += part.length;
        at += part.length;
        if (filled === LINE) flush();
      }
    },
    end: flush,
  };
}

export function toSideBand(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const lines: Uint8Array[] = [];
  const { push, end } = createSideBand((line) => lines.push(Uint8Array.from(line)));
  push(bytes);
  end();
  return new Uint8Array(Buffer.concat(lines));
}

/** The length in bytes of the end that `createTrailer` makes: a line with the pack's hash, and the flush line. */
export const TRAILER_SIZE: number = HEAD + SHA1_SIZE + FLUSH.length;

/**
 * Computes the trailer of a pack. `start` is bytes of the pack; `update` takes side-band lines, in pieces of any length,
 * and hashes the pack's bytes in them. `end` returns a line with the hash, and the flush line.
 */
export function createTrailer(start: Uint8Array) {
  const hash = createSha1().update(start);
  let at = 0;
  return {
    update(lines: Uint8Array): void {
      for (let from = 0; from < lines.length;) {
        const place = at % LINE;
        const end = Math.min(lines.length, from + (place < HEAD ? HEAD : LINE) - place);
        if (place >= HEAD) hash.update(lines.subarray(from, end));
        at += end - from;
        from = end;
      }
    },
    end(): Uint8Array<ArrayBuffer> {
      const trailer = [sideBandHeader(1, SHA1_SIZE), hash.digest(), Buffer.from(FLUSH)];
      return new Uint8Array(Buffer.concat(trailer));
    },
  };
}
