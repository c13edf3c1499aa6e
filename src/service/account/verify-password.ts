import type { Log } from '../../log.ts';
import { Refusal } from '../../refusal.ts';
import type { Store } from '../../store/store.ts';
import type { Credentials } from '../../store/tables/passwords.ts';
import type { Passwords } from './passwords.ts';
import type { Throttle } from './throttle.ts';

/** The account whose password is tried. `address` is the client's prefix, as `ClientAddress.key` has it. */
export type PasswordAttempt = { readonly email: string; readonly password: string; readonly address: string };

/** Returns the account whose password this is; refuses with `complaint` if it is not, after the same time for every e-mail address. */
export type VerifyPassword = (attempt: PasswordAttempt, complaint: string) => Promise<Credentials>;

type Dependencies = {
  readonly store: Store;
  readonly passwords: Passwords;
  readonly throttle: Throttle;
  readonly log: Log;
};

/** Verifies passwords under the throttle, and logs each that is wrong. */
export function createVerifyPassword({ store, passwords, throttle, log }: Dependencies): VerifyPassword {
  return async ({ email, password, address }, complaint) => {
    const credentials = await store.findCredentials(email.trim());
    const hash = credentials?.passwordHash ?? null;
    const isRight = await throttle.attempt(address, email, (isFamiliar) =>
      passwords.verify(password, hash, { key: address, isFamiliar }),
    );
    if (isRight && credentials !== null) return credentials;
    // Without the e-mail address: if no account has it, it may be a password in the wrong field.
    log({ event: 'sign-in-failed', address: formatPrefix(address), account: credentials?.accountId ?? null });
    throw new Refusal('unauthenticated', complaint);
  };
}

/** The refusal of a password that was right when it was verified, and is not any more. */
export function passwordChanged(): Refusal {
  return new Refusal(
    'unauthenticated',
    'Cannot sign in: the password was changed or the account disabled during the sign-in; sign in again',
  );
}

/** An IPv6 prefix as a network that fail2ban and firewalls can read: its key is the first four groups. */
function formatPrefix(prefix: string): string {
  return prefix.includes(':') ? `${prefix}::/64` : prefix;
}
