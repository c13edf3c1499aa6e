// The streaming half of the Messages API, https://platform.claude.com/docs/en/build-with-claude/streaming, as its own
// servers and those that only resemble it send it: events may lack names, repeat, miss or carry wrong indices.
import { Refusal } from '../refusal.ts';
import type { ServerEvent } from './sse.ts';

/** Where a model says that its text comes from: blocks `start..end` of the `source`th document or search result. */
export type Location = { readonly source: number; readonly start: number; readonly end: number };

/** What the stream of one message tells. `input` counts all tokens of the prompt, cached or not; 0 is not told. */
export type MessageEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'location'; readonly location: Location }
  | { readonly type: 'block-end' }
  | { readonly type: 'usage'; readonly input: number; readonly output: number }
  | { readonly type: 'stop'; readonly reason: string };

type Fields = Readonly<Record<string, unknown>>;
type Read = (event: Fields) => MessageEvent | null;

/**
 * Reads a message event by event. `end` is asked when the stream is over, and refuses model-failed where it was cut or was
 * no message at all; a stream's own error is refused as model-unavailable or model-failed.
 */
export function createMessageReader() {
  let isMessage = false;
  let isOver = false;
  let isStopped = false;
  let isThinking = false;
  const usage = { input: 0, output: 0 };

  const spend = (told: unknown): MessageEvent | null => {
    const { input_tokens, cache_read_input_tokens, cache_creation_input_tokens, output_tokens } =
      fields(told);
    const input = count(input_tokens) + count(cache_read_input_tokens) + count(cache_creation_input_tokens);
    // Told twice, the last word counts (Ollama begins with an estimate), but a zero is no word.
    if (input > 0) usage.input = input;
    usage.output = Math.max(usage.output, count(output_tokens));
    return told === undefined ? null : { type: 'usage', ...usage };
  };

  const reads: Readonly<Record<string, Read>> = {
    message_start: ({ message }) => spend(fields(message)['usage']),
    content_block_start: ({ content_block }) => {
      const { type, text } = fields(content_block);
      isThinking = typeof type === 'string' && type !== 'text';
      return !isThinking && typeof text === 'string' && text !== '' ? { type: 'text', text } : null;
    },
    content_block_delta: ({ delta }) => {
      const { type, text, citation } = fields(delta);
      if (isThinking) return null;
      if (type === 'text_delta' && typeof text === 'string' && text !== '') return { type: 'text', text };
      const location = type === 'citations_delta' ? readLocation(fields(citation)) : null;
      return location === null ? null : { type: 'location', location };
    },
    content_block_stop: () => {
      const wasThinking = isThinking;
      isThinking = false;
      return wasThinking ? null : { type: 'block-end' };
    },
    message_delta: ({ delta, usage: told }) => {
      const reason = fields(delta)['stop_reason'];
      if (typeof reason !== 'string') return spend(told);
      isOver = true;
      spend(told);
      return { type: 'stop', reason };
    },
    message_stop: () => {
      isOver = true;
      isStopped = true;
      return null;
    },
    error: ({ error }) => {
      throw streamError(fields(error)['type']);
    },
  };

  return {
    usage: (): Readonly<typeof usage> => ({ ...usage }),
    /** Whether the last event of a message came; some servers never send it. */
    isStopped: (): boolean => isStopped,
    read({ name, data }: ServerEvent): MessageEvent | null {
      if (data === '[DONE]') return null;
      const event = parse(data);
      const type = typeof event['type'] === 'string' ? event['type'] : name;
      const read = Object.hasOwn(reads, type) ? reads[type] : undefined;
      if (read === undefined) return null;
      isMessage = true;
      return read(event);
    },
    end(): void {
      if (!isMessage)
        throw new Refusal(
          'model-failed',
          'Cannot use the answer: the model server does not speak the Messages API; tell whoever runs this stall',
        );
      if (!isOver)
        throw new Refusal('model-failed', 'Cannot finish the answer: the model server cut it; ask again');
    },
  };
}

/** What a stream's own `error` event means for the reader. */
function streamError(type: unknown): Refusal {
  const isBusy = ['overloaded_error', 'rate_limit_error', 'api_error', 'timeout_error'].includes(
    String(type),
  );
  return isBusy
    ? new Refusal(
        'model-unavailable',
        'Cannot finish the answer: the model is overloaded; ask again in a while',
        10,
      )
    : new Refusal('model-failed', 'Cannot finish the answer: the model server gave it up; ask again');
}

function readLocation({ type, ...place }: Fields): Location | null {
  const { document_index, search_result_index, start_block_index: start, end_block_index: end } = place;
  const source = type === 'search_result_location' ? search_result_index : document_index;
  if (type !== 'search_result_location' && type !== 'content_block_location') return null;
  return isIndex(source) && isIndex(start) && isIndex(end) ? { source, start, end } : null;
}

function parse(data: string): Fields {
  try {
    return fields(JSON.parse(data));
  } catch {
    throw new Refusal('model-failed', 'Cannot read the answer: the model server sent no JSON; ask again');
  }
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** No message has more: beyond it sums lose their last digits, and a database its integers. */
const MOST_TOKENS = 100_000_000;

function count(value: unknown): number {
  return typeof value === 'number' && value > 0 ? Math.floor(Math.min(value, MOST_TOKENS)) : 0;
}

function isIndex(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
