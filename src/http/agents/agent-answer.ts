import type { FailureAnswer } from '../failure.ts';
import { LINK_HEADERS, textAnswer } from '../answer.ts';

/** The headers that say who may cache an answer: everyone if all clients get the same, else nobody. */
export function agentHeaders(isLink: boolean, isPublic: boolean): Readonly<Record<string, string>> {
  if (isLink) return LINK_HEADERS;
  if (!isPublic) return { 'Cache-Control': 'private, no-store', Vary: 'Authorization' };
  return { 'Cache-Control': 'public, no-cache', 'Access-Control-Allow-Origin': '*' };
}

/** Whether git asks for a path, with an install token in it or without. */
export const isGitPath = (path: string): boolean =>
  /^\/+(?:(?:i|%69|%49)\/[^/]*\/)?(?:git|shelf\.git)\//i.test(path);

/** Whether an e-reader asks for a path. */
export const isOpdsPath = (path: string): boolean => /^\/+opds(?:\/|$)/i.test(path);

/**
 * A failure in the form git and e-readers show: text, which git prints as "remote: …", and for 401 the scheme
 * by which they ask for a credential.
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
