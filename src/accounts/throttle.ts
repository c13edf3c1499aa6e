import { createHash } from 'node:crypto';
import { formatClient } from '../platform/http/address.ts';
import type { Log } from '../platform/base/log.ts';
import type { Words } from '../words/words.ts';
import { ToldRefusal } from '../platform/base/told.ts';

export const NETWORK_TRIES: Rate = { burst: 10, interval: 60_000 };
export const ACCOUNT_TRIES: Rate = { burst: 100, interval: 1000 };

export const LONGEST_DELAY = 60_000;
const MEMORY = 60 * 60 * 1000;
const FAMILIAR = 10_000;

/** Logs a wrong password or code, for fail2ban. Does not log the typed address: it may be a password in the wrong field. */
export const logFailedSignIn = (log: Log, network: string, account: string | null): void =>
  log({ event: 'sign-in-failed', address: formatClient(network), account });

type Failures = { readonly count: number; readonly at: number };

/**
 *  Slows down the guessing of passwords without ever locking an account. A try counts as failed from its start until it
 *  is known to be right, so that a hundred tries at once do not get around this. Of the three rules, the first two
 *  suffice against one machine:
 *
 *  - a network has ten failures, then one a minute;
 *  - after each failure an account is closed **to that network** for 1, 2, 4 … 60 s. It stays open to others: otherwise
 *    one wrong guess a minute, by anybody who knows the e-mail address, would keep its owner out for good;
 *  - against many networks, an account takes a hundred failures, then one a second. The first try from a network in an
 *    hour is exempt, so that the right password works at once however many attack; so are networks that signed in to the
 *    account before. A person who mistypes elsewhere during such an attack may have to try for long: any other network, or
 *    a reset link, which needs no password, lets them in.
 *
 *  Memory is bounded: `createPasswordTurns` verifies 20 a second, and failures are kept for an hour, at most 72,020.
 *  `now` is a monotonic clock in milliseconds. A refused try is `rate-limited` and says when to try again.
 */
export function createThrottle(now: () => number) {
  const prefixes = createRateLimit(NETWORK_TRIES);
  const accounts = createRateLimit(ACCOUNT_TRIES);
  const failures = new Map<string, Failures>();
  const familiar = new Set<string>();
  let swept = now();

  const sweep = (at: number): void => {
    if (at - swept < NETWORK_TRIES.interval) return;
    swept = at;
    for (const [pair, { at: failed }] of failures) if (at - failed >= MEMORY) failures.delete(pair);
  };
  const recall = (pair: string, at: number): Failures | undefined => {
    const known = failures.get(pair);
    return known === undefined || at - known.at >= MEMORY ? undefined : known;
  };
  const markFamiliar = (pair: string): void => {
    failures.delete(pair);
    familiar.delete(pair);
    familiar.add(pair);
    const [eldest] = familiar;
    if (familiar.size > FAMILIAR && eldest !== undefined) familiar.delete(eldest);
  };

  /** Counts a try as failed, or refuses it. Returns a function that takes the count back. */
  const admit = (prefix: string, account: string, pair: string): (() => void) => {
    const at = now();
    sweep(at);
    const past = recall(pair, at);
    const crowd = accounts.wait(account, at);
    const wait = Math.max(
      prefixes.wait(prefix, at),
      delayAfter(past, at),
      past === undefined || familiar.has(pair) ? 0 : crowd,
    );
    if (wait > 0) throw mustWait(wait, ({ account }, seconds) => account.signInLater({ seconds }));
    prefixes.take(prefix, at);
    if (crowd === 0) accounts.take(account, at);
    return () => {
      prefixes.giveBack(prefix);
      if (crowd === 0) accounts.giveBack(account);
    };
  };

  return {
    /**
     * Calls `verify` if the try is allowed, and returns whether the password was right. `verify` is told whether this
     * network signed in to the account before. If it throws, the try is not counted; if it returns `half` (a right password
     * without its code yet), the try counts until `finish` is called.
     */
    async attempt(prefix: string, email: string, verify: Verify) {
      const { account, pair } = namesOf(prefix, email);
      const takeBack = admit(prefix, account, pair);
      let isRight: Awaited<ReturnType<Verify>> = false;
      try {
        isRight = await verify(familiar.has(pair));
      } catch (error) {
        takeBack();
        throw error;
      }
      if (isRight === true) {
        takeBack();
        markFamiliar(pair);
      } else if (!isRight) {
        const at = now();
        failures.set(pair, { count: (recall(pair, at)?.count ?? 0) + 1, at });
      }
      return isRight !== false;
    },
    finish(prefix: string, email: string): void {
      const { account, pair } = namesOf(prefix, email);
      prefixes.giveBack(prefix);
      accounts.giveBack(account);
      markFamiliar(pair);
    },
    size: (): number => prefixes.size() + accounts.size() + failures.size + familiar.size,
  };
}

function delayAfter(past: Failures | undefined, at: number): number {
  if (past === undefined) return 0;
  return past.at + Math.min(1000 * 2 ** (past.count - 1), LONGEST_DELAY) - at;
}

type Verify = (isFamiliar: boolean) => Promise<boolean | 'half'>;

function namesOf(prefix: string, email: string) {
  const account = digest(email.trim().toLowerCase());
  return { account, pair: `${account} ${prefix}` };
}

/** Hashes a typed e-mail address to a short key: the text may be long, and need not be stored. */
const digest = (email: string): string => createHash('sha256').update(email).digest('base64url').slice(0, 22);

export function mustWait(wait: number, say: (refusals: Words['refusals'], seconds: number) => string) {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  return new ToldRefusal('rate-limited', (refusals) => say(refusals, seconds), seconds);
}

/** A rate limit: `burst` at once, then one in each `interval` of milliseconds. */
export type Rate = { readonly burst: number; readonly interval: number };

const SWEEP = 60_000;

/**
 * Creates a rate limit by the generic cell rate algorithm (ITU-T I.371): for each key it stores when the whole burst is
 * available.
 */
export function createRateLimit({ burst, interval }: Rate) {
  const ends = new Map<string, number>();
  let swept = 0;
  return {
    /** Returns how many milliseconds a key has to wait until it may `take` one more; 0 if it may now. */
    wait: (key: string, at: number): number =>
      Math.max(0, (ends.get(key) ?? at) - at - (burst - 1) * interval),
    take(key: string, at: number): void {
      if (at - swept >= SWEEP) for (const [other, end] of ends) if (end <= at) ends.delete(other);
      if (at - swept >= SWEEP) swept = at;
      ends.set(key, Math.max(ends.get(key) ?? at, at) + interval);
    },
    giveBack(key: string): void {
      const end = ends.get(key);
      if (end !== undefined) ends.set(key, end - interval);
    },
    size: (): number => ends.size,
  };
}

export type RateLimit = ReturnType<typeof createRateLimit>;
