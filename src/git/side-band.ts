// A pack in lines of the first side-band-64k channel: all but the last hold as much as a line can.
import { FLUSH, SIDE_BAND_ROOM, sideBandHeader } from './packet-line.ts';
import { createSha1, SHA1_SIZE } from './object.ts';

const HEAD = 5;
const LINE = SIDE_BAND_ROOM + HEAD;

/** Takes a pack's bytes piece by piece and gives full lines to `write`, each valid until the next; `end` gives the rest. */
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

/** Bytes at hand in such lines. */
export function toSideBand(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const lines: Uint8Array[] = [];
  const { push, end } = createSideBand((line) => lines.push(Uint8Array.from(line)));
  push(bytes);
  end();
  return new Uint8Array(Buffer.concat(lines));
}

/** The length of what `createTrailer` ends with, in bytes. */
export const TRAILER_SIZE: number = HEAD + SHA1_SIZE + FLUSH.length;

/**
 * Hashes a pack for its trailer: `start` as it is, and `update` in such lines, which may be cut anywhere. `end` gives the
 * last line and the flush.
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
