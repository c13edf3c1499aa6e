import { isLinkPath, textAnswer } from '../../answer.ts';
import type { Http } from '../../http.ts';
import type { AgentPrincipal } from '../../../access/principal.ts';
import { type FileSlice, readPieces } from '../../../catalog/file-content.ts';
import { Refusal } from '../../../refusal.ts';
import { checkCredential, unauthenticated } from '../../../service/access.ts';
import { IDLE } from '../../sender.ts';
import { createFrameStream } from '../../stream.ts';
import { fieldsOf, mediaTypeOf, type ReadLarge } from '../../body.ts';
import type { RequestEntry } from '../../request-log.ts';
import { agentHeaders } from '../agent-answer.ts';
import type { FailureAnswer } from '../../failure.ts';

/** Seconds after which a reader who takes nothing is cut off, so that it does not hold a place with the model. */
const STALLED_READER = 60;
const EMPTY = Buffer.alloc(0);
const COMMENT = new TextEncoder().encode(': asked\n\n');

/** The protocol's server, imported at the first message. Kept, since even a repeated import takes time. */
let sdk: typeof import('./server.ts') | undefined;

/** The stall as an MCP server, stateless: tools to search, read and ask, and the texts as resources. */
export async function answerMcp(
  http: Http,
  running: RunningQuestions,
  request: Request,
  asker: AgentPrincipal,
  route: string,
): Promise<Response> {
  refuseForeignOrigin(request, http.stall.origin());
  refuseUnfit(asker, route);
  const message = await readMessage(request, http.readLarge);
  const fault = faultOf(message);
  if (message === null || fault !== null) return faultResponse(fault ?? MALFORMED, message, route);
  const { stall, budgets, requestLog } = http;
  const entry = requestLog.of(request);
  const client = clientOf(http, request, asker);
  if (message.method === 'notifications/cancelled')
    running.cancel(client, fieldsOf(message.params)['requestId']);
  let content: FileSlice | null = null;
  const putContent = (slice: FileSlice): void => void (content = slice);
  const exchange: Exchange = { stall, budgets, running, request, entry, asker, client, putContent };
  const { answerMessage } = (sdk ??= await import('./server.ts'));
  const isQuestion = message.method === 'tools/call' && fieldsOf(message.params)['name'] === 'ask_book';
  const response = await answerMessage(exchange, message, isQuestion);
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  if (isStream && message.method !== 'resources/read') return stream(http, request, route, response);
  // Read first: the answer to a resource names its content only when it is finished.
  const text = await response.text();
  return whole(http, request, { route, response, text, content });
}

/** Refuses requests from pages of other sites, which would act in their visitor's name (MCP, "Security Warning"). */
function refuseForeignOrigin(request: Request, own: string): void {
  const origin = request.headers.get('origin');
  if (origin === null || origin === own) return;
  throw new Refusal(
    'access-denied',
    `Cannot answer a page of another origin: open ${own} itself, or use a program that is no browser`,
  );
}

/** Refuses bad credentials instead of treating them as anonymous, and install tokens that only allow installing. */
function refuseUnfit(asker: AgentPrincipal, route: string): void {
  if (asker.kind === 'anonymous' && asker.complaint !== null)
    throw unauthenticated('Cannot answer', asker.complaint);
  if (asker.kind !== 'token' || asker.scope.may.includes('read')) return;
  const why = 'this install token is for taking items, not for reading; send an API key, svc_…';
  if (isLinkPath(route)) throw Refusal.missing(`Cannot open this link here: ${why}`);
  throw unauthenticated('Cannot answer', why);
}

function clientOf({ budgets }: Http, request: Request, asker: AgentPrincipal): string {
  if (asker.kind === 'anonymous') return '';
  const credential = asker.kind === 'token' ? `token ${asker.tokenId}` : `key ${asker.keyId}`;
  const agent = request.headers.get('user-agent') ?? '';
  return JSON.stringify([credential, budgets.addressOf(request).key, agent]);
}

type Finished = {
  readonly route: string;
  readonly response: Response;
  readonly text: string;
  readonly content: FileSlice | null;
};

/** Sends a finished answer; a resource's content is read from its file while the answer is sent. */
function whole(
  { stall, sender, requestLog }: Http,
  request: Request,
  { route, response, text, content }: Finished,
): Response | Promise<Response> {
  const { status } = response;
  const headers = headersOf(route, response);
  const [before = EMPTY, after] = text.split(CONTENT_PLACE).map((part) => Buffer.from(part));
  if (content === null || after === undefined) {
    const length = { 'Content-Length': String(Buffer.byteLength(text)) };
    return new Response(text === '' ? null : text, { status, headers: { ...headers, ...length } });
  }
  const length = before.length + content.end - content.start + after.length;
  const check = () => checkCredential(stall, requestLog.of(request).principal);
  const pieces = () => readPieces(content, before, after);
  return sender.pieces(request, { route, length, check, pieces }, { status, headers });
}

function stream({ connections, requestLog }: Http, request: Request, route: string, response: Response) {
  // Comments keep a silent answer alive; a reader who takes nothing is cut off.
  connections.allowSilence(request, STALLED_READER);
  const watcher = requestLog.watch(request, route);
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  const end = (): void => {
    // Tells the protocol's server at once that the client has left.
    void reader.cancel().catch(() => {});
    // Otherwise the timeout set above would stay for the whole connection (oven-sh/bun#33611).
    connections.allowSilence(request, IDLE);
    watcher.end();
  };
  return new Response(createFrameStream(framesOf(reader), { sent: watcher.sent, end }), {
    status: response.status,
    headers: { ...headersOf(route, response), 'X-Accel-Buffering': 'no' },
  });
}

