import { isLoopback } from '../local-host.ts';

/** How a stall's cookie is sent: over TLS, over http of this machine alone, over plain http if asked for, or not at all. */
type CookieMode = 'secure' | 'loopback' | 'insecure' | 'refused';

/**
 * The cookie that carries a session: `__Host-bookstall` over https (RFC 6265bis §4.1.3.2), which no other host can set; over
 * plain http another name, since browsers keep that prefix for https.
 */
export function createSessionCookie(origin: () => string, insecureHttp: boolean) {
  const mode = (): CookieMode => {
    const { protocol, hostname } = new URL(origin());
    if (protocol === 'https:') return 'secure';
    if (isLoopback(hostname.replace(/^\[|\]$/g, ''))) return 'loopback';
    return insecureHttp ? 'insecure' : 'refused';
  };
  const name = (): string => (mode() === 'secure' ? '__Host-bookstall' : 'bookstall');
  const attributes = (): string => `Path=/; HttpOnly; SameSite=Lax${mode() === 'secure' ? '; Secure' : ''}`;

  return {
    mode,
    /** The value of our cookie; null without one, and with two, since either may be another host's. */
    read(request: Request): string | null {
      const header = request.headers.get('cookie');
      if (header === null || mode() === 'refused') return null;
      const prefix = `${name()}=`;
      const ours = header.split(/; */).filter((pair) => pair.startsWith(prefix));
      return ours.length === 1 ? (ours[0] ?? '').slice(prefix.length) : null;
    },
    /** The header that sets the cookie for `term` milliseconds. */
    keep: (value: string, term: number): string =>
      `${name()}=${value}; Max-Age=${Math.floor(term / 1000)}; ${attributes()}`,
    /** The header that removes it. */
    drop: (): string => `${name()}=; Max-Age=0; ${attributes()}`,
  };
}

export type SessionCookie = ReturnType<typeof createSessionCookie>;
