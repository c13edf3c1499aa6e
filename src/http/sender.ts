import { PIECE } from '../catalog/file-content.ts';
import { Refusal } from '../refusal.ts';
import { createRounds } from '../turn.ts';
import type { Budgets, Connections } from './budget.ts';
import type { RequestLog } from './request-log.ts';

/** How long a connection may be silent, in seconds; also the time limit for a request's body. */
export const IDLE = 30;

/** How long a client may read nothing before a download is cut, in seconds: the most Bun's timer can hold. */
const STALLED = 255;

/** Bodies up to this length, in bytes, are sent whole and are not counted. */
const WHOLE = 64 * 1024;

// One for all: a Response copies it at once, and to fill new memory for each takes as long as everything else.
const memory = new Uint8Array(WHOLE);

const encoder = new TextEncoder();
// Memory of its own for each piece would be given back only when all is collected: hundreds of megabytes of a crowd.
const encoded = new Uint8Array(6 * PIECE);

/** The bytes of a text; valid until the next call. */
const encode = (text: string): Uint8Array =>
  3 * text.length > encoded.length
    ? encoder.encode(text)
    : encoded.subarray(0, encoder.encodeInto(text, encoded).written);

/** The most bodies that are open at the same time. A stalled one costs 20 KB if it is a file, 90 KB in pieces (measured). */
export type Bounds = {
  /** Of one account, or of one address without an account. */
  readonly perClient: number;
  /** Of all clients while one without an account asks; the rest of `total` is kept for accounts. */
  readonly anonymous: number;
  readonly total: number;
  /** How long a client with many bodies may read nothing once the places are nearly all taken, in seconds. */
  readonly hurried: number;
};

const BOUNDS: Bounds = { perClient: 512, anonymous: 768, total: 1024, hurried: 20 };

/** The share of `anonymous` from which on clients that take nothing are cut sooner. */
const NEARLY_FULL = 3 / 4;

/**
 * The start of a body in pieces, in bytes, that waits for no turn: after a real wait Bun sends a short answer in many small
 * parts, which costs six times the answer.
 */
const UNPACED = 256 * 1024;

/** How often a running download is checked again, in milliseconds, once it takes time or is long, in bytes. */
const INTERVAL = 1000;
const LONG = 1024 * 1024;

/** A body that is made while it is sent. */
type Delivery = {
  /** The route's pattern, for the log. */
  readonly route: string;
  /** In bytes; at least 0 and exact if it is at most 64 KiB. */
  readonly length: number;
  /** Throws once the client may no longer have the rest; called each second, also while the client takes nothing. */
  readonly check: () => void;
  /** Called once the answer is admitted. A piece need be valid only until the next one is made; the first, which may be empty, for ever. */
  readonly pieces: () => Iterable<Uint8Array> | AsyncIterable<string>;
};

type Answer = {
  readonly status?: number;
  readonly headers: Headers | Readonly<Record<string, string>>;
};

export type Sender = {
  /** Sends a Blob of a file or of memory that is kept anyway, or at most 64 KiB. Refuses `overloaded`. */
  readonly whole: (
    request: Request,
    body: Blob | Uint8Array<ArrayBuffer>,
    answer: Answer,
  ) => Response | Promise<Response>;
  /**
   * Sends a body that is made while it is sent: at most 64 KiB whole, more as fast as the client takes it, without a
   * Content-Length. An error, such as a revoked grant, breaks the connection, so that no client mistakes half for the
   * whole. Refuses `overloaded`.
   */
  readonly pieces: (request: Request, delivery: Delivery, answer: Answer) => Response;
  /** Waits for the turn of a request that takes the main thread for milliseconds; undefined if there is no wait. */
  readonly turn: (request: Request) => Promise<void> | undefined;
};

/**
 * The ways by which bytes leave: whole up to 64 KiB, larger ones as a file or a Blob that all answers share, and in pieces
 * what is made while it is sent. Bun keeps a copy of every other body for each client until its last byte is taken. The
 * bodies that are open are counted; too many are refused with `overloaded`.
 */
