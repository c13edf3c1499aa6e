// The only file that loads the protocol's SDK; it is imported at the first message. `Server` is deprecated for most uses:
// `McpServer` builds its schemas again for every request, at a tenth of the speed and six times the memory (measured).
/* oxlint-disable typescript/no-deprecated */
import {
  createMcpHandler,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  Server,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { Refusal } from '../../../refusal.ts';
import { countFirstRead } from '../../../service/downloads.ts';
import { VERSION } from '../../../version.ts';
import { describeFailure } from '../../failure.ts';
import type { Call } from './ask-book.ts';
import { CONTENT_PLACE, type Exchange } from './exchange.ts';
import { writeInstructions } from './instructions.ts';
import type { Message } from './message.ts';
import { readResourceUri, resourceUri } from './resource-uri.ts';
import { callTool } from './tool-call.ts';
import { TOOLS } from './tools.ts';
import {
  listResources,
  noResource,
  readResource,
  type ResourceContent,
} from '../../../service/agent-texts.ts';

/** The time between two comments in a silent stream, in milliseconds. */
const KEEP_ALIVE = 10_000;
/** The methods whose answers tell a model how to use the tools. */
const GREETINGS: ReadonlySet<unknown> = new Set(['initialize', 'server/discover']);
const TEMPLATES = [
  {
    uriTemplate: 'book://{slug}/{+path}',
    name: 'book',
    title: 'A file of a book',
    mimeType: 'text/markdown',
  },
  {
    uriTemplate: 'skill://{slug}/{+path}',
    name: 'skill',
    title: 'A file of a skill',
    mimeType: 'text/markdown',
  },
];

/**
 * Answers one message in either era of the protocol, with a server of its own. A question's answer is a stream from the
 * start, so that comments keep the connection while a model writes.
 */
export async function answerMessage(
  exchange: Exchange,
  message: Message,
  isQuestion: boolean,
): Promise<Response> {
  const instructions = GREETINGS.has(message.method) ? await writeInstructions(exchange) : undefined;
  const handler = createMcpHandler(() => createServer(exchange, instructions), {
    keepAliveMs: KEEP_ALIVE,
    responseMode: isQuestion ? 'sse' : 'auto',
  });
  return handler.fetch(exchange.request, { parsedBody: message });
}

function createServer(exchange: Exchange, instructions: string | undefined): Server {
  const { service, asker, origin } = exchange;
  const server = new Server(
    { name: 'bookstall', title: service.stall.manifest().name, version: VERSION, websiteUrl: origin() },
    {
      capabilities: { tools: {}, resources: {} },
      ...(instructions === undefined ? {} : { instructions }),
    },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...TOOLS] }));
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const result = await callTool(exchange, params.name, params.arguments ?? {}, callOf(context));
    if (result === null)
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `Cannot call "${params.name.slice(0, 80)}": tools/list names the tools`,
      );
    return result;
  });
  server.setRequestHandler('resources/list', ({ params }) =>
    guarded(exchange, async () => {
      const { resources, next } = await listResources(service.stall, asker, params?.cursor ?? null);
      return {
        resources: resources.map(({ edition, file, title }) => ({
          uri: uriOf({ edition, file }),
          name: file.path,
          title,
          mimeType: typeOf(file),
          size: file.size,
        })),
        ...(next === null ? {} : { nextCursor: next }),
      };
    }),
  );
  server.setRequestHandler('resources/templates/list', () => ({ resourceTemplates: TEMPLATES }));
  server.setRequestHandler('resources/read', ({ params }) =>
    guarded(exchange, () => sendResource(exchange, params.uri), { uri: params.uri }),
  );
  return server;
}

async function sendResource(
  { service, asker, putContent }: Exchange,
  uri: string,
): Promise<ReadResourceResult> {
  const named = readResourceUri(uri);
  if (named === null) throw noResource();
  const { edition, file, content } = await readResource(service.stall, asker, named);
  await countFirstRead(service.stall, asker, edition, file.size);
  const mimeType = typeOf(file);
  putContent(content);
  const place = CONTENT_PLACE;
  return { contents: [file.text ? { uri, mimeType, text: place } : { uri, mimeType, blob: place }] };
}

function callOf({ mcpReq }: ServerContext): Call {
  const progressToken = mcpReq._meta?.progressToken;
  return {
    id: mcpReq.id,
    signal: mcpReq.signal,
    report:
      progressToken === undefined
        ? null
        : (progress) =>
            mcpReq.notify({
              method: 'notifications/progress',
              params: { progressToken, progress, message: 'The answer is being written' },
            }),
  };
}

/** Turns a refusal into the protocol's error; other errors are logged whole and reported as internal. */
async function guarded<Result>(
  { entry, log }: Exchange,
  method: () => Promise<Result>,
  about?: { readonly uri: string },
): Promise<Result> {
  try {
    return await method();
  } catch (error) {
    const { InvalidParams, InternalError } = ProtocolErrorCode;
    const isOurs = !(error instanceof Refusal) || error.kind === 'tarball-failed';
    throw new ProtocolError(
      isOurs ? InternalError : InvalidParams,
      describeFailure(error, entry, log).error,
      about,
    );
  }
}

function uriOf({ edition, file }: Pick<ResourceContent, 'edition' | 'file'>): string {
  const { kind, slug } = edition.manifest;
  return resourceUri({ kind, slug, path: file.path });
}

function typeOf({ path, text }: { readonly path: string; readonly text: boolean }): string {
  if (!text) return 'application/octet-stream';
  return /\.(?:md|markdown)$/i.test(path) ? 'text/markdown' : 'text/plain';
}
