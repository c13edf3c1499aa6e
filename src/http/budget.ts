import type { Principal } from '../access/principal.ts';
import { type ClientAddress, createAddressReader } from '../budget/address.ts';
import { type Budget, createSlidingWindow, type Verdict } from '../budget/sliding-window.ts';
import type { Config } from '../config.ts';
import type { Log } from '../log.ts';
import { Refusal } from '../refusal.ts';
import type { Exchange } from './exchange.ts';

/** Questions one account may have answered at the same time. */
const STREAMS = 4;

/** What a budget needs of Bun's server. */
export type Peers = { requestIP(request: Request): { readonly address: string } | null } | null;

/** Both budgets of contract §4 and the count of open answers. Each refuses with rate-limited and the seconds to wait. */
export function createBudgets(config: Pick<Config, 'budget' | 'routeBudget' | 'trustedProxies'>, log: Log) {
  const now = () => performance.now();
  const warn = (message: string) => log({ event: 'proxy-header', message });
  const readAddress = createAddressReader({ trustedProxies: config.trustedProxies, warn });
  const shared = config.budget && createSlidingWindow({ ...config.budget, now });
  const quotaHeaders = config.budget && createQuotaHeaders(config.budget);
  const routes = config.routeBudget && createSlidingWindow({ ...config.routeBudget, now });
  const streams = new Map<string, number>();

  const addressOf = (request: Request, peers: Peers): ClientAddress =>
    readAddress(peers?.requestIP(request)?.address ?? null, request.headers.get('x-forwarded-for'));

  return {
    /** Install and library together, per client address; notes the RateLimit headers for whatever is answered. */
    takeShared(request: Request, peers: Peers, exchange: Exchange): void {
      if (config.budget === null || shared === null || quotaHeaders === null) return;
      const { key, coarseKey } = addressOf(request, peers);
      const verdict = shared.take(key, coarseKey);
      exchange.quota = quotaHeaders(verdict);
      refuseExceeded(verdict, config.budget, 'this address');
    },
    /** Every other route, per account, and per client address for those we do not know. */
    takeRoute(request: Request, peers: Peers, principal: Principal): void {
      if (config.routeBudget === null || routes === null) return;
      const { key, coarseKey } =
        principal.kind === 'account'
          ? { key: principal.accountId, coarseKey: principal.accountId }
          : addressOf(request, peers);
      refuseExceeded(
        routes.take(key, coarseKey),
        config.routeBudget,
        principal.kind === 'account' ? 'this account' : 'this address',
      );
    },
    /** Takes one of an account's places for open answers; `leave` gives it back and may be called twice. */
    enterStream({ accountId }: { readonly accountId: string }): { leave(): void } {
      const open = streams.get(accountId) ?? 0;
      if (open >= STREAMS)
        throw new Refusal(
          'rate-limited',
          `Cannot answer more than ${STREAMS} questions of one account at once: wait for one to end`,
          1,
        );
      streams.set(accountId, open + 1);
      let isOpen = true;
      return {
        leave() {
          if (!isOpen) return;
          isOpen = false;
          const left = (streams.get(accountId) ?? 1) - 1;
          if (left === 0) streams.delete(accountId);
          else streams.set(accountId, left);
        },
      };
    },
  };
}

export type Budgets = ReturnType<typeof createBudgets>;

/** RateLimit header fields as in draft-ietf-httpapi-ratelimit-headers-10: quoted policy names. */
function createQuotaHeaders({ limit, seconds }: Budget) {
  const policy = `"ip";q=${limit};w=${seconds}`;
  return ({ remaining, resetSeconds }: Verdict): Readonly<Record<string, string>> => ({
    'RateLimit-Policy': policy,
    RateLimit: `"ip";r=${remaining};t=${resetSeconds}`,
  });
}

function refuseExceeded(verdict: Verdict, { limit, seconds }: Budget, who: string): void {
  if (verdict.admitted) return;
  throw new Refusal(
    'rate-limited',
    `Cannot take more than ${limit} requests in ${seconds} s from ${who}: wait ${verdict.resetSeconds} s`,
    verdict.resetSeconds,
  );
}
