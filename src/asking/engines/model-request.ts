import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../platform/base/log.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { createTurns } from '../../platform/base/turn.ts';
import { ToldRefusal } from '../../platform/base/told.ts';
import type { ModelProtocol } from '../../platform/config/model-engines.ts';
import { type ModelEvent, openStreamReader, type StreamReader, wrongProtocol } from './message-stream.ts';

/** The maximum size of an answer's stream in bytes; a longer one is cut off. */
const MOST_BYTES = 8_000_000;
const PART = 16_384;
/**
 * After how long without data a pause is reported, and how long the connection of a complete answer may stay open, in
 * milliseconds.
 */
const PAUSE = 400;
const LINGERING = 500;
const MOST_PAUSES = 10;
/** The content types that may be logged; any other text may be the key or the question. */
const LOGGED_TYPE = /^(?:application|text)\/(?:html|json|plain|xml)/;

/**
 * Sends a request to a model and streams its answer, which ends with a `stop` event unless `signal` aborts it. Calls `body`
 * only to send, so that a running answer does not keep the prompt in memory. Refuses model-failed, model-unavailable (by
 * default after two retries) and model-timeout. Logs only the status and type of a server's error. Closes the connection at the
 * end.
 */
export async function* requestModel(
  server: ModelServer,
  body: () => unknown,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  const leave = server.slots.enter();
  const deadline = createDeadline(server.timeouts, signal);
  let response: Response | null = null;
  try {
    response = await postWithRetries(server, body, deadline);
    yield* readAnswer(server, response, deadline);
  } catch (error) {
    if (signal.aborted) return;
    if (!(error instanceof Refusal)) deadline.check();
    throw error;
  } finally {
    deadline.stop();
    leave();
    // A body that nobody read would keep the connection open.
    if (response?.body?.locked === false) await response.body.cancel().catch(() => {});
  }
}

async function* readAnswer(
  { protocol, longestAnswer, log }: ModelServer,
  response: Response,
  deadline: Deadline,
): AsyncGenerator<ModelEvent> {
  const type = response.headers.get('content-type')?.toLowerCase() ?? 'none';
  if (!type.startsWith('text/event-stream') || response.body === null) {
    log({
      event: 'model-protocol',
      message: 'The model server sent no event stream',
      type: LOGGED_TYPE.exec(type)?.[0] ?? 'unknown',
    });
    throw wrongProtocol();
  }
  // The server has accepted the question, which may cost tokens from now on.
  yield { type: 'usage', input: 0, output: 0 };
  const reader = openStreamReader(protocol);
  const chunks = createChunkReader(response.body);
  // Lets other work run between events, since one chunk may hold tens of thousands.
  const turn = createTurns();
  let stop: ModelEvent | null = null;
  let stoppedAt = Infinity;
  let [bytes, characters, pauses] = [0, 0, 0];
  try {
    while (!reader.isComplete() && bytes <= MOST_BYTES && characters <= longestAnswer) {
      const left = stoppedAt + LINGERING - performance.now();
      const silence = Math.min(pauses < MOST_PAUSES ? PAUSE : Infinity, left);
      const chunk = left < 0 ? null : await chunks.read(silence);
      if (chunk === null) break;
      if (chunk === 'pause') {
        pauses++;
        yield { type: 'pause' };
        continue;
      }
      deadline.touch();
      pauses = 0;
      bytes += chunk.length;
      for (const event of eventsOf(reader, chunk)) {
        await turn();
        if (event.type === 'text') characters += event.text.length;
        if (characters > longestAnswer) break;
        if (event.type !== 'stop') yield event;
        else [stop, stoppedAt] = [event, performance.now()];
      }
    }
  } catch (error) {
    // An answer that was complete stays so, however its connection ends.
    if (stop === null || deadline.signal.aborted) throw asCut(error, deadline, log);
  } finally {
    await chunks.close();
  }
  deadline.check();
  if (deadline.signal.aborted) return;
  const isTooLong = bytes > MOST_BYTES || characters > longestAnswer;
  if (!isTooLong && stop === null) reader.end();
  yield { type: 'usage', ...reader.usage() };
  yield stop ?? { type: 'stop', reason: isTooLong ? 'max_tokens' : 'end_turn' };
}

