import type { Log } from '../log.ts';

/** What is noted of one request until its log line is written. */
export type Exchange = {
  readonly id: string;
  readonly startedAt: number;
  account: string | null;
  /** Headers of the per-address budget, once the request has reached it. */
  quota: Readonly<Record<string, string>>;
  status: number;
  bytes: number;
  /** A streamed body writes the line itself when it ends. */
  isStreaming: boolean;
};

/**
 * Keeps one Exchange a request and writes one line for each: id, route (the pattern, never the URL: it may hold a key),
 * status, milliseconds, bytes, account.
 */
export function createExchanges(log: Log) {
  const exchanges = new WeakMap<Request, Exchange>();

  const of = (request: Request): Exchange => {
    const known = exchanges.get(request);
    if (known !== undefined) return known;
    const startedAt = performance.now();
    const exchange = {
      id: crypto.randomUUID(),
      startedAt,
      account: null,
      quota: {},
      status: 0,
      bytes: 0,
      isStreaming: false,
    };
    exchanges.set(request, exchange);
    return exchange;
  };

  const finish = (request: Request, route: string): void => {
    const { id, status, startedAt, bytes, account } = of(request);
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    log({ event: 'request', id, method: request.method, route, status, ms, bytes, account });
  };

  return {
    of,
    /** Notes the answer and, unless its body still streams, writes the line. */
    answered(request: Request, route: string, response: unknown): void {
      const exchange = of(request);
      if (response instanceof Response) {
        exchange.status ||= response.status;
        exchange.bytes ||= Number(response.headers.get('content-length') ?? 0);
      }
      if (!exchange.isStreaming) finish(request, route);
    },
    /** Passes a streamed body on, counts its bytes and writes the line when it ends, however it ends. */
    async *streamed(
      request: Request,
      route: string,
      chunks: AsyncIterable<Uint8Array>,
    ): AsyncGenerator<Uint8Array> {
      const exchange = of(request);
      exchange.isStreaming = true;
      exchange.status ||= 200;
      try {
        for await (const chunk of chunks) {
          exchange.bytes += chunk.length;
          yield chunk;
        }
      } finally {
        finish(request, route);
      }
    },
  };
}

export type Exchanges = ReturnType<typeof createExchanges>;
