// What upload-pack answers without multi_ack, over stateless HTTP, gitprotocol-pack(5).
import type { ObjectId } from './object.ts';
import { FLUSH, packetLine } from './packet-line.ts';
import type { UploadRequest } from './upload-request.ts';

export const UPLOAD_PACK_RESULT_TYPE = 'application/x-git-upload-pack-result';

/** The lines before the pack; then all objects of the tip, none, or nothing more in this answer. */
export type UploadResponse = { readonly lines: string; readonly pack: 'whole' | 'empty' | null };

/** A line that git prints as `fatal: remote error: upload-pack: …`. */
export function uploadError(sentence: string): string {
  return packetLine(`ERR upload-pack: ${sentence}`);
}

/**
 * Answers a request to a repository that holds one commit, `tip`. Throws RangeError when another commit is wanted: what
 * is not the tip was never offered.
 */
export function answerUpload(request: UploadRequest, tip: ObjectId, isShallow: boolean): UploadResponse {
  const stranger = request.wants.find((id) => id !== tip);
  if (stranger !== undefined) throw new RangeError(`not our ref ${stranger}`);
  const boundary = request.deepens ? boundaryLines(request, tip, isShallow) : '';
  const hasTip = request.haves.includes(tip);
  const acknowledgement = packetLine(hasTip ? `ACK ${tip}\n` : 'NAK\n');
  if (!request.isDone) {
    // A client that asked for a depth alone reads the boundary and asks again.
    const isAsking = request.deepens && request.haves.length === 0;
    return { lines: boundary + (isAsking ? '' : acknowledgement), pack: null };
  }
  return { lines: boundary + acknowledgement, pack: hasTip ? 'empty' : 'whole' };
}

/** There is one commit to give, so that every depth ends at it. */
function boundaryLines({ shallows }: UploadRequest, tip: ObjectId, isShallow: boolean): string {
  const isNew = isShallow && !shallows.includes(tip);
  return (isNew ? packetLine(`shallow ${tip}`) : '') + FLUSH;
}
