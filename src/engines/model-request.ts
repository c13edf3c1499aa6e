import type { Log } from '../log.ts';
import { Refusal } from '../refusal.ts';
import { createDeadline, type Deadline } from './deadline.ts';
import { type ModelServer, nameOf, postWithRetries, wrongProtocol } from './model-post.ts';
import type { ModelEvent, StreamReader } from './stream-reader.ts';

/** A longer answer is cut here. */
const MOST_BYTES = 8_000_000;
const PART = 16_384;
/** Milliseconds without a byte that are a pause, and that a complete answer's connection may linger. */
const PAUSE = 400;
const LINGERING = 500;
/** Pauses in a row that are reported. */
const MOST_PAUSES = 10;
/** The content types that may be logged; any other text may be the key or the question. */
const LOGGED_TYPE = /^(?:application|text)\/(?:html|json|plain|xml)/;

/**
 * Asks a model and streams its answer, which ends with `stop` unless `signal` aborts. `body` is made when it is sent, so that
 * a running answer does not keep it. Refuses model-failed, model-unavailable (after two retries before the first byte) and
 * model-timeout. Only the status and the type of a server's error are logged. The connection is closed when the stream ends.
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
    // A body that was never read holds its connection.
    if (response?.body?.locked === false) await response.body.cancel().catch(() => {});
  }
}

async function* readAnswer(
  { format, longestAnswer, log }: ModelServer,
  response: Response,
  deadline: Deadline,
): AsyncGenerator<ModelEvent> {
  const type = response.headers.get('content-type')?.toLowerCase() ?? 'none';
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
  const chunks = createChunkReader(response.body);
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
        if (event.type === 'text') characters += event.text.length;
        if (characters > longestAnswer) break;
        if (event.type !== 'stop') yield event;
        else [stop, stoppedAt] = [event, performance.now()];
      }
    }
  } catch (error) {
    // A complete answer stays one, however its connection ends.
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

/** Reads a chunk in parts: Bun's may be a megabyte, of which an answer that is cut needs only the beginning. */
function* eventsOf(reader: StreamReader, chunk: Uint8Array): Generator<ModelEvent> {
  for (let at = 0; at < chunk.length && !reader.isComplete(); at += PART)
    yield* reader.push(chunk.subarray(at, at + PART));
}

function asCut(error: unknown, { signal }: Deadline, log: Log): unknown {
  if (error instanceof Refusal || signal.aborted) return error;
  log({ event: 'model-cut', message: 'The model server cut the connection', cause: nameOf(error) });
  return new Refusal('model-failed', 'Cannot finish the answer: the model server cut it; ask again');
}

/** Reads a body chunk by chunk; null at its end, 'pause' if nothing came for so many milliseconds. */
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
