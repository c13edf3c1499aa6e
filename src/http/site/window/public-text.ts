import { createHash } from 'node:crypto';
import { isUnmodified, notModified } from '../../answer.ts';
import type { Catalog } from '../../../catalog/catalog.ts';

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

/** The most names kept for one catalog, so that no stranger fills the memory. */
const MOST = 100;

/** Caches values derived from a catalog by name, as long as the catalog lives; a failure is not kept. */
export function catalogCache<Made>() {
  const caches = new WeakMap<Catalog, Map<string, Promise<Made>>>();
  return (catalog: Catalog, name: string, make: () => Promise<Made>): Promise<Made> => {
    const known = caches.get(catalog) ?? new Map<string, Promise<Made>>();
    if (known.size >= MOST) known.clear();
    caches.set(catalog, known);
    const made = known.get(name) ?? make();
    known.set(name, made);
    made.catch(() => known.delete(name));
    return made;
  };
}
