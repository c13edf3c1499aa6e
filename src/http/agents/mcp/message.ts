import { Refusal } from '../../../refusal.ts';
import type { LargeBodies } from '../../large-bodies.ts';
import type { MessageId } from './running-questions.ts';

/** The longest message, in bytes, and the longest that is read at once. */
const MOST = 256 * 1024;
const SHORT = 16 * 1024;

/** JSON-RPC 2.0 §5.1. */
const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;

/** A message as it was sent. The protocol's SDK decides whether it is valid. */
export type Message = {
  readonly id?: unknown;
  readonly method?: unknown;
  readonly params?: unknown;
};

/** A message that is refused, with its JSON-RPC error code. */
export type Fault = {
  readonly fault: string;
  readonly code: number;
  readonly id: MessageId | null;
  readonly status: number;
};

/**
 * Reads one message. Refuses another media type and more than 256 KiB; gives a fault for what is not JSON, for several
 * messages at once, and for a subscription, since nothing here ever changes for a client that waits.
 */
export async function readMessage(request: Request, bodies: LargeBodies): Promise<Message | Fault> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json')
    throw new Refusal(
      'unsupported-media-type',
      'Cannot read the message: send it with "Content-Type: application/json"',
    );
  const body = await readText(request, bodies);
  const message = parse(body);
  if (message === undefined)
    return faultOf(PARSE_ERROR, 'Cannot parse the message: its body is not JSON', null, 400);
  if (Array.isArray(message))
    return faultOf(
      INVALID_REQUEST,
      'Cannot take several messages at once: send each in a request of its own',
      null,
      400,
    );
  if (typeof message !== 'object' || message === null)
    return faultOf(INVALID_REQUEST, 'Cannot read the message: it is no JSON object', null, 400);
  const { method, id } = message as Message;
  if (method === 'subscriptions/listen')
    return faultOf(
      METHOD_NOT_FOUND,
      'Cannot subscribe: this stall sends no changes; ask again',
      idOf(id),
      404,
    );
  return message;
}

/** A short body with a Content-Length is read at once: reading it piece by piece takes as long as everything else. */
async function readText(request: Request, bodies: LargeBodies): Promise<string> {
  const length = Number(request.headers.get('content-length') ?? Number.NaN);
  if (!(length <= SHORT)) return new TextDecoder().decode(await bodies.read(request, MOST));
  try {
    return await request.text();
  } catch (error) {
    if (!request.signal.aborted) throw error;
    throw new Refusal('invalid-request', 'Cannot read the message: it ended before its body did');
  }
}

function faultOf(code: number, fault: string, id: MessageId | null, status: number): Fault {
  return { code, fault, id, status };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function idOf(id: unknown): MessageId | null {
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}
