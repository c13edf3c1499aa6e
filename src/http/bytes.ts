import type { OpenedArtefact } from '../catalog/artefact-shelf.ts';
import type { Shared } from './bytes-in-flight.ts';

/** How long a connection may be silent, in seconds; also the time limit for a request's body. */
export const IDLE = 30;

/** How long a client may read nothing before a download is cut, in seconds: the most Bun's timer can hold. */
export const STALLED = 255;

/** The memory of an artefact that is in memory as a Blob, as bytes in flight count it. */
export function sharedMemory({ blob }: OpenedArtefact): Shared | null {
  return blob === null ? null : { memory: blob, bytes: blob.size };
}

/** Part of an artefact, in bytes; `end` is exclusive. */
export type Slice = { readonly start: number; readonly end: number };

/** A slice of an artefact in memory, without a copy; null if it is not in memory. */
export function sliceBlob({ blob }: OpenedArtefact, { start, end }: Slice): Blob | null {
  if (blob === null) return null;
  return start === 0 && end === blob.size ? blob : blob.slice(start, end);
}

const RANGE = /^bytes=(?:(\d+)-(\d*)|-(\d+))$/i;

/**
 * The single range a request asks for (RFC 9110 §14.2), null for the whole, or 'unsatisfiable'. Several ranges, other
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
