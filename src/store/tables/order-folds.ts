import type { Database } from 'bun:sqlite';
import type { OwnerFact } from '../../sales/fact.ts';
import type { Order } from '../../sales/order.ts';

/** What a fold must know beside the facts. */
export type FoldSettings = {
  readonly at: number;
  /** Milliseconds after the end of a paid period in which a subscription still opens its items. */
  readonly grace: number;
  /** The state in which mails are queued: `manual` without SMTP; null queues none. */
  readonly mail: 'queued' | 'manual' | null;
  /** Whether the owner is mailed each sale. */
  readonly tellsSales: boolean;
};

/** An act on one order. */
export type OrderAct = {
  readonly orderId: number;
  readonly fact: OwnerFact;
  readonly origin: 'owner' | 'buyer';
  readonly settings: FoldSettings;
};

/**
 * The parts of a transaction that change orders: each folds what it touched, sets its grants and queues its mails.
 * Writes of other tables call them, so that a claim, its account and its grants are one write.
 */
export type OrderFolds = {
  /** Adds an act to an order; the order as it is then, or null if there is none of this number. */
  act(act: OrderAct): Order | null;
  /** Gives the waiting orders of a verified account's address to it; how many. Every write that verifies calls it. */
  attachWaiting(accountId: string, settings: FoldSettings): number;
  /** Folds orders again, as after a publish; how many changed. */
  refold(orderIds: readonly number[], settings: FoldSettings): number;
};

export function orderFolds(_db: Database): OrderFolds {
  const missing = (): never => {
    throw new Error('The fold is being built');
  };
  return { act: missing, attachWaiting: missing, refold: missing };
}
