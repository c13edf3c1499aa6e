import type { Database } from 'bun:sqlite';
import type { ProviderFact } from '../../sales/fact.ts';
import type { Offer } from '../../sales/offer.ts';
import type { Order } from '../../sales/order.ts';
import { type Audited, auditInserts } from './audit-log.ts';
import { type FoldSettings, type OrderAct, orderFolds } from './order-folds.ts';

/** A verified delivery, or an answer of a provider's API. The writer reads it, so that an event it cannot read is kept. */
export type SaleArrival = {
  readonly provider: string;
  /** By the secret that verified it. */
  readonly mode: 'live' | 'test';
  readonly origin: 'webhook' | 'api';
  readonly body: Uint8Array;
  /** Where the delivery names its event outside the body. */
  readonly eventId: string | null;
  readonly receivedAt: number;
  readonly settings: FoldSettings;
};

/** `isNew` is false for one that arrived before, which changes nothing. */
export type SaleArrived = {
  readonly eventId: number;
  readonly isNew: boolean;
  readonly state: 'folded' | 'ignored' | 'failed' | 'waiting';
  readonly reason: string | null;
  readonly orderIds: readonly number[];
};

/** An order made by hand or from a table: `facts` are its buyer and payments. `eventId` makes a second time harmless. */
export type HandOrder = {
  readonly provider: string;
  readonly origin: 'owner' | 'csv';
  readonly eventId: string;
  readonly at: number;
  readonly facts: readonly ProviderFact[];
  /** The items it is for, as the owner's grant; null if the facts' products name them. */
  readonly items: Offer['items'] | null;
  readonly bundle: string | null;
};

export function saleWrites(db: Database) {
  const folds = orderFolds(db);
  const log = auditInserts(db);
  const missing = (): never => {
    throw new Error('The fold is being built');
  };
  return {
    /** Stores an event once with its facts, folds their orders, sets grants, queues mail. The webhooks and reconciliation call it. */
    addSaleEvent(_arrival: SaleArrival): SaleArrived {
      return missing();
    },
    /** Tries failed events again, at most so many; how many are folded now. The start, the hour and `orders replay --failed` call it. */
    retrySaleEvents(_retry: { readonly atMost: number; readonly settings: FoldSettings }): number {
      return missing();
    },
    /** Reads an order's events again from their bodies and folds it; null if there is none. `orders replay` calls it. */
    replayOrder(
      _replay: { readonly orderId: number; readonly settings: FoldSettings } & Audited,
    ): Order | null {
      return missing();
    },
    /** Adds an act of the owner or the buyer to an order. The office, `orders` and claims call it. */
    actOnOrder({ audit, ...act }: OrderAct & Audited): Order | null {
      const order = folds.act(act);
      if (order !== null) log(audit);
      return order;
    },
    /** Makes orders by hand or from a table, all or none; their numbers, also of those that were there. */
    addHandOrders(
      _orders: { readonly orders: readonly HandOrder[]; readonly settings: FoldSettings } & Audited,
    ): readonly number[] {
      return missing();
    },
    /** Says what is for sale from now on, and folds the orders that wait for it; how many changed. Each publish calls it. */
    setOffers(_change: { readonly offers: readonly Offer[]; readonly settings: FoldSettings }): number {
      return missing();
    },
    /** Notes that an account's address is its holder's, and gives it the orders that wait for it. Links sent by mail call it. */
    verifyAccount({
      accountId,
      settings,
    }: {
      readonly accountId: string;
      readonly settings: FoldSettings;
    }): number {
      db.run('UPDATE accounts SET verified_at = coalesce(verified_at, ?) WHERE id = ?', [
        settings.at,
        accountId,
      ]);
      return folds.attachWaiting(accountId, settings);
    },
    /** Takes the person out of an order (contract/selling §10); false if there is none. */
    eraseOrder(_erasure: { readonly orderId: number; readonly at: number } & Audited): boolean {
      return missing();
    },
    /** Deletes the bodies of events received before a time, at most so many; how many. The daily sweep calls it. */
    blankSaleEvents(_sweep: { readonly before: number; readonly atMost: number }): number {
      return missing();
    },
  };
}
