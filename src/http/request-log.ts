import type { AgentPrincipal } from '../access/principal.ts';
import type { Log } from '../log.ts';
import type { Quota } from './answer.ts';

/** The facts of one request, kept until its log line is written. */
export type RequestEntry = {
  readonly id: string;
  readonly startedAt: number;
  account: string | null;
  /** The sender, once it is known. */
  principal: AgentPrincipal | null;
  /** The RateLimit headers, once the per-address budget was taken; empty before. */
  quota: Quota;
  status: number;
  bytes: number;
  /** Whether the body is streamed; the log line is then written when the body ends. */
  isStreaming: boolean;
};

/** The key of the entry on the request itself: a WeakMap of live requests costs an install more than its log line does. */
const ENTRY = Symbol('entry');
type LoggedRequest = Request & { [ENTRY]?: RequestEntry };

/** Follows a streamed body: `sent` is called for each part, `end` once, however it ends. */
export type Watcher = { readonly sent: (bytes: number) => void; readonly end: () => void };

/**
 * Keeps one entry for each request and writes its line: id, route (the pattern, never the URL: it may hold a key),
 * status, milliseconds, bytes, account.
 */
export function createRequestLog(log: Log): RequestLog {
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

export type RequestLog = {
  readonly of: (request: LoggedRequest) => RequestEntry;
  /** Writes the line of an answer that does not stream, before it is sent: then Bun removes its Content-Length. */
  readonly answered: (request: Request, route: string, response: unknown) => void;
  /** Follows a streamed body: counts its bytes, and writes the line when it ends. */
  readonly watch: (request: Request, route: string) => Watcher;
};
