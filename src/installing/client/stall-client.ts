import { setTimeout as sleep } from 'node:timers/promises';
import type { Environment } from '../../platform/config/secret-variable.ts';
import { Refusal, type RefusalKind } from '../../platform/base/refusal.ts';
import { keyVariable } from '../../catalog/marketplace.rule.ts';
import { plain, withoutKeys } from '../../platform/cli/terminal-text.ts';
import { hasKeyForm } from '../../platform/base/key.ts';
import { quote } from '../../platform/base/problem.ts';

/** How long to wait for the next bytes from a stall, in seconds; BOOKSTALL_TIMEOUT overrides it. */
const TIMEOUT = 30;
/** The maximum timeout in seconds, a day: a timer of more than 24 days would fire at once. */
const MAX_TIMEOUT = 86_400;
const ATTEMPTS = 4;

const MAX_WAIT = 120;
const MAX_ERROR_BODY = 64 * 1024;

/** All that requests to a stall need. `program` is the command that starts this program; `say` shows the reader a sentence. */
export type Dependencies = {
  readonly program: string;
  readonly environment: Environment;
  readonly signal: AbortSignal;
  readonly say: (sentence: string) => void;
};

export type RequestOptions = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

export type StallResponse = {
  readonly status: number;
  readonly headers: Headers;
  readonly chunks: () => AsyncGenerator<Uint8Array>;
};

export function openStallClient(url: string, key: string | null, dependencies: Dependencies) {
  const requireKey = (): string => {
    if (key === null) throw keyMissing(url, dependencies);
    return key;
  };
  const send = async (path: string, options: RequestOptions = {}): Promise<StallResponse> => {
    for (let attempt = 1; ; attempt++) {
      const response = await sendOnce(new URL(path, url), key, options, dependencies);
      if (response.status === 200 || response.status === 304) return response;
      const failure = await failureOf(response, url);
      if (failure.kind === 'unauthenticated' && key === null)
        throw keyMissing(url, dependencies, failure.message);
      const wait = waitOf(response);
      if (wait === null || attempt === ATTEMPTS) throw failure;
      dependencies.say(`The stall is busy: waiting ${Math.ceil(wait)} s, as it asks`);
      await sleep(wait * 1000, undefined, { signal: dependencies.signal }).catch(() => {
        throw dependencies.signal.reason;
      });
    }
  };
  return { url, key, requireKey, send };
}

/**
 * A client for one stall. `send` sends the key only there, and refuses every status except 200 and 304. `requireKey`
 * refuses without a key.
 */
export type StallClient = ReturnType<typeof openStallClient>;

/** Makes the refusal of a request that needs a key. `said` is the stall's own sentence, with the price and how to buy. */
function keyMissing(url: string, { program, environment }: Dependencies, said = ''): Refusal {
  const isOther = typeof environment['BOOKSTALL_KEY'] === 'string' && environment['BOOKSTALL_KEY'] !== '';
  const why = isOther ? '; BOOKSTALL_KEY goes to the stall of BOOKSTALL_URL or of "login" alone' : '';
  return Refusal.unauthenticated(
    `Cannot do this without a key: run "${program} login --url ${url}", or set ${keyVariable(url)}${why}${/; or (?:to )?buy .*/s.exec(said)?.[0] ?? ''}`,
  );
}

async function sendOnce(
  target: URL,
  key: string | null,
  { method = 'GET', headers = {}, body }: RequestOptions,
  { environment, signal }: Dependencies,
): Promise<StallResponse> {
  const timeout = createTimeout(environment, target.origin);
  const sending = {
    method,
    headers: {
      'User-Agent': 'bookstall-reader',
      // Requests no compression: archives are compressed already, and Content-Length must be the number of bytes received.
      'Accept-Encoding': 'identity',
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.any([signal, timeout.signal]),
  };
  try {
    const response = await fetch(target, { ...sending, redirect: 'manual' });
    return {
      status: response.status,
      headers: response.headers,
      chunks: () => read(response, sending.signal, timeout),
    };
  } catch (error) {
    timeout.end();
    throw unreachable(error, target.origin, sending.signal);
  }
}

async function* read(
  { body }: Response,
  signal: AbortSignal,
  timeout: ReturnType<typeof createTimeout>,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body ?? []) {
      timeout.restart();
      yield chunk;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof Refusal ? error : connectionLost();
  } finally {
    timeout.end();
  }
}

/** Returns the refusal for a response that ended early; its body must not be used. */
export function connectionLost(): Refusal {
  return Refusal.damaged('Cannot finish: the connection broke before the response was complete; try again');
}

function createTimeout(environment: Environment, origin: string) {
  const wanted = Number(environment['BOOKSTALL_TIMEOUT'] ?? TIMEOUT);
  const seconds = wanted > 0 ? Math.min(wanted, MAX_TIMEOUT) : TIMEOUT;
  const controller = new AbortController();
  const sentence = `Cannot continue: ${origin} has sent nothing for ${seconds} s; try again later`;
  const timer = setTimeout(() => controller.abort(Refusal.invalid(sentence)), seconds * 1000);
  // This timer alone must not keep the process running when nobody reads the response.
  timer.unref();
  return { signal: controller.signal, restart: () => timer.refresh(), end: () => clearTimeout(timer) };
}

function unreachable(error: unknown, origin: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof Refusal) return error;
  const { cause = error } = error as { readonly cause?: unknown };
  const { code, message } = cause as { readonly code?: string; readonly message?: string };
  const reason = REASONS[code ?? ''] ?? message ?? code;
  return Refusal.invalid(`Cannot reach ${origin}: ${reason}; check the address, and that the stall runs`);
}

