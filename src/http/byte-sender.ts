import { Refusal } from '../refusal.ts';
import { IN_PLACE } from '../service/delivery/install.ts';
import type { Budgets } from './budget.ts';
import { createByteStream } from './byte-stream.ts';
import { STALLED } from './bytes.ts';
import { type Bounds, type Client, createBytesInFlight, type Shared } from './bytes-in-flight.ts';
import type { Connections } from './connection.ts';
import { type Part, PIECE, type Pieces, sizeOf } from './pieces.ts';
import type { RequestLog } from './request-log.ts';
import { createSendTurns } from './send-turns.ts';

/** Bodies up to this length are sent as they are: Bun keeps no more of one than of an answer in pieces. */
export const SMALL = IN_PLACE;

/**
 * Copies up to this length do not wait for a turn: after a real wait Bun sends the head of an answer in many small pieces,
 * which costs six times the answer. What is copied in one turn is bounded by the bytes in flight.
 */
const UNPACED = 256 * 1024;

/**
 * The memory that one reader of a shared body costs: Bun keeps the request and its connection (measured,
 * test/bench/README.md).
 */
const READER = 4 * 1024;

/** How long a client may read nothing once the bytes in flight are nearly full, in seconds. */
const HURRIED = 20;

/** One answer with bytes, made once it is admitted. */
export type Delivery = {
  /** The route's pattern, for the log. */
  readonly route: string;
  /** In bytes, before any decoding. */
  readonly length: number;
  /** Throws once the client may no longer have the rest. */
  readonly check: () => Promise<void>;
  /** The body if it is in memory, and only then may `length` be at most `SMALL`. */
  readonly whole: Whole | null;
  /** A body that is made while it is sent. */
  readonly pieces: () => Promise<Pieces>;
};

/** A `blob` is sent to all from the memory it keeps, `shared` unless that is kept anyway; `parts` are copied for each. */
type Whole =
  | { readonly blob: () => Blob | Promise<Blob>; readonly shared: Shared | null }
  | { readonly parts: () => readonly Part[] | Promise<readonly Part[]> };

type Answer = {
  readonly status?: number;
  readonly headers: Headers | Readonly<Record<string, string>>;
};

type Dependencies = {
  readonly budgets: Pick<Budgets, 'addressOf'>;
  readonly connections: Connections;
  readonly requestLog: RequestLog;
  /** Defaults to `IN_FLIGHT`. */
  readonly bounds?: Bounds;
};

export type ByteSender = ReturnType<typeof createByteSender>;

/**
 * The one way by which archives and files leave. Bun keeps the bytes that a client has not taken: a typed array and a Blob
 * of several parts as a copy for each answer, a Blob of one part shared, of a stream only the part that was written. So a
 * large body is a shared Blob, or a copy while few are held, or pieces. Beyond the bounds it is refused with `overloaded`,
 * and clients that take nothing are cut before there is no room.
 */
export function createByteSender({ budgets, connections, requestLog, bounds }: Dependencies) {
  const inFlight = createBytesInFlight(bounds);
  const turns = createSendTurns();

  const sendWhole = (request: Request, parts: Blob | readonly Part[], answer: Answer): Response => {
    const body = parts instanceof Blob ? parts : parts.length === 1 ? parts[0]! : new Blob([...parts]);
    requestLog.of(request).bytes = sizeOf(body);
    return new Response(body, answer);
  };

  const clientOf = (request: Request): Client => {
    const { account } = requestLog.of(request);
    return account === null
      ? { key: budgets.addressOf(request).key, isAccount: false }
      : { key: account, isAccount: true };
  };

  const sendLarge = async (
    request: Request,
    { route, length, check, whole, pieces }: Delivery,
    answer: Answer,
  ): Promise<Response> => {
    const isOver = (): boolean => connections.peerOf(request) === null;
    const hurry = (): void => connections.allowSilence(request, HURRIED);
    const client = clientOf(request);
    const inPieces = { client, own: PIECE, shared: null, isOver: null, hurry };
    if (whole !== null && 'blob' in whole) {
      const holding = { ...inPieces, own: READER, shared: whole.shared, isOver };
      if (inFlight.hold(holding, 'pieces') !== null) {
        await turns.take(length);
        return sendWhole(request, await whole.blob(), answer);
      }
    } else if (whole !== null && inFlight.hold({ ...inPieces, own: length, isOver }, 'copy') !== null) {
      if (length > UNPACED) await turns.take(length);
      return sendWhole(request, await whole.parts(), answer);
    }
    const release = inFlight.hold(inPieces, 'pieces');
    if (release === null) throw overloaded();
    try {
      const source = await pieces();
      const watcher = requestLog.watch(request, route);
      const end = (): void => {
        release();
        watcher.end();
      };
      return new Response(
        createByteStream({ pieces: source, watcher: { ...watcher, end }, turns, check }),
        answer,
      );
    } catch (error) {
      release();
      throw error;
    }
  };

  return {
    /** Answers with a delivery. Refuses `overloaded`. */
    send(request: Request, delivery: Delivery, answer: Answer): Response | Promise<Response> {
      connections.allowSilence(request, STALLED);
      const { length, whole } = delivery;
      if (length > SMALL || whole === null) return sendLarge(request, delivery, answer);
      const parts = 'blob' in whole ? whole.blob() : whole.parts();
      return parts instanceof Promise
        ? parts.then((made) => sendWhole(request, made, answer))
        : sendWhole(request, parts, answer);
    },
  };
}

function overloaded(): Refusal {
  return new Refusal(
    'overloaded',
    'Cannot send this now: too many downloads are open; try again when some have ended',
  );
}
