/** What every answer below `/i/` carries: its address holds an install token. */
export const LINK_HEADERS: Readonly<Record<string, string>> = {
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex',
  'Cache-Control': 'private, no-store',
};

/** Whether a path lies below `/i/`, however it is spelt. */
export function isLinkPath(path: string): boolean {
  return /^\/+(?:i|%69|%49)(?:\/|%2f|$)/i.test(path);
}
