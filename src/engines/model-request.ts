import type { Log } from '../log.ts';
import { Refusal } from '../refusal.ts';
import { createDeadline, type Deadline, type Timeouts } from './deadline.ts';
import { createMessageReader, type MessageEvent } from './message-stream.ts';
import { createEventReader } from './sse.ts';

/** Sends a request's body to the model's server; kept with whatever it answers, thrown where none came. */
export type Post = (body: unknown, signal: AbortSignal) => Promise<Response>;

type Calling = { readonly post: Post; readonly timeouts: Timeouts; readonly log: Log };

const RETRIES = 2;
/** Before the first and the second retry, in milliseconds; Retry-After may ask for more, up to the last figure in seconds. */
const PAUSES = [500, 1500] as const;
const LONGEST_PAUSE = 10;
const BUSY = [408, 409, 429, 500, 502, 503, 504, 529];
/** An answer of more bytes is no answer; the reader gets what there was. */
const MOST_BYTES = 8_000_000;
/** Of a refusal's body no more is read: it is as long as its server likes. */
const MOST_OF_REFUSAL = 20_000;
/** What a server that is none of this API may say it sends; any other word may be the key or the question. */
const FOREIGN = /^(?:application|text)\/(?:html|json|plain|xml)/;

/**
 * One message of a model, as a stream that ends with `stop`, however it is cut. Refuses model-failed, model-unavailable
 * (after two retries before the first byte) and model-timeout; what the server said is told to `log` alone, as its status
 * and the type of its error. The connection is closed when the stream ends or `signal` aborts; then it ends without `stop`.
 */
export async function* callModel(
  { post, timeouts, log }: Calling,
  body: unknown,
  signal: AbortSignal,
): AsyncGenerator<MessageEvent> {
  const deadline = createDeadline(timeouts, signal);
  let response: Response | null = null;
  try {
    response = await reach(post, body, deadline, log);
    yield* readMessage(response, deadline, log);
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

async function* readMessage(response: Response, deadline: Deadline, log: Log): AsyncGenerator<MessageEvent> {
  const type = response.headers.get('content-type') ?? 'none';
  if (!type.startsWith('text/event-stream') || response.body === null) {
    log({
      event: 'model-protocol',
      message: 'The model server sent no event stream',
      type: FOREIGN.exec(type)?.[0] ?? 'none that is known',
    });
    throw foreign();
  }
  // It took the question: whatever comes now, it may cost.
  yield { type: 'usage', input: 0, output: 0 };
  const events = createEventReader();
  const message = createMessageReader();
  let stop: MessageEvent | null = null;
  let bytes = 0;
  for await (const chunk of bytesOf(response.body, deadline, log)) {
    deadline.touch();
    bytes += chunk.length;
    for (const event of events.push(chunk)) {
      const told = message.read(event);
      if (told?.type === 'stop') stop = told;
      else if (told !== null) yield told;
    }
    // Some servers leave the connection open behind their last word.
    if (bytes > MOST_BYTES || message.isStopped()) break;
  }
  deadline.check();
  if (deadline.signal.aborted) return;
  const isTooLong = bytes > MOST_BYTES;
  if (!isTooLong) message.end();
  yield { type: 'usage', ...message.usage() };
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

/** The first answer that is not a busy server's. */
async function reach(post: Post, body: unknown, deadline: Deadline, log: Log): Promise<Response> {
  for (let attempt = 0; ; attempt++) {
    const answer = await tryOnce(post, body, deadline, log);
    if (answer.response !== null) return answer.response;
    const wait = Math.max(answer.retryAfter * 1000, PAUSES[attempt] ?? 0);
    if (attempt === RETRIES || answer.retryAfter > LONGEST_PAUSE || !(await pause(wait, deadline)))
      throw busy(answer.retryAfter);
  }
}

type Attempt = { readonly response: Response } | { readonly response: null; readonly retryAfter: number };

async function tryOnce(post: Post, body: unknown, deadline: Deadline, log: Log): Promise<Attempt> {
  let response: Response;
  try {
    response = await post(body, deadline.signal);
  } catch (error) {
    deadline.check();
    log({ event: 'model-unreachable', message: 'Cannot reach the model server', cause: nameOf(error) });
    if (/Redirect/.test(nameOf(error))) throw foreign();
    return { response: null, retryAfter: 0 };
  }
  if (response.ok) return { response };
  const retryAfter = secondsOf(response.headers.get('retry-after'));
  const type = typeOf(await readRefusal(response));
  log({ event: 'model-refused', message: 'The model server refused', status: response.status, type });
  if (BUSY.includes(response.status)) return { response: null, retryAfter };
  throw new Refusal(
    'model-failed',
    'Cannot ask the model: its server refuses this stall; tell whoever runs it, its log has the cause',
  );
}

/** The beginning of what a server says that refuses; '' where it breaks off. The connection is closed. */
export async function readRefusal({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk.subarray(0, MOST_OF_REFUSAL), { stream: true });
      if (text.length >= MOST_OF_REFUSAL) break;
    }
    return text;
  } catch {
    return '';
  }
}

/** The error's type as the server names it: a word, never a sentence, which may repeat the question or the key. */
function typeOf(refusal: string): string | null {
  return /"type"\s*:\s*"([a-z_]{1,40}_error)"/.exec(refusal)?.[1] ?? null;
}

function secondsOf(header: string | null): number {
  if (header === null) return 0;
  const seconds = /^\d{1,9}$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : 0;
}

function busy(retryAfter: number): Refusal {
  const seconds = Math.min(Math.max(retryAfter, 10), 3600);
  return new Refusal('model-unavailable', 'Cannot reach the model: try again in a while', seconds);
}

function foreign(): Refusal {
  return new Refusal(
    'model-failed',
    'Cannot use the answer: the model server does not speak the Messages API; tell whoever runs this stall',
  );
}

/** Whether the time went by before the deadline did. */
function pause(milliseconds: number, { signal }: Deadline): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds, true);
    const leave = (): void => {
      clearTimeout(timer);
      resolve(false);
    };
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
  });
}

/** The system's word for it, as ECONNREFUSED: a message may hold an address with a key. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
