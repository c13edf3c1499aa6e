import { PIECE } from '../catalog/file-content.ts';
import { ToldRefusal } from '../words/told.ts';
import type { Budgets, Connections } from './budget.ts';
import type { RequestLog } from './request-log.ts';

/** How long a connection may be silent, in seconds; also the time limit for a request's body. */
export const IDLE = 30;

/** How long a client may read nothing before a download is cut, in seconds: the most Bun's timer can hold. */
const STALLED = 255;

/** Bytes that all longer bodies together hand to the kernel in one turn of the event loop: a millisecond or two of copying. */
const SHARE = 2 * 1024 * 1024;

/** The bytes that a body hands to the kernel at once; the rest is sent as fast as its client takes it. */
const AT_ONCE = 128 * 1024;

/** How often a running download is checked again, in milliseconds, once it takes time or is long, in bytes. */
const INTERVAL = 1000;
const LONG = 1024 * 1024;

// Shared by all: a Response copies it at once, and to fill new memory for each takes as long as everything
// else.
const memory = new Uint8Array(PIECE);

const encoder = new TextEncoder();
// Pieces with memory of their own are freed only by a full collection: a crowd would hold hundreds of megabytes.
const encoded = new Uint8Array(6 * PIECE);

/** The bytes of a text; valid until the next call. */
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

/** How often to look for clients who left while the places are taken, in milliseconds. */
const LOOK = 50;

/** A body that is made while it is sent. */
type Delivery = {
  /** The route's pattern, for the log. */
  readonly route: string;
  /** In bytes; at least 0 and exact if it is at most 64 KiB. */
  readonly length: number;
  /** Throws once the client may no longer have the rest; called each second, even while the client takes nothing. */
  readonly check: () => void;
  /**
   * Called once the answer is admitted. A piece need be valid only until the next one is made, except the
   * first, which may be empty. At most 64 KiB may be one array, which need be valid only until anything else
   * runs.
   */
  readonly pieces: () => Uint8Array<ArrayBuffer> | Iterable<Uint8Array> | AsyncIterable<string>;
};

type Answer = { readonly status?: number; readonly headers: Headers | Readonly<Record<string, string>> };

export type Sender = {
  /** Sends a Blob of a file or of memory that is kept anyway, or at most 64 KiB. Refuses `overloaded`. */
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
  readonly pieces: (request: Request, delivery: Delivery, answer: Answer) => Response | Promise<Response>;
};

/**
 * The one gate through which bodies leave. Before a Response exists, a body of more than 64 KiB takes the
 * bytes it will hand to the kernel from a share that all bodies of a turn of the event loop have in common,
 * and waits for the next turn if the share is used up. Open bodies are counted, and too many are refused with
 * `overloaded`; clients who left are looked for once in an interval. Bytes leave whole up to 64 KiB, larger
 * ones as a file or a shared Blob, and in pieces if they are made while they are sent: Bun keeps a copy of
 * every other body for each client until its last byte is taken.
 */
export function createSender(
  { addressOf }: Pick<Budgets, 'addressOf'>,
  connections: Connections,
  requestLog: RequestLog,
  bounds = BOUNDS,
): Sender {
  const takePlace = createPlaces(connections, bounds);
  const takeShare = createShare();

  /**
   * Makes an answer of more than 64 KiB once it may hand so many bytes to the kernel; `make` is given the
   * signal that ends it early.
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
    const wait = takeShare(bytes);
    return wait === undefined ? open() : wait.then(open);
  };

  const stream = (
    request: Request,
    { route, check, pieces }: Delivery,
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
        // Measured against a generator over 200 MB: half the time, and half the memory for 64 slow clients.
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
              // A number if the kernel took it all. Otherwise Bun copied the rest, and settles a promise when that is taken too.
              const taken: unknown = length > 0 && controller.write(piece);
              watcher.sent(length);
              sent += length;
              if (taken instanceof Promise || sent > LONG) {
                inspection ??= createInspection(check);
                await inspection.during(taken instanceof Promise ? taken : undefined);
              }
              const wait = sent >= AT_ONCE ? takeShare(PIECE) : undefined;
              if (wait !== undefined) await wait;
              if (isEnded) return;
            }
            controller.close();
          } finally {
            finish();
          }
        },
        // Bun calls it when the client leaves, also before the first pull; `pull` may then wait forever.
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
      // As much as the kernel takes; the rest is read from the file later.
      return length > PIECE ? begin(request, Math.min(length, SHARE), make) : make();
    },
    pieces(request, delivery, answer) {
      connections.allowSilence(request, STALLED);
      if (delivery.length > PIECE)
        return begin(request, Math.min(delivery.length, AT_ONCE), (leave) =>
          stream(request, delivery, answer, leave),
        );
      const made = delivery.pieces() as Uint8Array<ArrayBuffer> | Iterable<Uint8Array>;
      const body = made instanceof Uint8Array ? made : join(made);
      requestLog.of(request).bytes = body.length;
      return new Response(body, answer);
    },
  };
}

/** At most 64 KiB of pieces; valid until anything else runs. */
function join(pieces: Iterable<Uint8Array>): Uint8Array<ArrayBuffer> {
  let at = 0;
  for (const piece of pieces) {
    memory.set(piece, at);
    at += piece.length;
  }
  return memory.subarray(0, at);
}

/** Counts the bodies that are open, by client. Takes a place, and returns the function that gives it back before its connection has ended. */
function createPlaces(connections: Connections, { perClient, anonymous, total }: Bounds) {
  const clients = new Map<string, Set<Request>>();
  let count = 0;
  let lookedAt = -LOOK;

  const leave = (request: Request, key: string): void => {
    const open = clients.get(key);
    if (open?.delete(request) !== true) return;
    count--;
    if (open.size === 0) clients.delete(key);
  };
  /** Bun does not tell when a file or a Blob was taken. */
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

/** Calls `check` each second; `during` waits for a promise and throws what `check` has thrown, at once. */
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
      // Not Promise.race with one long-lived promise: that would keep a reaction for every piece.
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
 * The share of a turn: without it a crowd that asks at once would be served in one piece while all others
 * wait. Takes bytes of it, or waits for a turn that has some left; undefined if there is no wait.
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
