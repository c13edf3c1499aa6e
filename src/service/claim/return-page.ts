import { hintOf, isMailable } from '../../access/email-address.ts';
import { DAY, MINUTE } from '../../duration.ts';
import { Refusal } from '../../refusal.ts';
import { type Order, stateAt } from '../../sales/order.ts';
import type { Store } from '../../store/store.ts';
import type { Passwords } from '../account/passwords.ts';
import { createRateLimit } from '../rate-limit.ts';
import { mintRow, signedIn, type SignedIn } from '../account/sessions.ts';
import { returnKey } from './return-ids.ts';

/** How long after payment an order can be claimed by the id in the return address. A license key never expires. */
const OPEN = DAY;
const openFor = (provider: string): number => (provider === 'gumroad' ? Infinity : OPEN);

/** Unknown ids that an address may try in a minute. */
const UNKNOWN = 20;

/** The most ids that are remembered as counted, so that a page that reloads until its order arrives counts once. */
const REMEMBERED = 10_000;

/** The purchase that a return address names, as its claim page shows it. */
export type Returned =
  /** Unknown or not paid yet; the page cannot tell them apart. */
  | { readonly state: 'waiting' }
  /** Paid too long ago; only the link in the mail claims it. */
  | { readonly state: 'late' }
  /** Given away as a code. */
  | { readonly state: 'given' }
  /** In the library of the visitor's own account. */
  | { readonly state: 'yours'; readonly order: Order }
  /** In another account's library. */
  | { readonly state: 'claimed'; readonly holder: string }
  /** Can be added to the account that is signed in. */
  | { readonly state: 'open'; readonly order: Order }
  /** The buyer's address has an account: they sign in, or use the link in the mail. */
  | { readonly state: 'known'; readonly order: Order; readonly holder: string }
  /** The buyer's address has no account yet. */
  | { readonly state: 'new'; readonly order: Order; readonly email: string };

/** The visitor: their account, or null, and their network prefix. */
type Visitor = { readonly accountId: string | null; readonly address: string };

type Dependencies = {
  readonly store: Store;
  readonly passwords: Passwords;
  /** Whether purchases are claimed by a license key of Gumroad too. */
  readonly takesLicenseKeys: boolean;
  readonly now: () => number;
};

/**
 * The page that providers send buyers back to. The id in its address shows that someone just paid, not that they own the
 * address.
 */
export function createReturnPage({ store, passwords, takesLicenseKeys, now }: Dependencies) {
  const unknown = createRateLimit({ burst: UNKNOWN, interval: MINUTE / UNKNOWN });
  const counted = new Set<string>();

  const countUnknown = (address: string, name: string): void => {
    const at = now();
    const pair = `${address} ${name}`;
    if (counted.has(pair)) return;
    const wait = unknown.wait(address, at);
    if (wait > 0) throw tooMany(wait);
    unknown.take(address, at);
    counted.add(pair);
    const [eldest] = counted;
    if (counted.size > REMEMBERED && eldest !== undefined) counted.delete(eldest);
  };
  const find = async (provider: string, id: string, address: string): Promise<Order | null> => {
    const key = returnKey(provider, id);
    const order = key === null ? null : await store.findOrderByKey(provider, key);
    if (order !== null && order.erasedAt === null && stateAt(order, now()) === 'paid') return order;
    countUnknown(address, `${provider} ${id}`);
    return null;
  };
  const claimed = async (order: Order, holder: string, accountId: string | null): Promise<Returned> => {
    if (holder === accountId) return { state: 'yours', order };
    const account = await store.findAccountById(holder);
    return { state: 'claimed', holder: account === null ? '' : hintOf(account.email) };
  };
  const look = async (provider: string, id: string, { accountId, address }: Visitor): Promise<Returned> => {
    const order = await find(provider, id, address);
    if (order === null) return { state: 'waiting' };
    if (await store.isGiven(order.id)) return { state: 'given' };
    if (order.accountId !== null) return claimed(order, order.accountId, accountId);
    if (now() - (order.paidAt ?? 0) >= openFor(provider)) return { state: 'late' };
    const email = order.email?.trim() ?? '';
    // Nobody could verify an account without a mailable address, so the purchase is added to another account.
    if (accountId !== null || !isMailable(email)) return { state: 'open', order };
    const known = await store.findAccountByAddress(email);
    return known === null
      ? { state: 'new', order, email }
      : { state: 'known', order, holder: hintOf(known.email) };
  };
  const since = (provider: string): number => Math.max(0, now() - openFor(provider) + 1);

  return {
    takesLicenseKeys,
    /** The state of a purchase. Refused with `rate-limited` after twenty unknown ids in a minute from one address. */
    look,
    /**
     * Adds the purchase to the account that is signed in, and gives the order. Refuses one that is claimed, unknown or
     * paid too long ago.
     */
    async add(
      provider: string,
      id: string,
      visitor: Visitor & { readonly accountId: string },
    ): Promise<Order> {
      const found = await look(provider, id, visitor);
      if (found.state === 'yours') return found.order;
      if (found.state !== 'open') throw cannotClaim();
      const { accountId } = visitor;
      const claim = { orderId: found.order.id, accountId, since: since(provider), at: now() };
      if (!(await store.write('claimForAccount', claim))) throw cannotClaim();
      return found.order;
    },
    /** Creates an account for the buyer's address, not verified yet, with the purchase, and signs it in. */
    async join(
      provider: string,
      id: string,
      { password, userAgent, ...visitor }: Visitor & { password: string; userAgent: string | null },
    ): Promise<{ readonly order: Order; readonly signedIn: SignedIn }> {
      const found = await look(provider, id, { ...visitor, accountId: null });
      if (found.state !== 'new') throw cannotClaim();
      const { order, email } = found;
      const passwordHash = await passwords.hash(password, email);
      const account = { id: crypto.randomUUID(), email, passwordHash };
      const { cookie, row: session } = mintRow(account.id, userAgent, now());
      const claim = { orderId: order.id, account, session, since: since(provider), at: now() };
      if ((await store.write('claimWithAccount', claim)) !== 'claimed') throw cannotClaim();
      const holder = { accountId: account.id, email, isOwner: 0 } as const;
      return { order, signedIn: signedIn(cookie, session, holder) };
    },
  };
}

function cannotClaim(): Refusal {
  return new Refusal(
    'invalid-request',
    'Cannot claim this purchase here: it was claimed already, or its address has an account; sign in',
  );
}

function tooMany(wait: number): Refusal {
  const seconds = Math.max(1, Math.ceil(wait / 1000));
  return new Refusal(
    'rate-limited',
    'Cannot look for this purchase: too many unknown ones were asked for; wait a minute, then reload the page',
    seconds,
  );
}
