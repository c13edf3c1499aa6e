/** Whether If-None-Match holds the entity tag, by weak comparison (RFC 9110 §13.1.2), so that the answer is 304. */
export function isUnmodified(request: Request, etag: string): boolean {
  const header = request.headers.get('if-none-match');
  if (header === null) return false;
  if (header.trim() === '*') return true;
  const opaque = etag.replace(/^W\//, '');
  return header.split(',').some((tag) => tag.trim().replace(/^W\//, '') === opaque);
}

/** A 304: the client's copy is still good. It repeats the caching headers of the 200, and its file's name, which may be another one now. */
export function notModified(headers: Headers | Readonly<Record<string, string>>): Response {
  const kept = [...new Headers(headers)].filter(
    ([name]) => !/^(content-(?!disposition)|accept-ranges)/.test(name),
  );
  return new Response(null, { status: 304, headers: kept });
}
