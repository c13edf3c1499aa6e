import { createParser, type EventSourceMessage } from 'eventsource-parser';
import { Refusal } from '../../platform/base/refusal.ts';
import {
  connectionLost,
  objectOf,
  parseObject,
  readFailure,
  type StallClient,
  type StallResponse,
} from './stall-client.ts';

export type SentCitation = {
  readonly n: number;
  readonly path: string;
  readonly heading: string | null;
  readonly quote: string;
  /** The stall's page that highlights the quote; null if the stall sent none. */
  readonly url: string | null;
};

/** An event of an answer; `done` is the last. `fields` are the event's data as the stall sent them, for `--json`. */
export type SentEvent =
  | { readonly type: 'chunk'; readonly text: string; readonly fields: object }
  | {
      readonly type: 'done';
      readonly outcome: string;
      readonly truncated: boolean;
      readonly citations: readonly SentCitation[];
      /** The closest excerpt if the book does not cover the question, else null. */
      readonly nearest: SentCitation | null;
      /** The parts of the answer without a quote beside them, in UTF-16 offsets such as `[12, 40]`. */
      readonly untied: SentRanges;
      readonly fields: object;
    };

type SentRanges = readonly (readonly [from: number, to: number])[];

const LONGEST_EVENT = 4 * 1024 * 1024;

/**
 * Asks a book, and yields the answer's events. Refuses what the stall refuses, even within the stream, and a stream that
 * ends early.
 */
export async function* askBook(stall: StallClient, id: string, query: string): AsyncGenerator<SentEvent> {
  const answer = await stall.send('/api/agent/fetch', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify({ book_id: id, query }),
  });
  for await (const { event = 'message', data } of readEvents(answer)) {
    if (event === 'error') throw readFailure(data, 'Cannot answer: the stall says no more');
    const read = Object.hasOwn(READERS, event) ? READERS[event]?.(parseObject(data), stall.url) : undefined;
    if (read !== undefined) yield read;
    if (event === 'done') return;
  }
  throw connectionLost();
}

const READERS: Readonly<
  Record<string, (fields: Readonly<Record<string, unknown>>, stall: string) => SentEvent>
> = {
  chunk: (fields) => ({ type: 'chunk', text: String(fields['text'] ?? ''), fields }),
  done: (fields, stall) => ({
    type: 'done',
    outcome: String(fields['outcome'] ?? ''),
    truncated: fields['truncated'] === true,
    citations: Array.isArray(fields['citations'])
      ? fields['citations'].map((one) => readCitation(one, stall))
      : [],
    nearest: fields['nearest'] === undefined ? null : readCitation(fields['nearest'], stall),
    untied: readRanges(fields['untied']),
    fields,
  }),
};

const readRanges = (value: unknown): SentRanges =>
  (Array.isArray(value) ? value : []).map((one) => {
    const { 0: from, 1: to } = objectOf(one);
    return [Number(from), Number(to)];
  });

function readCitation(value: unknown, stall: string): SentCitation {
  const { n, path, heading, quote, url } = objectOf(value);
  return {
    n: Number(n),
    path: String(path),
    heading: typeof heading === 'string' && heading !== '' ? heading : null,
    quote: String(quote),
    url: typeof url === 'string' && url.startsWith(`${stall}/`) ? url : null,
  };
}

async function* readEvents(answer: StallResponse): AsyncGenerator<EventSourceMessage> {
  const decoder = new TextDecoder();
  let events: EventSourceMessage[] = [];
  const parser = createParser({
    maxBufferSize: LONGEST_EVENT,
    onEvent: (event) => events.push(event),
    onError: ({ type }) => {
      if (type === 'max-buffer-size-exceeded')
        throw Refusal.invalid('Cannot read the answer: one line of it has no end');
    },
  });
  for await (const chunk of answer.chunks()) {
    events = [];
    parser.feed(decoder.decode(chunk, { stream: true }));
    yield* events;
  }
}