/** Reads a chunk in parts: a chunk of Bun may be a megabyte, and an answer that is cut off needs only its beginning. */
function* eventsOf(reader: StreamReader, chunk: Uint8Array): Generator<ModelEvent> {
  for (let at = 0; at < chunk.length && !reader.isComplete(); at += PART)
    yield* reader.push(chunk.subarray(at, at + PART));
}

function asCut(error: unknown, { signal }: Deadline, log: Log): unknown {
  if (error instanceof Refusal || signal.aborted) return error;
  log({ event: 'model-cut', message: 'The model server cut the connection', cause: nameOf(error) });
  return new ToldRefusal('model-failed', ({ reading: { model } }) => model.cut);
}

/**
 * Makes a reader of a body. `read` returns the next chunk, null at the end, 'pause' after `silence` milliseconds without one.
 */
function createChunkReader(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  let pending: Promise<Uint8Array | null> | null = null;
  return {
    async read(silence: number): Promise<Uint8Array | null | 'pause'> {
      pending ??= reader.read().then(({ done, value }) => (done ? null : value));
      if (silence === Infinity) {
        const chunk = await pending;
        pending = null;
        return chunk;
      }
      const { promise: pause, resolve } = Promise.withResolvers<'pause'>();
      const timer = setTimeout(resolve, silence, 'pause');
      try {
        const chunk = await Promise.race([pending, pause]);
        if (chunk !== 'pause') pending = null;
        return chunk;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => reader.cancel().catch(() => {}),
  };
}

export type Post = (body: unknown, signal: AbortSignal) => Promise<Response>;

export type ModelServer = {
  readonly post: Post;
  readonly protocol: ModelProtocol;
  readonly timeouts: Timeouts;
  readonly longestAnswer: number;
  /** How often a busy server is asked again; twice by default. */
  readonly retries?: number;
  readonly slots: RequestSlots;
  readonly log: Log;
};

const RETRIES = 2;
/**
 * The waits before the first and the second retry, in milliseconds. Retry-After may ask for more, up to LONGEST_PAUSE seconds.
 */
const PAUSES = [500, 1500] as const;
const LONGEST_PAUSE = 10;
const BUSY = [408, 409, 429, 500, 502, 503, 504, 529];

/**
 * Sends a request, at most twice again while the server is busy or out of reach, and returns its first successful response.
 * Refuses model-failed and model-unavailable.
 */
async function postWithRetries(server: ModelServer, body: () => unknown, deadline: Deadline) {
  for (let attempt = 0; ; attempt++) {
    const { response, retryAfter } = await postOnce(server, body, deadline);
    if (response !== null) return response;
    const wait = Math.max(retryAfter * 1000, PAUSES[attempt] ?? 0);
    if (attempt === (server.retries ?? RETRIES) || retryAfter > LONGEST_PAUSE) throw unavailable(retryAfter);
    await sleep(wait, undefined, { signal: deadline.signal }).catch(() => {
      throw unavailable(retryAfter);
    });
  }
}

/**
 * The result of one attempt. The response is null if the server is busy or out of reach; `retryAfter` is in seconds, 0 if the
 * server sent none.
 */
type Attempt = { readonly response: Response | null; readonly retryAfter: number };

async function postOnce(
  { post, log }: ModelServer,
  body: () => unknown,
  deadline: Deadline,
): Promise<Attempt> {
  let response: Response;
  try {
    response = await post(body(), deadline.signal);
  } catch (error) {
    deadline.check();
    log({ event: 'model-unreachable', message: 'Cannot reach the model server', cause: nameOf(error) });
    if (/Redirect/.test(nameOf(error))) throw wrongProtocol();
    return { response: null, retryAfter: 0 };
  }
  if (response.ok) return { response, retryAfter: 0 };
  const retryAfter = secondsOf(response.headers.get('retry-after'));
  const error = await readErrorBody(response);
  const type = errorTypeOf(error);
  log({ event: 'model-refused', message: 'The model server refused', status: response.status, type });
  if (BUSY.includes(response.status)) return { response: null, retryAfter };
  if ([400, 413].includes(response.status) && TOO_LONG.test(error)) throw new PromptTooLong();
  throw new ToldRefusal('model-failed', ({ reading: { model } }) => model.refused);
}

/** Matches errors by which llama.cpp, vLLM, LM Studio and Anthropic refuse a prompt that is longer than the context window. */
const TOO_LONG =
  /exceed_context_size|context_length_exceeded|prompt is too long|maximum context length|exceeds? the (?:available )?context/i;

export class PromptTooLong extends ToldRefusal {
  constructor() {
    super('model-failed', ({ reading: { model } }) => model.promptTooLong);
  }
}

/** Reading the body of an error stops after so many characters. */
const MOST_ERROR_BODY = 20_000;

export async function readErrorBody({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk.subarray(0, MOST_ERROR_BODY), { stream: true });
      if (text.length >= MOST_ERROR_BODY) break;
    }
    return text;
  } catch {
    return '';
  }
}

