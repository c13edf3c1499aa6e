import { createHash } from 'node:crypto';
import { Refusal } from '../refusal.ts';
import { readBody } from './body.ts';
import { isUnmodified, notModified } from './etag.ts';
import { type Quota, withQuota } from './budget.ts';

/** The largest JSON body that is read, in bytes. */
const MOST = 128 * 1024;

type Headings = Readonly<Record<string, string>>;
type Rendering = { readonly body: Blob; readonly etag: string; readonly fixed: Headers };

const renderings = new WeakMap<object, Rendering>();

/**
 * A JSON answer with a strong entity tag over its bytes, or 304 if the client has it. The same `value` is rendered once,
 * with the headers of its first answer.
 */
export function jsonAnswer(request: Request, value: object, headings: Headings, quota: Quota = {}): Response {
  const { body, etag, fixed } = renderings.get(value) ?? render(value, headings);
  const headers = withQuota(fixed, quota);
  return isUnmodified(request, etag) ? notModified(headers) : new Response(body, { headers });
}

function render(value: object, headings: Headings): Rendering {
  const text = `${JSON.stringify(value)}\n`;
  const etag = `"${createHash('sha256').update(text).digest('base64url')}"`;
  const fixed = new Headers({
    'Content-Type': 'application/json',
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
    'Content-Length': String(Buffer.byteLength(text)),
    ...headings,
  });
  // A Blob is sent as it is; a string would be encoded again for each answer.
  const rendering = { body: new Blob([text]), etag, fixed };
  renderings.set(value, rendering);
  return rendering;
}

/** Reads a request's JSON body. Refuses another content type (415), more than 128 KiB (413) and malformed JSON (400). */
export async function readJson(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new Refusal(
      'unsupported-media-type',
      'Cannot read the request: send it with "Content-Type: application/json"',
    );
  const text = new TextDecoder().decode(await readBody(request, MOST));
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('invalid-request', 'Cannot parse the request: its body is not JSON');
  }
}