/** A body's reader, from either library's types. */
type Reader = {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array<ArrayBuffer> | undefined }>;
};

async function* framesOf(reader: Reader): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  // Bun sends the complete head only with the first bytes of a body.
  yield COMMENT;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return;
    yield value;
  }
}

function headersOf(route: string, response: Response): Readonly<Record<string, string>> {
  const type = response.headers.get('content-type');
  return { ...agentHeaders(isLinkPath(route), false), ...(type === null ? {} : { 'Content-Type': type }) };
}

// JSON-RPC 2.0 §5.1, and MCP's "Sending Messages to the Server": a refused POST may have an error without an id as its body.

const INTERNAL = -32603;
const SERVER_ERROR = -32000;

/** Whether MCP is spoken at a path, with an install token in it or without. */
export const isMcpPath = (path: string): boolean => /^\/(?:i\/[^/]*\/)?mcp$/.test(path);

/**
 * A refusal of the request itself. A 401 names no document about authorization: a client that found one would
 * open a sign-in dialog.
 */
export const mcpFailure = ({ status, body, headers }: FailureAnswer): Response =>
  sendError(status, { code: codeOf(status), message: body.error, data: { code: body.code } }, null, {
    ...(status === 401 ? { 'WWW-Authenticate': 'Bearer error="invalid_token"' } : {}),
    ...headers,
  });

function faultResponse([status, code, sentence]: Fault, message: Message | null, route: string): Response {
  const headers = agentHeaders(isLinkPath(route), false);
  return sendError(status, { code, message: sentence }, idOf(message?.id), headers);
}

function sendError(
  status: number,
  error: object,
  id: MessageId | null,
  headers: Readonly<Record<string, string>>,
): Response {
  const text = JSON.stringify({ jsonrpc: '2.0', error, id });
  return textAnswer(text, status, {
    'Content-Type': 'application/json',
    ...agentHeaders(false, false),
    ...headers,
  });
}

function codeOf(status: number): number {
  if (status === 400) return INVALID_REQUEST;
  return status === 500 ? INTERNAL : SERVER_ERROR;
}

/** The longest message, in bytes. */
const MOST = 256 * 1024;

/** JSON-RPC 2.0 §5.1. */
const INVALID_REQUEST = -32600;

/** A message as it was sent. The protocol's SDK decides whether it is valid. */
export type Message = { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown };

/** Reads one message, null if it is not JSON. Refuses another media type and more than 256 KiB. */
async function readMessage(request: Request, readLarge: ReadLarge): Promise<Message | null> {
  if (mediaTypeOf(request) !== 'application/json')
    throw new Refusal(
      'unsupported-media-type',
      'Cannot read the message: send it with "Content-Type: application/json"',
    );
  const text = new TextDecoder().decode(await readLarge(request, MOST));
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return null;
  }
}

type Fault = readonly [status: number, code: number, message: string];

const MALFORMED: Fault = [400, -32700, 'Cannot parse the message: its body is not JSON'];
const SEVERAL: Fault = [
  400,
  INVALID_REQUEST,
  'Cannot take several messages at once: send each in a request of its own',
];
/** Nothing here ever changes for a waiting client. */
const SUBSCRIPTION: Fault = [404, -32601, 'Cannot subscribe: this stall sends no changes; ask again'];

/** The reason to refuse a message before the SDK sees it. */
function faultOf(message: Message | null): Fault | null {
  if (message === null) return MALFORMED;
  if (Array.isArray(message)) return SEVERAL;
  return message.method === 'subscriptions/listen' ? SUBSCRIPTION : null;
}

const idOf = (id: unknown): MessageId | null =>
  typeof id === 'string' || typeof id === 'number' ? id : null;

/** The id of a message; 1 and "1" are two. */
export type MessageId = string | number;

/**
 * The questions that are being answered, by client and id, so that a client can cancel one in another request. An
 * ambiguous cancel stops nothing.
 */
export function createRunningQuestions(): RunningQuestions {
  const running = new Map<string, Set<AbortController>>();
  return {
    add(client: string, id: MessageId, controller: AbortController): () => void {
      const key = keyOf(client, id);
      const same = running.getOrInsertComputed(key, () => new Set());
      same.add(controller);
      return () => {
        same.delete(controller);
        if (same.size === 0) running.delete(key);
      };
    },
    cancel(client: string, id: unknown): void {
      if (typeof id !== 'string' && typeof id !== 'number') return;
      const [first, ...others] = running.get(keyOf(client, id)) ?? [];
      if (others.length === 0) first?.abort();
    },
  };
}

export type RunningQuestions = {
  /** Aborts `controller` when the same client cancels this id. Call the returned function at the end. */
  readonly add: (client: string, id: MessageId, controller: AbortController) => () => void;
  /** Stops the question with this id. If two windows of a program used the same id, both continue. */
  readonly cancel: (client: string, id: unknown) => void;
};

const keyOf = (client: string, id: MessageId): string => `${client} ${JSON.stringify(id)}`;

/**
 * The place of a resource's content in an answer. The content is base64, as the protocol's server wants it.
 */
export const CONTENT_PLACE: string = crypto.randomUUID().replaceAll('-', '');

/** One request over MCP: its sender, and everything needed to answer it. */
export type Exchange = Pick<Http, 'stall' | 'budgets'> & {
  readonly running: RunningQuestions;
  readonly request: Request;
  readonly entry: RequestEntry;
  readonly asker: AgentPrincipal;
  /** Takes the content of a resource, which replaces `CONTENT_PLACE` while the answer is sent. */
  readonly putContent: (content: FileSlice) => void;
  /** Identifies the client, since different clients may use the same ids: credential, address and program. */
  readonly client: string;
};
