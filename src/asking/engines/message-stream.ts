// Reads streams of the Messages API, https://platform.claude.com/docs/en/build-with-claude/streaming, and of chat completions,
// https://developers.openai.com/api/reference/resources/chat. Compatible servers deviate from both: events may lack names, be
// missing, come twice or have wrong indices, and tokens may be counted in any event or in none.
import { isBeyond } from '../../platform/base/body-look.ts';
import type { ModelProtocol } from '../../platform/config/model-engines.ts';
import type { Refusal } from '../../platform/base/refusal.ts';
import { ToldRefusal } from '../../platform/base/told.ts';
import { createParser } from 'eventsource-parser';

type Fields = Readonly<Record<string, unknown>>;
type Read = (event: Fields) => ModelEvent | readonly ModelEvent[] | null;

/** The maximum of a count of tokens: larger ones would lose digits in sums, do not fit the database, and never occur. */
const MOST_TOKENS = 100_000_000;
const NO_TOKENS = { input_tokens: 0, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 };
const PROMPT_PARTS = ['input_tokens', 'cache_read_input_tokens', 'cache_creation_input_tokens'] as const;

const reasonOf = (chat: string): string =>
  chat === 'length' ? 'max_tokens' : chat === 'content_filter' ? 'refusal' : 'end_turn';

export function openStreamReader(protocol: ModelProtocol) {
  const events = createEventReader();
  let isMessage = false;
  let isOver = false;
  let isStopped = false;
  let isThinking = false;
  const usage = { input: 0, output: 0 };
  const prompt = { ...NO_TOKENS };

  const count = (counts: unknown): ModelEvent | null => {
    const fields = fieldsOf(counts);
    const whole = tokensOf(fields['input_tokens']);
    // Uses the last count of each part of the prompt (Ollama's first is an estimate), unless it is zero or missing. An
    // `input_tokens` larger than all parts so far counts the whole prompt.
    if (whole > usage.input) Object.assign(prompt, NO_TOKENS);
    for (const part of PROMPT_PARTS) prompt[part] = tokensOf(fields[part]) || prompt[part];
    usage.input = PROMPT_PARTS.reduce((sum, part) => sum + prompt[part], 0);
    usage.output = Math.max(usage.output, tokensOf(fields['output_tokens']));
    return counts === undefined ? null : { type: 'usage', ...usage };
  };

  const reads: Readonly<Record<string, Read>> = {
    message_start: ({ message }) => count(fieldsOf(message)['usage']),
    content_block_start: ({ content_block }) => {
      const { type, text } = fieldsOf(content_block);
      isThinking = typeof type === 'string' && type !== 'text';
      return !isThinking && typeof text === 'string' && text !== '' ? { type: 'text', text } : null;
    },
    content_block_delta: ({ delta }) => {
      const { type, text, citation } = fieldsOf(delta);
      if (isThinking) return null;
      if (type === 'text_delta' && typeof text === 'string' && text !== '') return { type: 'text', text };
      const location = type === 'citations_delta' ? readLocation(fieldsOf(citation)) : null;
      return location === null ? null : { type: 'location', location };
    },
    content_block_stop: () => {
      const wasThinking = isThinking;
      isThinking = false;
      return wasThinking ? null : { type: 'block-end' };
    },
    message_delta: ({ delta, usage: counts }) => {
      const reason = fieldsOf(delta)['stop_reason'];
      if (typeof reason !== 'string') return count(counts);
      isOver = true;
      count(counts);
      return { type: 'stop', reason };
    },
    message_stop: () => {
      isOver = true;
      isStopped = true;
      return null;
    },
    chunk: ({ choices, usage: counts }) => {
      const { prompt_tokens: input_tokens, completion_tokens: output_tokens } = fieldsOf(counts);
      count({ input_tokens, output_tokens });
      const { delta, finish_reason } = fieldsOf(Array.isArray(choices) ? choices[0] : null);
      const { content: text } = fieldsOf(delta);
      const texts = typeof text === 'string' && text !== '' ? [{ type: 'text', text } as const] : [];
      if (typeof finish_reason !== 'string' || finish_reason === '') return texts;
      isOver = true;
      return [...texts, { type: 'stop', reason: reasonOf(finish_reason) }];
    },
    error: ({ error }) => {
      throw streamError(fieldsOf(error)['type']);
    },
  };

  const read = ({ name, data }: ServerEvent): ReturnType<Read> => {
    if (protocol === 'chat' && data.trim() === '[DONE]') isOver = isStopped = true;
    if (data.trim() === '' || data.trim() === '[DONE]') return null;
    // Ignores events with other names, whatever their data.
    const event = parse(data, name === 'message' || Object.hasOwn(reads, name));
    const chatType = event['error'] != null ? 'error' : Array.isArray(event['choices']) ? 'chunk' : '';
    const messageType = typeof event['type'] === 'string' ? event['type'] : name;
    const type = protocol === 'chat' ? chatType : messageType;
    if (!Object.hasOwn(reads, type)) return null;
    isMessage = true;
    return reads[type]!(event);
  };

  return {
    *push(bytes: Uint8Array): Generator<ModelEvent> {
      for (const event of events.push(bytes)) {
        if (isStopped) return;
        const found = read(event);
        if (found !== null) yield* [found].flat();
      }
    },
    usage: () => ({ ...usage }),
    isComplete: () => isStopped,
    end(): void {
      if (!isMessage) throw wrongProtocol();
      if (!isOver) throw new ToldRefusal('model-failed', ({ reading: { model } }) => model.cut);
    },
  };
}

