import { isLinkPath, textAnswer } from '../../answer.ts';
import type { Http } from '../../http.ts';
import type { AgentPrincipal } from '../../../access/principal.ts';
import { type FileSlice, readPieces } from '../../../catalog/file-content.ts';
import { Refusal } from '../../../refusal.ts';
import { checkCredential, unauthenticated } from '../../../service/access.ts';
import { LONGEST_SILENCE } from '../../sender.ts';
import { createFrameStream } from '../../stream.ts';
import { fieldsOf, mediaTypeOf, type ReadLarge } from '../../body.ts';
import type { RequestEntry } from '../../request-log.ts';
import { agentHeaders } from '../agent-answer.ts';
import type { FailureAnswer } from '../../failure.ts';

/** A client that reads nothing for so many seconds is cut off, so that its question does not keep the model busy. */
const STALLED_READER = 60;
const EMPTY = Buffer.alloc(0);
const COMMENT = new TextEncoder().encode(': asked\n\n');

/** The module with the MCP server, imported at the first message and kept, since even a repeated import takes time. */
let sdk: typeof import('./server.ts') | undefined;

/** Answers one message of MCP. The server is stateless; it offers tools to search, read and ask, and the texts as resources. */
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
  // The text is read before `content` is used, since the server names the content only while it makes the text.
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
  // While an answer is silent, comments are sent. So a silent connection has a client that reads nothing, and is cut off.
  connections.allowSilence(request, STALLED_READER);
  const watcher = requestLog.watch(request, route);
  const reader = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).getReader();
  const end = (): void => {
    // Tells the protocol's server at once that the client has left.
    void reader.cancel().catch(() => {});
    // Otherwise the timeout set above would stay for the whole connection (oven-sh/bun#33611).
    connections.allowSilence(request, LONGEST_SILENCE);
    watcher.end();
  };
  return new Response(createFrameStream(framesOf(reader), { sent: watcher.sent, end }), {
    status: response.status,
    headers: { ...headersOf(route, response), 'X-Accel-Buffering': 'no' },
  });
}

/** The reader of a body. It is declared here because the libraries that name it declare it differently. */
type Reader = {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array<ArrayBuffer> | undefined }>;
};

async function* framesOf(reader: Reader): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  // A comment is sent at once, since Bun sends the complete headers only with the first bytes of a body.
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

// Error codes of JSON-RPC 2.0 §5.1. The body of a refused POST may be an error without an id (MCP, "Sending Messages to the
// Server").

const INTERNAL = -32603;
const SERVER_ERROR = -32000;

/** Reports whether a path is that of MCP, with or without an install token before it. */
export const isMcpPath = (path: string): boolean => /^\/(?:i\/[^/]*\/)?mcp$/.test(path);

/** Answers a failure as a JSON-RPC error. A 401 names no document about authorization: clients would open a sign-in dialog. */
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
const LONGEST_MESSAGE = 256 * 1024;

/** The error code of a message that is no valid request (JSON-RPC 2.0 §5.1). */
const INVALID_REQUEST = -32600;

/** A message as it was sent. The protocol's SDK decides whether it is valid. */
export type Message = { readonly id?: unknown; readonly method?: unknown; readonly params?: unknown };

/** Reads one message; returns null if it is not JSON. Refuses another media type and more than 256 KiB. */
async function readMessage(request: Request, readLarge: ReadLarge): Promise<Message | null> {
  if (mediaTypeOf(request) !== 'application/json')
    throw new Refusal(
      'unsupported-media-type',
      'Cannot read the message: send it with "Content-Type: application/json"',
    );
  const text = new TextDecoder().decode(await readLarge(request, LONGEST_MESSAGE));
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
/** The error for `subscriptions/listen`, since the stall never tells a waiting client of changes. */
const SUBSCRIPTION: Fault = [404, -32601, 'Cannot subscribe: this stall sends no changes; ask again'];

/** Returns the reason to refuse a message before the SDK sees it, or null. */
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
 * Keeps the questions that are being answered, by client and message id, so that a client can cancel one by another request.
 * If a client uses an id for two questions, cancelling it stops neither.
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
  /**
   * Registers a question, whose `controller` is aborted when the same client cancels `id`. The returned function removes it
   * again; call it when the question ends.
   */
  readonly add: (client: string, id: MessageId, controller: AbortController) => () => void;
  /** Stops the question with this id. If two windows of a program used the same id, both continue. */
  readonly cancel: (client: string, id: unknown) => void;
};

const keyOf = (client: string, id: MessageId): string => `${client} ${JSON.stringify(id)}`;

/** Marks the place of a resource's content in an answer. It is valid base64, as the SDK demands of binary content. */
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
