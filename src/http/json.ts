import { createHash } from 'node:crypto';
import { Refusal } from '../refusal.ts';
import { readBody } from './body.ts';
import { isUnmodified, notModified } from './etag.ts';

/** The largest JSON body that is read, in bytes. */
const MOST = 128 * 1024;

type Rendering = { readonly body: string; readonly etag: string; readonly length: string };

const renderings = new WeakMap<object, Rendering>();

/** A JSON answer with a strong entity tag over its bytes, or 304 where the reader has it; the same `value` is rendered once. */
export function jsonAnswer(
  request: Request,
  value: object,
  headers: Readonly<Record<string, string>>,
): Response {
  const { body, etag, length } = renderings.get(value) ?? render(value);
  const all = {
    'Content-Type': 'application/json',
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
    'Content-Length': length,
    ...headers,
  };
  return isUnmodified(request, etag) ? notModified(all) : new Response(body, { headers: all });
}

function render(value: object): Rendering {
  const body = `${JSON.stringify(value)}\n`;
  const etag = `"${createHash('sha256').update(body).digest('base64url')}"`;
  const rendering = { body, etag, length: String(Buffer.byteLength(body)) };
  renderings.set(value, rendering);
  return rendering;
}

/** Reads a request's JSON body. Refuses another content type (415), more than 128 KiB (413) and what is no JSON (400). */
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
