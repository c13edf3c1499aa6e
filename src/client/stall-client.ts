import { setTimeout as sleep } from 'node:timers/promises';
import type { Settings } from '../config.ts';
import { Refusal } from '../refusal.ts';
import { parseUrl } from './address.ts';
import { readFailure } from './failure.ts';
import { fetchThrough, proxyFor } from './proxy.ts';

/** How long a stall may say nothing, in seconds, unless BOOKSTALL_TIMEOUT says otherwise. */
const SILENCE = 30;
/** A day: a timer of more than 24 of them would strike at once. */
const LONGEST_SILENCE = 86_400;
const ATTEMPTS = 4;

/** The longest Retry-After that is waited for, in seconds. */
const LONGEST_WAIT = 120;
const MOST_OF_ERROR = 64 * 1024;

/** What a reader's requests need to know of their dependencies; `say` is told of waits. */
export type Dependencies = {
  readonly environment: Settings;
  readonly signal: AbortSignal;
  readonly say: (sentence: string) => void;
};

type Ask = {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** A stall as a reader reaches it. `send` refuses all but 200 and 304; the key goes to this origin alone. */
export type StallClient = {
  readonly url: string;
  readonly key: string | null;
  readonly send: (path: string, ask?: Ask) => Promise<Answer>;
};

/** An answer; `chunks` gives its body and refuses a silence, or an end that came too early. */
export type Answer = {
  readonly status: number;
  readonly headers: Headers;
  readonly chunks: () => AsyncGenerator<Uint8Array>;
};

/** The stall at an origin, spoken to with `key`. */
export function openStallClient(url: string, key: string | null, dependencies: Dependencies): StallClient {
  const send = async (path: string, ask: Ask = {}): Promise<Answer> => {
    for (let attempt = 1; ; attempt++) {
      const answer = await sendOnce(new URL(path, url), key, ask, dependencies);
      if (answer.status === 200 || answer.status === 304) return answer;
      const failure = await failureOf(answer, url);
      const wait = waitOf(answer);
      if (wait === null || attempt === ATTEMPTS) throw failure;
      dependencies.say(`The stall is busy: waiting ${Math.ceil(wait)} s, as it asks`);
      await sleep(wait * 1000, undefined, { signal: dependencies.signal }).catch(() => {
        throw dependencies.signal.reason;
      });
    }
  };
  return { url, key, send };
}

async function sendOnce(
  target: URL,
  key: string | null,
  { method = 'GET', headers = {}, body }: Ask,
  { environment, signal }: Dependencies,
): Promise<Answer> {
  const watch = watchSilence(environment, target.origin);
  const sending = {
    method,
    headers: {
      'User-Agent': 'bookstall-reader',
      // Archives are compressed already, and a length is a promise about what arrives.
      'Accept-Encoding': 'identity',
      ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
      ...headers,
    },
    ...(body === undefined ? {} : { body }),
    signal: AbortSignal.any([signal, watch.signal]),
  };
  try {
    const proxy = process.versions['bun'] === undefined ? proxyFor(target, environment) : null;
    const response = await (proxy === null
      ? fetch(target, { ...sending, redirect: 'manual' })
      : fetchThrough(proxy, target, sending));
    return {
      status: response.status,
      headers: response.headers,
      chunks: () => read(response, sending.signal, watch),
    };
  } catch (error) {
    watch.end();
    throw unreachable(error, target.origin, sending.signal);
  }
}

async function* read(
  { body }: Response,
  signal: AbortSignal,
  watch: ReturnType<typeof watchSilence>,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const chunk of body ?? []) {
      watch.heard();
      yield chunk;
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason;
    throw error instanceof Refusal ? error : connectionLost();
  } finally {
    watch.end();
  }
}

/** The answer broke off; what came of it is not to be used. */
export function connectionLost(): Refusal {
  return new Refusal(
    'tarball-failed',
    'Cannot finish: the connection broke before the answer was whole; try again',
  );
}

function watchSilence(environment: Settings, origin: string) {
  const wanted = Number(environment['BOOKSTALL_TIMEOUT'] ?? SILENCE);
  const seconds = wanted > 0 ? Math.min(wanted, LONGEST_SILENCE) : SILENCE;
  const controller = new AbortController();
  const sentence = `Cannot go on: ${origin} has said nothing for ${seconds} s; try again later`;
  const timer = setTimeout(() => controller.abort(new Refusal('invalid-request', sentence)), seconds * 1000);
  // An answer that nobody reads does not hold the process; its socket does.
  timer.unref();
  return { signal: controller.signal, heard: () => timer.refresh(), end: () => clearTimeout(timer) };
}

function unreachable(error: unknown, origin: string, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof Refusal) return error;
  const { cause = error } = error as { readonly cause?: unknown };
  const { code, message } = cause as { readonly code?: string; readonly message?: string };
  const reason = REASONS[code ?? ''] ?? message ?? code;
  return new Refusal(
    'invalid-request',
    `Cannot reach ${origin}: ${reason}; check the address, and that the stall runs`,
  );
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

async function failureOf(answer: Answer, url: string): Promise<Refusal> {
  const { status, headers } = answer;
  if (status >= 300 && status < 400) {
    for await (const _ of answer.chunks()) break;
    return redirected(url, headers.get('location'));
  }
  return readFailure(
    await readText(answer, MOST_OF_ERROR),
    `Cannot go on: ${url} answered ${status}, and not as a stall does; check the address`,
  );
}

function redirected(url: string, location: string | null): Refusal {
  const target = parseUrl(location ?? '', url)?.origin ?? 'nowhere';
  const remedy = target === url ? 'ask its owner' : `sign in to ${target} if you trust it`;
  return new Refusal(
    'invalid-request',
    `Cannot follow ${url} to ${target}: the key stays with the stall it was made for; ${remedy}`,
  );
}

/** Seconds to wait before another attempt, with up to a fifth more so that many readers do not come back at once; null where nothing says when. */
function waitOf({ status, headers }: Answer): number | null {
  const seconds = /^\d{1,6}$/.exec(headers.get('retry-after') ?? '')?.[0];
  if ((status !== 429 && status !== 503) || seconds === undefined || Number(seconds) > LONGEST_WAIT)
    return null;
  return Math.max(Number(seconds), 0.1) * (1 + Math.random() / 5);
}

/** The whole body as text. Refuses more than `most` bytes, and what is no UTF-8. */
export async function readText(answer: Answer, most: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.chunks()) {
    size += chunk.length;
    if (size > most)
      throw new Refusal('payload-too-large', `Cannot read an answer of more than ${most} bytes`);
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.concat(chunks));
}
