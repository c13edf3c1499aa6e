import type { Dialect } from '../../git/upload-request.ts';
import { Refusal } from '../../refusal.ts';
import type { LargeBodies } from '../large-bodies.ts';
import { loadZlib } from '../../zlib.ts';

/** The most bytes of a request, also unpacked. */
const MOST_BYTES = 1024 * 1024;

const TYPE = 'application/x-git-upload-pack-request';

/** The protocol version that a client asks for (gitprotocol-http(5)), and whether the client handles shallow clones. */
export function dialectOf({ headers }: Request): Dialect {
  if ((headers.get('git-protocol') ?? '').split(':').includes('version=2')) return 2;
  return /\b(?:libgit2|dulwich)\b/i.test(headers.get('user-agent') ?? '') ? 'uncut' : 0;
}

/** The body of a request to git-upload-pack, unpacked. Refuses another media type, and more than `MOST_BYTES`. */
export async function readUpload(request: Request, bodies: LargeBodies): Promise<Uint8Array> {
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
