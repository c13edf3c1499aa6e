import type { BlockReader } from '../catalog/block-reader.ts';
import type { ContentDecoder } from '../catalog/file-content.ts';

/** The length of a piece in bytes: what a slow client makes the stall hold of an answer that is sent in pieces. */
export const PIECE = 64 * 1024;

/** The bytes of an answer in order, null at the end. A piece is valid until anything is waited for. */
export type Pieces = {
  readonly next: () => Promise<Uint8Array<ArrayBuffer> | null>;
  readonly close: () => void;
  /** Turns a piece into what is sent, in memory that the next call for any answer uses again: so nothing may come between. */
  readonly decode?: (piece: Uint8Array) => Uint8Array;
  /** What a piece counts for in a turn, in bytes; `PIECE` unless making it takes more than copying it. */
  readonly cost?: number;
};

/** Bytes that are in memory. */
export type Part = Uint8Array<ArrayBuffer> | Blob;

/** Pieces of parts, one after the other. */
export function piecesOf(parts: readonly Part[]): Pieces {
  let [index, at] = [0, 0];
  return {
    async next() {
      const part = parts[index];
      if (part === undefined) return null;
      const [start, end] = [at, at + PIECE];
      at = end;
      if (end >= sizeOf(part)) [index, at] = [index + 1, 0];
      return part instanceof Blob ? part.slice(start, end).bytes() : part.subarray(start, end);
    },
    close: () => {},
  };
}

/** Pieces of the bytes `start` to `end` (exclusive) of an artefact on disk. */
export function artefactPieces({ read, close }: BlockReader, start: number, end: number): Pieces {
  let at = start;
  return {
    async next() {
      if (at >= end) return null;
      const part = await read(at, Math.min(end, at + PIECE));
      at += part.length;
      return part;
    },
    close,
  };
}

/** Pieces in order, each list's after the other's. */
export function joinPieces(...lists: readonly Pieces[]): Pieces {
  let index = 0;
  return {
    async next() {
      for (; index < lists.length; index++) {
        const piece = await lists[index]!.next();
        if (piece !== null) return piece;
      }
      return null;
    },
    close: () => lists.forEach((list) => list.close()),
  };
}

/** Decoding takes several times as long as copying. */
const DECODING = 4 * PIECE;

/** Pieces of a file's content, of `length` bytes as the file JSON encodes it. */
export function decodePieces(pieces: Pieces, length: number, decode: ContentDecoder): Pieces {
  let at = 0;
  return {
    ...pieces,
    decode(piece) {
      at += piece.length;
      return decode(piece, at === length);
    },
    cost: DECODING,
  };
}

/** Its length in bytes. */
export function sizeOf(part: Part): number {
  return part instanceof Blob ? part.size : part.length;
}
