import { hashSecret } from '../../access/session.ts';
import { removeSetupUrl } from '../../store/lock/server-note.ts';
import type { Store } from '../../store/store.ts';
import type { Link } from '../../store/tables/links.ts';
import { readEmail } from '../../access/email-address.ts';
import { Refusal } from '../../refusal.ts';
import { type Links, unusable } from './links.ts';
import type { Passwords } from './passwords.ts';
import { mintRow, signedIn, type SignedIn } from './sessions.ts';

type Dependencies = {
  readonly store: Store;
  readonly links: Links;
  readonly passwords: Passwords;
  readonly dataDirectory: string;
  readonly now: () => number;
};

/** The form of a link's page; only a set-up has an e-mail address. */
export type LinkAnswer = {
  readonly email?: string;
  readonly password: string;
  readonly userAgent: string | null;
};

/**
 * Uses a link up in one transaction: of two who use it at once, one is refused. Sets the password, signs in, and ends every
 * other session and link of the account. A link that was sent to an address sets a first password alone. Refuses what
 * `find`, `readPassword` and e-mail addresses do; then it stays open.
 */
export function createRedeemLink({ store, links, passwords, dataDirectory, now }: Dependencies) {
  return async (secret: string, answer: LinkAnswer): Promise<SignedIn> => {
    // Before the slow hash: a stranger's guess must cost us nothing.
    const link = await links.find(secret);
    const email = link.email ?? readEmail(answer.email ?? '');
    if (isToAddress(link) && (await store.findAccountByAddress(email))?.hasPassword === true)
      throw hasAccount();
    const passwordHash = await passwords.hash(answer.password, email);
    const at = now();
    const accountId = crypto.randomUUID();
    const { cookie, row: session } = mintRow(accountId, answer.userAgent, at);
    const secretHash = hashSecret(secret);
    const change = { secretHash, passwordHash, email, accountId, session, at };
    const holder = await store.write('useLink', change);
    if (holder === null) throw unusable();
    if (link.purpose === 'setup') removeSetupUrl(dataDirectory);
    return signedIn(cookie, { ...session, accountId: holder.accountId }, holder);
  };
}

/** Whether a link was sent to an address without an account, which may have one by now. */
const isToAddress = ({ purpose, accountId }: Link): boolean => purpose !== 'setup' && accountId === null;

function hasAccount(): Refusal {
  return new Refusal(
    'invalid-request',
    'Cannot set a password by this link: its address has an account; sign in, then open the link again',
  );
}
