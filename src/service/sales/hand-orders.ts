import { createHash } from 'node:crypto';
import type { Actor } from '../../access/actor.ts';
import { readEmail } from '../../access/email-address.ts';
import { Refusal } from '../../refusal.ts';
import type { Order } from '../../sales/order.ts';
import type { HandOrder } from '../../store/tables/sales.ts';
import type { Store } from '../../store/store.ts';
import { describeActs } from '../audit-entry.ts';
import { findItem } from './orders.ts';

/** A sale outside every provider, as by invoice; `amount` is in minor units of `currency`, ISO 4217 in lower case as providers write it. */
type HandSale = {
  readonly email: string;
  readonly slugs: readonly string[];
  readonly amount: number;
  readonly currency: string;
  /** The owner's own reference, which makes adding it twice harmless; null makes one. */
  readonly ref: string | null;
  /** Whether the buyer gets a mail, as for any other sale. */
  readonly isMailed: boolean;
};

/** Adds orders by hand. A verified account of the address gets the items at once; anyone else claims them by a link. */
export function createHandOrders(store: Store, by: Actor, now: () => number) {
  const describe = describeActs(by, now);
  return async (sale: HandSale): Promise<Order> => {
    const email = readEmail(sale.email);
    const items = await Promise.all(sale.slugs.map((slug) => findItem(store, slug)));
    const order = describeOrder({ ...sale, email }, items, now());
    // The audit log gets neither address nor reference, since erasing the order would not find them there.
    const audit = describe('order.add', sale.slugs.join(' ').slice(0, 200));
    const [id] = await store.write('addHandOrders', {
      batches: [JSON.stringify([order])],
      at: now(),
      isQuiet: !sale.isMailed,
      audit,
    });
    const added = id === undefined ? null : await store.findOrder(id);
    if (added === null) throw new Error('The order was not stored');
    return added;
  };
}

function describeOrder(sale: HandSale, items: HandOrder['items'], at: number): HandOrder {
  const { email, amount, currency } = sale;
  const ref = sale.ref ?? crypto.randomUUID();
  if (!/^[^\p{Cc}]{1,100}$/u.test(ref))
    throw new Refusal('invalid-request', 'Cannot use this reference: give 1 to 100 characters of one line');
  const keys = [`ref:${ref}`];
  const payment = { kind: 'payment', keys, ids: keys, state: 'paid', amount, tax: 0, currency } as const;
  return {
    provider: 'hand',
    origin: 'owner',
    eventId: createHash('sha256').update(ref).digest('hex'),
    at,
    facts: [
      { kind: 'buyer', keys, ref, email, products: [], quantity: 1, isSubscription: false },
      { ...payment, until: null, products: [], quantity: 1 },
    ],
    items,
    bundle: null,
    isGivenBack: false,
  };
}
