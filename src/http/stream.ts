import type { Http } from './http.ts';
import type { Watcher } from './request-log.ts';
import { LONGEST_SILENCE } from './sender.ts';

/** Server-sent events, WHATWG HTML §9.2. */
const encoder = new TextEncoder();

/** A comment line, which keeps proxies and timers from cutting a silent stream. */
const COMMENT = encoder.encode(': waiting\n\n');

/** How long to wait for the first event, in milliseconds, before the answer begins. Each further silence gets a comment. */
const SILENCE = 10_000;

/** Writes one event: its name, and its data as one line of JSON. */
export const frame = (event: string, data: unknown): Uint8Array<ArrayBuffer> =>
  encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);

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

/** Creates a body of frames that takes the next one only after the connection took the last: a reader who pauses pauses it. */
export function createFrameStream(
  frames: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  watcher: Watcher,
): ReadableStream<Uint8Array> {
  let isEnded = false;
  const finish = (): void => {
    if (isEnded) return;
    isEnded = true;
    watcher.end();
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
          watcher.sent(frame.length);
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

/** Answers with the frames that `open` gives, in one of the account's places for open answers. `route` is for the log. */
export async function sendFrames(
  { budgets, connections, requestLog }: Http,
  request: Request,
  account: { readonly accountId: string },
  { route, headers }: { readonly route: string; readonly headers: Readonly<Record<string, string>> },
  open: () => Promise<AsyncGenerator<Uint8Array<ArrayBuffer>>>,
): Promise<Response> {
  const leavePlace = budgets.enterStream(account);
  const leave = (): void => {
    leavePlace();
    // Otherwise the timeout that `open` set would stay for the whole connection (oven-sh/bun#33611).
    connections.allowSilence(request, LONGEST_SILENCE);
  };
  try {
    const frames = await open();
    const { sent, end } = requestLog.watch(request, route);
    const finish = (): void => {
      leave();
      end();
    };
    return new Response(createFrameStream(frames, { sent, end: finish }), {
      headers: { ...headers, 'X-Accel-Buffering': 'no' },
    });
  } catch (error) {
    leave();
    throw error;
  }
}
