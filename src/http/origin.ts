import { Refusal } from '../refusal.ts';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses what another site had a browser send. Fetch metadata decides; a browser that sends none, as over plain http, must
 * name our own origin (OWASP Cross-Site Request Forgery Prevention Cheat Sheet).
 */
export function refuseForeign(request: Request, origin: string): void {
  if (SAFE.has(request.method)) return;
  const site = request.headers.get('sec-fetch-site');
  if (site === null ? request.headers.get('origin') === origin : site === 'same-origin') return;
  throw new Refusal(
    'access-denied',
    `Cannot take this form: it was not sent from this stall's own pages; open ${origin} and send it from there`,
  );
}

/** An own path to go to after signing in: `path` as an address writes it where it is one, else `fallback`. Nothing of another origin passes. */
export function ownPath(path: string, fallback: string): string {
  if (!path.startsWith('/') || !URL.canParse(path, OWN)) return fallback;
  const { origin, pathname, search } = new URL(path, OWN);
  // "/.//evil" is an own path whose short form would be another origin.
  return origin === OWN && !pathname.startsWith('//') ? `${pathname}${search}` : fallback;
}

const OWN = 'http://own.invalid';

/** 303 to an own path: what every form that was taken answers with. */
export function redirect(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, {
    status: 303,
    headers: { Location: path, 'Cache-Control': 'no-store', ...headers },
  });
}
