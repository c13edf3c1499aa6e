import { Elysia } from 'elysia';
import type { AgentPrincipal } from '../../../access/principal.ts';
import { type FileSlice, readPieces } from '../../../catalog/file-pieces.ts';
import type { Log } from '../../../log.ts';
import { Refusal } from '../../../refusal.ts';
import { unauthenticated } from '../../../service/access.ts';
import type { Service } from '../../../service/service.ts';
import type { Budgets } from '../../budget.ts';
import { IDLE, type Sender } from '../../sender.ts';
import type { Connections } from '../../connection.ts';
import { createFrameStream } from '../../event-stream.ts';
import type { Identity } from '../../identity.ts';
import type { LargeBodies } from '../../large-bodies.ts';
import type { RequestLog } from '../../request-log.ts';
import { agentHeaders } from '../agent-headers.ts';
import { CONTENT_PLACE, type Exchange } from './exchange.ts';
import { faultResponse } from './failure.ts';
import { type Message, readMessage } from './message.ts';
import { createRunningQuestions, type RunningQuestions } from './running-questions.ts';

const ROUTE = '/mcp';
const LINK_ROUTE = '/i/:token/mcp';
/** Seconds after which a reader who takes nothing is cut off, so that it does not hold a place with the model. */
const STALLED_READER = 60;
const EMPTY = Buffer.alloc(0);
const COMMENT = new TextEncoder().encode(': asked\n\n');

type McpDeps = {
  readonly service: Service;
  readonly identity: Identity;
  readonly budgets: Budgets;
  readonly connections: Connections;
  readonly requestLog: RequestLog;
  readonly log: Log;
  readonly origin: () => string;
  readonly bodies: LargeBodies;
  readonly sender: Sender;
};

/** The protocol's server, imported at the first message. Kept, since even a repeated import takes time. */
let sdk: typeof import('./server.ts') | undefined;

type Asked = { readonly asker: AgentPrincipal; readonly route: string };

/** The stall as an MCP server, stateless: tools to search, read and ask, and the texts as resources. */
export function mcp(deps: McpDeps) {
  const running = createRunningQuestions();
  return new Elysia()
    .use(deps.identity)
    .post(
      ROUTE,
      async ({ request, asker }) => await answer(deps, running, request, { asker, route: ROUTE }),
      { agentGuard: true, parse: 'none' },
    )
    .post(
      LINK_ROUTE,
      async ({ request, asker }) => await answer(deps, running, request, { asker, route: LINK_ROUTE }),
      { linkGuard: true, parse: 'none' },
    );
}

async function answer(
  deps: McpDeps,
  running: RunningQuestions,
  request: Request,
  { asker, route }: Asked,
): Promise<Response> {
  refuseForeignOrigin(request, deps.origin());
  refuseUnfit(asker, route);
  const message = await readMessage(request, deps.bodies);
  if ('fault' in message) return faultResponse(message, route === LINK_ROUTE);
  const { service, budgets, log, origin, requestLog } = deps;
  const entry = requestLog.of(request);
  const client = clientOf(deps, request, asker);
  if (message.method === 'notifications/cancelled') running.cancel(client, idIn(message));
  let content: FileSlice | null = null;
  const putContent = (slice: FileSlice): void => void (content = slice);
  const exchange: Exchange = {
    ...{ service, budgets, log, origin, running, request, entry, asker, client },
    putContent,
  };
  const { answerMessage } = (sdk ??= await import('./server.ts'));
  const response = await answerMessage(exchange, message, isQuestion(message));
  const isStream = response.headers.get('content-type') === 'text/event-stream';
  if (isStream && message.method !== 'resources/read') return stream(deps, request, route, response);
  // Read first: the answer to a resource names its content only when it is finished.
  const text = await response.text();
  return whole(deps, request, { route, response, text, content });
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

/** Refuses bad credentials instead of treating them as anonymous, and install tokens that are for installing alone. */
function refuseUnfit(asker: AgentPrincipal, route: string): void {
  if (asker.kind === 'anonymous' && asker.complaint !== null)
    throw unauthenticated('Cannot answer', asker.complaint);
  if (asker.kind !== 'token' || asker.scope.may.includes('read')) return;
  const why = 'this install token is for taking items, not for reading; send an API key, svc_…';
  if (route === LINK_ROUTE) throw new Refusal('not-found', `Cannot open this link here: ${why}`);
  throw unauthenticated('Cannot answer', why);
}

function clientOf({ budgets }: McpDeps, request: Request, asker: AgentPrincipal): string {
  if (asker.kind === 'anonymous') return '';
  const credential = asker.kind === 'token' ? `token ${asker.tokenId}` : `key ${asker.keyId}`;
  const agent = request.headers.get('user-agent') ?? '';
  return JSON.stringify([credential, budgets.addressOf(request).key, agent]);
}

function paramsOf({ params }: Message): Readonly<Record<string, unknown>> {
  return typeof params === 'object' && params !== null ? (params as Record<string, unknown>) : {};
}

const idIn = (message: Message): unknown => paramsOf(message)['requestId'];

function isQuestion(message: Message): boolean {
  return message.method === 'tools/call' && paramsOf(message)['name'] === 'ask_book';
}

type Finished = {
  readonly route: string;
  readonly response: Response;
  readonly text: string;
  readonly content: FileSlice | null;
};

/** An answer that is finished; a resource's content is put in its place from its file, as it is sent. */
function whole(
  { sender }: McpDeps,
  request: Request,
  { route, response, text, content }: Finished,
): Response {
  const { status } = response;
  const headers = headersOf(route, response);
  const [before = EMPTY, after] = text.split(CONTENT_PLACE).map((part) => Buffer.from(part));
  if (content === null || after === undefined) {
    const length = { 'Content-Length': String(Buffer.byteLength(text)) };
    return new Response(text === '' ? null : text, { status, headers: { ...headers, ...length } });
  }
  const length = before.length + content.end - content.start + after.length;
  const check = async (): Promise<void> => {};
  const pieces = () => readPieces(content, before, after);
  return sender.pieces(request, { route, length, check, pieces }, { status, headers });
}

function stream(
  { connections, requestLog }: McpDeps,
  request: Request,
  route: string,
  response: Response,
): Response {
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

/** A body's reader, of whichever library's types. */
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
  return { ...agentHeaders(route === LINK_ROUTE, false), ...(type === null ? {} : { 'Content-Type': type }) };
}
