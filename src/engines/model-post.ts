import type { Log } from '../log.ts';
import { Refusal } from '../refusal.ts';
import type { Deadline, Timeouts } from './deadline.ts';
import type { RequestSlots } from './request-slots.ts';
import type { StreamFormat } from './stream-reader.ts';

/** Sends a request's body to the model's server; resolves to any response, rejects if there is none. */
export type Post = (body: unknown, signal: AbortSignal) => Promise<Response>;

/** A model's server: how to send to it, how to read its answers, and how long to wait. */
export type ModelServer = {
  readonly post: Post;
  readonly format: StreamFormat;
  readonly timeouts: Timeouts;
  /** Characters of text after which an answer is cut. */
  readonly longestAnswer: number;
  readonly slots: RequestSlots;
  readonly log: Log;
};

const RETRIES = 2;
/** Milliseconds before the first and the second retry; Retry-After may ask for more, up to LONGEST_PAUSE seconds. */
const PAUSES = [500, 1500] as const;
const LONGEST_PAUSE = 10;
const BUSY = [408, 409, 429, 500, 502, 503, 504, 529];

/** The first response that is not a busy server's, after at most two retries. Refuses model-failed and model-unavailable. */
export async function postWithRetries(
  server: ModelServer,
  body: () => unknown,
  deadline: Deadline,
): Promise<Response> {
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
  body: () => unknown,
  deadline: Deadline,
): Promise<Attempt> {
  let response: Response;
  try {
    response = await post(body(), deadline.signal);
  } catch (error) {
    deadline.check();
    log({ event: 'model-unreachable', message: 'Cannot reach the model server', cause: nameOf(error) });
    if (/Redirect/.test(nameOf(error))) throw wrongProtocol(format);
    return { response: null, retryAfter: 0 };
  }
  if (response.ok) return { response, retryAfter: 0 };
  const retryAfter = secondsOf(response.headers.get('retry-after'));
  const error = await readErrorBody(response);
  const type = errorTypeOf(error);
  log({ event: 'model-refused', message: 'The model server refused', status: response.status, type });
  if (BUSY.includes(response.status)) return { response: null, retryAfter };
  if ([400, 413].includes(response.status) && TOO_LONG.test(error)) throw new PromptTooLong();
  throw new Refusal(
    'model-failed',
    'Cannot ask the model: its server refuses this stall; tell the owner, the log has the cause',
  );
}

/** How llama.cpp, vLLM, LM Studio and Anthropic refuse a prompt that does not fit the context window. */
const TOO_LONG =
  /exceed_context_size|context_length_exceeded|prompt is too long|maximum context length|exceeds? the (?:available )?context/i;

/** The server refused the prompt because it does not fit its context window. */
export class PromptTooLong extends Refusal {
  constructor() {
    super(
      'model-failed',
      'Cannot ask the model: the question and the passages do not fit its context window; ask a shorter question, or tell the owner of this stall',
    );
  }
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

/** The refusal of a server that speaks another protocol. */
export function wrongProtocol({ protocol }: StreamFormat): Refusal {
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
export function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
