// A scripted server of the Messages API, over real sockets: https://platform.claude.com/docs/en/build-with-claude/streaming
// Asked for chat completions, it says the same in chunks: https://developers.openai.com/api/reference/resources/chat
import { afterAll } from 'bun:test';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A received request; `body` is its JSON, that of a chat in the form of the Messages API. */
export type Received = {
  readonly path: string;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: {
    readonly model: string;
    readonly system: string;
    readonly messages: readonly { readonly content: readonly Record<string, unknown>[] }[];
    readonly [key: string]: unknown;
  };
};

/** One connection, as a script drives it. */
export type Line = ReturnType<typeof createLine>;
export type Script = (line: Line, received: Received, attempt: number) => void | Promise<void>;

/** Opens the server on a free port of 127.0.0.1; it ends with the file's tests. */
export async function openMessages(script: Script) {
  const received: Received[] = [];
  let open = 0;
  let current = script;
  const server = createServer((request, response) => {
    open++;
    response.on('close', () => open--);
    void readBody(request).then((given) => {
      const body = isChat(request.url) ? fromChat(given) : given;
      const one = { path: request.url ?? '', headers: request.headers, body };
      received.push(one);
      return current(createLine(response, isChat(one.path)), one, received.length);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  afterAll(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    /** Requests whose connection still waits for the rest of its answer. */
    open: () => open,
    play: (next: Script): void => {
      received.length = 0;
      current = next;
    },
    close,
  };
}

export type Messages = Awaited<ReturnType<typeof openMessages>>;

const isChat = (path: string | undefined): boolean => path === '/v1/chat/completions';

function fromChat({ messages, ...body }: Received['body']): Received['body'] {
  const [system, user] = messages as unknown as readonly { readonly content: string }[];
  return {
    ...body,
    system: system!.content,
    messages: [{ content: [{ type: 'text', text: user!.content }] }],
  };
}

type MessageEvent = {
  readonly type: string;
  readonly delta: { readonly type?: string; readonly text?: string; readonly stop_reason?: string };
  readonly usage: Usage | null;
  readonly message: { readonly usage?: Usage | null };
};
type Usage = { readonly input_tokens?: number; readonly output_tokens?: number };

const CHAT_REASONS: Readonly<Record<string, string>> = {
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  refusal: 'content_filter',
};

/** An event of the Messages API as a chunk of a chat; null if chats have none such. */
function chunkOf(event: Readonly<Record<string, unknown>>): unknown {
  const { type, delta = {}, usage, message } = event as Partial<MessageEvent>;
  if (type === 'error') return null;
  const counts = usage ?? message?.usage;
  const finish_reason = delta.stop_reason === undefined ? null : (CHAT_REASONS[delta.stop_reason] ?? 'stop');
  return {
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta: delta.type === 'text_delta' ? { content: delta.text } : {}, finish_reason }],
    ...(counts && {
      usage: { prompt_tokens: counts.input_tokens, completion_tokens: counts.output_tokens },
    }),
  };
}

async function readBody(request: IncomingMessage): Promise<Received['body']> {
  let text = '';
  for await (const chunk of request) text += chunk;
  return JSON.parse(text === '' ? '{}' : text) as Received['body'];
}

function createLine(response: ServerResponse, speaksChat: boolean) {
  let style: 'named' | 'nameless' = 'named';
  const head = (type = 'text/event-stream'): void => void response.writeHead(200, { 'content-type': type });
  const raw = (text: string): void => {
    if (!response.headersSent) head();
    response.write(text);
  };
  const send = (event: Readonly<Record<string, unknown>> & { readonly type: string }): void =>
    raw(
      speaksChat
        ? `data: ${JSON.stringify(chunkOf(event) ?? event)}\n\n`
        : `${style === 'named' ? `event: ${event.type}\n` : ''}data: ${JSON.stringify(event)}\n\n`,
    );
  const line = {
    head,
    raw,
    send,
    nameless: (): void => void (style = 'nameless'),
    gone: new Promise<void>((resolve) => response.on('close', resolve)),
    status(status: number, body: unknown = {}, headers: Readonly<Record<string, string>> = {}): void {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    },
    start: (usage: unknown = { input_tokens: 20, output_tokens: 1 }): void =>
      send({ type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage } }),
    /** One block of text in pieces, with citations after them. */
    text(pieces: readonly string[], citations: readonly unknown[] = [], index = 0): void {
      send({ type: 'content_block_start', index, content_block: { type: 'text', text: '' } });
      for (const text of pieces) line.delta(text, index);
      for (const citation of citations)
        send({ type: 'content_block_delta', index, delta: { type: 'citations_delta', citation } });
      send({ type: 'content_block_stop', index });
    },
    delta: (text: string, index = 0): void =>
      send({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } }),
    stop(reason: string = 'end_turn', usage: unknown = { output_tokens: 9 }): void {
      send({ type: 'message_delta', delta: { stop_reason: reason }, usage });
      if (speaksChat) raw('data: [DONE]\n\n');
      else send({ type: 'message_stop' });
      response.end();
    },
    end: (): void => void response.end(),
    /** Sends an endless body and returns a function that counts the bytes taken. */
    flood(status: number): () => number {
      let sent = 0;
      const block = Buffer.alloc(1 << 20, 'x');
      const pour = (): void => {
        while (!response.destroyed && response.write(block)) sent += block.length;
        response.once('drain', pour);
      };
      response.writeHead(status);
      pour();
      return () => sent;
    },
    reset: (): void => void response.destroy(),
    /** A whole answer. */
    say(pieces: readonly string[], citations: readonly unknown[] = []): void {
      line.start();
      line.text(pieces, citations);
      line.stop();
    },
  };
  return line;
}
