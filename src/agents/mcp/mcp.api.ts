import { isLinkPath, textAnswer } from '../../platform/http/answer.ts';
import type { Http } from '../stall.ts';
import type { AgentPrincipal } from '../../platform/base/principal.ts';
import { type FileSlice, readPieces } from '../../platform/base/file-slice.ts';
import { createCollector } from '../../platform/base/garbage.ts';
import { Refusal } from '../../platform/base/refusal.ts';
import { nextTurn } from '../../platform/base/turn.ts';
import { checkCredential } from '../../accounts/access.ts';
import { challenge } from '../oauth.api.ts';
import { CORS, isSafeOrigin, LIBRARY } from '../oauth.rule.ts';
import { notFound, unauthenticated } from '../../platform/base/told.ts';
import { LONGEST_SILENCE, STALLED_READER } from '../../platform/http/sender.ts';
import { createPacedStream } from '../../asking/event-stream.ts';
import { fieldsOf, jsonOf, mediaTypeOf } from '../../platform/http/body.ts';
import type { RequestEntry } from '../../platform/http/request-log.ts';
import { agentHeaders } from '../../platform/http/agent-answer.ts';
import type { FailureAnswer } from '../../platform/http/failure.ts';

const EMPTY = Buffer.alloc(0);
const COMMENT = new TextEncoder().encode(': asked\n\n');

/** The module of the MCP server, imported at the first message and kept here, since even a repeated import takes time. */
let sdk: typeof import('./server.ts') | undefined;

type Asked = {
  readonly asker: AgentPrincipal;
  readonly route: string;
  readonly running: RunningQuestions;
};

/**
 * Answers one message at `/mcp/library`, the address for signed-in readers. A request without a good access token, by
 * whatever method, is told to sign in.
 */
export async function answerLibrary(http: Http, request: Request, { asker, running }: Omit<Asked, 'route'>) {
  const origin = http.stall.origin();
  if (!isSafeOrigin(origin)) throw notFound(LIBRARY);
  if (asker.kind !== 'token' || asker.connection === undefined)
    return challenge(origin, request.headers.has('authorization'));
  if (request.method !== 'POST')
    throw new Refusal('method-not-allowed', 'Cannot answer this method: send messages by POST');
  const response = await answerMessageOf(http, request, { asker, route: LIBRARY, running });
  for (const [name, value] of Object.entries(CORS)) response.headers.set(name, value);
  return response;
}

/**
 * Answers one message of MCP. The server keeps no sessions; it offers tools that search, read and ask, and texts as resources.
 */
export async function answerMcp(http: Http, request: Request, asked: Asked): Promise<Response> {
  refuseForeignOrigin(request, http.stall.origin());
  return answerMessageOf(http, request, asked);
}

async function answerMessageOf(http: Http, request: Request, { asker, route, running }: Asked) {
  refuseUnfit(asker, route);
  const message = await readMessage(http, request);
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
  // The text must be read first, since `content` is set while the server makes the text.
  const text = await response.text();
  return whole(http, request, { route, response, text, content });
}

/** Refuses requests from pages of other sites, which would use their visitor's rights (MCP, "Security Warning"). */
function refuseForeignOrigin(request: Request, own: string): void {
  const origin = request.headers.get('origin');
  if (origin === null || origin === own) return;
  throw new Refusal(
    'access-denied',
    `Cannot answer a page of another origin: open ${own} itself, or use a program that is no browser`,
  );
}

/**
 * Refuses an invalid credential, instead of treating its sender as anonymous, and an install token that allows only installs.
 */
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
  const credential =
    asker.kind === 'token' ? `token ${asker.connection?.id ?? asker.tokenId}` : `key ${asker.keyId}`;
  const agent = request.headers.get('user-agent') ?? '';
  return JSON.stringify([credential, budgets.addressOf(request).key, agent]);
}

type Finished = {
  readonly route: string;
  readonly response: Response;
  readonly text: string;
  readonly content: FileSlice | null;
};

/** Sends an answer that is complete. The content of a file in it is read from disk while it is sent. */
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
  // Comments are sent while the model pauses, so a connection that transfers nothing has a client that does not read.
  connections.allowSilence(request, STALLED_READER);
  const watcher = requestLog.watch(request, route);
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  const end = (): void => {
    // Tells the MCP server at once that the client has left.
    void reader.cancel().catch(() => {});
    // Restores the timeout that was set above, since it applies to the whole connection (oven-sh/bun#33611).
    connections.allowSilence(request, LONGEST_SILENCE);
    watcher.end();
  };
  return new Response(createPacedStream(piecesOf(reader), { sent: watcher.sent, end }), {
    status: response.status,
    headers: { ...headersOf(route, response), 'X-Accel-Buffering': 'no' },
  });
}

