import type { Browser } from '../accounts/session.rule.ts';
import { hintOf, isMailable } from '../platform/base/email-address.ts';
import { DAY, MINUTE } from '../platform/base/duration.ts';
import { createKept } from '../platform/base/cache.ts';
import { RETURNS, sendsBack } from './claim.rule.ts';
import { type Order, stateAt } from './order.rule.ts';
import { hashSecret } from '../accounts/secret.rule.ts';
import { findLink, unusable } from '../accounts/one-time-link.ts';
import { createRateLimit, mustWait } from '../accounts/throttle.ts';
import { mintMember } from '../accounts/session.ts';
import type { Records, Stall } from './stall.ts';
import { isSaleSource } from '../words/payment-provider.ts';
import { type Say, ToldRefusal } from '../platform/base/told.ts';

/**
 * How long after its payment a purchase can be claimed by the web address to which the provider sent the buyer, in
 * milliseconds. Later, others may have seen that address.
 */
export const CLAIMED_WITHIN = DAY;

const openFor = (provider: string): number =>
  isSaleSource(provider) && !sendsBack(provider) ? Infinity : CLAIMED_WITHIN;

/** How many unknown ids one network may try at once, and then in each minute. */
const UNKNOWN = 20;

/** The maximum number of remembered pairs of network and id. A page that reloads until its order arrives counts as one try. */
const REMEMBERED = 10_000;

export type Returned =
  /** The purchase is unknown, or in a state in which it opens nothing, such as pending. */
  | { readonly state: 'waiting' }
  /** The purchase was paid `CLAIMED_WITHIN` ago or longer. Only the link in the mail can still claim it. */
  | { readonly state: 'late' }
  | { readonly state: 'refunded' }
  | { readonly state: 'given' }
  | { readonly state: 'yours'; readonly order: Order }
  /** The purchase is in another account's library. `holder` is a hint of that account's address. */
  | { readonly state: 'claimed'; readonly holder: string }
  /**
   * The visitor can add the purchase to their account. A signed-out visitor gets this state only if no mail can be sent
   * to the buyer.
   */
  | { readonly state: 'open'; readonly order: Order }
  /**
   * The buyer's address has an account: its holder signs in, or uses the link in the mail. `holder` is a hint of the
   * address.
   */
  | { readonly state: 'known'; readonly order: Order; readonly holder: string }
  | { readonly state: 'new'; readonly order: Order; readonly email: string };

type Visitor = { readonly accountId: string | null; readonly address: string };

/**
 * Makes a function that counts the unknown purchases that a network asks for, and refuses rate-limited if they are too
 * many.
 */
export function createUnknownPurchases(now: () => number) {
  const unknown = createRateLimit({ burst: UNKNOWN, interval: MINUTE / UNKNOWN });
  const counted = createKept<true>(REMEMBERED);
  return (address: string, name: string): void => {
    const at = now();
    const pair = `${address} ${name}`;
    if (counted.get(pair)) return;
    const wait = unknown.wait(address, at);
    if (wait > 0) throw mustWait(wait, ({ account }) => account.claimsLater);
    unknown.take(address, at);
    counted.set(pair, true);
  };
}

/** The provider and the id of a purchase, from the address to which its buyer came back. */
type Purchase = { readonly provider: string; readonly id: string };

/**
 * Finds the state of the purchase in a return address. The id there shows that someone just paid, not that they own the
 * buyer's e-mail address. Refuses rate-limited a network that tried too many unknown ids.
 */
export function findReturned(
  { store, countUnknownPurchase, now }: Stall,
  { provider, id }: Purchase,
  { accountId, address }: Visitor,
): Returned {
  const key = returnKey(provider, id);
  const order = key === null ? null : store.findOrderByKey(provider, key);
  const state = order === null || order.erasedAt !== null ? null : stateAt(order, now());
  if (state === 'refunded') return { state };
  if (order === null || state !== 'paid') {
    countUnknownPurchase(address, `${provider} ${id}`);
    return { state: 'waiting' };
  }
  if (store.isGiven(order.id)) return { state: 'given' };
  if (order.accountId !== null && order.accountId === accountId) return { state: 'yours', order };
  if (order.accountId !== null) {
    const account = store.findAccountById(order.accountId);
    return { state: 'claimed', holder: account === null ? '' : hintOf(account.email) };
  }
  if (now() - (order.paidAt ?? 0) >= openFor(provider)) return { state: 'late' };
  const email = order.email?.trim() ?? '';
  // If no mail can be sent to the buyer's address, nobody could prove that it is theirs, so any account may take the purchase.
  if (accountId !== null || !isMailable(email)) return { state: 'open', order };
  const known = store.findAccountByAddress(email);
  return known === null
    ? { state: 'new', order, email }
    : { state: 'known', order, holder: hintOf(known.email) };
}

