import type { FailureAnswer } from './failure.ts';
import { LINK_HEADERS, textAnswer } from './answer.ts';

/**
 * Returns the caching headers of an answer. `isLink` says that the address contains an install token. `isPublic` says that the
 * answer is the same for everybody: caches may store it, and must check it at each use.
 */
export function agentHeaders(isLink: boolean, isPublic: boolean): Readonly<Record<string, string>> {
  if (isLink) return LINK_HEADERS;
  if (!isPublic) return { 'Cache-Control': 'private, no-store', Vary: 'Authorization' };
  return { 'Cache-Control': 'public, no-cache', 'Access-Control-Allow-Origin': '*' };
}

/** Also true below a link with an install token, as in `/i/TOKEN/git/…`. */
export const isGitPath = (path: string): boolean =>
  /^\/+(?:(?:i|%69|%49)\/[^/]*\/)?(?:git|shelf\.git)\//i.test(path);

export const isOpdsPath = (path: string): boolean => /^\/+opds(?:\/|$)/i.test(path);

/**
 * Answers a failure as plain text, which git prints as "remote: …". A 401 asks for Basic authentication, with which git and
 * e-readers send an API key.
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
