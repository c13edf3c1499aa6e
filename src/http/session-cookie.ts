import { isLoopback } from '../config.ts';

/** How a stall's cookie is sent: over TLS, over this machine's own http, over plain http on demand, or not at all. */
type InstallCommand = 'secure' | 'loopback' | 'insecure' | 'refused';

/**
 * The cookie that carries a session: `__Host-bookstall` over https (RFC 6265bis §4.1.3.2), which no other host can set; over
 * plain http another name, since browsers keep that prefix for https.
 */
export function createSessionCookie(origin: () => string, insecureHttp: boolean) {
  const way = (): InstallCommand => {
    const { protocol, hostname } = new URL(origin());
    if (protocol === 'https:') return 'secure';
    if (isLoopback(hostname.replace(/^\[|\]$/g, ''))) return 'loopback';
    return insecureHttp ? 'insecure' : 'refused';
  };
  const name = (): string => (way() === 'secure' ? '__Host-bookstall' : 'bookstall');
  const attributes = (): string => `Path=/; HttpOnly; SameSite=Lax${way() === 'secure' ? '; Secure' : ''}`;

  return {
    way,
    /** The value of the one cookie of our name; null without one, and where two make it unsure whose it is. */
    read(request: Request): string | null {
      const header = request.headers.get('cookie');
      if (header === null || way() === 'refused') return null;
      const prefix = `${name()}=`;
      const ours = header.split(/; */).filter((pair) => pair.startsWith(prefix));
      return ours.length === 1 ? (ours[0] ?? '').slice(prefix.length) : null;
    },
    /** The header that keeps a value for so many milliseconds. */
    keep: (value: string, term: number): string =>
      `${name()}=${value}; Max-Age=${Math.floor(term / 1000)}; ${attributes()}`,
    /** The header that takes it away. */
    drop: (): string => `${name()}=; Max-Age=0; ${attributes()}`,
  };
}

export type SessionCookie = ReturnType<typeof createSessionCookie>;
