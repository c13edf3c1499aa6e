import type { ModelConfig } from '../../../src/platform/config/model.ts';
import { type Files, openStall, parseEvents } from '../../helpers/harness.ts';
import type { Messages } from './scripted-messages.ts';

/** A model's settings for a scripted server, with short timeouts. */
export function modelConfig(url: string, more: Partial<ModelConfig> = {}): ModelConfig {
  return {
    engine: 'compat',
    model: 'script-1',
    url,
    protocol: 'messages',
    key: 'sk-very-secret-key',
    contextTokens: 8192,
    wholeBookTokens: 0,
    lookUp: false,
    marksUntied: true,
    timeouts: { firstByte: 4000, idle: 3000, total: 6000 },
    fallback: 'none',
    dailyQuestions: null,
    dailyTokens: null,
    prices: null,
    ...more,
  };
}

/** A stall with the scripted server as its model, and a reader of its paid book; `ask` returns the whole answer. */
export async function openModelStall(
  messages: Messages,
  more: Partial<ModelConfig> = {},
  files?: Files,
  now = Date.now,
) {
  const config = { model: modelConfig(messages.url, more) };
  const stall = await openStall({ config, now, ...(files === undefined ? {} : { files }) });
  const reader = await stall.reader('reader@example.org', 'paid-book');
  const post = (query = 'Why does the heron stand on one leg?', init: RequestInit = {}, book = 'paid-id') =>
    stall.fetch('/api/agent/fetch', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...reader.headers },
      body: JSON.stringify({ book_id: book, query }),
      ...init,
    });
  const ask = async (query?: string, book?: string) => {
    const response = await post(query, {}, book);
    const body = await response.text();
    const events = parseEvents(body);
    const text = events.map(({ event, data }) => (event === 'chunk' ? String(data['text']) : '')).join('');
    const last = events.at(-1);
    return {
      status: response.status,
      headers: response.headers,
      body,
      events,
      text,
      done: last?.event === 'done' ? (last.data as unknown as Done) : null,
      code: response.status === 200 ? (last?.data['code'] ?? null) : (JSON.parse(body) as Done).code,
    };
  };
  /** The newest row of the fetch log. */
  const row = async () => stall.app.admin.logs.fetches(null, null).at(-1);
  return { stall, reader, post, ask, row };
}

type Done = {
  readonly outcome: string;
  readonly engine: string;
  readonly model: string | null;
  readonly truncated: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly code?: string;
  readonly citations: readonly {
    readonly n: number;
    readonly at: readonly number[];
    readonly path: string;
    readonly start: number;
    readonly end: number;
    readonly quote: string;
    readonly sha256: string;
  }[];
};
