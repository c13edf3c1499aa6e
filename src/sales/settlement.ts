import { HOUR } from '../duration.ts';
import { type DatedFact, hideId } from './fact.ts';
import { type FoldedOrder, foldOrder, type FoldPorts } from './fold.ts';
import { type KeptGoods, keptOffer, type OfferedItem } from './goods.ts';
import { type Order, stateAt } from './order.ts';
import type { NewMail } from './outbox.ts';

/**
 * When a fold happens, in milliseconds since 1970 UTC; a quiet one queues no mail. `delay` is how long the buyer's mail waits for
 * what is still asked.
 */
export type FoldMoment = { readonly at: number; readonly isQuiet?: boolean; readonly delay?: number };

/** An order as its last fold left it. */
export type KnownOrder = KeptGoods &
  Pick<
    Order,
    'id' | 'number' | 'state' | 'claimedAt' | 'until' | 'attention' | 'erasedAt' | 'isTest' | 'quantity'
  >;

/** Look-ups beside an order's facts. */
type SettlePorts = FoldPorts & {
  readonly hasAccount: (id: string) => boolean;
  /** The verified account of an address, or null. */
  readonly accountOf: (address: string) => string | null;
  readonly isMailable: (address: string) => boolean;
  /** Whether the mail with an order's claim link was given up. */
  readonly hasFailedClaim: (orderId: number) => boolean;
  /** The owner's account, if it gets mail. */
  readonly findOwner: () => { readonly id: string; readonly email: string } | null;
  /** The newest mail that asked for the owner's attention: whether it was not sent yet, and its time. */
  readonly findAttentionMail: () => { readonly isWaiting: boolean; readonly at: number } | null;
  /** Whether the owner is mailed each sale. */
  readonly tellsSales: boolean;
};

/** A mail to queue; it is due at `dueAt`. All but `attention` are about the order. */
type SaleMail = Pick<NewMail, 'kind' | 'address' | 'accountId'> & { readonly dueAt: number };

/** All that a fold makes the stall write. */
export type Settlement = {
  /** The row, with the order's items and payments. */
  readonly order: FoldedOrder & Pick<Order, 'accountId' | 'attachedBy' | 'claimedAt'>;
  /** Whether the buyer was erased: then news of the order is kept without the person, too. */
  readonly isErased: boolean;
  /** Whether it takes the next number now. */
  readonly isNumbered: boolean;
  /** All grants of the order that are live; every other one is revoked. */
  readonly grants: readonly (Pick<OfferedItem, 'kind' | 'itemKey'> & {
    readonly accountId: string;
    readonly from: number;
    readonly until: number | null;
  })[];
  /** The grants that the order's codes gave; they end with the order. */
  readonly codes: 'revoke' | 'restore' | 'keep';
  /** The mails about the order to drop if they were not sent. */
  readonly dropped: readonly NewMail['kind'][];
  readonly mails: readonly SaleMail[];
};

/**
 * Decides all that follows from an order's facts: its row, its grants and its mails. Null without a buyer, `not-ours` for a
 * product that `notOurs` names. It gives the same for the same facts in any order.
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
  // Several copies of which only a later answer told may each have brought too little.
  const isMore = first !== null && first !== 'not-ours' && first.quantity > (known?.quantity ?? Infinity);
  const folded = isMore ? fold(null) : first;
  if (folded === null || folded === 'not-ours') return folded;
  const isErased = known !== null && known.erasedAt !== null;
  const email = isErased ? null : folded.email;
  const holder = findHolder(folded.attached, email, ports);
  const isReached = isErased || holder !== null;
  // The id that tells is gone once the buyer was erased.
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
    // Money was paid for items of this stall, even if it was given back.
    isNumbered: !known?.number && !isTest && paidAt !== null && items.length > 0 && state !== 'held',
    grants:
      accountId !== null && isOpen
        ? entitled.map(({ kind, itemKey }) => ({ accountId, kind, itemKey, from, until }))
        : [],
    codes: state !== 'paid' ? 'revoke' : known?.state === 'paid' ? 'keep' : 'restore',
    ...(isQuiet ? { dropped: [], mails: [] } : chooseMails(known, order, ports, { at, delay })),
  };
}

/** The account of an order, and how it was found. */
function findHolder(
  attached: FoldedOrder['attached'],
  email: string | null,
  { hasAccount, accountOf }: SettlePorts,
) {
  if (attached !== null && hasAccount(attached.accountId)) return attached;
  const accountId = email === null ? null : accountOf(email);
  return accountId === null ? null : { accountId, by: 'address' as const };
}

/** Why no mail reaches the buyer of a paid order that waits for its account, for the owner; null if one does. */
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

/** The mails which follow from a fold, and those whose cause is gone. */
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
    // One at a time, and at most one an hour.
    ...(earlier === undefined || earlier?.isWaiting
      ? []
      : toOwner('attention', Math.max(at, (earlier?.at ?? 0) + HOUR))),
  ];
  // Claimed on the return page or by the owner, it is still due: it proves the address, or tells its holder of that.
  const isProven = attachedBy === 'address' || attachedBy === 'mail';
  return {
    dropped: [...(!is || isProven ? ['claim' as const] : []), is ? 'ended' : 'library'],
    mails: mails.filter(({ address }) => isMailable(address)),
  };
}
