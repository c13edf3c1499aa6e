import { parse } from 'range-parser';

export function lengthHeaders(
  range: ByteRange | null,
  { start, end }: ByteRange,
  length: number,
): Readonly<Record<string, string>> {
  const part = { 'Content-Length': String(end - start) };
  return range === null ? part : { ...part, 'Content-Range': `bytes ${start}-${end - 1}/${length}` };
}

export function unsatisfiable(headers: Readonly<Record<string, string>>, length: number): Response {
  const { 'Content-Disposition': _, ...kept } = headers;
  const error = `Cannot give that range: the file holds ${length} bytes`;
  const body = `${JSON.stringify({ error, code: 'INVALID_REQUEST' })}\n`;
  const answer = {
    'Content-Type': 'application/json',
    'Content-Range': `bytes */${length}`,
    'Content-Length': String(body.length),
  };
  return new Response(body, { status: 416, headers: { ...kept, ...answer } });
}

export type ByteRange = { readonly start: number; readonly end: number };

/**
 * Returns the bytes that a request asks for (RFC 9110 §14.2), 'unsatisfiable' if they lie outside of the body, or null for the
 * whole body. As the RFC allows, several ranges, other units, a malformed range, and an If-Range other than the strong tag get
 * the whole body too.
 */
export function readRange(request: Request, size: number, etag: string): ByteRange | 'unsatisfiable' | null {
  const condition = request.headers.get('if-range');
  if (request.method !== 'GET' || (condition !== null && condition !== etag)) return null;
  const { type, ranges, code } = parse(size, request.headers.get('range') ?? '');
  if (type !== 'bytes' || (code & INVALID) !== 0 || ranges.length > 1) return null;
  const [range] = ranges;
  return range === undefined ? 'unsatisfiable' : { start: range.start, end: range.end + 1 };
}

/** The bit by which the parser says that a range is malformed. */
const INVALID = 1;
