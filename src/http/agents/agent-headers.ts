import { LINK_HEADERS } from '../link-headers.ts';

/** The headers that say who may cache an answer: everyone if it is the same for all, else nobody. */
export function agentHeaders(isLink: boolean, isPublic: boolean): Readonly<Record<string, string>> {
  const common = { 'X-Content-Type-Options': 'nosniff' };
  if (isLink) return { ...common, ...LINK_HEADERS };
  if (!isPublic) return { ...common, 'Cache-Control': 'private, no-store', Vary: 'Authorization' };
  return { ...common, 'Cache-Control': 'public, no-cache', 'Access-Control-Allow-Origin': '*' };
}
