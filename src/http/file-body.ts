import type { AgentPrincipal } from '../access/principal.ts';
import { decodePieces } from '../catalog/file-content.ts';
import { readPieces } from '../catalog/file-pieces.ts';
import { type Action, recheckAccess } from '../service/access.ts';
import type { OpenedFile } from '../service/files.ts';
import type { Stall } from '../service/stall.ts';
import { isUnmodified, notModified } from './etag.ts';
import type { Sender } from './sender.ts';

/** The receiver of a file, their right to it, the route, and the headers of the answer. */
type Sending = {
  readonly principal: AgentPrincipal;
  readonly action: Action;
  readonly route: string;
  readonly headers: Readonly<Record<string, string>> & { readonly ETag: string };
  /** Called once the answer is admitted. */
  readonly count?: () => void;
};

/** A 200 with one file of an item, or a 304. */
export function sendFile(
  request: Request,
  { edition, file, artefact, start, end }: OpenedFile,
  { stall, sender }: { readonly stall: Stall; readonly sender: Sender },
  { principal, action, route, headers, count = () => {} }: Sending,
): Response {
  if (isUnmodified(request, headers.ETag)) return notModified(headers);
  if (request.method === 'HEAD') return new Response(countedBody(file.size), { headers });
  const delivery = {
    route,
    length: file.size,
    check: () => recheckAccess(stall, principal, edition, action, file.path),
    pieces() {
      count();
      return decodePieces(readPieces({ file: artefact.file, start, end }), file);
    },
  };
  return sender.pieces(request, delivery, { headers });
}

/** Below a wildcard Elysia reads a HEAD answer's body to count its bytes: this body claims `size` bytes and holds none. */
export function countedBody(size: number): ReadableStream {
  return new ReadableStream({
    start(controller) {
      controller.enqueue({ byteLength: size });
      controller.close();
    },
  });
}
