import type { Http } from '../platform/http/http.ts';
import type { Watcher } from '../platform/http/request-log.ts';
import { LONGEST_SILENCE } from '../platform/http/sender.ts';

const encoder = new TextEncoder();

/** A comment, sent when there is no event for a while, so that no proxy closes the idle connection. */
const COMMENT = encoder.encode(': waiting\n\n');

/**
 * The milliseconds to wait for the first event before the answer begins. Later, a comment is sent after each such time without
 * one.
 */
const SILENCE = 10_000;

export const encodeEvent = (event: string, data: unknown): Uint8Array<ArrayBuffer> =>
  encoder.encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);

/**
 * Waits up to `silence` ms for the first server-sent event (WHATWG HTML §9.2). If the source fails in this time, throws its
 * error, while a normal error answer is still possible. Returns a generator of all events as bytes, with comments between slow
 * ones. If the source fails later, the generator ends with the bytes that `onError` returns.
 */
export async function openEventStream<T>(
  source: AsyncGenerator<T>,
  {
    encode,
    onError,
    silence = SILENCE,
    comment = COMMENT,
  }: {
    readonly encode: (event: T) => Uint8Array<ArrayBuffer>;
    readonly onError: (error: unknown) => Uint8Array<ArrayBuffer>;
    readonly silence?: number;
    readonly comment?: Uint8Array<ArrayBuffer>;
  },
): Promise<AsyncGenerator<Uint8Array<ArrayBuffer>>> {
  const first = source.next();
  // Errors are handled below; this only keeps one from counting as an unhandled rejection until then.
  first.catch(() => {});
  const opened = await within(silence, first);
  async function* pieces() {
    try {
      if (opened === QUIET) yield comment;
      for (let next = first; ;) {
        const came = await within(silence, next);
        if (came === QUIET) yield comment;
        else if (came.done === true) return;
        else {
          yield encode(came.value);
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
  return pieces();
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

/**
 * Creates a body that takes the next piece only once the client has read the last, so that a slow client slows down the source.
 */
export function createPacedStream(
  pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  watcher: Watcher,
): ReadableStream<Uint8Array> {
  let isEnded = false;
  const finish = (): void => {
    if (isEnded) return;
    isEnded = true;
    watcher.end();
  };
  return new ReadableStream<Uint8Array>({
    // From a generator, or a stream of another type, Bun would read everything at once and keep it in memory.
    type: 'direct',
    async pull(controller) {
      try {
        for await (const piece of pieces) {
          void controller.write(piece);
          // With `true`, waits until the client has read the piece.
          await controller.flush(true);
          watcher.sent(piece.length);
        }
        controller.close();
      } finally {
        finish();
      }
    },
    // Bun calls this when the client leaves. A running `pull` may then wait forever.
    cancel() {
      finish();
      void pieces.return(undefined).catch(() => {});
    },
  });
}

export async function sendStream(
  { budgets, connections, requestLog }: Http,
  request: Request,
  given: {
    readonly account: { readonly accountId: string };
    readonly route: string;
    readonly headers: Readonly<Record<string, string>>;
  },
  open: () => Promise<AsyncGenerator<Uint8Array<ArrayBuffer>>>,
): Promise<Response> {
  const { account, route, headers } = given;
  const leavePlace = budgets.enterStream(account);
  const leave = (): void => {
    leavePlace();
    // Restores the timeout that `open` set: it applies to the whole connection, not to this answer alone (oven-sh/bun#33611).
    connections.allowSilence(request, LONGEST_SILENCE);
  };
  try {
    const pieces = await open();
    const { sent, end } = requestLog.watch(request, route);
    const finish = (): void => {
      leave();
      end();
    };
    return new Response(createPacedStream(pieces, { sent, end: finish }), {
      headers: { ...headers, 'X-Accel-Buffering': 'no' },
    });
  } catch (error) {
    leave();
    throw error;
  }
}
