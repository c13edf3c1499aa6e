import { setImmediate } from 'node:timers/promises';
import type { Watcher } from './request-log.ts';

/** Server-sent events, WHATWG HTML §9.2. */
const encoder = new TextEncoder();

/** A comment line, which keeps proxies and timers from cutting a silent stream. */
const COMMENT = encoder.encode(': waiting\n\n');

/** After this long, in milliseconds, the status is committed without content; each further silence of this length gets a comment. */
const SILENCE = 10_000;

/** One event: its name and data, which is sent as one line of JSON. */
export function frame(event: string, data: unknown): Uint8Array<ArrayBuffer> {
  return encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
}

/**
 * Waits for the first event, at most `silence` ms. An error until then is thrown here, while a plain answer can still be
 * given. The generator it returns yields that event and the rest as frames, comments in silences, and, if the source
 * throws, the frame that `onError` makes of the error as the last one.
 */
export async function openEventStream<T>(
  source: AsyncGenerator<T>,
  toFrame: (event: T) => Uint8Array<ArrayBuffer>,
  onError: (error: unknown) => Uint8Array<ArrayBuffer>,
  silence: number = SILENCE,
  comment: Uint8Array<ArrayBuffer> = COMMENT,
): Promise<AsyncGenerator<Uint8Array<ArrayBuffer>>> {
  const first = source.next();
  // Handled below or by the generator; until then a rejection must not count as unhandled.
  first.catch(() => {});
  const opened = await within(silence, first);
  async function* frames() {
    try {
      if (opened === QUIET) yield comment;
      for (let next = first; ;) {
        const came = await within(silence, next);
        if (came === QUIET) yield comment;
        else if (came.done === true) return;
        else {
          yield toFrame(came.value);
          next = source.next();
          next.catch(() => {});
        }
      }
    } catch (error) {
      yield onError(error);
    } finally {
      await source.return(undefined);
    }
  }
  return frames();
}

const QUIET = Symbol('quiet');

async function within<T>(silence: number, event: Promise<T>): Promise<T | typeof QUIET> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const quiet = new Promise<typeof QUIET>((resolve) => (timer = setTimeout(resolve, silence, QUIET)));
  try {
    return await Promise.race([event, quiet]);
  } finally {
    clearTimeout(timer);
  }
}

/** Called for each frame that was sent, and once at the end, however the stream ends. */
type FrameListener = { readonly sent: (bytes: number) => void; readonly end: () => void };

/** A body of frames that asks for the next one only after the connection took the last: a reader who pauses pauses the source. */
export function createFrameStream(
  frames: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  listener: FrameListener,
): ReadableStream<Uint8Array> {
  let isEnded = false;
  const finish = (): void => {
    if (isEnded) return;
    isEnded = true;
    listener.end();
  };
  return new ReadableStream<Uint8Array>({
    // Bun reads a generator, or a stream of another type, as fast as it yields, and keeps all the bytes.
    type: 'direct',
    async pull(controller) {
      try {
        for await (const frame of frames) {
          void controller.write(frame);
          // True: waits until the connection took it.
          await controller.flush(true);
          listener.sent(frame.length);
        }
        controller.close();
      } finally {
        finish();
      }
    },
    // Bun calls it if the client leaves; `pull` may then wait forever.
    cancel() {
      finish();
      void frames.return(undefined).catch(() => {});
    },
  });
}

/** A body of texts, read as fast as the client takes them. Reading is synchronous, so other requests get a turn between two texts. */
export function createTextStream(
  texts: AsyncGenerator<string>,
  watcher: Watcher,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        await setImmediate();
        const { done, value } = await texts.next();
        if (done === true) {
          controller.close();
          watcher.end();
          return;
        }
        const bytes = encoder.encode(value);
        watcher.sent(bytes.length);
        controller.enqueue(bytes);
      } catch (error) {
        watcher.end();
        throw error;
      }
    },
    async cancel() {
      watcher.end();
      await texts.return(undefined);
    },
  });
}
