import {
  ANONYMOUS,
  type Anonymous,
  type AgentPrincipal,
  type KeyPrincipal,
  type Principal,
  type Publisher,
  type SessionPrincipal,
  type TokenPrincipal,
} from '../base/principal.ts';
import { readCookie } from './cookie.ts';
import { languageOf, type Speaker } from './language.ts';
import { isLoopback } from '../config/local-host.ts';
import type { ReadVouched } from './proxy-header.ts';

type Authentication = {
  readonly byKey: (key: string) => Anonymous | KeyPrincipal;
  readonly byToken: (token: string) => Anonymous | TokenPrincipal;
  readonly byAccess: (token: string) => Anonymous | TokenPrincipal;
  readonly byPublishKey: (secret: string | null) => Publisher;
  readonly byDevice: (sent: string | null) => Anonymous | KeyPrincipal;
  readonly byCookie: (value: string, vouched: ReturnType<ReadVouched>) => SessionPrincipal | null;
  readonly languages: () => ReturnType<Speaker['manifest']>['languages'];
};

export function createCredentials(authentication: Authentication, cookie: SessionCookie, vouch: ReadVouched) {
  const byKey = (request: Request): Anonymous | KeyPrincipal => {
    const header = request.headers.get('authorization');
    if (header === null) return ANONYMOUS;
    // Bun joins two headers with a comma, which this pattern does not match.
    if (!BEARER.test(header))
      return { kind: 'anonymous', complaint: 'send exactly one "Authorization: Bearer svc_…" header' };
    return authentication.byKey(header.slice(header.lastIndexOf(' ') + 1));
  };
  /**
   * Identifies the sender by an API key or an install token, sent as a Bearer token or as the password of Basic authentication.
   */
  const byAgent = (request: Request): AgentPrincipal => {
    const header = request.headers.get('authorization');
    if (header === null) return ANONYMOUS;
    const secret = readSecret(header);
    if (secret === null) return { kind: 'anonymous', complaint: 'send exactly one API key or install token' };
    if (/^sv[or]_/.test(secret)) return { kind: 'anonymous', complaint: ACCESS_ELSEWHERE };
    return secret.startsWith('svi_') ? authentication.byToken(secret) : authentication.byKey(secret);
  };
  /**
   * Identifies the sender by the session cookie. The session does not count if it is forged or has ended, or if the sign-in
   * proxy names another e-mail address.
   */
  const bySession = (request: Request): Anonymous | SessionPrincipal => {
    const vouched = vouch(request);
    const value = cookie.read(request);
    const visitor = (value === null ? null : authentication.byCookie(value, vouched)) ?? ANONYMOUS;
    const languages = authentication.languages();
    // In a stall with a single language there is no choice to make, except for an account that once chose another language.
    if (languages.length === 1 && visitor.language === undefined) return visitor;
    return { ...visitor, language: languageOf(request, languages, visitor.language ?? null) };
  };
  return {
    byKey,
    byPublishKey(request: Request): Publisher {
      const header = request.headers.get('authorization') ?? '';
      return authentication.byPublishKey(
        BEARER.test(header) ? header.slice(header.lastIndexOf(' ') + 1) : null,
      );
    },
    /** Identifies the sender by the hash of a device key, with which an e-reader can only sync reading positions. */
    byDevice: (request: Request): Anonymous | KeyPrincipal =>
      authentication.byDevice(request.headers.get('x-auth-key')),
    bySession,
    /** Reports whether a browser opens a page for a reader whom the sign-in proxy names but who has no session yet. */
    isToSignIn: (request: Request): boolean =>
      isNavigation(request) && !!vouch(request)?.address && bySession(request).kind === 'anonymous',
    byAgent,
    byToken: authentication.byToken,
    /** Identifies the sender of an MCP message. Unlike elsewhere, an assistant's access token counts too. */
    byAssistant(request: Request): AgentPrincipal {
      const token = /^Bearer +(svo_[^\s,]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
      return token === undefined ? byAgent(request) : authentication.byAccess(token);
    },
    byEither: (request: Request): Principal =>
      request.headers.has('authorization') ? byKey(request) : bySession(request),
  };
}

export type Credentials = ReturnType<typeof createCredentials>;

/**
 * Reports whether a browser opens a page, by a header that programs do not send. Only browsers may get a session from the
 * sign-in proxy.
 */
export const isNavigation = (request: Request): boolean =>
  request.method === 'GET' && request.headers.get('sec-fetch-mode') === 'navigate';

const ACCESS_ELSEWHERE = "an assistant's access token opens MCP alone; send an API key, svc_…";

const BEARER = /^Bearer +[^\s,]+$/i;
const BASIC = /^Basic +([A-Za-z0-9+/]+=*)$/i;

/**
 * Returns the secret in an Authorization header, null if there is none. With Basic it is all that follows the first colon (RFC
 * 7617).
 */
function readSecret(header: string): string | null {
  if (BEARER.test(header)) return header.slice(header.lastIndexOf(' ') + 1);
  const [, encoded] = BASIC.exec(header) ?? [];
  if (encoded === undefined) return null;
  const pair = Buffer.from(encoded, 'base64').toString();
  const colon = pair.indexOf(':');
  return colon === -1 ? null : pair.slice(colon + 1);
}

/**
 * How the session cookie is sent: 'secure' over https; 'loopback' over http on this machine; 'insecure' over plain http, if the
 * operator allows it; 'refused' not at all.
 */
type CookieMode = 'secure' | 'loopback' | 'insecure' | 'refused';

/**
 * Creates the session cookie. Over https its name begins with `__Host-`, which keeps other hosts from setting it (RFC 6265bis
 * §4.1.3.2). Over plain http browsers refuse that prefix. A browser keeps the cookie for `lasts` milliseconds.
 */
export function createSessionCookie(origin: () => string, insecureHttp: boolean, lasts: number) {
  let known: { readonly of: string; readonly mode: CookieMode } | null = null;
  const mode = (): CookieMode => {
    const own = origin();
    if (known?.of !== own) known = { of: own, mode: modeOf(new URL(own), insecureHttp) };
    return known.mode;
  };
  const name = (): string => (mode() === 'secure' ? '__Host-bookstall' : 'bookstall');
  const attributes = (): string => `Path=/; HttpOnly; SameSite=Lax${mode() === 'secure' ? '; Secure' : ''}`;

  return {
    mode,
    read: (request: Request): string | null => (mode() === 'refused' ? null : readCookie(request, name())),
    keep: (value: string): string => `${name()}=${value}; Max-Age=${lasts / 1000}; ${attributes()}`,
    drop: (): string => `${name()}=; Max-Age=0; ${attributes()}`,
  };
}

export type SessionCookie = ReturnType<typeof createSessionCookie>;

function modeOf({ protocol, hostname }: URL, insecureHttp: boolean): CookieMode {
  if (protocol === 'https:') return 'secure';
  if (isLoopback(hostname)) return 'loopback';
  return insecureHttp ? 'insecure' : 'refused';
}
