// A model's server in the dialects that agents speak. Their requests are read as they come: four formats of others.
/* oxlint-disable typescript/no-explicit-any */
import { afterAll } from 'bun:test';
import type { Move } from './agent-plan.ts';

/** A request in whichever dialect. */
type Asked = Readonly<Record<string, any>>;

/** The fields a dialect reads from a request, and how it writes a move. */
type Dialect = {
  readonly path: RegExp;
  /** The names of the tools that the model may call. */
  readonly tools: (asked: Asked) => readonly string[];
  /** The results of the model's calls, oldest first. */
  readonly results: (asked: Asked) => readonly string[];
  readonly events: (
    move: Move,
    id: string,
  ) => readonly (readonly [event: string | null, data: object | string])[];
};

const textOf = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : JSON.stringify(value ?? '')
        .replaceAll('\\n', '\n')
        .replaceAll('\\"', '"');

/** https://platform.claude.com/docs/en/api/messages */
const MESSAGES: Dialect = {
  path: /\/messages$/,
  tools: ({ tools = [] }) => tools.map(({ name }: { name: string }) => name),
  results: ({ messages }) =>
    messages
      .flatMap(({ content }: { content: unknown }) => (Array.isArray(content) ? content : []))
      .filter(({ type }: { type: string }) => type === 'tool_result')
      .map(({ content }: { content: unknown }) => textOf(content)),
  events: (move, id) => {
    const isCall = 'tool' in move;
    const block = isCall
      ? { type: 'tool_use', id: `toolu_${id}`, name: move.tool, input: {} }
      : { type: 'text', text: '' };
    const delta = isCall
      ? { type: 'input_json_delta', partial_json: JSON.stringify(move.given) }
      : { type: 'text_delta', text: move.say };
    const usage = { input_tokens: 10, output_tokens: 10 };
    const message = {
      id: `msg_${id}`,
      type: 'message',
      role: 'assistant',
      model: 'script',
      content: [],
      usage,
    };
    const events: readonly (readonly [string, object])[] = [
      ['message_start', { message: { ...message, stop_reason: null, stop_sequence: null } }],
      ['content_block_start', { index: 0, content_block: block }],
      ['content_block_delta', { index: 0, delta }],
      ['content_block_stop', { index: 0 }],
      [
        'message_delta',
        { delta: { stop_reason: isCall ? 'tool_use' : 'end_turn', stop_sequence: null }, usage },
      ],
      ['message_stop', {}],
    ];
    return events.map(([type, data]) => [type, { type, ...data }] as const);
  },
};

/** https://platform.openai.com/docs/api-reference/responses */
const RESPONSES: Dialect = {
  path: /\/responses$/,
  tools: ({ tools = [] }) =>
    tools.flatMap(
      ({ type, name, tools: inner }: { type: string; name?: string; tools?: readonly { name: string }[] }) =>
        inner === undefined ? [name ?? type] : inner.map((tool) => `${name} ${tool.name}`),
    ),
  results: ({ input }) =>
    input
      .filter(({ type }: { type: string }) => type === 'function_call_output')
      .map(({ output }: { output: unknown }) => textOf(output)),
  events: (move, id) => {
    const item =
      'tool' in move
        ? {
            type: 'function_call',
            id: `fc_${id}`,
            call_id: `call_${id}`,
            ...named(move.tool),
            arguments: JSON.stringify(move.given),
          }
        : {
            type: 'message',
            id: `m_${id}`,
            role: 'assistant',
            content: [{ type: 'output_text', text: move.say }],
          };
    const usage = {
      input_tokens: 10,
      output_tokens: 10,
      total_tokens: 20,
      input_tokens_details: null,
      output_tokens_details: null,
    };
    return [
      ['response.created', { type: 'response.created', response: { id: `r_${id}` } }],
      ['response.output_item.done', { type: 'response.output_item.done', output_index: 0, item }],
      [
        'response.completed',
        { type: 'response.completed', response: { id: `r_${id}`, usage, output: [item] } },
      ],
    ];
  },
};

function named(tool: string) {
  const [space = '', name] = tool.split(' ');
  return name === undefined ? { name: space } : { namespace: space, name };
}

