import type { AgentPrincipal } from '../../access/principal.ts';
import { ADVERTISEMENT_TYPE } from '../../git/advertisement.ts';
import type { Dialect } from '../../git/upload-request.ts';
import { UPLOAD_PACK_RESULT_TYPE } from '../../git/upload-response.ts';
import { Refusal } from '../../refusal.ts';
import type { Upload } from '../../service/git.ts';
import type { Http } from '../http.ts';
import { agentHeaders } from './agent-headers.ts';
import { uploadDelivery } from './git-delivery.ts';
import { dialectOf, readUpload } from './git-request.ts';
import { recheckAccess } from '../../service/access.ts';

/** A request for a pack; `token` is the install token in the path, if there is one. */
type Sending = {
  readonly asker: AgentPrincipal;
  readonly token: string | undefined;
  readonly route: string;
  readonly upload: (body: Uint8Array, dialect: Dialect) => Promise<Upload>;
};

/** Answers a client's first request. Refuses any other service than fetching. */
export async function sendRefs(
  request: Request,
  token: string | undefined,
  advertise: (dialect: Dialect) => Promise<string>,
): Promise<Response> {
  const wanted = new URL(request.url).searchParams.get('service');
  if (wanted === 'git-receive-pack') refusePush();
  if (wanted !== 'git-upload-pack') refuseDumb();
  const text = await advertise(dialectOf(request));
  return new Response(text, { headers: headersOf(ADVERTISEMENT_TYPE, token) });
}

/** Answers with lines, and the pack if one is due. */
export async function sendPack(
  { stall, sender, bodies }: Http,
  request: Request,
  { asker, token, route, upload }: Sending,
): Promise<Response> {
  const { start, pack } = await upload(await readUpload(request, bodies), dialectOf(request));
  const headers = headersOf(UPLOAD_PACK_RESULT_TYPE, token);
  if (pack === null) return new Response(start, { headers });
  pack.count();
  const check = () => recheckAccess(stall, asker, pack.edition, 'take');
  return sender.pieces(request, uploadDelivery(start, pack, { route, check }), { headers });
}

/** Refuses pushes. */
export function refusePush(): never {
  throw new Refusal(
    'access-denied',
    'Cannot push: the repositories of a stall are read only; its publisher changes items',
  );
}

/** Refuses git's old "dumb" protocol, which reads single files. */
export function refuseDumb(): never {
  throw new Refusal(
    'access-denied',
    'Cannot serve git without its smart protocol: use git 1.6.6 or later, and no proxy that takes "?service=" away',
  );
}

function headersOf(type: string, token: string | undefined) {
  return { 'Content-Type': type, ...agentHeaders(token !== undefined, false) };
}
