import type { AgentPrincipal } from '../access/principal.ts';
import { createTransientDecoder } from '../catalog/file-content.ts';
import type { Action } from '../service/access.ts';
import type { OpenedFile } from '../service/delivery/item-file.ts';
import type { Service } from '../service/service.ts';
import type { ByteSender } from './byte-sender.ts';
import { sliceBlob } from './bytes.ts';
import { artefactPieces, decodePieces } from './pieces.ts';

/** The receiver of a file, their right to it, the route, and the headers of the answer. */
type Sending = {
  readonly principal: AgentPrincipal;
  readonly action: Action;
  readonly route: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Called once the answer is admitted. */
  readonly count?: () => void;
};

/** A 200 with one file of an item: with its length if the item is in memory, else as fast as the client takes it. */
export function sendFile(
  request: Request,
  opened: OpenedFile,
  { service, sender }: { readonly service: Service; readonly sender: ByteSender },
  { principal, action, route, headers, count = () => {} }: Sending,
): Response | Promise<Response> {
  const { edition, file, artefact, start, end } = opened;
  const check = () => service.recheckAccess(principal, edition, action, file.path);
  const blob = sliceBlob(artefact, { start, end });
  const decoded = blob === null ? null : service.decodeFile(opened, blob);
  const decode = createTransientDecoder(file);
  const delivery = {
    route,
    check,
    // A decoded file has another length than its encoded content.
    length: decoded?.size ?? end - start,
    whole: decoded && {
      blob() {
        count();
        return decoded.read();
      },
      shared: { memory: decoded, bytes: decoded.size },
    },
    async pieces() {
      const read = artefactPieces(await artefact.openReader(), start, end);
      count();
      return decodePieces(read, end - start, decode);
    },
  };
  return sender.send(request, delivery, { headers });
}
