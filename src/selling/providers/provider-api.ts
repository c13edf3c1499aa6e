// Reads the lists of past sales in each provider's API: https://docs.stripe.com/api/events/list,
// https://polar.sh/docs/api-reference/orders/list, https://docs.lemonsqueezy.com/api/orders/list-all-orders and
// https://gumroad.com/api#sales.
import { sha256 } from '../../platform/base/runtime.ts';
import type { PaymentProvider } from '../../words/payment-provider.ts';
import type { ProviderApi } from '../../platform/config/sales.ts';
import { gumroad } from './gumroad.ts';
import { integerAt, listAt, objectAt, textAt, timeAt } from './json.ts';
import type { Answered } from './provider.ts';
import { STRIPE_EVENTS } from './stripe.ts';
import { messageOf } from '../../platform/base/refusal.ts';

type Page = { readonly events: readonly Answered[]; readonly next: string | null };

/**
 * How to read one of a provider's lists: the path of its first page, and a function that reads a page. `since` and `at`,
 * now, are in milliseconds since 1970.
 */
type List = {
  readonly first: (since: number) => string;
  readonly read: (body: unknown, path: string, since: number, at: number) => Page;
};

/**
 * The limits for reading a list: its pages, so that a faulty API cannot occupy the server forever; how often to wait for
 * a provider that limits requests; and the longest such wait, in seconds.
 */
const MOST_PAGES = 200;
const MOST_WAITS = 3;
const LONGEST_WAIT = 60;

/** Thrown if reading stopped before the end of a list. The message holds no key. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
}

/** How a provider's API talks: the headers of requests, and the fields in which an error has its message. */
type Dialect = { readonly headers?: Readonly<Record<string, string>>; readonly sentences: readonly string[] };

const DIALECTS: Readonly<Record<PaymentProvider, Dialect>> = {
  stripe: { sentences: ['error.message'] },
  polar: { sentences: ['detail', 'detail.0.msg'] },
  gumroad: { sentences: ['message'] },
  lemonsqueezy: { headers: { Accept: 'application/vnd.api+json' }, sentences: ['errors.0.detail'] },
};

/** Lists a provider's events since a time, a page at a time. Throws HistoryError if it cannot read on. */
export async function* listHistory(
  provider: PaymentProvider,
  api: ProviderApi,
  since: number,
  { now = Date.now, sleep = Bun.sleep }: { now?: () => number; sleep?: (ms: number) => Promise<void> } = {},
): AsyncGenerator<readonly Answered[]> {
  for (const { first, read } of LISTS[provider]) {
    let path: string | null = first(since);
    for (let pages = 0; path !== null && pages < MOST_PAGES; pages += 1) {
      const { events, next }: Page = read(await askAgain(provider, api, path, sleep), path, since, now());
      if (events.length > 0) yield events;
      path = next;
    }
    if (path !== null) throw new HistoryError(`it lists more than ${MOST_PAGES} pages; begin later`);
  }
}

async function askAgain(
  provider: PaymentProvider,
  api: ProviderApi,
  path: string,
  sleep: (ms: number) => Promise<void>,
): Promise<unknown> {
  for (let waits = 0; ; waits += 1) {
    const answer = await askProvider(provider, api, path);
    if (answer.state === 'found') return answer.body;
    if (answer.state === 'missing') throw new HistoryError('it has no such list');
    if (answer.retryAfter === null || answer.retryAfter > LONGEST_WAIT || waits === MOST_WAITS)
      throw new HistoryError(answer.reason);
    await sleep(answer.retryAfter * 1000);
  }
}

const LISTS: Readonly<Record<PaymentProvider, readonly List[]>> = {
  stripe: [
    {
      first: (since) =>
        `/v1/events?limit=100&created[gte]=${Math.floor(since / 1000)}${STRIPE_EVENTS.map((type) => `&types[]=${type}`).join('')}`,
      read(body, path) {
        const events = listAt(body, 'data').flatMap((event) => {
          const id = textAt(event, 'id');
          return id === null ? [] : [{ id, body: event }];
        });
        const last = events.at(-1)?.id;
        const base = path.replace(/&starting_after=[^&]*/, '');
        const hasMore = objectAt(body)?.['has_more'] === true && last !== undefined;
        return { events, next: hasMore ? `${base}&starting_after=${encodeURIComponent(last)}` : null };
      },
    },
  ],
  polar: [
    polarList('/v1/orders/?sorting=-created_at', 'order.updated', true),
    polarList('/v1/subscriptions/?sorting=-started_at', 'subscription.updated', false),
  ],
  lemonsqueezy: [
    lemonList('orders', 'order_created', true),
    lemonList('subscriptions', 'subscription_updated', false),
    lemonList('subscription-invoices', 'subscription_payment_success', true),
  ],
  gumroad: [
    {
      first: (since) => `/v2/sales?after=${new Date(since).toISOString().slice(0, 10)}`,
      read(body, _, _since, at) {
        const events = listAt(body, 'sales').flatMap((sale) => gumroad.asks?.readAnswer({ sale }, at) ?? []);
        const key = textAt(body, 'next_page_key');
        return { events, next: key === null ? null : `/v2/sales?page_key=${encodeURIComponent(key)}` };
      },
    },
  ],
};

/**
 * Describes one of Polar's lists. If `isDated`, reading ends at the first object before `since`. Subscriptions are read
 * to the end: old ones change too.
 */
