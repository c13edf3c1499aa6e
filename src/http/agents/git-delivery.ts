import type { FramedPack } from '../../git/framed-pack.ts';
import type { UploadPack } from '../../service/take/git.ts';
import { type Delivery, SMALL } from '../byte-sender.ts';
import { artefactPieces, joinPieces, type Pieces, piecesOf } from '../pieces.ts';

/** A body up to this size is hashed at once, in bytes: about a third of a millisecond. */
const HASHED_AT_ONCE = 256 * 1024;

type Answer = { readonly start: Uint8Array; readonly blob: Blob };

/**
 * Complete answers to clones, kept because they are the same for everyone. An answer goes when the shelf drops the bytes
 * of its pack, which several packs may share.
 */
const answers = new WeakMap<Uint8Array, WeakMap<FramedPack, Answer>>();

/** A pack with the lines before it as one answer. */
export function uploadDelivery(
  start: Uint8Array<ArrayBuffer>,
  { pack, body }: UploadPack,
  sending: Pick<Delivery, 'route' | 'check'>,
): Delivery {
  const length = start.length + pack.length;
  return {
    ...sending,
    length,
    whole: wholeUpload(start, pack, body.spliceBuffer, length),
    pieces: async () => packPieces(start, pack, artefactPieces(await body.openReader(), 0, pack.bodySize)),
  };
}

/** Null if the pack is not in memory, or is too long to be hashed at once for its trailer. */
function wholeUpload(
  start: Uint8Array<ArrayBuffer>,
  pack: FramedPack,
  bytes: Uint8Array<ArrayBuffer> | null,
  length: number,
): Delivery['whole'] {
  if (bytes === null) return null;
  const trailer = pack.trailer() ?? (bytes.length > HASHED_AT_ONCE ? null : hashWhole(pack, bytes));
  if (trailer === null) return null;
  const parts = [start, pack.head, bytes, trailer];
  if (length <= SMALL) return { parts: () => [new Uint8Array(Buffer.concat(parts, length))] };
  const ofBody = answers.get(bytes) ?? new WeakMap<FramedPack, Answer>();
  answers.set(bytes, ofBody);
  const known = ofBody.get(pack) ?? (isClone(start) ? { start, blob: new Blob(parts) } : undefined);
  if (known === undefined || Buffer.compare(known.start, start) !== 0) return { parts: () => parts };
  ofBody.set(pack, known);
  return { blob: () => known.blob, shared: { memory: known.blob, bytes: length } };
}

/** Whether the answer is for a client that has nothing yet. */
const isClone = (start: Uint8Array): boolean => !Buffer.from(start).includes('ACK ');

function hashWhole(pack: FramedPack, bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { update, end } = pack.hash();
  update(bytes);
  return end();
}

function packPieces(start: Uint8Array<ArrayBuffer>, pack: FramedPack, body: Pieces): Pieces {
  const known = pack.trailer();
  if (known !== null) return joinPieces(piecesOf([start, pack.head]), body, piecesOf([known]));
  const { update, end } = pack.hash();
  const hashed: Pieces = {
    async next() {
      const piece = await body.next();
      if (piece !== null) update(piece);
      return piece;
    },
    close: body.close,
  };
  return joinPieces(piecesOf([start, pack.head]), hashed, onePiece(end));
}

/** A body that is read only when it is its turn to be sent. */
function onePiece(make: () => Uint8Array<ArrayBuffer>): Pieces {
  let isGiven = false;
  return {
    async next() {
      if (isGiven) return null;
      isGiven = true;
      return make();
    },
    close: () => {},
  };
}
