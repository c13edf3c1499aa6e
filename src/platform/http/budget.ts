import type { AgentPrincipal } from '../base/principal.ts';
import { type ClientAddress, createAddressReader, type ProxySight } from './address.ts';
import { type Budget, createSlidingWindow, type Verdict } from './sliding-window.ts';
import { type Say, ToldRefusal } from '../base/told.ts';
import type { Ground } from '../base/stall.ts';
import type { RequestEntry } from './request-log.ts';

export const STREAMS = 4;

/**
 * The maximum number of long lists that are sent to one account at the same time. Each takes a third of a megabyte of memory.
 */
const LISTS = 8;

/**
 * The maximum number of searches of one account or address that run at the same time. `WAITING_SEARCHES` includes waiting ones.
 */
export const SEARCHES = 2;
export const WAITING_SEARCHES = 10;

export type SeeProxy = (sight: ProxySight, peer: string) => void;

/**
 * Creates the limits on requests, and on the answers that are open at the same time. Beyond its limit, each refuses with
 * `rate-limited` and the seconds to wait.
 */
export function createBudgets({ config, log }: Ground, connections: Connections, seeProxy: SeeProxy) {
  const now = () => performance.now();
  const see: SeeProxy = (sight, peer) => {
    seeProxy(sight, peer);
    const message = `Ignored X-Forwarded-For from "${peer}": if that is your proxy, start with --trusted-proxies ${peer}`;
    if (sight === 'unlisted') log({ event: 'proxy-header', message });
  };
  const readAddress = createAddressReader({ trustedProxies: config.trustedProxies, see });
  const shared = config.budget && createSlidingWindow({ ...config.budget, now });
  const routes = config.routeBudget && createSlidingWindow({ ...config.routeBudget, now });
  const enterStream = createOpenAnswers(STREAMS, (r) => r.request.questionsAtOnce({ most: STREAMS }));
  const enterFile = createOpenAnswers(1, (r) => r.request.filesAtOnce);
  const enterList = createOpenAnswers(LISTS, (r) => r.request.listsAtOnce({ most: LISTS }));

  const inSearchPlace = createWaitingPlaces(SEARCHES, WAITING_SEARCHES, (r) =>
    r.request.searchesAtOnce({ most: WAITING_SEARCHES }),
  );

  const addressOf = (request: Request): ClientAddress =>
    readAddress(connections.peerOf(request), request.headers.get('x-forwarded-for'));

  return {
    addressOf,
    /** Counts a request for an install or the library by its client's address. Stores the RateLimit headers in `entry`. */
    takeShared(request: Request, entry: RequestEntry): void {
      if (config.budget === null || shared === null) return;
      const { key, coarseKey } = addressOf(request);
      const verdict = shared.take(key, coarseKey);
      entry.quota = quotaOf(verdict, config.budget);
      refuseExceeded(verdict, config.budget, 'address');
    },
    takeRoute(request: Request, principal: AgentPrincipal): void {
      if (config.routeBudget === null || routes === null) return;
      const { key, coarseKey } =
        principal.kind !== 'anonymous'
          ? { key: principal.accountId, coarseKey: principal.accountId }
          : addressOf(request);
      refuseExceeded(
        routes.take(key, coarseKey),
        config.routeBudget,
        principal.kind === 'anonymous' ? 'address' : 'account',
      );
    },
    /**
     * Counts a question of an account while it is answered. Returns the function that ends the count, which may be called
     * twice.
     */
    enterStream: ({ accountId }: { readonly accountId: string }) => enterStream(accountId),
    /** Count like `enterStream`: `enterFile` allows an account one long download at a time, `enterList` eight long lists. */
    enterFile,
    enterList,
    search: <Result>(request: Request, principal: AgentPrincipal, task: () => Promise<Result>) =>
      inSearchPlace(principal.kind === 'anonymous' ? addressOf(request).key : principal.accountId, task),
  };
}

export type Budgets = ReturnType<typeof createBudgets>;

function createOpenAnswers(most: number, full: Say): (accountId: string) => () => void {
  const places = new Map<string, Set<object>>();
  return (accountId) => {
    const open = places.getOrInsertComputed(accountId, () => new Set());
    if (open.size >= most) throw new ToldRefusal('rate-limited', full, 1);
    const place = {};
    open.add(place);
    return () => {
      if (open.delete(place) && open.size === 0) places.delete(accountId);
    };
  };
}

/**
 * Creates a function that runs at most `most` tasks of the same name at a time, while others wait for their turn. Refuses with
 * `rate-limited` if `inAll` tasks of the name already run or wait.
 */
function createWaitingPlaces(most: number, inAll: number, full: Say) {
  const rooms = new Map<string, { count: number; readonly waiting: (() => void)[] }>();
  return async <Result>(name: string, task: () => Promise<Result>): Promise<Result> => {
    const room = rooms.getOrInsertComputed(name, () => ({ count: 0, waiting: [] }));
    if (room.count >= inAll) throw new ToldRefusal('rate-limited', full, 1);
    if (++room.count > most) await new Promise<void>((resolve) => room.waiting.push(resolve));
    try {
      return await task();
    } finally {
      if (--room.count === 0) rooms.delete(name);
      room.waiting.shift()?.();
    }
  };
}

const quotaOf = ({ remaining, resetSeconds }: Verdict, { limit, seconds }: Budget) => ({
  'RateLimit-Policy': `"ip";q=${limit};w=${seconds}`,
  RateLimit: `"ip";r=${remaining};t=${resetSeconds}`,
});

function refuseExceeded(verdict: Verdict, { limit, seconds }: Budget, who: 'address' | 'account'): void {
  if (verdict.admitted) return;
  const values = { limit, seconds, wait: verdict.resetSeconds };
  throw new ToldRefusal('rate-limited', (r) => r.request[`${who}Later`](values), verdict.resetSeconds);
}

type Listener = {
  requestIP(request: Request): { readonly address: string } | null;
  timeout(request: Request, seconds: number): void;
};

/**
 * Creates functions that ask the server about a request's connection. Handlers must not use Elysia's `server` for this: if one
 * does, Elysia sets it for every request, which takes a third of the time of an install.
 */
export const createConnections = (listener: () => Listener | null) => ({
  peerOf: (request: Request): string | null => listener()?.requestIP(request)?.address ?? null,
  /** Sets the seconds in which the connection may transfer nothing while this request is answered; 0 means no limit. */
  allowSilence: (request: Request, seconds: number): void => listener()?.timeout(request, seconds),
});

export type Connections = ReturnType<typeof createConnections>;
