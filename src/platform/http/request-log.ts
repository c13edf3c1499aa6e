import type { AgentPrincipal } from '../base/principal.ts';
import type { Log } from '../base/log.ts';
import type { Quota } from './answer.ts';

export type RequestEntry = {
  readonly id: string;
  readonly startedAt: number;
  account: string | null;
  principal: AgentPrincipal | null;
  quota: Quota;
  status: number;
  bytes: number;
  isStreaming: boolean;
};

/**
 * The key under which a request object holds its entry. Using a WeakMap would take an install longer than writing its log line.
 */
const ENTRY = Symbol('entry');
type LoggedRequest = Request & { [ENTRY]?: RequestEntry };

/** Follows a streamed body: call `sent` after each part, and `end` once, however the body ends. */
export type Watcher = { readonly sent: (bytes: number) => void; readonly end: () => void };

/**
 * Creates the log of requests. A line has the id, the method, the route's pattern (never the URL, which may contain a key),
 * status, milliseconds, bytes and account.
 */
export function createRequestLog(log: Log) {
  const of = (request: LoggedRequest): RequestEntry =>
    (request[ENTRY] ??= {
      id: crypto.randomUUID(),
      startedAt: performance.now(),
      account: null,
      principal: null,
      quota: {},
      status: 0,
      bytes: 0,
      isStreaming: false,
    });

  const finish = (request: Request, route: string): void => {
    const { id, status, startedAt, account, bytes: length } = of(request);
    const bytes = request.method === 'HEAD' ? 0 : length;
    const ms = Math.round((performance.now() - startedAt) * 10) / 10;
    log({ event: 'request', id, method: request.method, route, status, ms, bytes, account });
  };

  return {
    of,
    /** Writes the line of an answer that is not streamed. Must be called before Bun sends it and removes its Content-Length. */
    answered(request: Request, route: string, response: unknown): void {
      const entry = of(request);
      if (response instanceof Response) entry.status = response.status;
      if (entry.isStreaming) return;
      if (response instanceof Response) entry.bytes ||= Number(response.headers.get('content-length') ?? 0);
      finish(request, route);
    },
    watch(request: Request, route: string): Watcher {
      const entry = of(request);
      entry.isStreaming = true;
      entry.status ||= 200;
      return { sent: (bytes) => (entry.bytes += bytes), end: () => finish(request, route) };
    },
  };
}

export type RequestLog = ReturnType<typeof createRequestLog>;