export function createSender(
  { addressOf }: Pick<Budgets, 'addressOf'>,
  connections: Connections,
  requestLog: RequestLog,
  bounds = BOUNDS,
): Sender {
  const takePlace = createPlaces(connections, bounds);
  const takeBytes = createSendTurns();
  const takeTurn = createRequestTurns();

  const clientOf = (request: Request): string => requestLog.of(request).account ?? addressOf(request).key;
  const enter = (request: Request): (() => void) =>
    takePlace(request, clientOf(request), requestLog.of(request).account === null);

  const sendPieces = (request: Request, { route, check, pieces }: Delivery, answer: Answer): Response => {
    const leave = enter(request);
    try {
      const made = pieces();
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
                const turn = sent > UNPACED ? takeBytes(PIECE) : undefined;
                if (turn !== undefined) await turn;
                if (isEnded) return;
              }
              controller.close();
            } finally {
              finish();
            }
          },
          // Bun calls it when the client leaves; `pull` may then wait forever.
          cancel: finish,
        }),
        answer,
      );
    } catch (error) {
      leave();
      throw error;
    }
  };

  return {
    whole(
      request: Request,
      body: Blob | Uint8Array<ArrayBuffer>,
      answer: Answer,
    ): Response | Promise<Response> {
      connections.allowSilence(request, STALLED);
      const length = body instanceof Blob ? body.size : body.length;
      if (length > WHOLE) enter(request);
      requestLog.of(request).bytes = length;
      const turn = length > WHOLE ? takeBytes(length) : undefined;
      return turn === undefined ? new Response(body, answer) : turn.then(() => new Response(body, answer));
    },
    pieces(request: Request, delivery: Delivery, answer: Answer): Response {
      connections.allowSilence(request, STALLED);
      if (delivery.length > WHOLE) return sendPieces(request, delivery, answer);
      let at = 0;
      for (const piece of delivery.pieces() as Iterable<Uint8Array>) {
        memory.set(piece, at);
        at += piece.length;
      }
      requestLog.of(request).bytes = at;
      return new Response(memory.subarray(0, at), answer);
    },
    turn: (request: Request): Promise<void> | undefined => takeTurn(clientOf(request)),
  };
}

/** Counts the bodies that are open, by client. Takes a place, and returns the function that gives it back before its connection has ended. */
function createPlaces(connections: Connections, { perClient, anonymous, total, hurried: seconds }: Bounds) {
  const clients = new Map<string, Set<Request>>();
  const hurried = new WeakSet<Request>();
  let count = 0;

  const leave = (request: Request, key: string): void => {
    const open = clients.get(key);
    if (open?.delete(request) !== true) return;
    count--;
    if (open.size === 0) clients.delete(key);
  };
  /** Nobody tells when a file or a Blob was taken. */
  const leaveEnded = (): void => {
    for (const [key, open] of clients)
      for (const request of open) if (connections.peerOf(request) === null) leave(request, key);
  };
  /** Only of clients that hold more than half an even share: a storm does not cut the slow readers of others. */
  const hurryCrowds = (): void => {
    for (const open of clients.values())
      for (const request of open) {
        if (open.size < anonymous / clients.size / 2 || hurried.has(request)) continue;
        hurried.add(request);
        connections.allowSilence(request, seconds);
      }
  };

  return (request: Request, key: string, isAnonymous: boolean): (() => void) => {
    const isFull = (): boolean =>
      count >= (isAnonymous ? anonymous : total) || (clients.get(key)?.size ?? 0) >= perClient;
    if (isFull() || count >= anonymous * NEARLY_FULL) leaveEnded();
    if (count >= anonymous * NEARLY_FULL) hurryCrowds();
    if (isFull())
      throw new Refusal(
        'overloaded',
        'Cannot send this now: too many downloads are open; try again when some have ended',
      );
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

/** Bytes that all answers together hand to the kernel in one turn of the event loop: about a millisecond of copying. */
const PER_TURN = 2 * 1024 * 1024;

/**
 * Shares out the time of the main thread: without it a crowd that asks at once is served in one piece, and all others wait.
 * Takes bytes of this turn, or waits for a turn that has room; undefined if there is no wait.
 */
export function createSendTurns() {
  const waiting: { readonly bytes: number; readonly resolve: () => void }[] = [];
  let left = PER_TURN;
  let isScheduled = false;

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      left = PER_TURN;
      while (left > 0 && waiting.length > 0) {
        const { bytes, resolve } = waiting.shift()!;
        left -= bytes;
        resolve();
      }
      if (waiting.length > 0) schedule();
    });
  };

  return (wanted: number): Promise<void> | undefined => {
    schedule();
    const bytes = Math.min(wanted, PER_TURN);
    if (left > 0 && waiting.length === 0) {
      left -= bytes;
      return undefined;
    }
    return new Promise((resolve) => waiting.push({ bytes, resolve }));
  };
}

/** How long requests may hold the main thread in one turn of the event loop before the others wait, in milliseconds. */
const MOST_MS = 8;

/**
 * Shares out the time of the main thread between requests: a burst of one client is worked off while others are served. Takes
 * part of this turn, or waits until it is the client's turn; undefined if there is no wait.
 */
export function createRequestTurns() {
  const rounds = createRounds();
  let startedAt = 0;
  let isScheduled = false;

  const schedule = (): void => {
    startedAt = performance.now();
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      rounds.letIn();
      if (!rounds.isEmpty()) schedule();
    });
  };

  return (client: string): Promise<void> | undefined => {
    if (!isScheduled) schedule();
    if (rounds.isEmpty() && performance.now() - startedAt < MOST_MS) return undefined;
    return rounds.wait(client);
  };
}
