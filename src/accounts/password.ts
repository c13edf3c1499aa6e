import { normalizePassword, readPassword } from './password.rule.ts';
import type { Log } from '../platform/base/log.ts';
import { normalForm } from '../platform/base/text.ts';
import { type Say, ToldRefusal } from '../platform/base/told.ts';
import type { Store } from './stall.ts';
import { createRateLimit, createThrottle, logFailedSignIn, type Rate } from './throttle.ts';

/**
 * The parameters of argon2id: 19 MiB, two passes, one lane, about 30 ms. OWASP's Password Storage Cheat Sheet lists them
 * second, as equally strong.
 */
const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;
const PHC = '$argon2id$v=19$m=19456,t=2,p=1$';

/**
 * The hash of a password that nobody has. It is checked for an unknown account, so that the answer takes as long as for
 * others.
 */
const DUMMY =
  '$argon2id$v=19$m=19456,t=2,p=1$QgvSPIknsNpZ1Veo+uKNwZQa3YWLz5tvHuEWewHU8c4$WlNNxs4uzAH7rA8gaW4jp4kbQKtTA5TTBm/YRGmf3xc';

export type PasswordAttempt = { readonly email: string; readonly password: string; readonly address: string };

/**
 * Hashes and checks passwords, a few at a time, and slows down guessing. Refuses a new password that is the account's
 * address or the stall's name.
 */
export function createPasswords(
  store: Store,
  stallName: () => string,
  log: Log,
  throttle = createThrottle(() => performance.now()),
) {
  const inTurn = createPasswordTurns(() => performance.now());
  const verify = async (text: string, hash: string | null, party: Party): Promise<boolean> => {
    const password = normalizePassword(text);
    const isRight = await inTurn(party, () => Bun.password.verify(password, hash ?? DUMMY));
    return isRight && hash !== null;
  };

  return {
    /** Hashes a new password, as a PHC string. Refuses what `readPassword` refuses, and the most common passwords. */
    async hash(text: string, email: string): Promise<string> {
      const password = readPassword(text);
      await refuseGuessable(password, [email, stallName()]);
      return inTurn(strangerOf(email), () => Bun.password.hash(password, ARGON2ID));
    },
    /** Whether a password has this hash. False if `hash` is null (no account, or no password), but only after the same time. */
    verify,
    /**
     * Finds the account with this e-mail address and password. Logs a wrong password and refuses it with `complaint`,
     * equally fast for every address.
     */
    async authenticate({ email, password, address }: PasswordAttempt, complaint: Say) {
      const credentials = store.findCredentials(email.trim());
      const hash = credentials?.passwordHash ?? null;
      const right = store.findSecondStep(credentials?.accountId ?? '') === null || 'half';
      const isRight = await throttle.attempt(
        address,
        email,
        async (isFamiliar) => (await verify(password, hash, { key: address, isFamiliar })) && right,
      );
      if (isRight && credentials !== null) return credentials;
      logFailedSignIn(log, address, credentials?.accountId ?? null);
      throw new ToldRefusal('unauthenticated', complaint);
    },
    /** Stops counting a right password as a guess. Call it when the code of a two-factor sign-in was right, too. */
    finish: throttle.finish,
    /** Replaces a hash that has outdated parameters. Possible only at a sign-in, when the password is known. */
    async renew(text: string, accountId: string, hash: string): Promise<void> {
      if (hash.startsWith(PHC)) return;
      const to = await inTurn(strangerOf(accountId), () =>
        Bun.password.hash(normalizePassword(text), ARGON2ID),
      );
      await store.write.rehashPassword({ accountId, from: hash, to });
    },
  };
}

export type Passwords = ReturnType<typeof createPasswords>;

/** Names the party that hashes the passwords of one account, so that these requests wait one behind the other. */
const strangerOf = (account: string): Party => ({ key: account, isFamiliar: false });

async function refuseGuessable(password: string, names: readonly string[]): Promise<void> {
  const folded = password.toLowerCase();
  if (names.some((name) => normalForm(name, 'NFC').trim().toLowerCase() === folded.trim()))
    throw new ToldRefusal('invalid-request', (r) => r.account.passwordIsName);
  if ((await loadCommonest()).has(folded))
    throw new ToldRefusal('invalid-request', (r) => r.account.passwordIsCommon);
}

/** Loads the list of the most common passwords: half a megabyte, loaded only when a password is chosen. */
async function loadCommonest(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

/**
 * The maximum number of hashes at a time, since each blocks a thread for about 30 ms and takes 19 MiB, and how fast they
 * begin.
 */
export const HASHES_AT_ONCE = 2;
export const HASH_PACE: Rate = { burst: 20, interval: 50 };

/** The maximum number of requests that wait for a hash: of one party, and in all. */
export const MOST_WAITING_EACH = 32;
export const MOST_WAITING = 200;

/** The sender of waiting requests: a network or an account. `isFamiliar`: the network signed in to the account before. */
export type Party = { readonly key: string; readonly isFamiliar: boolean };

type Waiter = { readonly start: () => void; readonly refuse: () => void };
type Line = Map<string, Waiter[]>;

/**
 * Orders the hashing of passwords, which runs two at a time and twenty a second. `now` is a monotonic clock in
 * milliseconds.
 *
 * - Parties take turns: if one sends many requests, another waits for only one of them.
 * - Familiar parties and strangers alternate, so that a botnet cannot keep out a person who comes back.
 * - A party has at most 32 requests waiting. If 200 wait in all, the party with the most loses one, and a stranger
 *   loses one before a familiar party does.
 */
export function createPasswordTurns(now: () => number) {
  const [familiar, strangers]: [Line, Line] = [new Map(), new Map()];
  const pace = createRateLimit(HASH_PACE);
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
    while (waiting > 0 && running < HASHES_AT_ONCE) {
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

  const enter = async ({ key, isFamiliar }: Party): Promise<void> => {
    const line = isFamiliar ? familiar : strangers;
    if ((line.get(key)?.length ?? 0) >= MOST_WAITING_EACH) throw tooMany();
    if (waiting >= MOST_WAITING)
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

function takeTurn(line: Line): Waiter | undefined {
  const [first] = line;
  if (first === undefined) return undefined;
  const [key, [waiter, ...rest]] = first;
  line.delete(key);
  if (rest.length > 0) line.set(key, rest);
  return waiter;
}

/**
 * Makes room by refusing the last waiting request of the party that has the most, in `yields` or, if that is empty, in any
 * line. If the newcomer's party (with `own` requests) would have as many, refuses the newcomer instead.
 */
function makeRoom(yields: Line, all: readonly Line[], own: number): void {
  const line = yields.size > 0 ? yields : new Map(all.flatMap((parties) => [...parties]));
  const [key, most] = [...line].reduce((a, b) => (b[1].length > a[1].length ? b : a));
  if (yields.size === 0 && most.length <= own + 1) throw tooMany();
  most.pop()?.refuse();
  if (most.length === 0) yields.delete(key);
}

const tooMany = (): ToldRefusal => new ToldRefusal('rate-limited', (r) => r.account.passwordsLater, 1);
