import { createHash } from 'node:crypto';
import fresh from 'fresh';

/** Returns `path`, without a fragment, if it is a path of this stall, else `fallback`: no sign-in may lead to another site. */
export function ownPath(path: string, fallback: string): string {
  if (!path.startsWith('/') || path.length > longestOf(path) || !URL.canParse(path, OWN)) return fallback;
  const { origin, pathname, search } = new URL(path, OWN);
  // "/.//evil" becomes "//evil", which browsers read as another origin.
  return origin === OWN && !pathname.startsWith('//') ? `${pathname}${search}` : fallback;
}

const OWN = 'http://own.invalid';
/** The maximum length of a path in characters. Longer ones are not parsed, since some take quadratic time. */
const LONGEST_PATH = 2_048;

/** The query of `/authorize`, an assistant's request, may be longer: nothing in it takes quadratic time. */
const longestOf = (path: string): number =>
  path.startsWith('/authorize?') ? 6 * LONGEST_PATH : LONGEST_PATH;

export const redirect = (path: string, headers: Readonly<Record<string, string>> = {}): Response =>
  new Response(null, {
    status: 303,
    headers: { Location: path, 'Cache-Control': 'no-store', ...headers },
  });

export const YEAR = 365 * 24 * 60 * 60;

export const FOR_EVER = `public, max-age=${YEAR}, immutable`;

export const choiceCookie = (name: string, value: string): string =>
  `${name}=${value}; Path=/; Max-Age=${YEAR}; SameSite=Lax`;

/** Reports whether If-None-Match contains the entity tag, by weak comparison (RFC 9110 §13.1.2). If so, the answer is 304. */
export const isUnmodified = (request: Request, etag: string): boolean =>
  fresh({ 'if-none-match': request.headers.get('if-none-match') ?? undefined }, { etag });

/**
 * Answers 304, so that the client uses its copy. `headers` are those of the 200; those about the body are left out, but not
 * Content-Disposition, since the file's name may have changed.
 */
export function notModified(headers: Headers | Readonly<Record<string, string>>): Response {
  const kept = [...new Headers(headers)].filter(
    ([name]) => !/^(content-(?!disposition)|accept-ranges)/.test(name),
  );
  return new Response(null, { status: 304, headers: kept });
}

/** The headers of a page whose address holds a secret: browsers do not tell it to other sites. */
export const SECRET_ADDRESS = { 'Referrer-Policy': 'no-referrer' };

/** The headers of all answers below `/i/`, where the address contains an install token. */
export const LINK_HEADERS: Readonly<Record<string, string>> = {
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'private, no-store',
};

export const isLinkPath = (path: string): boolean => /^\/+(?:i|%69|%49)(?:\/|%2f|$)/i.test(path);

export type Quota = Readonly<Record<string, string>>;

/**
 * Adds the RateLimit headers of one answer to the shared headers `fixed`, and returns `fixed`. Pass it to `new Response`, which
 * copies it, before the next call changes it. The other headers are made once: making eight of them for each install would take
 * longer than all of its checks.
 */
export function withQuota(fixed: Headers, quota: Quota): Headers {
  for (const name in quota) fixed.set(name, quota[name] ?? '');
  return fixed;
}

/**
 * A body that is the same for all clients, with its content type and entity tag. Answers share a Blob, while a typed array
 * would be copied for each, and a string encoded again.
 */
export type Asset = { readonly type: string; readonly body: Blob; readonly etag: string };

export const JSON_TYPE = 'application/json; charset=utf-8';

export function asset(type: string, content: string | Uint8Array<ArrayBuffer>): Asset {
  const etag = `"${createHash('sha256').update(content).digest('base64url')}"`;
  return { type, body: new Blob([content]), etag };
}

export const textAnswer = (text: string, status: number, headers: Headings): Response =>
  new Response(text, { status, headers: { ...headers, 'Content-Length': String(Buffer.byteLength(text)) } });

export const plainAnswer = (text: string, status = 200): Response =>
  textAnswer(text, status, { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' });

const headersOf = ({ type, body, etag }: Asset, more: Headings): Headers =>
  new Headers({ 'Content-Type': type, ETag: etag, 'Content-Length': String(body.size), ...more });

export const sendAsset = (request: Request, sent: Asset, more: Headings): Response =>
  isUnmodified(request, sent.etag)
    ? notModified(headersOf(sent, more))
    : new Response(sent.body, { headers: headersOf(sent, more) });

type Headings = Readonly<Record<string, string>>;

const renderings = new WeakMap<object, Asset & { readonly fixed: Headers }>();

/**
 * Sends `value` as JSON, or 304 if the client has it. Makes the JSON and headers once for each object: later `more` is ignored.
 */
export function jsonAnswer(request: Request, value: object, more: Headings, quota: Quota = {}): Response {
  const { body, etag, fixed } = renderings.getOrInsertComputed(value, () => {
    const made = asset('application/json', `${JSON.stringify(value)}\n`);
    return { ...made, fixed: headersOf(made, more) };
  });
  const headers = withQuota(fixed, quota);
  return isUnmodified(request, etag) ? notModified(headers) : new Response(body, { headers });
}

/**
 * Returns a body that has no bytes but reports a size. For HEAD on a wildcard route, Elysia reads the body of the answer to
 * compute its Content-Length.
 */
export const countedBody = (size: number): ReadableStream =>
  new ReadableStream({
    start(controller) {
      controller.enqueue({ byteLength: size });
      controller.close();
    },
  });
