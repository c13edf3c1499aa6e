import { Refusal } from '../refusal.ts';

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a form that another site had a browser send. Fetch metadata decides; a browser that sends none, as over plain http, must
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

/** A path of this stall to go to after signing in: `path` as URLs write it if it is one, else `fallback`. No other origin passes. */
export function ownPath(path: string, fallback: string): string {
  if (!path.startsWith('/') || path.length > LONGEST || !URL.canParse(path, OWN)) return fallback;
  const { origin, pathname, search } = new URL(path, OWN);
  // "/.//evil" is a path whose short form would be another origin.
  return origin === OWN && !pathname.startsWith('//') ? `${pathname}${search}` : fallback;
}

const OWN = 'http://own.invalid';
/** The parser of URLs takes quadratic time for a host of combining marks. */
const LONGEST = 2_048;

/** 303 to a path of this stall: the answer to every accepted form. */
export function redirect(path: string, headers: Readonly<Record<string, string>> = {}): Response {
  return new Response(null, {
    status: 303,
    headers: { Location: path, 'Cache-Control': 'no-store', ...headers },
  });
}
