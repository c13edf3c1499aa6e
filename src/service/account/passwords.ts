import { normalizePassword, readPassword } from '../../access/password.ts';
import { Refusal } from '../../refusal.ts';
import type { Store } from '../../store/store.ts';

/** OWASP's second choice of equal strength: 19 MiB, two passes, one lane, about 30 ms (Password Storage Cheat Sheet). */
const ARGON2ID = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const;
const PHC = '$argon2id$v=19$m=19456,t=2,p=1$';

/** Hashing blocks a thread and takes memory: so many at a time, and so many more that wait for their turn. */
const AT_A_TIME = 2;
const QUEUE = 32;

/** Of a password that nobody has kept, for accounts without one: verified all the same, so that the time taken tells nobody which accounts there are. */
const DUMMY =
  '$argon2id$v=19$m=19456,t=2,p=1$QgvSPIknsNpZ1Veo+uKNwZQa3YWLz5tvHuEWewHU8c4$WlNNxs4uzAH7rA8gaW4jp4kbQKtTA5TTBm/YRGmf3xc';

/** The use cases of passwords. `stallName` is refused as a password, like the account's own e-mail address. */
export function createPasswords(store: Store, stallName: () => string, now: () => number) {
  const inTurn = createTurns();

  return {
    /** The hash of a password that was chosen: a PHC string. Refuses what `readPassword` does, and what anybody would guess first. */
    async hash(text: string, email: string): Promise<string> {
      const password = readPassword(text);
      await refuseGuessable(password, [email, stallName()]);
      return inTurn(() => Bun.password.hash(password, ARGON2ID));
    },
    /** Whether the password is the one of this hash; null is an account without one, or none at all, and takes as long. */
    async verify(text: string, hash: string | null): Promise<boolean> {
      const password = normalizePassword(text);
      const isRight = await inTurn(() => Bun.password.verify(password, hash ?? DUMMY));
      return isRight && hash !== null;
    },
    /** A hash that other parameters made is made anew, at a sign-in: the only time the password is known. */
    async renew(text: string, accountId: string, hash: string): Promise<void> {
      if (hash.startsWith(PHC)) return;
      const to = await inTurn(() => Bun.password.hash(normalizePassword(text), ARGON2ID));
      await store.write('rehashPassword', { accountId, from: hash, to });
    },
    /** Takes an account's password away, and ends its sessions. */
    async remove(accountId: string): Promise<void> {
      await store.write('removePassword', { accountId, at: now() });
    },
  };
}

export type Passwords = ReturnType<typeof createPasswords>;

async function refuseGuessable(password: string, names: readonly string[]): Promise<void> {
  const folded = password.toLowerCase();
  if (names.some((name) => name.normalize('NFC').trim().toLowerCase() === folded.trim()))
    throw guessable('it is your e-mail address or the name of this stall');
  if ((await loadCommonest()).has(folded)) throw guessable('it is one of the commonest there are');
}

function guessable(reason: string): Refusal {
  return new Refusal(
    'invalid-request',
    `Cannot use this password: ${reason}; choose another, several words are best`,
  );
}

/** Half a megabyte that only choosing a password needs. */
async function loadCommonest(): Promise<ReadonlySet<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
}

/** Runs two at a time, the others in the order they came; refuses where 32 wait already. */
function createTurns() {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async <T>(work: () => Promise<T>): Promise<T> => {
    if (running < AT_A_TIME) running++;
    else if (waiting.length < QUEUE) await new Promise<void>((resolve) => waiting.push(resolve));
    else
      throw new Refusal('rate-limited', 'Cannot check the password: too many wait; try again in a second', 1);
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
