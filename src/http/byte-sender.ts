import { Refusal } from '../refusal.ts';
import { IN_PLACE } from '../service/delivery/install.ts';
import type { Budgets } from './budget.ts';
import { createByteStream } from './byte-stream.ts';
import { STALLED } from './bytes.ts';
import { type Bounds, createBytesInFlight, type Shared } from './bytes-in-flight.ts';
import type { Connections } from './connection.ts';
import { type Part, PIECE, type Pieces, piecesOf, sizeOf } from './pieces.ts';
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
 * One answer with bytes, made once it is admitted. A `blob` is shared by all who are sent it, `parts` would be copied for
 * each, `pieces` are made while they are sent; what is not longer than `SMALL` is a blob or parts.
 */
export type Delivery = {
  /** The route's pattern, for the log. */
  readonly route: string;
  /** In bytes, before any decoding. */
  readonly length: number;
  /** Memory that the body keeps, and that other bodies may keep too. */
  readonly shared: Shared | null;
  /** Throws once the client may no longer have the rest. */
  readonly check: () => Promise<void>;
} & (
  | { readonly blob: () => Blob | Promise<Blob> }
  | { readonly parts: () => readonly Part[] | Promise<readonly Part[]> }
  | { readonly pieces: () => Promise<Pieces> }
);

export type Answer = {
  readonly status?: number;
  readonly headers: Headers | Readonly<Record<string, string>>;
};

type Dependencies = {
  readonly budgets: Pick<Budgets, 'addressOf'>;
  readonly connections: Connections;
  readonly requestLog: RequestLog;
  /** `IN_FLIGHT`, unless it is told otherwise. */
  readonly bounds?: Bounds;
};

export type ByteSender = ReturnType<typeof createByteSender>;

/**
 * The one way by which archives and files leave. Bun keeps the bytes that a client has not taken: a typed array and a Blob
 * of several parts as a copy for each answer, a Blob of one part shared, of a stream only the part that was written. So a
 * large body is a shared Blob, or a copy while few are held, or pieces. Beyond the bounds it is refused with `overloaded`.
 */
export function createByteSender({ budgets, connections, requestLog, bounds }: Dependencies) {
  const inFlight = createBytesInFlight(bounds);
  const turns = createSendTurns();

  const sendWhole = (request: Request, parts: Blob | readonly Part[], answer: Answer): Response => {
    const body = parts instanceof Blob ? parts : parts.length === 1 ? parts[0]! : new Blob([...parts]);
    requestLog.of(request).bytes = sizeOf(body);
    return new Response(body, answer);
  };

  const sendLarge = async (request: Request, delivery: Delivery, answer: Answer): Promise<Response> => {
    const { route, length, shared, check } = delivery;
    const { key: address } = budgets.addressOf(request);
    const isOver = (): boolean => connections.peerOf(request) === null;
    const pieces = { address, own: PIECE, shared, isOver: null };
    if ('blob' in delivery && inFlight.hold({ ...pieces, isOver }, 'pieces') !== null) {
      await turns.take(length);
      return sendWhole(request, await delivery.blob(), answer);
    }
    if (
      'parts' in delivery &&
      inFlight.hold({ ...pieces, own: length, shared: null, isOver }, 'copy') !== null
    ) {
      if (length > UNPACED) await turns.take(length);
      return sendWhole(request, await delivery.parts(), answer);
    }
    const release = 'blob' in delivery ? null : inFlight.hold(pieces, 'pieces');
    if (release === null || 'blob' in delivery) throw overloaded();
    try {
      const source = 'parts' in delivery ? piecesOf(await delivery.parts()) : await delivery.pieces();
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
      if (delivery.length > SMALL || 'pieces' in delivery) return sendLarge(request, delivery, answer);
      const parts = 'blob' in delivery ? delivery.blob() : delivery.parts();
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
