import { packStart } from './pack.ts';
import { createTrailer, TRAILER_SIZE, toSideBand } from './side-band.ts';

/**
 * A pack as it is sent, in side-band lines: `head`, a body of `bodySize` bytes that already is in such lines, and a trailer.
 * The trailer is a hash over everything before it: who sends the body first finds it, and it is remembered.
 */
export type FramedPack = {
  readonly head: Uint8Array<ArrayBuffer>;
  readonly bodySize: number;
  /** In bytes, with the trailer. */
  readonly length: number;
  /** Null until it was found. */
  readonly trailer: () => Uint8Array<ArrayBuffer> | null;
  /** Takes the body piece by piece and ends with the trailer. */
  readonly hash: () => ReturnType<typeof createTrailer>;
};

/** A pack that begins with the bytes `start`, as `packStart` makes them. */
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

/** A pack without objects, whole, for a client that has everything. */
export function emptyPack(): Uint8Array<ArrayBuffer> {
  if (empty !== null) return empty;
  const { head, hash } = createFramedPack(packStart([], 0), 0);
  return (empty = new Uint8Array(Buffer.concat([head, hash().end()])));
}
