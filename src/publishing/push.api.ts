import type { ItemName } from './pushed.ts';
import { isSlug } from '../catalog/path.rule.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { findPushState, FoundErrors, push, type Pushed, unpublish } from './push.ts';
import type { Stall } from './stall.ts';
import type { Publisher } from '../platform/base/principal.ts';
import { textAnswer } from '../platform/http/answer.ts';
import { streamBody } from '../platform/http/body.ts';
import type { Query } from '../platform/http/http.ts';

type Named = { readonly kind: string; readonly slug: string };

/**
 * `GET /api/publish/<kind>/<slug>`: sends the hash of the folder that was pushed last, also as `ETag`. The next push must
 * name this hash.
 */
export function sendState(stall: Stall, publisher: Publisher, params: Named): Response {
  const { hash, digest } = findPushState(stall, publisher, readName(params));
  return answer({ hash, digest: `sha256:${digest}` }, 200, { ETag: `"${hash}"` });
}

export const takePush = (
  stall: Stall,
  request: Request,
  {
    publisher,
    params,
    query,
  }: { readonly publisher: Publisher; readonly params: Named; readonly query: Query },
): Promise<Response> =>
  answerPush(() => {
    const expected = { ifMatch: readCondition(request), isDryRun: 'dry-run' in query };
    const size = Number(request.headers.get('content-length') ?? 0);
    const folder = { ...readName(params), ...expected, size };
    return push(stall, publisher, folder, streamBody(request, stall.config.mostPush));
  });

/** `DELETE /api/publish/<kind>/<slug>`: makes a pushed item a draft. */
export const takeBack = (stall: Stall, request: Request, publisher: Publisher, params: Named) =>
  answerPush(() =>
    unpublish(stall, publisher, { ...readName(params), ifMatch: readCondition(request), isDryRun: false }),
  );

async function answerPush(act: () => Promise<Pushed>): Promise<Response> {
  try {
    const { isLate, digest, ...pushed } = await act();
    return answer({ ...pushed, digest: `sha256:${digest}` }, isLate ? 202 : 200, {
      ETag: `"${pushed.hash}"`,
    });
  } catch (error) {
    if (!(error instanceof FoundErrors)) throw error;
    const { message, findings } = error;
    return answer({ error: message, code: 'INVALID_REQUEST', findings }, 400);
  }
}

const answer = (body: object, status: number, headers: Readonly<Record<string, string>> = {}): Response =>
  textAnswer(`${JSON.stringify(body)}\n`, status, {
    'Content-Type': 'application/json',
    'Cache-Control': 'no-store',
    ...headers,
  });

function readName({ kind, slug }: Named): ItemName {
  if ((kind === 'book' || kind === 'skill') && isSlug(slug)) return { kind, slug };
  throw Refusal.missing(
    'Cannot publish there: the path is /api/publish/book/SLUG or /api/publish/skill/SLUG, with a slug as folders have it',
  );
}

/** Returns the hash in `If-Match` (RFC 9110 §13.1.1), or null for `If-None-Match: *`. Refuses a request without either. */
function readCondition({ headers }: Request): string | null {
  const [, hash] = /^"?([0-9a-f]{64})"?$/.exec(headers.get('if-match') ?? '') ?? [];
  if (hash !== undefined) return hash;
  if (headers.get('if-none-match')?.trim() === '*' && !headers.has('if-match')) return null;
  throw Refusal.invalid(
    'Cannot publish without a condition: send "If-Match" with the hash that GET gives, or "If-None-Match: *" for a new item',
  );
}
