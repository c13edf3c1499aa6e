// Server-sent events, WHATWG HTML §9.2, as far as a stall sends them: `event` and `data`.
import { Refusal } from '../refusal.ts';
import { objectOf } from './catalog.ts';
import { readFailure } from './failure.ts';
import { type Answer, connectionLost, type StallClient } from './stall-client.ts';

export type Citation = {
  readonly n: number;
  readonly path: string;
  readonly heading: string | null;
  readonly quote: string;
};

/** What an answer is made of; the last event is `done`. `fields` are the stall's own, for programs. */
export type AnswerEvent =
  | { readonly type: 'chunk'; readonly text: string; readonly fields: object }
  | {
      readonly type: 'done';
      readonly outcome: string;
      readonly isCut: boolean;
      readonly citations: readonly Citation[];
      readonly fields: object;
    };

/** Of a line and of an event. */
const LINE_MOST = 4 * 1024 * 1024;

/** Asks a book by id; refuses what the stall refuses, before or within the stream, and a stream without an end. */
export async function* askBook(stall: StallClient, id: string, query: string): AsyncGenerator<AnswerEvent> {
  const answer = await stall.send('/api/agent/fetch', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'text/event-stream' },
    body: JSON.stringify({ book_id: id, query }),
  });
  for await (const { event, data } of readEvents(answer)) {
    if (event === 'error') throw readFailure(data, 'Cannot answer: the stall says no more');
    const read = READERS[event]?.(objectOf(parse(data)));
    if (read !== undefined) yield read;
    if (event === 'done') return;
  }
  throw connectionLost();
}

const READERS: Readonly<Record<string, (fields: Readonly<Record<string, unknown>>) => AnswerEvent>> = {
  chunk: (fields) => ({ type: 'chunk', text: String(fields['text'] ?? ''), fields }),
  done: (fields) => ({
    type: 'done',
    outcome: String(fields['outcome'] ?? ''),
    isCut: fields['truncated'] === true,
    citations: Array.isArray(fields['citations']) ? fields['citations'].map(readCitation) : [],
    fields,
  }),
};

function readCitation(value: unknown): Citation {
  const { n, path, heading, quote } = objectOf(value);
  return {
    n: Number(n),
    path: String(path),
    heading: typeof heading === 'string' && heading !== '' ? heading : null,
    quote: String(quote),
  };
}

async function* readEvents(
  answer: Answer,
): AsyncGenerator<{ readonly event: string; readonly data: string }> {
  let [event, data, size] = ['message', [] as string[], 0];
  for await (const line of readLines(answer)) {
    size += line.length + 1;
    if (size > LINE_MOST) throw endless();
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
    if (line === '' && data.length > 0) yield { event, data: data.join('\n') };
    if (line === '') [event, data, size] = ['message', [], 0];
    else if (field === 'event') event = value;
    else if (field === 'data') data.push(value);
  }
}

async function* readLines(answer: Answer): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let held: string[] = [];
  let size = 0;
  for await (const chunk of answer.chunks()) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n');
    held.push(first);
    size += first.length;
    if (size > LINE_MOST) throw endless();
    for (const next of others) {
      yield held.join('').replace(/\r$/, '');
      held = [next];
      size = next.length;
    }
  }
}

function endless(): Refusal {
  return new Refusal('invalid-request', 'Cannot read the answer: one line of it has no end');
}

function parse(data: string): unknown {
  try {
    return JSON.parse(data);
  } catch {
    return null;
  }
}
