import type { AgentPrincipal } from '../../access/principal.ts';
import {
  advertiseItem,
  advertiseShelf,
  marketplace,
  type Upload,
  uploadItem,
  type UploadPack,
  uploadShelf,
} from '../../service/git.ts';
import type { Http } from '../http.ts';
import { ADVERTISEMENT_TYPE, type Dialect, UPLOAD_PACK_RESULT_TYPE } from '../../git/upload-response.ts';
import { Refusal } from '../../refusal.ts';
import { agentHeaders, sendText } from './agent-answer.ts';
import { recheckAccess } from '../../service/access.ts';
import type { LargeBodies } from '../body.ts';
import { loadZlib } from '../../runtime.ts';
import { readPieces } from '../../catalog/file-content.ts';
import type { Delivery } from '../sender.ts';

/** The names in an address; `token` is the install token of a link. Elysia gives none for a path without names. */
type Params = { readonly token?: string };
type ItemParams = Params & { readonly repository: string };

/** A client’s first request for an item as a git repository, read only, by smart HTTP. */
export function sendItemRefs({ stall }: Http, request: Request, asker: AgentPrincipal, params: ItemParams) {
  const slug = slugOf(params);
  return sendRefs(request, params.token, (dialect) => advertiseItem(stall, asker, slug, dialect));
}

/** An item as git takes it. */
export function sendItem(
  http: Http,
  request: Request,
  asker: AgentPrincipal,
  params: ItemParams,
  route: string,
) {
  const slug = slugOf(params);
  return sendPack(http, request, {
    asker,
    token: params.token,
    route,
    upload: (body, dialect) => uploadItem(http.stall, asker, slug, body, dialect),
  });
}

/** The slug in the last part of a repository's address, which may leave `.git` out, as at other hosts. */
function slugOf({ repository }: ItemParams): string {
  return repository.replace(/\.git$/, '');
}

/** A request for a pack; `token` is the install token in the path, if there is one. */
type Sending = {
  readonly asker: AgentPrincipal;
  readonly token: string | undefined;
  readonly route: string;
  readonly upload: (body: Uint8Array, dialect: Dialect) => Promise<Upload>;
};

/** Answers a client's first request. Refuses any other service than fetching. */
async function sendRefs(
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
async function sendPack(
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

/** The most bytes of a request, also unpacked. */
const MOST_BYTES = 1024 * 1024;

const TYPE = 'application/x-git-upload-pack-request';

/** The protocol version that a client asks for (gitprotocol-http(5)), and whether the client handles shallow clones. */
function dialectOf({ headers }: Request): Dialect {
  if ((headers.get('git-protocol') ?? '').split(':').includes('version=2')) return 2;
  return /\b(?:libgit2|dulwich)\b/i.test(headers.get('user-agent') ?? '') ? 'uncut' : 0;
}

/** The body of a request to git-upload-pack, unpacked. Refuses another media type, and more than `MOST_BYTES`. */
async function readUpload(request: Request, bodies: LargeBodies): Promise<Uint8Array> {
  if (request.headers.get('content-type') !== TYPE)
    throw new Refusal('unsupported-media-type', `Cannot read the request: send it as ${TYPE}, as git does`);
  const body = await bodies.read(request, MOST_BYTES);
  const encoding = request.headers.get('content-encoding')?.toLowerCase() ?? 'identity';
  if (encoding === 'identity') return body;
  if (encoding !== 'gzip' && encoding !== 'x-gzip')
    throw new Refusal('unsupported-media-type', 'Cannot unpack the request: send it plain or as gzip');
  return unpack(body);
}

function unpack(body: Uint8Array): Uint8Array {
  try {
    return loadZlib().gunzipSync(body, { maxOutputLength: MOST_BYTES });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw new Refusal(
        'payload-too-large',
        `Cannot read a request of more than ${MOST_BYTES / 1024} KiB: send a shorter one`,
      );
    throw new Refusal('invalid-request', 'Cannot unpack the request: its gzip is damaged');
  }
}

/** A pack with the lines before it as one answer. */
function uploadDelivery(
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

/** A client’s first request for everything a principal may take, a marketplace as a git repository. */
export function sendShelfRefs(
  { stall }: Http,
  request: Request,
  asker: AgentPrincipal,
  { token }: Params = {},
) {
  return sendRefs(request, token, (dialect) => advertiseShelf(stall, asker, token, dialect));
}

/** The marketplace as git takes it. */
export function sendShelf(
  http: Http,
  request: Request,
  asker: AgentPrincipal,
  { token }: Params = {},
  route: string,
) {
  return sendPack(http, request, {
    asker,
    token,
    route,
    upload: (body, dialect) => uploadShelf(http.stall, asker, token, body, dialect),
  });
}

/** The marketplace as JSON. */
export async function sendMarketplace(
  { stall }: Http,
  request: Request,
  asker: AgentPrincipal,
  { token }: Params = {},
) {
  return sendText(request, await marketplace(stall, asker, token), {
    'Content-Type': 'application/json; charset=utf-8',
    ...agentHeaders(token !== undefined, asker.kind === 'anonymous'),
    Vary: 'Authorization',
  });
}
