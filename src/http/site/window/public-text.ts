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

const bodies = new WeakMap<PublicText, Blob>();

/** Sends a text, or 304 to a client that has it. */
export function sendPublicText(request: Request, text: PublicText): Response {
  const { type, bytes, etag } = text;
  const headers = {
    'Content-Type': type,
    'Cache-Control': 'public, no-cache',
    'Content-Security-Policy': "sandbox; default-src 'none'",
    'X-Content-Type-Options': 'nosniff',
    ETag: etag,
  };
  if (isUnmodified(request, etag)) return notModified(headers);
  // Shared by all who are sent it: Bun copies a typed array for each.
  const body = bodies.get(text) ?? new Blob([bytes]);
  bodies.set(text, body);
  return new Response(body, { headers: { ...headers, 'Content-Length': String(bytes.length) } });
}
