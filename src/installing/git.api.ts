import type { AgentPrincipal } from '../platform/base/principal.ts';
import {
  advertiseItem,
  advertiseShelf,
  marketplace,
  uploadItem,
  type UploadPack,
  uploadShelf,
} from './git.ts';
import type { Http } from './stall.ts';
import { ADVERTISEMENT_TYPE, type GitDialect, UPLOAD_PACK_RESULT_TYPE } from './git/upload-response.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { agentHeaders } from '../platform/http/agent-answer.ts';
import { asset, JSON_TYPE, sendAsset } from '../platform/http/answer.ts';
import { recheckAccess } from '../accounts/access.ts';
import type { ReadLarge } from '../platform/http/body.ts';
import { loadZlib } from '../platform/base/runtime.ts';
import { readPieces } from '../platform/base/file-slice.ts';

/**
 * The parameters in a route's path: `token` is the install token of a link, `repository` an item's name. Without `repository`
 * the route is that of the marketplace, a repository that lists items.
 */
type Params = { readonly token?: string; readonly repository?: string };

const slugOf = (repository: string): string => repository.replace(/\.git$/, '');

/**
 * Answers the first request of `git clone` or `git fetch` (smart HTTP) with the branches and tags of an item, or of the
 * marketplace, a repository that lists the items that the sender may download. Refuses pushes and the old "dumb" protocol.
 */
export async function sendRefs(
  { stall }: Http,
  request: Request,
  asker: AgentPrincipal,
  { token, repository }: Params = {},
): Promise<Response> {
  const wanted = new URL(request.url).searchParams.get('service');
  if (wanted === 'git-receive-pack') refusePush();
  if (wanted !== 'git-upload-pack') refuseDumb();
  const dialect = dialectOf(request);
  const text = await (repository === undefined
    ? advertiseShelf(stall, asker, token, dialect)
    : advertiseItem(stall, asker, slugOf(repository), dialect));
  return new Response(text, { headers: headersOf(ADVERTISEMENT_TYPE, token) });
}

export async function sendPack(
  { stall, sender, readLarge }: Http,
  request: Request,
  {
    asker,
    params: { token, repository } = {},
    route,
  }: { readonly asker: AgentPrincipal; readonly params?: Params; readonly route: string },
): Promise<Response> {
  const [body, dialect] = [await readUpload(request, readLarge), dialectOf(request)];
  const { start, pack } = await (repository === undefined
    ? uploadShelf(stall, asker, { token, body, dialect })
    : uploadItem(stall, asker, { slug: slugOf(repository), body, dialect }));
  const headers = headersOf(UPLOAD_PACK_RESULT_TYPE, token);
  if (pack === null) return new Response(start, { headers });
  pack.count();
  const delivery = {
    route,
    length: start.length + pack.pack.length,
    check: () => pack.editions.forEach((edition) => recheckAccess(stall, asker, { edition, action: 'take' })),
    pieces: () => packPieces(start, pack),
  };
  return sender.pieces(request, delivery, { headers });
}

export function refusePush(): never {
  throw new Refusal(
    'access-denied',
    'Cannot push: the repositories of a stall are read only; its publisher changes items',
  );
}

export function refuseDumb(): never {
  throw new Refusal(
    'access-denied',
    'Cannot serve git without its smart protocol: use git 1.6.6 or later, and no proxy that takes "?service=" away',
  );
}

function headersOf(type: string, token: string | undefined) {
  return { 'Content-Type': type, ...agentHeaders(token !== undefined, false) };
}

/** The maximum size of a request's body, in bytes, both compressed and uncompressed. */
export const LARGEST_GIT_REQUEST = 1024 * 1024;

const TYPE = 'application/x-git-upload-pack-request';

/**
 * Returns the protocol version that a git client asks for (gitprotocol-http(5)); 'uncut' for libraries without shallow
 * clones.
 */
function dialectOf({ headers }: Request): GitDialect {
  if ((headers.get('git-protocol') ?? '').split(':').includes('version=2')) return 2;
  return /\b(?:libgit2|dulwich)\b/i.test(headers.get('user-agent') ?? '') ? 'uncut' : 0;
}

/**
 * Returns the uncompressed body of a request to git-upload-pack. Refuses another media type, and over `LARGEST_GIT_REQUEST`
 * bytes.
 */
async function readUpload(request: Request, readLarge: ReadLarge): Promise<Uint8Array> {
  if (request.headers.get('content-type') !== TYPE)
    throw new Refusal('unsupported-media-type', `Cannot read the request: send it as ${TYPE}, as git does`);
  const encoding = request.headers.get('content-encoding')?.toLowerCase() ?? 'identity';
  if (!['identity', 'gzip', 'x-gzip'].includes(encoding))
    throw new Refusal('unsupported-media-type', 'Cannot unpack the request: send it plain or as gzip');
  return readLarge(request, LARGEST_GIT_REQUEST, (body) => (encoding === 'identity' ? body : unpack(body)));
}

function unpack(body: Uint8Array): Uint8Array {
  try {
    return loadZlib().gunzipSync(body, { maxOutputLength: LARGEST_GIT_REQUEST });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw new Refusal(
        'payload-too-large',
        `Cannot read a request of more than ${LARGEST_GIT_REQUEST / 1024} KiB: send a shorter one`,
      );
    throw Refusal.invalid('Cannot unpack the request: its gzip is damaged');
  }
}

function* packPieces(start: Uint8Array, { pack, body }: UploadPack): Generator<Uint8Array, void> {
  const before = Buffer.concat([start, pack.head]);
  const known = pack.trailer();
  const { update, end } = known === null ? pack.hash() : { update: () => {}, end: () => known };
  let left = before.length;
  const slice = { ...body, start: 0, end: pack.bodySize };
  for (const piece of readPieces(slice, before)) {
    // Skips the bytes before the body: `pack.hash()` has hashed those of the pack already.
    const ahead = Math.min(left, piece.length);
    update(piece.subarray(ahead));
    left -= ahead;
    yield piece;
  }
  yield end();
}

export const sendMarketplace = async (
  { stall }: Http,
  request: Request,
  asker: AgentPrincipal,
  { token }: Params = {},
) =>
  sendAsset(request, asset(JSON_TYPE, await marketplace(stall, asker, token)), {
    ...agentHeaders(token !== undefined, asker.kind === 'anonymous'),
    Vary: 'Authorization',
  });