/** The reader of a body. The type is declared here since libraries declare it in different ways. */
type Reader = {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array<ArrayBuffer> | undefined }>;
};

async function* piecesOf(reader: Reader): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  // Bun sends the headers only with the first bytes of a body, so a comment is sent at once.
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

// Error codes of JSON-RPC 2.0 §5.1. A refused POST may be answered with an error that has no id (MCP, "Sending Messages to the
// Server").

const INTERNAL = -32603;
const SERVER_ERROR = -32000;

export const isMcpPath = (path: string): boolean => /^\/(?:(?:i\/[^/]*\/)?mcp|mcp\/library)$/.test(path);

/**
 * Answers a failure as a JSON-RPC error. A 401 does not name an authorization server, so that no client opens a sign-in dialog.
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

/** The maximum size of a message, in bytes. */
export const LONGEST_MESSAGE = 256 * 1024;

/**
 * The size in bytes up to which a message is parsed at once. A longer one waits for a turn of the event loop: 16 KiB take
 * up to 4 ms, and one address may send a hundred at once. For a short one the turn would take a tenth of its time.
 */
const SHORT_MESSAGE = 512;

/** Collects garbage: the SDK validates copies of a message, which take many times its size. */
const collect = createCollector(2 * 1024 ** 2);

const INVALID_REQUEST = -32600;

/** A message as the client sent it, not validated yet; the SDK of MCP does that. */
export type Message = { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown };

/** Reads one message; returns null if it is not JSON. Refuses another media type, more than 256 KiB, and too many values. */
async function readMessage({ readLarge, budgets }: Http, request: Request): Promise<Message | null> {
  if (mediaTypeOf(request) !== 'application/json')
    throw new Refusal(
      'unsupported-media-type',
      'Cannot read the message: send it with "Content-Type: application/json"',
    );
  const parseInTurn = async (bytes: Uint8Array): Promise<unknown> => {
    await nextTurn(budgets.addressOf(request).key);
    collect(bytes.length);
    return jsonOf(bytes);
  };
  const message = await readLarge(request, LONGEST_MESSAGE, (bytes) =>
    bytes.length > SHORT_MESSAGE ? parseInTurn(bytes) : jsonOf(bytes),
  );
  return message === undefined ? null : fieldsOf(message);
}

type Fault = readonly [status: number, code: number, message: string];

const MALFORMED: Fault = [400, -32700, 'Cannot parse the message: its body is not JSON'];
const SEVERAL: Fault = [
  400,
  INVALID_REQUEST,
  'Cannot take several messages at once: send each in a request of its own',
];
const SUBSCRIPTION: Fault = [404, -32601, 'Cannot subscribe: this stall sends no changes; ask again'];

/** Returns the error of a message that is refused before the SDK sees it; null if it is fine. */
function faultOf(message: Message | null): Fault | null {
  if (message === null) return MALFORMED;
  if (Array.isArray(message)) return SEVERAL;
  return message.method === 'subscriptions/listen' ? SUBSCRIPTION : null;
}

const idOf = (id: unknown): MessageId | null =>
  typeof id === 'string' || typeof id === 'number' ? id : null;

/** The id of a message. The number 1 and the text "1" are different ids. */
export type MessageId = string | number;

/**
 * Keeps the questions that are being answered, by client and message id, so that another request of the client can cancel one.
 * If a client used the same id for two questions, neither is cancelled.
 */
export function createRunningQuestions() {
  const running = new Map<string, Set<AbortController>>();
  return {
    /**
     * Registers a question, and aborts `controller` if the same client cancels `id`. Call the returned function when the
     * question ends.
     */
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

type RunningQuestions = ReturnType<typeof createRunningQuestions>;

const keyOf = (client: string, id: MessageId): string => `${client} ${JSON.stringify(id)}`;

/** A placeholder in an answer for the content of a file. It is valid base64, as the SDK demands for binary content. */
export const CONTENT_PLACE: string = crypto.randomUUID().replaceAll('-', '');

export type Exchange = Pick<Http, 'stall' | 'budgets'> & {
  readonly running: RunningQuestions;
  readonly request: Request;
  readonly entry: RequestEntry;
  readonly asker: AgentPrincipal;
  readonly putContent: (content: FileSlice) => void;
  /** Identifies the client by credential, address and program, since clients may use equal message ids; '' if anonymous. */
  readonly client: string;
};
