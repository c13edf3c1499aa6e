import { HOUR } from '../platform/base/duration.ts';
import { type DatedFact, hideId } from './fact.rule.ts';
import { type FoldedOrder, foldOrder, type FoldPorts } from './fold.rule.ts';
import { type KeptGoods, keptOffer } from './goods.rule.ts';
import { type OfferedItem } from '../catalog/item.rule.ts';
import { type Order, stateAt } from './order.rule.ts';
import type { NewMail } from '../mailing/outbox.rule.ts';

/**
 * `at` is when an order is computed from its facts, in milliseconds since 1970 UTC. If `isQuiet`, no mail is queued.
 * `delay` is how long the buyer's mail waits for an answer of the provider, in milliseconds.
 */
export type FoldMoment = { readonly at: number; readonly isQuiet?: boolean; readonly delay?: number };

export type KnownOrder = KeptGoods &
  Pick<
    Order,
    'id' | 'number' | 'state' | 'claimedAt' | 'until' | 'attention' | 'erasedAt' | 'isTest' | 'quantity'
  >;

type SettlePorts = FoldPorts & {
  readonly hasAccount: (id: string) => boolean;
  readonly accountOf: (address: string) => string | null;
  readonly isMailable: (address: string) => boolean;
  readonly hasFailedClaim: (orderId: number) => boolean;
  /** Returns the owner's account; null if no mail can be sent to it. */
  readonly findOwner: () => { readonly id: string; readonly email: string } | null;
  readonly findAttentionMail: () => { readonly isWaiting: boolean; readonly at: number } | null;
  readonly tellsSales: boolean;
};

/** A mail to queue, due at `dueAt`. Each is about this order, except `attention`. */
type SaleMail = Pick<NewMail, 'kind' | 'address' | 'accountId'> & { readonly dueAt: number };

export type Settlement = {
  readonly order: FoldedOrder & Pick<Order, 'accountId' | 'attachedBy' | 'claimedAt'>;
  readonly isErased: boolean;
  readonly isNumbered: boolean;
  /** The order's grants that are in force; its other grants are revoked. */
  readonly grants: readonly (Pick<OfferedItem, 'kind' | 'itemKey'> & {
    readonly accountId: string;
    readonly from: number;
    readonly until: number | null;
  })[];
  /** Whether to revoke the grants that codes of this order made, to restore them, or to leave them as they are. */
  readonly codes: 'revoke' | 'restore' | 'keep';
  readonly dropped: readonly NewMail['kind'][];
  readonly mails: readonly SaleMail[];
};

/**
 * Computes an order from its facts, and decides its row, grants and mails. Returns null or `not-ours` if `foldOrder`
 * does. It makes no difference which facts arrived first.
 */
export function settle(
  known: KnownOrder | null,
  facts: readonly DatedFact[],
  ports: SettlePorts,
  { at, isQuiet = false, delay = 0 }: FoldMoment,
): Settlement | 'not-ours' | null {
  const fold = (kept: KeptGoods | null) =>
    foldOrder(facts, { ...ports, offerOf: (product) => keptOffer(kept, product, ports.offerOf) });
  const first = fold(known);
  // The provider may say later that more copies were bought. The payment may be too small for that many, so the order is
  // computed again, without the items that it had.
  const isMore = first !== null && first !== 'not-ours' && first.quantity > (known?.quantity ?? Infinity);
  const folded = isMore ? fold(null) : first;
  if (folded === null || folded === 'not-ours') return folded;
  const isErased = known !== null && known.erasedAt !== null;
  const email = isErased ? null : folded.email;
  const holder = findHolder(folded.attached, email, ports);
  const isReached = isErased || holder !== null;
  // Once the buyer was erased, the order's id is only a hash, which no longer shows that this was a test sale.
  const isTest = folded.isTest || known?.isTest === true;
  const order = {
    ...folded,
    ref: isErased ? hideId(folded.ref) : folded.ref,
    email,
    isTest,
    payments: isTest ? [] : folded.payments,
    attention: folded.attention ?? (isReached ? null : findUnreached(folded, known, ports)),
    accountId: holder?.accountId ?? null,
    attachedBy: holder?.by ?? null,
    claimedAt: holder === null ? null : (known?.claimedAt ?? at),
  };
  const { state, paidAt, until, isGift, items, entitled, accountId } = order;
  const from = Math.min(paidAt ?? order.at, at);
  const isOpen = state === 'paid' && !isGift && (until === null || until > from);
  return {
    order,
    isErased,
    // An order gets a number once it is paid, has items of this stall and is not held, even if the money was given back.
    isNumbered: !known?.number && !isTest && paidAt !== null && items.length > 0 && state !== 'held',
    grants:
      accountId !== null && isOpen
        ? entitled.map(({ kind, itemKey }) => ({ accountId, kind, itemKey, from, until }))
        : [],
    codes: state !== 'paid' ? 'revoke' : known?.state === 'paid' ? 'keep' : 'restore',
    ...(isQuiet ? { dropped: [], mails: [] } : chooseMails(known, order, ports, { at, delay })),
  };
}

