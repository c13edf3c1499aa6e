import { PIECE } from '../catalog/file-content.ts';
import { ToldRefusal } from '../words/told.ts';
import type { Budgets, Connections } from './budget.ts';
import type { RequestLog } from './request-log.ts';

/** How long a connection may be silent, in seconds; also the time limit for a request's body. */
export const LONGEST_SILENCE = 30;

/** How long a client may read nothing before a download is cut, in seconds: the most Bun's timer can hold. */
const STALLED = 255;

/** The bytes that all bodies of over 64 KiB together hand to the kernel in one turn of the event loop: 1 or 2 ms of copying. */
const SHARE = 2 * 1024 * 1024;

/** The bytes that a body hands to the kernel at once; the rest is sent as fast as its client takes it. */
const AT_ONCE = 128 * 1024;

/** The milliseconds between two checks of a running download, once its client is slow or has taken `LONG` bytes. */
const INTERVAL = 1000;
const LONG = 1024 * 1024;

// All answers share this memory, since a Response copies it at once. Filling new memory for each would take as long as
// everything else.
const memory = new Uint8Array(PIECE);

const encoder = new TextEncoder();
// All pieces share this memory. Memory of their own would be freed only by a full garbage collection, so a crowd would hold
// hundreds of megabytes.
const encoded = new Uint8Array(6 * PIECE);

/** Returns the bytes of a text, which are valid until the next call. */
const encode = (text: string): Uint8Array =>
  3 * text.length > encoded.length
    ? encoder.encode(text)
    : encoded.subarray(0, encoder.encodeInto(text, encoded).written);

/** The most bodies that are open at the same time. A stalled one costs 20 KB if it is a file, 90 KB in pieces (measured). */
export type Bounds = {
  /** The most for one account, or for one address without an account. */
  readonly perClient: number;
  /** The most for all clients without an account; the rest of `total` is kept for accounts. */
  readonly anonymous: number;
  readonly total: number;
};

const BOUNDS: Bounds = { perClient: 512, anonymous: 768, total: 1024 };

/** The least milliseconds between two searches for clients who left, which are made while all places are taken. */
const LOOK = 50;

/** A body that is made while it is sent. */
type SentBody = {
  /** The route's pattern, for the log. */
  readonly route: string;
  /** In bytes. It is exact up to 64 KiB; above that it may be a guess, such as Infinity. */
  readonly length: number;
  /** Throws once the client may no longer have the rest; called each second, even while the client takes nothing. */
  readonly check: () => void;
  /**
   * Makes the pieces; called once the answer is admitted. A piece may be overwritten when the next one is made, except the
   * first, which may be empty. A body of at most 64 KiB may be one array, which may be overwritten as soon as other code
   * runs.
   */
  readonly pieces: () => Uint8Array<ArrayBuffer> | Iterable<Uint8Array> | AsyncIterable<string>;
};

type Answer = { readonly status?: number; readonly headers: Headers | Readonly<Record<string, string>> };

export type Sender = {
  /** Sends a body whole: a Blob of a file or of memory that is kept anyway, or at most 64 KiB. Refuses `overloaded`. */
  readonly whole: (
    request: Request,
    body: Blob | Uint8Array<ArrayBuffer>,
    answer: Answer,
  ) => Response | Promise<Response>;
  /**
   * Sends a body that is made while it is sent: at most 64 KiB whole, a larger one as fast as the client
   * takes it, without a Content-Length. An error, such as a revoked grant, breaks the connection, so that no
   * client mistakes half for the whole. Refuses `overloaded`.
   */
  readonly pieces: (request: Request, sent: SentBody, answer: Answer) => Response | Promise<Response>;
};

/**
 * Creates the sender, through which all bodies leave.
 * - A body of more than 64 KiB waits until it may hand its bytes to the kernel. All bodies of a turn of the event loop share
 *   a number of bytes; if it is used up, the body waits for the next turn. The Response is made only then.
 * - Open bodies are counted, and too many are refused with `overloaded`. Clients who left are looked for once in an interval.
 * - Up to 64 KiB leave whole, more as a file or a shared Blob, and in pieces if they are made while they are sent: Bun keeps
 *   a copy of every other body for each client until its last byte is taken.
 */