export type StreamReader = ReturnType<typeof openStreamReader>;

export function wrongProtocol(): Refusal {
  return new ToldRefusal('model-failed', ({ reading: { model } }) => model.otherProtocol);
}

/** Matches the types of errors, in both protocols, after which a later attempt may succeed. */
const PASSING = /^(?:(?:overloaded|rate_limit|api|timeout|server|unavailable)_error|rate_limit_exceeded)$/;

function streamError(type: unknown): Refusal {
  const isBusy = PASSING.test(String(type));
  return isBusy
    ? new ToldRefusal('model-unavailable', ({ reading: { model } }) => model.overloaded, 10)
    : new ToldRefusal('model-failed', ({ reading: { model } }) => model.gaveUp);
}

function readLocation({ type, ...place }: Fields): Location | null {
  const { document_index, search_result_index, start_block_index: start, end_block_index: end } = place;
  const source = type === 'search_result_location' ? search_result_index : document_index;
  if (type !== 'search_result_location' && type !== 'content_block_location') return null;
  return isIndex(source) && isIndex(start) && isIndex(end) ? { source, start, end } : null;
}

function parse(data: string, isRequired: boolean): Fields {
  if (data.length > SMALL_EVENT && isBeyond(Buffer.from(data), EVENT_BOUNDS)) throw tooLong();
  try {
    return fieldsOf(JSON.parse(data));
  } catch {
    if (!isRequired) return {};
    throw new ToldRefusal('model-failed', ({ reading: { model } }) => model.noJson);
  }
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};

const tokensOf = (value: unknown): number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0
    ? Math.floor(Math.min(value, MOST_TOKENS))
    : 0;

const isIndex = (value: unknown): value is number =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;

// The parsing of server-sent events, WHATWG HTML §9.2.6.

/** The maximum length of a line or event, in characters; those of the Messages API are far shorter. */
const LONGEST_EVENT = 1_000_000;
/** The most that an event of over SMALL_EVENT characters may hold; one of the Messages API has about ten values. */
const EVENT_BOUNDS = { depth: 32, values: 20_000 };
const SMALL_EVENT = 10_000;

type ServerEvent = { readonly name: string; readonly data: string };

/**
 * Makes a reader that finds server-sent events in bytes that may be split anywhere. `push` returns the complete events; an
 * event without a blank line after it is never returned. Refuses model-failed if a line or event is too long.
 */
export function createEventReader() {
  const decoder = new TextDecoder();
  let events: ServerEvent[] = [];
  let lineLength = 0;
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: ({ event = 'message', data }) => events.push({ name: event, data }),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded') throw tooLong();
    },
  });
  return {
    push(bytes: Uint8Array): readonly ServerEvent[] {
      const text = decoder.decode(bytes, { stream: true });
      // Counts here, since the parser skips a line without a known field, however long it is.
      const lineEnd = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r'));
      lineLength = lineEnd < 0 ? lineLength + text.length : text.length - lineEnd - 1;
      if (lineLength > LONGEST_EVENT) throw tooLong();
      events = [];
      parser.feed(text);
      return events;
    },
  };
}

const tooLong = (): Refusal => new ToldRefusal('model-failed', ({ reading: { model } }) => model.noEnd);

/** A cited place: the blocks from `start` to `end` (exclusive) of the document or search result with the index `source`. */
export type Location = { readonly source: number; readonly start: number; readonly end: number };

/**
 * An event of a model's answer. `input` counts all tokens of the prompt, cached or not; 0 means not counted. `pause` says that
 * nothing came for a moment.
 */
export type ModelEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'location'; readonly location: Location }
  | { readonly type: 'block-end' }
  | { readonly type: 'usage'; readonly input: number; readonly output: number }
  | { readonly type: 'stop'; readonly reason: string }
  | { readonly type: 'pause' };
