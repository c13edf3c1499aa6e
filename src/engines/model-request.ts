import type { Log } from '../log.ts';
import { Refusal } from '../refusal.ts';
import { createDeadline, type Deadline, type Timeouts } from './deadline.ts';
import type { ModelEvent, StreamFormat } from './stream-reader.ts';

/** Sends a request's body to the model's server; resolves to any response, rejects if there is none. */
export type Post = (body: unknown, signal: AbortSignal) => Promise<Response>;

/** A model's server: how to send to it, how to read its answers, and how long to wait. */
export type ModelServer = {
  readonly post: Post;
  readonly format: StreamFormat;
  readonly timeouts: Timeouts;
  readonly log: Log;
};

const RETRIES = 2;
/** Milliseconds before the first and the second retry; Retry-After may ask for more, up to LONGEST_PAUSE seconds. */
const PAUSES = [500, 1500] as const;
const LONGEST_PAUSE = 10;
const BUSY = [408, 409, 429, 500, 502, 503, 504, 529];
/** A longer answer is cut here. */
const MOST_BYTES = 8_000_000;
/** The content types that may be logged; any other text may be the key or the question. */
const LOGGED_TYPE = /^(?:application|text)\/(?:html|json|plain|xml)/;

/**
 * Asks a model and streams its answer, which ends with `stop` unless `signal` aborts. Refuses model-failed,
 * model-unavailable (after two retries before the first byte) and model-timeout. Only the status and the type of a server's
 * error are logged. The connection is closed when the stream ends.
 */
export async function* requestModel(
  server: ModelServer,
  body: unknown,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
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
    // A body that was never read holds its connection.
    if (response?.body?.locked === false) await response.body.cancel().catch(() => {});
  }
}

async function* readAnswer(
  { format, log }: ModelServer,
  response: Response,
  deadline: Deadline,
): AsyncGenerator<ModelEvent> {
  const type = response.headers.get('content-type') ?? 'none';
  if (!type.startsWith(format.contentType) || response.body === null) {
    log({
      event: 'model-protocol',
      message: 'The model server sent no event stream',
      type: LOGGED_TYPE.exec(type)?.[0] ?? 'unknown',
    });
    throw wrongProtocol(format);
  }
  // The server accepted the question: from now on it may cost.
  yield { type: 'usage', input: 0, output: 0 };
  const reader = format.open();
  let stop: ModelEvent | null = null;
  let bytes = 0;
  for await (const chunk of bytesOf(response.body, deadline, log)) {
    deadline.touch();
    bytes += chunk.length;
    for (const event of reader.push(chunk)) {
      if (event.type === 'stop') stop = event;
      else yield event;
    }
    // Some servers keep the connection open after the last event.
    if (bytes > MOST_BYTES || reader.isComplete()) break;
  }
  deadline.check();
  if (deadline.signal.aborted) return;
  const isTooLong = bytes > MOST_BYTES;
  if (!isTooLong) reader.end();
  yield { type: 'usage', ...reader.usage() };
  yield stop ?? { type: 'stop', reason: isTooLong ? 'max_tokens' : 'end_turn' };
}

async function* bytesOf(
  body: ReadableStream<Uint8Array>,
  deadline: Deadline,
  log: Log,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } catch (error) {
    if (deadline.signal.aborted) throw error;
    log({ event: 'model-cut', message: 'The model server cut the connection', cause: nameOf(error) });
    throw new Refusal('model-failed', 'Cannot finish the answer: the model server cut it; ask again');
  } finally {
    await reader.cancel().catch(() => {});
  }
}

async function postWithRetries(server: ModelServer, body: unknown, deadline: Deadline): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const { response, retryAfter } = await postOnce(server, body, deadline);
    if (response !== null) return response;
    const wait = Math.max(retryAfter * 1000, PAUSES[attempt] ?? 0);
    if (attempt === RETRIES || retryAfter > LONGEST_PAUSE || !(await pause(wait, deadline)))
      throw unavailable(retryAfter);
  }
}

/** `retryAfter` is in seconds, 0 if the server names none. */
type Attempt = { readonly response: Response | null; readonly retryAfter: number };

async function postOnce(
  { post, format, log }: ModelServer,
  body: unknown,
  deadline: Deadline,
): Promise<Attempt> {
  let response: Response;
  try {
    response = await post(body, deadline.signal);
  } catch (error) {
    deadline.check();
    log({ event: 'model-unreachable', message: 'Cannot reach the model server', cause: nameOf(error) });
    if (/Redirect/.test(nameOf(error))) throw wrongProtocol(format);
    return { response: null, retryAfter: 0 };
  }
  if (response.ok) return { response, retryAfter: 0 };
  const retryAfter = secondsOf(response.headers.get('retry-after'));
  const type = errorTypeOf(await readErrorBody(response));
  log({ event: 'model-refused', message: 'The model server refused', status: response.status, type });
  if (BUSY.includes(response.status)) return { response: null, retryAfter };
  throw new Refusal(
    'model-failed',
    'Cannot ask the model: its server refuses this stall; tell the owner, the log has the cause',
  );
}

/** Error-body read limit, in characters. */
const MOST_ERROR_BODY = 20_000;

/** The beginning of an error's body, '' if it breaks off. The connection is closed. */
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

/** The error's type, a single word. Its sentence is left out, since it may repeat the question or the key. */
function errorTypeOf(body: string): string | null {
  return /"type"\s*:\s*"([a-z_]{1,40}_error)"/.exec(body)?.[1] ?? null;
}

function secondsOf(header: string | null): number {
  if (header === null) return 0;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : 0;
}

function unavailable(retryAfter: number): Refusal {
  const seconds = Math.min(Math.max(retryAfter, 10), 3600);
  return new Refusal('model-unavailable', 'Cannot reach the model: try again in a while', seconds);
}

function wrongProtocol({ protocol }: StreamFormat): Refusal {
  return new Refusal(
    'model-failed',
    `Cannot use the answer: the model server does not speak ${protocol}; tell the owner of this stall`,
  );
}

/** Whether the pause ended before the deadline did. */
function pause(milliseconds: number, { signal }: Deadline): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, true);
    const stop = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
  });
}

/** The system's name of an error, such as ECONNREFUSED: its message may hold an address with a key. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