function polarList(path: string, type: string, isDated: boolean): List {
  return {
    first: () => `${path}&limit=100&page=1`,
    read(body, own, since, at) {
      const found = listAt(body, 'items');
      const events = found.map((data) => {
        const changed = textAt(data, 'modified_at') ?? textAt(data, 'created_at');
        return wrap(data, { type, timestamp: changed ?? new Date(at).toISOString(), data });
      });
      const page = Number(/&page=(\d+)$/.exec(own)?.[1] ?? 1);
      const isOver = page >= (integerAt(body, 'pagination', 'max_page') ?? 1);
      const isOld = isDated && found.some((data) => (timeAt(data, 'created_at') ?? since) < since);
      return { events, next: isOver || isOld ? null : `${path}&limit=100&page=${page + 1}` };
    },
  };
}

function lemonList(name: string, event: string, isDated: boolean): List {
  const path = (page: number): string => `/v1/${name}?page[size]=100&page[number]=${page}`;
  return {
    first: () => path(1),
    read(body, own, since) {
      const found = listAt(body, 'data');
      const events = found.map((data) =>
        wrap(data, {
          meta: { event_name: event, test_mode: objectAt(data, 'attributes')?.['test_mode'] === true },
          data,
        }),
      );
      const page = Number(/=(\d+)$/.exec(own)?.[1] ?? 1);
      const isOver = page >= (integerAt(body, 'meta', 'page', 'lastPage') ?? 1);
      const isOld =
        isDated && found.some((data) => (timeAt(data, 'attributes', 'created_at') ?? since) < since);
      return { events, next: isOver || isOld ? null : path(page + 1) };
    },
  };
}

/** Wraps an object in an event whose id is the object's hash, so that an unchanged object is a known event. */
function wrap(object: unknown, body: unknown): Answered {
  return { id: `api:${sha256(JSON.stringify(object))}`, body };
}

/** How long a provider may take, in milliseconds, and how much it may answer, in bytes. */
const TIMEOUT = 10_000;
const MOST_BYTES = 4 * 1024 * 1024;

/** The JSON answer of a provider's API, or the reason why there is none, with the key masked. `retryAfter` is in seconds. */
type ProviderAnswer =
  | { readonly state: 'found'; readonly body: unknown }
  | { readonly state: 'missing' }
  | { readonly state: 'failed'; readonly reason: string; readonly retryAfter: number | null };

/** Reads or writes at a path of a provider's API. Redirects are not followed, as one could send the key to another server. */
export async function askProvider(
  provider: PaymentProvider,
  { key, url }: ProviderApi,
  path: string,
  {
    headers = {},
    timeout = TIMEOUT,
    sent = {},
  }: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly timeout?: number;
    readonly sent?: { readonly method?: string; readonly body?: string };
  } = {},
): Promise<ProviderAnswer> {
  try {
    const response = await fetch(`${url}${path}`, {
      ...sent,
      headers: {
        Accept: 'application/json',
        ...DIALECTS[provider].headers,
        ...headers,
        Authorization: `Bearer ${key}`,
      },
      redirect: 'manual',
      // A write gets a new connection: if there is no answer on a reused one, Bun would send the write again.
      keepalive: sent.method === undefined,
      signal: AbortSignal.timeout(timeout),
    });
    const { status } = response;
    if (status === 204) return { state: 'found', body: null };
    const answer = await readBody(response);
    if (response.ok) return answer;
    if (status === 404) return { state: 'missing' };
    const said = answer.state === 'found' ? sentenceIn(answer.body, DIALECTS[provider]) : '';
    return failed(withoutKey(reasonOf(status) + said, key), response.headers.get('retry-after'));
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError';
    return failed(isLate ? `no answer within ${timeout / 1000} s` : withoutKey(messageOf(error), key));
  }
}

async function readBody(response: Response): Promise<ProviderAnswer> {
  const decoder = new TextDecoder();
  let [text, bytes] = ['', 0];
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    // Returning ends the loop, which cancels the rest of the answer.
    if (bytes > MOST_BYTES) return failed(`an answer of more than ${MOST_BYTES} bytes`);
    text += decoder.decode(chunk, { stream: true });
  }
  try {
    return { state: 'found', body: JSON.parse(text + decoder.decode()) };
  } catch {
    return failed('an answer that is not JSON');
  }
}

function sentenceIn(body: unknown, { sentences }: Dialect): string {
  const said = sentences.map((path) => textAt(body, ...path.split('.'))).find((text) => text !== null) ?? '';
  // The message is shortened between words: half a key in it would not be recognised and masked.
  const [short = ''] = /^.{0,300}(?!\S)/.exec(said.replaceAll(/\s+/g, ' ')) ?? [];
  return short === '' ? '' : ` and says "${short}"`;
}

function reasonOf(status: number): string {
  if (status === 401) return 'it refuses the key (401)';
  if (status === 403) return 'the key may not do this (403)';
  if (status === 429) return 'it was asked too often (429)';
  if (status >= 300 && status < 400) return `it leads to another address (${status}), which is not followed`;
  return `it answered ${status}`;
}

function failed(reason: string, retryAfter: string | null = null): ProviderAnswer {
  const seconds = /^\d{1,6}$/.test(retryAfter ?? '') ? Number(retryAfter) : null;
  return { state: 'failed', reason, retryAfter: seconds };
}

const withoutKey = (text: string, key: string): string => text.replaceAll(key, '…');
