/** The headers of every answer below `/i/`, whose address holds an install token. */
export const LINK_HEADERS: Readonly<Record<string, string>> = {
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'private, no-store',
};

/** Whether a path is below `/i/`, also with escapes. */
export function isLinkPath(path: string): boolean {
  return /^\/+(?:i|%69|%49)(?:\/|%2f|$)/i.test(path);
}