/**
 * Returns an error's type, which is one word, or null. Ignores the error's message, which may contain the question or the key.
 */
const errorTypeOf = (body: string): string | null =>
  /"type"\s*:\s*"([a-z_]{1,40}_error)"/.exec(body)?.[1] ?? null;

function secondsOf(header: string | null): number {
  if (header === null) return 0;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : 0;
}

function unavailable(retryAfter: number): Refusal {
  const seconds = Math.min(Math.max(retryAfter, 10), 3600);
  return new ToldRefusal('model-unavailable', ({ reading: { model } }) => model.unreachable, seconds);
}

/**
 * Returns the system's name for an error, such as ECONNREFUSED, since the error's message may contain an address with a key.
 */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}

/** How long a model may take, in milliseconds: until its first byte, between two bytes, and in total. */
type Timeouts = { readonly firstByte: number; readonly idle: number; readonly total: number };

/**
 * Starts the time limits of one request. `signal` aborts when a limit is reached or `reader` aborts. `touch` restarts the limit
 * between two bytes; `check` refuses model-timeout if a limit was reached; `stop` clears the timers and aborts.
 */
function createDeadline({ firstByte, idle, total }: Timeouts, reader: AbortSignal) {
  const controller = new AbortController();
  let isLate = false;
  const expire = (): void => {
    isLate = true;
    controller.abort();
  };
  const totalTimer = setTimeout(expire, total);
  let idleTimer = setTimeout(expire, firstByte);
  const signal = AbortSignal.any([controller.signal, reader]);
  return {
    signal,
    touch(): void {
      clearTimeout(idleTimer);
      if (!signal.aborted) idleTimer = setTimeout(expire, idle);
    },
    check(): void {
      if (isLate) throw new ToldRefusal('model-timeout', ({ reading: { model } }) => model.late);
    },
    stop(): void {
      clearTimeout(totalTimer);
      clearTimeout(idleTimer);
      controller.abort();
    },
  };
}

type Deadline = ReturnType<typeof createDeadline>;

/**
 * A limit of requests at the same time: without it, `fetch` would silently queue requests until they time out. `enter` refuses
 * model-unavailable if all slots are taken; the function that it returns frees the slot.
 */
export type RequestSlots = { readonly enter: () => () => void };

export function createRequestSlots(most: number): RequestSlots {
  let taken = 0;
  return {
    enter() {
      if (taken >= most)
        throw new ToldRefusal('model-unavailable', ({ reading: { model } }) => model.busy, 5);
      taken++;
      let isFree = false;
      return () => {
        if (!isFree) taken--;
        isFree = true;
      };
    },
  };
}