function findHolder(
  attached: FoldedOrder['attached'],
  email: string | null,
  { hasAccount, accountOf }: SettlePorts,
) {
  if (attached !== null && hasAccount(attached.accountId)) return attached;
  const accountId = email === null ? null : accountOf(email);
  return accountId === null ? null : { accountId, by: 'address' as const };
}

/** Returns a sentence for the owner if no mail can reach the buyer of a paid order that has no account; else null. */
function findUnreached(
  { state, isGift, email }: FoldedOrder,
  known: KnownOrder | null,
  { isMailable, hasFailedClaim }: SettlePorts,
): string | null {
  if (state !== 'paid' || isGift) return null;
  if (email === null || !isMailable(email.trim()))
    return 'Its buyer left no address that mail can be sent to: give the order to an account';
  if (known === null || !hasFailedClaim(known.id)) return null;
  return 'The mail to its buyer failed: copy its claim link, or give the order to an account';
}

/** Chooses the mails to queue, and the unsent mails to cancel because their reason is gone. */
function chooseMails(
  known: KnownOrder | null,
  order: Settlement['order'],
  { isMailable, findOwner, findAttentionMail, tellsSales }: SettlePorts,
  { at, delay }: Required<Pick<FoldMoment, 'at' | 'delay'>>,
): Pick<Settlement, 'dropped' | 'mails'> {
  const { isGift, attachedBy, accountId, attention } = order;
  const was = known !== null && stateAt(known, at) === 'paid';
  const is = stateAt(order, at) === 'paid' && !isGift;
  const toOwner = (kind: 'sale' | 'attention', dueAt: number): readonly SaleMail[] => {
    const owner = findOwner();
    return owner === null ? [] : [{ kind, address: owner.email, accountId: owner.id, dueAt }];
  };
  const ofPaid = accountId === null ? 'claim' : attachedBy === 'address' ? 'library' : null;
  const kind = is ? ofPaid : was && !isGift ? 'ended' : null;
  const earlier = attention !== null && attention !== known?.attention ? findAttentionMail() : undefined;
  const mails: readonly SaleMail[] = [
    ...(kind === null
      ? []
      : [{ kind, address: order.email?.trim() ?? '', accountId, dueAt: at + delay } as const]),
    ...(is && !was && tellsSales ? toOwner('sale', at) : []),
    // At most one mail that asks for the owner's attention waits at a time, and at most one is sent in an hour.
    ...(earlier === undefined || earlier?.isWaiting
      ? []
      : toOwner('attention', Math.max(at, (earlier?.at ?? 0) + HOUR))),
  ];
  // The `claim` mail is still sent if the buyer claimed the order on the way back from the checkout, or the owner chose
  // the account: it verifies the address, or names the account to the buyer.
  const isProven = attachedBy === 'address' || attachedBy === 'mail';
  return {
    dropped: [...(!is || isProven ? ['claim' as const] : []), is ? 'ended' : 'library'],
    mails: mails.filter(({ address }) => isMailable(address)),
  };
}
