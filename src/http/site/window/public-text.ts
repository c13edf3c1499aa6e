import { createHash } from 'node:crypto';
import { isUnmodified, notModified } from '../../etag.ts';

/** A text that is the same for everybody, with its entity tag. */
export type PublicText = {
  readonly type: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
};

/** Encodes a text and computes its tag; `type` is its content type. */
export function publicText(type: string, text: string): PublicText {
  const bytes = new TextEncoder().encode(text);
  return { type, bytes, etag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
}

/** Sends a text, or 304 to a client that has it. */
export function sendPublicText(request: Request, { type, bytes, etag }: PublicText): Response {
  const headers = {
    'Content-Type': type,
    'Cache-Control': 'public, no-cache',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  };
  if (isUnmodified(request, etag)) return notModified(headers);
  return new Response(bytes, { headers: { ...headers, 'Content-Length': String(bytes.length) } });
}
