// Clients of OAuth without a table: a client's id holds what it registered, under a MAC (RFC 7591, appendix A.5.2).
import { createHmac, timingSafeEqual } from 'node:crypto';

export type Client = {
  readonly id: string;
  readonly name: string;
  readonly redirects: readonly string[];
  readonly hasSecret: boolean;
};

const LONGEST_ID = 1_500;
const LONGEST_CLIENT_NAME = 100;
const MOST_REDIRECTS = 10;
const LOOPBACK = /^(?:127\.0\.0\.1|\[::1\]|localhost)$/;

/**
 * The parameters that an answer adds to a redirect. If a redirect had one already, a client could be given somebody else's
 * code.
 */
const ANSWERS = ['code', 'state', 'iss', 'error'];

/**
 * Whether codes may be sent to an address: https; http on this machine; `cursor:`, which MCP does not allow and Cursor needs.
 * Never one with a fragment, a login, or a parameter that an answer adds.
 */
function isRedirect(text: string): boolean {
  if (text.length > LONGEST_ID || !URL.canParse(text) || /[#\s\\]|\p{Cc}/u.test(text)) return false;
  const { protocol, hostname, username, password, searchParams } = new URL(text);
  if (username !== '' || password !== '' || ANSWERS.some((name) => searchParams.has(name))) return false;
  return protocol === 'https:' || protocol === 'cursor:' || (protocol === 'http:' && LOOPBACK.test(hostname));
}

/**
 * Whether a client registered an address. All of it must match, except the port if the address is on the reader's machine
 * (RFC 9700 §2.1).
 */
export function hasRedirect({ redirects }: Client, asked: string): boolean {
  if (!isRedirect(asked)) return false;
  return redirects.some(
    (one) => one === asked || (isLocal(one) && isLocal(asked) && withoutPort(one) === withoutPort(asked)),
  );
}

/** Whether a redirect leads to the reader's own machine: `isRedirect` allows http for nothing else. */
const isLocal = (address: string): boolean => new URL(address).protocol === 'http:';

/**
 * Finds to which host an address leads, and whether that is the reader's own machine. The name in `cursor://…` is no host.
 */
export function placeOf(address: string): { readonly host: string; readonly isOwnMachine: boolean } {
  const { protocol, host, hostname } = new URL(address);
  if (protocol === 'cursor:') return { host: 'Cursor', isOwnMachine: true };
  return { host, isOwnMachine: LOOPBACK.test(hostname) };
}

function withoutPort(address: string): string {
  const url = new URL(address);
  url.port = '';
  return url.href;
}

/** The fields of a registration that count; any other is sent back as it came. */
type Registration = Omit<Client, 'id'>;

/** Reads a registration (RFC 7591 §2); returns the error code if it is refused. */
export function readRegistration(
  sent: Readonly<Record<string, unknown>>,
): Registration | 'invalid_redirect_uri' | 'invalid_client_metadata' {
  const {
    redirect_uris: redirects,
    client_name: name = '',
    token_endpoint_auth_method: method = 'none',
  } = sent;
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > MOST_REDIRECTS)
    return 'invalid_redirect_uri';
  if (!redirects.every((one): one is string => typeof one === 'string' && isRedirect(one)))
    return 'invalid_redirect_uri';
  if (typeof name !== 'string') return 'invalid_client_metadata';
  return { redirects, name: plainName(name), hasSecret: method === 'client_secret_post' };
}

/**
 * Returns a client's name as it is shown: one line without characters that turn text around or show nothing, and without
 * piles of accents.
 */
export const plainName = (name: string, most: number = LONGEST_CLIENT_NAME): string =>
  [...name.replaceAll(/[\p{Cc}\p{Cf}\p{DI}\p{Zl}\p{Zp}\u2800]+|\p{M}{4,}/gu, ' ').trim()]
    .slice(0, most)
    .join('');

const mac = (key: Uint8Array, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url');

/** Makes the id of a registered client; null if it would be too long. */
export function clientIdOf(key: Uint8Array, { redirects, name, hasSecret }: Registration): string | null {
  const body = Buffer.from(JSON.stringify([redirects, name, hasSecret ? 1 : 0])).toString('base64url');
  const id = `${body}.${mac(key, `client ${body}`)}`;
  return id.length > LONGEST_ID ? null : id;
}

/** The reader's own program, which gets an API key instead of tokens. */
export const PROGRAM: Client = {
  id: 'bookstall',
  name: 'bookstall',
  redirects: ['http://127.0.0.1/callback'],
  hasSecret: false,
};

/** Reads the id that `clientIdOf` made, or that of the reader's program; null for any other. */
export function readClientId(key: Uint8Array, id: string): Client | null {
  if (id === PROGRAM.id) return PROGRAM;
  const [body = '', given = '', more] = id.split('.');
  if (id.length > LONGEST_ID || more !== undefined || !isSame(given, mac(key, `client ${body}`))) return null;
  const [redirects, name, hasSecret] = JSON.parse(Buffer.from(body, 'base64url').toString()) as [
    string[],
    string,
    0 | 1,
  ];
  return { id, name, redirects, hasSecret: hasSecret === 1 };
}

/** Whether a client's id is the address of a document about it: https with a path, in the form that `URL` writes. */
export function isDocumentId(id: string): boolean {
  if (id.length > LONGEST_ID || id.includes('#') || !URL.canParse(id)) return false;
  const { protocol, pathname, username, password, href } = new URL(id);
  return href === id && protocol === 'https:' && pathname !== '/' && username === '' && password === '';
}

/**
 * Reads the document at a client's id; null if it is malformed or about another client, or if the client needs a credential
 * here.
 */
export function readDocument(id: string, sent: Readonly<Record<string, unknown>>): Client | null {
  const { token_endpoint_auth_method: method = 'none', token_endpoint_auth_methods_supported: others } = sent;
  const read = readRegistration(sent);
  if (
    sent['client_id'] !== id ||
    typeof read === 'string' ||
    read.name === '' ||
    ![method, others].flat().includes('none')
  )
    return null;
  return { id, name: read.name, redirects: read.redirects, hasSecret: false };
}

export const clientSecretOf = (key: Uint8Array, id: string): string => mac(key, `secret ${id}`);

/** Compares two texts in a time that tells nothing but their length. */
export function isSame(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}
