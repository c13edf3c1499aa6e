import { createHash } from 'node:crypto';
import type { Words } from '../words/words.ts';
import { ToldRefusal } from '../words/told.ts';

const PREFIX: Rate = { burst: 10, interval: 60_000 };
const ACCOUNT: Rate = { burst: 100, interval: 1000 };

const LONGEST_DELAY = 60_000;
/** How long a failure is remembered, in milliseconds. */
const MEMORY = 60 * 60 * 1000;
const FAMILIAR = 10_000;

/** The failures of one account from one address prefix. */
type Failures = { readonly count: number; readonly at: number };

/**
 * Slows the guessing of passwords and never locks anybody out. An attempt counts as failed from when it begins until it is
 * known to be right, so that a hundred at once are no way around. Three rules, the first two enough against one machine:
 *
 * - an address prefix has ten failures, then one a minute;
 * - after each failure an account is closed **to that prefix** for 1, 2, 4 … 60 s. It stays open to others: otherwise one
 *   wrong guess a minute, by anybody who knows the e-mail address, would keep its owner out for good;
 * - against many prefixes, an account takes a hundred failures, then one a second. Exempt are the first attempt from a
 *   prefix in an hour, so that the right password works at once however many attack, and prefixes from which the account
 *   was signed in to before. A person who mistypes elsewhere during such an attack may have to try for long: any other
 *   network, or a reset link, which needs no password, lets them in.
 *
 * Memory is bounded by `createPasswordTurns`, which verifies at most 20 a second: an entry lives an hour at the longest,
 * 72,020 of them. `now` is a monotonic clock in milliseconds. A refused attempt is `rate-limited` and says when to try
 * again.
 */
export function createThrottle(now: () => number) {
  const prefixes = createRateLimit(PREFIX);
  const accounts = createRateLimit(ACCOUNT);
  const failures = new Map<string, Failures>();
  const familiar = new Set<string>();
  let swept = now();

  const sweep = (at: number): void => {
    if (at - swept < PREFIX.interval) return;
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

  /** Counts an attempt, or refuses it. Returns the function that takes the count back. */
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
     * Runs `verify` if the attempt is admitted, and reports whether the password was right. `verify` is told whether the
     * prefix signed in to the account before. An attempt that throws counts for nothing. After `half`, a right password
     * without its code, the attempt stays counted until `finish`.
     */
    async attempt(prefix: string, email: string, verify: Verify) {
      const [account, pair] = namesOf(prefix, email);
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
    /** Takes the count of a right password back, once the code that had to follow was right too. */
    finish(prefix: string, email: string): void {
      const [account, pair] = namesOf(prefix, email);
      prefixes.giveBack(prefix);
      accounts.giveBack(account);
      markFamiliar(pair);
    },
    /** Returns how many entries are held in memory. */
    size: (): number => prefixes.size() + accounts.size() + failures.size + familiar.size,
  };
}

function delayAfter(past: Failures | undefined, at: number): number {
  if (past === undefined) return 0;
  return past.at + Math.min(1000 * 2 ** (past.count - 1), LONGEST_DELAY) - at;
}

/** Verifies a password, and reports whether it is right; `half` if a code must follow. */
type Verify = (isFamiliar: boolean) => Promise<boolean | 'half'>;

/** Returns the names under which attempts are counted: one for the account, one for the account and the prefix. */
function namesOf(prefix: string, email: string): readonly [account: string, pair: string] {
  const account = digest(email.trim().toLowerCase());
  return [account, `${account} ${prefix}`];
}

/** Hashes an address for use as a name, since the typed text may be long and need not be kept. */
const digest = (email: string): string => createHash('sha256').update(email).digest('base64url').slice(0, 22);

/** Makes the refusal of an attempt that must wait `wait` milliseconds. `say` writes its sentence, which has the seconds. */
export function mustWait(
  wait: number,
  say: (refusals: Words['refusals'], seconds: number) => string,
): ToldRefusal {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  return new ToldRefusal('rate-limited', (refusals) => say(refusals, seconds), seconds);
}

/** A rate: `burst` at once, then one in each `interval`, in milliseconds. */
export type Rate = { readonly burst: number; readonly interval: number };

export type RateLimit = {
  /** Returns how many milliseconds to wait until the next one is allowed; 0 if it is now. */
  readonly wait: (key: string, at: number) => number;
  readonly take: (key: string, at: number) => void;
  readonly giveBack: (key: string) => void;
  readonly size: () => number;
};

/** How often keys are dropped whose burst is whole again, in milliseconds. */
const SWEEP = 60_000;

/** Creates a limit by the generic cell rate algorithm (ITU-T I.371): for each key, the time when its burst is whole again. */
export function createRateLimit({ burst, interval }: Rate): RateLimit {
  const ends = new Map<string, number>();
  let swept = 0;
  return {
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
