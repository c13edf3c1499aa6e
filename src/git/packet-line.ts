// Packet lines, gitprotocol-common(5): four hex digits of length, themselves included, then the payload.

/** The line without a length that ends a section. */
export const FLUSH = '0000';

/** The line that ends a section of protocol version 2, and does not end the message. */
export const DELIMITER = '0001';

/** The most bytes of a pack in one side-band-64k line, with the channel's byte and the length around them. */
export const SIDE_BAND_ROOM = 65_515;

const LENGTH = 4;
const LONGEST = 65_520;

/** A line that was read: text without its line break, or the mark `FLUSH` or `DELIMITER` in place of one. */
export type Line = { readonly text: string } | typeof FLUSH | typeof DELIMITER;

/** One line of text, encoded as UTF-8. */
export function packetLine(text: string): string {
  return (Buffer.byteLength(text) + LENGTH).toString(16).padStart(LENGTH, '0') + text;
}

/** The bytes before `size` bytes of a side-band channel: 1 is the pack, 2 progress, 3 an error. */
export function sideBandHeader(channel: 1 | 2 | 3, size: number): Uint8Array<ArrayBuffer> {
  const head = Buffer.from((size + LENGTH + 1).toString(16).padStart(LENGTH, '0'));
  return Uint8Array.of(...head, channel);
}

/**
 * The lines of a body. Throws RangeError at a length that is no hex, is 2 or 3, is over 65,520 or runs past the end, and at
 * more than `most` lines.
 */
export function parsePacketLines(body: Uint8Array, most: number): readonly Line[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const lines: Line[] = [];
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
  if (length === 2 || length === 3 || length > LONGEST)
    throw new RangeError('a line of an impossible length');
  if (at + length > bytes.length) throw new RangeError('a line that is cut');
  return length;
}
