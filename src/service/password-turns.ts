import { Refusal } from '../refusal.ts';
import { createRateLimit, type Rate } from './rate-limit.ts';

/** Hashing blocks a thread for about 30 ms and takes 19 MiB. */
const AT_A_TIME = 2;
const PACE: Rate = { burst: 20, interval: 50 };

/** How many may wait, of one party and in all. */
const EACH = 32;
const ALL = 200;

/** The one who waits: an address prefix or an account. `isFamiliar` if it signed in to this account before. */
export type Party = { readonly key: string; readonly isFamiliar: boolean };

type Waiter = { readonly start: () => void; readonly refuse: () => void };
type Line = Map<string, Waiter[]>;

/**
 * Runs the work of hashing two at a time and twenty a second. Parties take turns, so that however much work one brings,
 * another waits for one turn of each. Familiar parties and strangers alternate: a botnet cannot hold up a person who
 * comes back. A party has at most 32 waiting; if 200 wait in all, the party with the most gives one up, and a
 * stranger gives way to a familiar party. `now` is a monotonic clock in milliseconds.
 */
export function createPasswordTurns(now: () => number) {
  const [familiar, strangers]: [Line, Line] = [new Map(), new Map()];
  const pace = createRateLimit(PACE);
  let running = 0;
  let waiting = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let isFamiliarNext = true;

  const next = (): Waiter | undefined => {
    const [first, second] = isFamiliarNext ? [familiar, strangers] : [strangers, familiar];
    isFamiliarNext = !isFamiliarNext;
    return takeTurn(first) ?? takeTurn(second);
  };

  const startNext = (): void => {
    while (waiting > 0 && running < AT_A_TIME) {
      const at = now();
      const wait = pace.wait('', at);
      if (wait > 0) {
        timer ??= setTimeout(() => ((timer = null), startNext()), wait);
        return;
      }
      pace.take('', at);
      waiting--;
      running++;
      next()?.start();
    }
  };

  /** Waits for a turn; refused if too many wait already. */
  const enter = async ({ key, isFamiliar }: Party): Promise<void> => {
    const line = isFamiliar ? familiar : strangers;
    if ((line.get(key)?.length ?? 0) >= EACH) throw tooMany();
    if (waiting >= ALL)
      makeRoom(isFamiliar ? strangers : new Map(), [familiar, strangers], line.get(key)?.length ?? 0);
    else waiting++;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter = { start: resolve, refuse: () => reject(tooMany()) };
    line.set(key, [...(line.get(key) ?? []), waiter]);
    startNext();
    await promise;
  };

  return async <T>(party: Party, work: () => Promise<T>): Promise<T> => {
    await enter(party);
    try {
      return await work();
    } finally {
      running--;
      startNext();
    }
  };
}

/** The first waiter of the party whose turn it is; the party goes to the end of the line. */
function takeTurn(line: Line): Waiter | undefined {
  const [first] = line;
  if (first === undefined) return undefined;
  const [key, [waiter, ...rest]] = first;
  line.delete(key);
  if (rest.length > 0) line.set(key, rest);
  return waiter;
}

/**
 * Refuses the last waiter of the party with the most: one of those who `yields` to the newcomer, if there are any, and
 * else of all. Refuses the newcomer if its own party would then have as many.
 */
function makeRoom(yields: Line, all: readonly Line[], own: number): void {
  const line = yields.size > 0 ? yields : new Map(all.flatMap((parties) => [...parties]));
  const [key, most] = [...line].reduce((a, b) => (b[1].length > a[1].length ? b : a));
  if (yields.size === 0 && most.length <= own + 1) throw tooMany();
  most.pop()?.refuse();
  if (most.length === 0) yields.delete(key);
}

function tooMany(): Refusal {
  return new Refusal('rate-limited', 'Cannot check the password: too many wait; try again in a second', 1);
}