export function createSender(
  { addressOf }: Pick<Budgets, 'addressOf'>,
  connections: Connections,
  requestLog: RequestLog,
  bounds = BOUNDS,
): Sender {
  const takePlace = createOpenBodies(connections, bounds);
  const takeBytes = createShare();

  /**
   * Makes an answer of over 64 KiB once it may hand so many bytes to the kernel. `make` gets `leave`, which frees its place
   * early.
   */
  const begin = (
    request: Request,
    bytes: number,
    make: (leave: () => void) => Response,
  ): Response | Promise<Response> => {
    const { account } = requestLog.of(request);
    const leave = takePlace(request, account ?? addressOf(request).key, account === null);
    const open = (): Response => {
      try {
        return make(leave);
      } catch (error) {
        leave();
        throw error;
      }
    };
    const wait = takeBytes(bytes);
    return wait === undefined ? open() : wait.then(open);
  };

  const stream = (
    request: Request,
    { route, check, pieces }: SentBody,
    answer: Answer,
    leave: () => void,
  ) => {
    const made = pieces() as Iterable<Uint8Array> | AsyncIterable<string>;
    const source = Symbol.iterator in made ? made[Symbol.iterator]() : made[Symbol.asyncIterator]();
    // Opens the file while a plain refusal can still be sent.
    const first = source.next();
    const watcher = requestLog.watch(request, route);
    let inspection: ReturnType<typeof createInspection> | null = null;
    let isEnded = false;
    const finish = (): void => {
      if (isEnded) return;
      isEnded = true;
      inspection?.stop();
      void source.return?.();
      leave();
      watcher.end();
    };
    return new Response(
      new ReadableStream<Uint8Array>({
        // A direct stream takes half the time of a generator over 200 MB, and half the memory for 64 slow clients (measured).
        type: 'direct',
        async pull(controller) {
          let sent = 0;
          try {
            for (let step = first; ; step = source.next()) {
              const next = step instanceof Promise ? await step : step;
              if (next.done === true) break;
              if (isEnded) return;
              const piece = typeof next.value === 'string' ? encode(next.value) : next.value;
              const { length } = piece;
              // `write` returns a number if the kernel took it all. Otherwise Bun copied the rest, and a promise resolves
              // when that is taken.
              const taken: unknown = length > 0 && controller.write(piece);
              watcher.sent(length);
              sent += length;
              if (taken instanceof Promise || sent > LONG) {
                inspection ??= createInspection(check);
                await inspection.during(taken instanceof Promise ? taken : undefined);
              }
              const wait = sent >= AT_ONCE ? takeBytes(PIECE) : undefined;
              if (wait !== undefined) await wait;
              if (isEnded) return;
            }
            controller.close();
          } finally {
            finish();
          }
        },
        // Bun calls `cancel` when the client leaves, also before the first pull; `pull` may then wait forever.
        cancel: finish,
      }),
      answer,
    );
  };

  return {
    whole(request, body, answer) {
      connections.allowSilence(request, STALLED);
      const length = body instanceof Blob ? body.size : body.length;
      requestLog.of(request).bytes = length;
      const make = () => new Response(body, answer);
      // The kernel takes so much at once; Bun reads the rest from the file later.
      return length > PIECE ? begin(request, Math.min(length, SHARE), make) : make();
    },
    pieces(request, sent, answer) {
      connections.allowSilence(request, STALLED);
      if (sent.length > PIECE)
        return begin(request, Math.min(sent.length, AT_ONCE), (leave) =>
          stream(request, sent, answer, leave),
        );
      const made = sent.pieces() as Uint8Array<ArrayBuffer> | Iterable<Uint8Array>;
      const body = made instanceof Uint8Array ? made : join(made);
      requestLog.of(request).bytes = body.length;
      return new Response(body, answer);
    },
  };
}

/** Joins pieces of at most 64 KiB together; the result is valid until other code runs. */
function join(pieces: Iterable<Uint8Array>): Uint8Array<ArrayBuffer> {
  let at = 0;
  for (const piece of pieces) {
    memory.set(piece, at);
    at += piece.length;
  }
  return memory.subarray(0, at);
}

/**
 * Creates the counter of open bodies, by client. It takes a place for a body and returns the function that gives it back
 * early; otherwise the place is free again once the connection has ended. Refuses `overloaded`.
 */
function createOpenBodies(connections: Connections, { perClient, anonymous, total }: Bounds) {
  const clients = new Map<string, Set<Request>>();
  let count = 0;
  let lookedAt = -LOOK;

  const leave = (request: Request, key: string): void => {
    const open = clients.get(key);
    if (open?.delete(request) !== true) return;
    count--;
    if (open.size === 0) clients.delete(key);
  };
  /** Gives back the places of connections that have ended, since Bun does not tell when a file or a Blob was sent. */
  const leaveEnded = (): void => {
    if (performance.now() - lookedAt < LOOK) return;
    for (const [key, open] of clients)
      for (const request of open) if (connections.peerOf(request) === null) leave(request, key);
    lookedAt = performance.now();
  };

  return (request: Request, key: string, isAnonymous: boolean): (() => void) => {
    const isFull = (): boolean =>
      count >= (isAnonymous ? anonymous : total) || (clients.get(key)?.size ?? 0) >= perClient;
    if (isFull()) leaveEnded();
    if (isFull()) throw new ToldRefusal('overloaded', (r) => r.request.downloadsLater);
    clients.getOrInsertComputed(key, () => new Set()).add(request);
    count++;
    return () => leave(request, key);
  };
}

/** Calls `check` each second. `during` waits for a promise, and throws an error of `check` at once. */
function createInspection(check: () => void) {
  let failure: { readonly error: unknown } | null = null;
  let interrupt: () => void = () => {};
  const timer = setInterval(() => {
    try {
      check();
    } catch (error) {
      failure = { error };
      interrupt();
    }
  }, INTERVAL);
  return {
    async during(waiting: Promise<unknown> | undefined): Promise<void> {
      // Promise.race with one long-lived promise would keep a reaction for every piece.
      if (waiting !== undefined)
        await new Promise<void>((resolve, reject) => {
          interrupt = resolve;
          waiting.then(() => resolve(), reject);
        });
      if (failure !== null) throw failure.error;
    },
    stop: () => clearInterval(timer),
  };
}

/**
 * Creates the share of bytes that may be sent in a turn of the event loop. Without it all others would wait until a crowd
 * that asks at once is served. The function takes bytes from the share: it returns undefined if some were left, else a
 * promise that resolves in a later turn.
 */
function createShare() {
  const waiting: { readonly bytes: number; readonly resolve: () => void }[] = [];
  let left = SHARE;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      left = SHARE;
      while (left > 0 && waiting.length > 0) {
        const { bytes, resolve } = waiting.shift()!;
        left -= bytes;
        resolve();
      }
      if (waiting.length > 0) schedule();
    });
  };

  return (bytes: number): Promise<void> | undefined => {
    schedule();
    if (left > 0 && waiting.length === 0) {
      left -= bytes;
      return undefined;
    }
    return new Promise((resolve) => waiting.push({ bytes, resolve }));
  };
}
