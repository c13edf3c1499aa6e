import type { FailureAnswer } from '../failure.ts';
import { LINK_HEADERS, textAnswer } from '../answer.ts';

/**
 * Returns the caching headers of an answer. An answer that is the same for all may be stored by any cache, which asks again
 * each time; any other is not stored. `isLink` says that the address holds an install token.
 */
export function agentHeaders(isLink: boolean, isPublic: boolean): Readonly<Record<string, string>> {
  if (isLink) return LINK_HEADERS;
  if (!isPublic) return { 'Cache-Control': 'private, no-store', Vary: 'Authorization' };
  return { 'Cache-Control': 'public, no-cache', 'Access-Control-Allow-Origin': '*' };
}

/** Reports whether a path is one that git asks for, with or without an install token (`/i/<token>`) before it. */
export const isGitPath = (path: string): boolean =>
  /^\/+(?:(?:i|%69|%49)\/[^/]*\/)?(?:git|shelf\.git)\//i.test(path);

/** Reports whether a path belongs to OPDS, the feeds that e-readers open. */
export const isOpdsPath = (path: string): boolean => /^\/+opds(?:\/|$)/i.test(path);

/**
 * Answers a failure as text, which git prints as "remote: …". A 401 also asks for Basic authentication, the scheme by which
 * git and e-readers send a credential.
 */
export function basicFailure({ status, body, headers }: FailureAnswer, origin: string): Response {
  const realm = `Bookstall ${new URL(origin).host}: any name, an API key as password`;
  return textAnswer(`${body.error}\n`, status, {
    'Content-Type': 'text/plain; charset=utf-8',
    'Cache-Control': 'private, no-store',
    ...(status === 401 ? { 'WWW-Authenticate': `Basic realm="${realm}", charset="UTF-8"` } : {}),
    ...headers,
  });
}
