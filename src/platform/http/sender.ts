import { PIECE } from '../base/file-slice.ts';
import { ToldRefusal } from '../base/told.ts';
import type { Budgets, Connections } from './budget.ts';
import type { RequestLog } from './request-log.ts';

/** The seconds for which a connection may transfer nothing; also the time limit for a request's body. */
export const LONGEST_SILENCE = 30;

/** The seconds after which a client that reads nothing is disconnected, so that its question does not keep the model busy. */
export const STALLED_READER = 60;

/** The seconds after which a download is cut off if its client reads nothing; the maximum of Bun's timer. */
export const STALLED_DOWNLOAD = 255;

/**
 * Once this many bytes of bodies over 64 KiB are copied to the kernel in a turn of the event loop, which takes 1 or 2 ms,
 * others wait for the next turn.
 */
const SHARE = 2 * 1024 * 1024;

/** The bytes of a body in pieces that are copied to the kernel at first. The rest follows as fast as the client reads. */
const AT_ONCE = 128 * 1024;

/**
 * The milliseconds between two checks of access during a download. They begin once the client is slow or has got `LONG` bytes.
 */
const INTERVAL = 1000;
const LONG = 1024 * 1024;

// All small answers are built in this memory, since a Response copies it at once. Allocating memory for each would take as long
// as all the other work.
const memory = new Uint8Array(PIECE);

const encoder = new TextEncoder();
// All texts are encoded in this memory. Separate buffers would be freed only by a full garbage collection, so a crowd of
// clients would hold hundreds of megabytes.
const encoded = new Uint8Array(6 * PIECE);

const encode = (text: string): Uint8Array =>
  3 * text.length > encoded.length
    ? encoder.encode(text)
    : encoded.subarray(0, encoder.encodeInto(text, encoded).written);

/**
 * The maximum numbers of bodies over 64 KiB that are sent at the same time. A body with a stalled client takes 20 KB of memory
 * if it is a file, 90 KB if it is sent in pieces (measured).
 */
export type Bounds = {
  readonly perClient: number;
  /** The maximum for all clients without an account; the rest of `total` is reserved for accounts. */
  readonly anonymous: number;
  readonly total: number;
};

export const BOUNDS: Bounds = { perClient: 512, anonymous: 768, total: 1024 };

/**
 * The minimum time, in milliseconds, between two searches for ended connections, which are made only when a bound is reached.
 */
const LOOK_PAUSE = 50;

type SentBody = {
  readonly route: string;
  /** The number of bytes. Up to 64 KiB it must be exact; if larger, it may be an estimate, such as Infinity. */
  readonly length: number;
  /** Throws if the client has lost its access. Called each second of a long download, even while the client reads nothing. */
  readonly check: () => void;
  /**
   * Yields the pieces of the body; called once the answer may be sent. A piece is valid until the next one is requested, but
   * the first, which may be empty, stays valid. A body of at most 64 KiB may be a single array, valid until other code runs.
   */
  readonly pieces: () => Uint8Array<ArrayBuffer> | Iterable<Uint8Array> | AsyncIterable<string>;
};

type Answer = { readonly status?: number; readonly headers: Headers | Readonly<Record<string, string>> };

/**
 * Creates the sender, through which all large answers leave.
 * - A body of more than 64 KiB waits for its turn to copy bytes to the kernel: all bodies share a number of bytes in each turn
 *   of the event loop.
 * - Such bodies are counted while they are sent; too many are refused with `overloaded`.
 * - A smaller body leaves as a whole. A larger one leaves as a file, a shared Blob or in pieces: of any other, Bun would keep a
 *   copy for each client until the client has read everything.
 */
export function createSender(
  { addressOf }: Pick<Budgets, 'addressOf'>,
  connections: Connections,
  requestLog: RequestLog,
  bounds = BOUNDS,
) {
  const takePlace = createOpenBodies(connections, bounds);
  const takeBytes = createShare();

  /**
   * Makes the Response of a large body once `bytes` may be copied to the kernel. `make` gets the function `leave`, which ends
   * the body's count.
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
    // Opens the file now: once the answer has begun, no refusal can be sent.
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
              // `write` returns a number if the kernel took all bytes. Otherwise Bun copied the rest, and returns a promise
              // that resolves when the client has read it.
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
        // Bun calls `cancel` when the client leaves, even before the first `pull`. A running `pull` may then wait forever.
        cancel: finish,
      }),
      answer,
    );
  };

  return {
    /**
     * Sends a body that exists as a whole: a Blob of a file or of memory that is kept anyway, or any array of at most 64 KiB.
     * Refuses with `overloaded` beyond a bound.
     */
    whole(request: Request, body: Blob | Uint8Array<ArrayBuffer>, answer: Answer) {
      connections.allowSilence(request, STALLED_DOWNLOAD);
      const length = body instanceof Blob ? body.size : body.length;
      requestLog.of(request).bytes = length;
      const make = () => new Response(body, answer);
      // Bun copies this much at once, and reads the rest of a file later.
      return length > PIECE ? begin(request, Math.min(length, SHARE), make) : make();
    },
    /**
     * Sends a body that is made while it is sent. Up to 64 KiB leave as a whole, more as fast as the client reads, without
     * Content-Length. An error, such as a revoked grant, breaks the connection, so that no client takes a part for the whole.
     * Refuses with `overloaded` beyond a bound.
     */
    pieces(request: Request, sent: SentBody, answer: Answer) {
      connections.allowSilence(request, STALLED_DOWNLOAD);
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

export type Sender = ReturnType<typeof createSender>;

function join(pieces: Iterable<Uint8Array>): Uint8Array<ArrayBuffer> {
  let at = 0;
  for (const piece of pieces) {
    memory.set(piece, at);
    at += piece.length;
  }
  return memory.subarray(0, at);
}

/**
 * Creates the counter of bodies that are being sent, by client. The function counts a body and returns a function that ends the
 * count. At a bound, drops bodies whose connection has ended; if there is none, refuses with `overloaded`.
 */
function createOpenBodies(connections: Connections, { perClient, anonymous, total }: Bounds) {
  const clients = new Map<string, Set<Request>>();
  let count = 0;
  let lookedAt = -LOOK_PAUSE;

  const leave = (request: Request, key: string): void => {
    const open = clients.get(key);
    if (open?.delete(request) !== true) return;
    count--;
    if (open.size === 0) clients.delete(key);
  };
  // Bun does not report when a file or a Blob was sent.
  const leaveEnded = (): void => {
    if (performance.now() - lookedAt < LOOK_PAUSE) return;
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

/** Calls `check` each second. `during` waits for a promise, but throws as soon as `check` has thrown. */
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
      // Promise.race would leave a callback for every piece on a promise that lives long.
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
 * Limits the bytes that are sent in one turn of the event loop, so that a crowd of downloads does not delay all other requests.
 * The function returns undefined if the bytes may be sent now, else a promise that resolves in a later turn.
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