const REASONS: Readonly<Record<string, string>> = {
  ConnectionRefused: 'nothing listens there',
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'no such host',
  FailedToOpenSocket: 'no such host, or no way to it',
  ConnectionClosed: 'the connection was closed',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
};

async function failureOf(response: StallResponse, url: string): Promise<Refusal> {
  const { status, headers } = response;
  if (status >= 300 && status < 400) {
    for await (const _ of response.chunks()) break;
    return redirected(url, headers.get('location'));
  }
  return readFailure(
    await readText(response, MAX_ERROR_BODY),
    `Cannot continue: ${url} answered ${status}, and not as a stall does; check the address`,
  );
}

function redirected(url: string, location: string | null): Refusal {
  const target = parseUrl(location ?? '', url)?.origin ?? 'nowhere';
  const remedy = target === url ? 'ask its owner' : `sign in to ${target} if you trust it`;
  return Refusal.invalid(
    `Cannot follow ${url} to ${target}: the key stays with the stall it was made for; ${remedy}`,
  );
}

/**
 * Returns how many seconds to wait before another attempt, with up to a fifth more, so that clients do not all return at
 * once; null if the stall names no time, or over two minutes.
 */
function waitOf({ status, headers }: StallResponse): number | null {
  const seconds = /^\d{1,6}$/.exec(headers.get('retry-after') ?? '')?.[0];
  if ((status !== 429 && status !== 503) || seconds === undefined || Number(seconds) > MAX_WAIT) return null;
  return Math.max(Number(seconds), 0.1) * (1 + Math.random() / 5);
}

export async function readText(response: StallResponse, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.chunks()) {
    size += chunk.length;
    if (size > most)
      throw new Refusal('payload-too-large', `Cannot read an answer of more than ${most} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks));
}

const KINDS: Readonly<Record<string, RefusalKind>> = {
  UNAUTHENTICATED: 'unauthenticated',
  ACCESS_DENIED: 'access-denied',
  NOT_FOUND: 'not-found',
  NO_CONTENT: 'no-content',
  GONE: 'gone',
  RATE_LIMITED: 'rate-limited',
  TARBALL_FAILED: 'tarball-failed',
  PAYLOAD_TOO_LARGE: 'payload-too-large',
};

const MAX_LENGTH = 500;

/** Makes a refusal from a stall's error, with the stall's own sentence, or with `otherwise` if the text is no such error. */
export function readFailure(text: string, otherwise: string): Refusal {
  const { code, error: named, error_description: error = named } = parseObject(text);
  if (typeof error !== 'string' || error === '') return Refusal.invalid(otherwise);
  const kind = typeof code === 'string' && Object.hasOwn(KINDS, code) ? KINDS[code] : undefined;
  return new Refusal(kind ?? 'invalid-request', plain(withoutKeys(error)).slice(0, MAX_LENGTH));
}

export function unexpectedAnswer(what: string): Refusal {
  return Refusal.invalid(`${what}: it may not be a stall, or one of another version`);
}

/** Returns a value as an object of unknown fields; {} if it is not an object. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

/** Parses a JSON object; returns {} if the text is not one. */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    return objectOf(JSON.parse(text));
  } catch {
    return {};
  }
}

const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\])$/;

/**
 * Returns the origin of a stall's address. Without a scheme, it is http for a loopback host and https for any other.
 * Refuses a key, and an address with more than scheme, host and port.
 */
export function parseAddress(text: string): string {
  if (hasKeyForm(text))
    throw refuse(
      'the address',
      'it holds a key; keep the key in BOOKSTALL_KEY, and revoke it if others may have seen it',
    );
  const url = parseUrl(text.includes('://') ? text : `https://${text}`);
  if (url === null || !/^https?:$/.test(url.protocol))
    throw refuse(
      text.includes('@') ? 'an address with a name or password' : quote(text),
      'give the address of a stall, such as https://stall.example.org',
    );
  if (url.username !== '' || url.password !== '')
    throw refuse(quote(url.host), 'leave name and password out');
  if (url.pathname !== '/' || url.search !== '' || url.hash !== '')
    throw refuse(quote(text), `leave out everything after the host: ${url.origin}`);
  if (!text.includes('://') && LOOPBACK.test(url.hostname)) url.protocol = 'http:';
  return url.origin;
}

/**
 * Reports whether two addresses are the same stall. Ignores the scheme, a dot after the host, and the names of this
 * machine.
 */
export const isSameStall = (a: string, b: string): boolean => stallName(a) === stallName(b);

export function stallName(origin: string): string {
  const { hostname = origin, port = '' } = parseUrl(origin) ?? {};
  const host = hostname.replace(/\.$/, '');
  return `${LOOPBACK.test(host) ? 'localhost' : host}:${port}`;
}

/** Parses a URL; returns null if the text is not one. Node 20 lacks URL.parse. */
export function parseUrl(text: string, base?: string): URL | null {
  return URL.canParse(text, base) ? new URL(text, base) : null;
}

export function isPlainHttp(origin: string): boolean {
  const { protocol, hostname } = new URL(origin);
  return protocol === 'http:' && !LOOPBACK.test(hostname);
}

function refuse(what: string, remedy: string): Refusal {
  return Refusal.invalid(`Cannot use ${what} as a stall: ${remedy}`);
}
