import type { AgentPrincipal } from '../access/principal.ts';
import { type ClientAddress, createAddressReader, type ProxySight } from '../budget/address.ts';
import { type Budget, createSlidingWindow, type Verdict } from '../budget/sliding-window.ts';
import { type Say, ToldRefusal } from '../words/told.ts';
import type { Stall } from '../service/stall.ts';
import type { RequestEntry } from './request-log.ts';

/** The most questions of one account that are answered at the same time. */
const STREAMS = 4;

/** The most long lists that one account is sent at the same time. Each is made while it is sent, and holds a third of a MB. */
const LISTS = 8;

/** The most searches of one account or address that run at the same time; `WAITING_SEARCHES` is the most that run or wait. */
const SEARCHES = 2;
const WAITING_SEARCHES = 10;

/** Called with the first request of each kind that reveals something about the proxies in front of the server, and its peer. */
export type SeeProxy = (sight: ProxySight, peer: string) => void;

/** Creates both request budgets, and the counts of open answers. Each refuses `rate-limited`, with the seconds to wait. */
export function createBudgets({ config, log }: Stall, connections: Connections, seeProxy: SeeProxy): Budgets {
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
    enterStream: ({ accountId }) => enterStream(accountId),
    enterFile,
    enterList,
    search: (request, principal, task) =>
      inSearchPlace(principal.kind === 'anonymous' ? addressOf(request).key : principal.accountId, task),
  };
}

/**
 * Creates a counter of the long answers that are open, by account. It takes a place, and returns the function that gives it
 * back. Refuses `rate-limited` if the account has `most` open.
 */
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
 * Creates a function that runs at most `most` tasks of one name at a time. Others wait in turn; refuses `rate-limited` if
 * `inAll` tasks of the name run or wait.
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

export type Budgets = {
  /** Returns the client address that a request counts for. */
  readonly addressOf: (request: Request) => ClientAddress;
  /** Takes a request from the budget of install and library, per client address; notes the RateLimit headers in `entry`. */
  readonly takeShared: (request: Request, entry: RequestEntry) => void;
  /** Takes a request from the budget of all other routes, per account, or per client address for anonymous clients. */
  readonly takeRoute: (request: Request, principal: AgentPrincipal) => void;
  /** Takes one of an account's places for questions; returns the function that gives it back, which may be called twice. */
  readonly enterStream: (account: { readonly accountId: string }) => () => void;
  /**
   * Takes an account's one place for a long download, like `enterStream`; `enterList` takes one of its places for long lists.
   */
  readonly enterFile: (accountId: string) => () => void;
  readonly enterList: (accountId: string) => () => void;
  /** Runs a search once its account or address has a place for it. */
  readonly search: <Result>(
    request: Request,
    principal: AgentPrincipal,
    task: () => Promise<Result>,
  ) => Promise<Result>;
};

/** Returns the RateLimit header fields of draft-ietf-httpapi-ratelimit-headers-10, in which policy names are quoted. */
const quotaOf = ({ remaining, resetSeconds }: Verdict, { limit, seconds }: Budget) => ({
  'RateLimit-Policy': `"ip";q=${limit};w=${seconds}`,
  RateLimit: `"ip";r=${remaining};t=${resetSeconds}`,
});

function refuseExceeded(verdict: Verdict, { limit, seconds }: Budget, who: 'address' | 'account'): void {
  if (verdict.admitted) return;
  const values = { limit, seconds, wait: verdict.resetSeconds };
  throw new ToldRefusal('rate-limited', (r) => r.request[`${who}Later`](values), verdict.resetSeconds);
}

/** The part of Bun's server that knows a request's connection. */
type Listener = {
  requestIP(request: Request): { readonly address: string } | null;
  timeout(request: Request, seconds: number): void;
};

/**
 * Asks the listening server about connections. Handlers use this and never name Elysia's `server`: if one does, Elysia
 * defines the property on the context of every request, which costs a third of an install.
 */
export const createConnections = (listener: () => Listener | null): Connections => ({
  peerOf: (request: Request): string | null => listener()?.requestIP(request)?.address ?? null,
  allowSilence: (request: Request, seconds: number): void => listener()?.timeout(request, seconds),
});

export type Connections = {
  /** Returns the address of a request's connection, which may be a proxy's; null if it is unknown. */
  readonly peerOf: (request: Request) => string | null;
  /** Sets for how many seconds the connection may be silent while this request is answered; 0 is unlimited. */
  readonly allowSilence: (request: Request, seconds: number) => void;
};