/** https://platform.openai.com/docs/api-reference/chat */
const CHAT: Dialect = {
  path: /\/chat\/completions$/,
  tools: ({ tools = [] }) => tools.map((tool: { function: { name: string } }) => tool.function.name),
  results: ({ messages }) =>
    messages
      .filter(({ role }: { role: string }) => role === 'tool')
      .map(({ content }: { content: unknown }) => textOf(content)),
  events: (move, id) => {
    const base = { id: `c_${id}`, object: 'chat.completion.chunk', created: 1, model: 'script' };
    const call = 'tool' in move && {
      tool_calls: [
        {
          index: 0,
          id: `call_${id}`,
          type: 'function',
          function: { name: move.tool, arguments: JSON.stringify(move.given) },
        },
      ],
    };
    const delta = call || { content: 'say' in move ? move.say : '' };
    return [
      [
        null,
        { ...base, choices: [{ index: 0, delta: { role: 'assistant', ...delta }, finish_reason: null }] },
      ],
      [
        null,
        {
          ...base,
          choices: [{ index: 0, delta: {}, finish_reason: call ? 'tool_calls' : 'stop' }],
          usage: { prompt_tokens: 10, completion_tokens: 10, total_tokens: 20 },
        },
      ],
      [null, '[DONE]'],
    ];
  },
};

/** https://ai.google.dev/api/generate-content */
const GEMINI: Dialect = {
  path: /:(?:streamG|g)enerateContent$/,
  tools: ({ tools = [] }) =>
    tools.flatMap(({ functionDeclarations = [] }: Asked) =>
      functionDeclarations.map(({ name }: { name: string }) => name),
    ),
  results: ({ contents }) =>
    contents
      .flatMap(({ parts = [] }: Asked) => parts)
      .filter((part: Asked) => part['functionResponse'] !== undefined)
      .map((part: Asked) => textOf(part['functionResponse'].response)),
  events: (move) => {
    const part =
      'tool' in move ? { functionCall: { name: move.tool, args: move.given } } : { text: move.say };
    const usageMetadata = { promptTokenCount: 10, candidatesTokenCount: 10, totalTokenCount: 20 };
    return [
      [
        null,
        {
          candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP', index: 0 }],
          usageMetadata,
        },
      ],
    ];
  },
};

const DIALECTS = [MESSAGES, RESPONSES, CHAT, GEMINI];

/**
 * Opens the server on a free port of 127.0.0.1; it ends with the file's tests. Its model plays `nextMove`, which sees the
 * results of its calls so far. `results` are those of the last request, `tools` the names that any request offered.
 */
export function openScriptedModel(nextMove: (results: readonly string[]) => Move) {
  let last: readonly string[] = [];
  const tools = new Set<string>();
  const answer = (dialect: Dialect, asked: Asked) => {
    const offered = dialect.tools(asked);
    for (const name of offered) tools.add(name);
    const results = dialect.results(asked);
    if (results.length > 0) last = results;
    const move = nextMove(results);
    if ('say' in move) return move;
    const name = offered.find((one) => one.endsWith(move.tool));
    // A request without the stall's tools is for a title or the like, or its agent has no stall.
    return name === undefined ? { say: 'NOTHING TO CALL' } : { ...move, tool: name };
  };
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname } = new URL(request.url);
      const dialect = DIALECTS.find(({ path }) => path.test(pathname));
      if (dialect === undefined) return Response.json({ data: [], models: [] });
      const move = answer(dialect, (await request.json()) as Asked);
      const events = dialect.events(move, crypto.randomUUID().slice(0, 8));
      if (pathname.endsWith(':generateContent')) return Response.json(events[0]?.[1]);
      return new Response(events.map(writeEvent).join(''), {
        headers: { 'Content-Type': 'text/event-stream' },
      });
    },
  });
  afterAll(() => server.stop(true));
  return { url: `http://127.0.0.1:${server.port}`, results: () => last, tools };
}

function writeEvent([event, data]: ReturnType<Dialect['events']>[number]): string {
  const text = typeof data === 'string' ? data : JSON.stringify(data);
  return `${event === null ? '' : `event: ${event}\n`}data: ${text}\n\n`;
}