function returnKey(provider: string, id: string): string | null {
  if (!isSaleSource(provider)) return null;
  const { shape, key } = RETURNS[provider];
  return shape.test(id) ? key(id) : null;
}

const paidSince = (provider: string, now: number): number => Math.max(0, now - openFor(provider) + 1);

/**
 * Adds the purchase in a return address to the signed-in account, and returns its order. Refuses a purchase in any state
 * but `open` and `yours`.
 */
export async function addReturned(
  stall: Stall,
  purchase: Purchase,
  visitor: Visitor & { readonly accountId: string },
): Promise<Order> {
  const found = findReturned(stall, purchase, visitor);
  if (found.state === 'yours') return found.order;
  if (found.state !== 'open') throw cannotClaim();
  const { accountId } = visitor;
  const at = stall.now();
  const claim = { orderId: found.order.id, accountId, since: paidSince(purchase.provider, at), at };
  if (!(await stall.store.write.claimForAccount(claim))) throw cannotClaim();
  return found.order;
}

/**
 * Makes an account for the buyer's address, with the purchase and without a password, and signs it in. The address stays
 * unproven: the buyer may have mistyped it, or passed on the mailed link as a present.
 */
export async function joinBuyer(
  stall: Stall,
  { order, email }: { readonly order: Order; readonly email: string },
  by: 'return' | 'mail',
  browser: Browser,
): Promise<string> {
  const { account, session, cookie } = mintMember(stall, { email, ...browser });
  const at = stall.now();
  const since = by === 'mail' ? 0 : paidSince(order.provider, at);
  const joined = await stall.store.write.claimWithAccount({
    orderId: order.id,
    account,
    session,
    by,
    since,
    at,
  });
  if (joined !== 'claimed') throw cannotClaim();
  return cookie;
}

/** The state of the purchase that a mailed link opens, for the link's page, before the link is used. */
export type Linked =
  /**
   * The purchase is in an account's library already, so the link opens nothing. `holder` is a hint of the account's
   * address.
   */
  | { readonly state: 'held'; readonly order: Order; readonly holder: string }
  /** The link's address has an account. Its holder signs in, or has a sign-in link mailed; this link signs nobody in. */
  | { readonly state: 'known'; readonly order: Order; readonly email: string }
  /** The link makes an account for its address. */
  | { readonly state: 'open'; readonly order: Order; readonly email: string };

/** Finds the state of the link in a purchase's mail without using it up. Refuses a link that opens nothing. */
export function findLinked(stall: Records, secret: string): Linked {
  const heldId = stall.store.findHeldOrder(hashSecret(secret));
  const held = heldId === null ? null : stall.store.findOrder(heldId);
  if (held !== null) {
    if (stall.store.isGiven(held.id))
      throw new ToldRefusal('not-found', (r) => r.account.orderIsPresent(held));
    const account = stall.store.findAccountById(held.accountId ?? '');
    return { state: 'held', order: held, holder: account === null ? '' : hintOf(account.email) };
  }
  const order = findClaimed(stall, secret);
  const email = findLink(stall, secret, CLAIM).email ?? '';
  return { state: stall.store.findAccountByAddress(email) === null ? 'open' : 'known', order, email };
}

/** Adds the order of a link in a mail to the signed-in account, and returns the order. Refuses a link that opens nothing. */
export async function addByLink(stall: Records, secret: string, accountId: string): Promise<Order> {
  const order = findClaimed(stall, secret);
  const claim = { accountId, since: 0, at: stall.now() };
  if (!(await stall.store.write.claimForAccount({ orderId: order.id, ...claim }))) throw unusable();
  return order;
}

const CLAIM = ['claim'] as const;

function findClaimed(stall: Records, secret: string): Order {
  const { orderId } = findLink(stall, secret, CLAIM);
  const order = orderId === null ? null : stall.store.findOrder(orderId);
  if (order === null) throw unusable();
  const state = stateAt(order, stall.now());
  const cannot = (say: Say): ToldRefusal => new ToldRefusal('not-found', say);
  if (state === 'refunded' || state === 'lost') throw cannot((r) => r.account.orderGivenBack(order));
  if (state === 'disputed') throw cannot((r) => r.account.orderDisputed(order));
  if (state !== 'paid') throw cannot((r) => r.account.orderOpensNothing(order));
  if (stall.store.isGiven(order.id)) throw cannot((r) => r.account.orderIsPresent(order));
  return order;
}

const cannotClaim = (): ToldRefusal => new ToldRefusal('invalid-request', (r) => r.account.cannotClaim);
