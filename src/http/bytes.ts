import { open } from 'node:fs/promises';
import type { OpenedArtefact } from '../catalog/artefact-shelf.ts';

const CHUNK_SIZE = 1 << 18;

/** Part of an artefact, in bytes; `end` is exclusive. */
export type Slice = { readonly start: number; readonly end: number };

/** The bytes of an artefact as parts of one body: a Blob where it is in memory, else chunks read as the reader takes them. */
export function sliceBlob({ blob }: OpenedArtefact, { start, end }: Slice): Blob | null {
  if (blob === null) return null;
  return start === 0 && end === blob.size ? blob : blob.slice(start, end);
}

/** Reads a slice of a file chunk by chunk: constant memory, and nothing is read before the reader wants it. */
export async function* readSlice(file: string, { start, end }: Slice): AsyncGenerator<Uint8Array> {
  await using handle = await open(file, 'r');
  for (let at = start; at < end;) {
    const chunk = new Uint8Array(Math.min(CHUNK_SIZE, end - at));
    const { bytesRead } = await handle.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) throw new Error(`"${file}" ends at ${at}, before ${end}`);
    at += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

const RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i;

/**
 * The single range a request asks for (RFC 9110 §14.2), `null` for the whole, or 'unsatisfiable'. Several ranges, other
 * units and malformed ones are answered with the whole, as the RFC allows; If-Range must name the strong tag.
 */
export function readRange(request: Request, size: number, etag: string): Slice | 'unsatisfiable' | null {
  const condition = request.headers.get('if-range');
  if (request.method !== 'GET' || (condition !== null && condition !== etag)) return null;
  const [, first, last, suffix] = RANGE.exec(request.headers.get('range')?.trim() ?? '') ?? [];
  if (first === undefined && suffix === undefined) return null;
  if (last && Number(last) < Number(first)) return null;
  // A suffix longer than the whole is the whole (§14.1.2).
  const start = suffix === undefined ? Number(first) : Math.max(0, size - Number(suffix));
  if (start >= size) return 'unsatisfiable';
  return { start, end: last ? Math.min(Number(last) + 1, size) : size };
}
