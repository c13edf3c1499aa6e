import { readPieces } from '../../catalog/file-pieces.ts';
import type { UploadPack } from '../../service/git.ts';
import type { Delivery } from '../sender.ts';

/** A pack with the lines before it as one answer. */
export function uploadDelivery(
  start: Uint8Array<ArrayBuffer>,
  upload: UploadPack,
  sending: Pick<Delivery, 'route' | 'check'>,
): Delivery {
  return { ...sending, length: start.length + upload.pack.length, pieces: () => packPieces(start, upload) };
}

function* packPieces(start: Uint8Array, { pack, body }: UploadPack): Generator<Uint8Array, void> {
  const before = Buffer.concat([start, pack.head]);
  const known = pack.trailer();
  const { update, end } = known === null ? pack.hash() : { update: () => {}, end: () => known };
  let left = before.length;
  const slice = { ...body, start: 0, end: pack.bodySize };
  for (const piece of readPieces(slice, before)) {
    // The hash has begun with what is before the body.
    const ahead = Math.min(left, piece.length);
    update(piece.subarray(ahead));
    left -= ahead;
    yield piece;
  }
  yield end();
}
