import { createHash } from 'node:crypto';
import type { Actor } from '../../access/actor.ts';
import { Refusal } from '../../refusal.ts';
import type { ProviderFact } from '../../sales/fact.ts';
import type { OfferedItem } from '../../sales/offer.ts';
import type { Order } from '../../sales/order.ts';
import type { HandOrder } from '../../store/tables/sales.ts';
import type { Store } from '../../store/store.ts';
import { createTurns } from '../../turn.ts';
import { describeActs } from '../audit-entry.ts';
import { refuseRows } from '../csv-rows.ts';
import { type PastSale, readPastSales } from './order-csv.ts';
import { findItem } from './orders.ts';

/** The most orders in one file, since they are one write. */
const MOST = 20_000;
const BATCH = 100;

/** Makes orders of past sales from a CSV text, all or none; the same file twice is harmless. */
export function createOrderImport(store: Store, by: Actor, now: () => number) {
  const describe = describeActs(by, now);

  /** Orders are handed to the writer as JSON texts, a batch in each: cloning one large object would hold up the thread. */
  const readOrders = async (csv: string): Promise<readonly string[]> => {
    const turn = createTurns();
    const [faults, orders, batches]: [string[], HandOrder[], string[]] = [[], [], []];
    const lines = new Map<string, number>();
    const items = new Map<string, OfferedItem>();
    for (const { line, read } of await readPastSales(csv)) {
      await turn();
      try {
        const sale = read();
        const name = `${sale.provider} ${sale.ref}`;
        const before = lines.get(name);
        if (before !== undefined)
          throw cannot(`line ${before} has this ref; write all slugs of an order there`);
        lines.set(name, line);
        for (const slug of sale.slugs) items.set(slug, items.get(slug) ?? (await findItem(store, slug)));
        orders.push(
          describeOrder(
            sale,
            sale.slugs.flatMap((slug) => items.get(slug) ?? []),
            now(),
          ),
        );
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        faults.push(`line ${line}: ${error.message}`);
      }
    }
    if (faults.length > 0) throw refuseRows('orders', faults);
    if (orders.length > MOST) throw cannot(`a file has ${MOST} orders at most; divide it`);
    for (let at = 0; at < orders.length; at += BATCH) {
      batches.push(JSON.stringify(orders.slice(at, at + BATCH)));
      await turn();
    }
    return batches;
  };

  /**
   * Imports the orders of a file and gives them in its order, including those that existed before. With mail, each buyer
   * is mailed as for any sale.
   */
  return async (csv: string, isMailed: boolean): Promise<readonly Order[]> => {
    const batches = await readOrders(csv);
    const audit = describe('orders.import', 'orders');
    const ids = await store.write('addHandOrders', { batches, at: now(), isQuiet: !isMailed, audit });
    const found: Order[] = [];
    const turn = createTurns();
    for (const id of ids) {
      const order = await store.findOrder(id);
      if (order !== null) found.push(order);
      await turn();
    }
    return found;
  };
}

function describeOrder(sale: PastSale, items: readonly OfferedItem[], now: number): HandOrder {
  const { ref, email, amount, currency, refunded, until } = sale;
  const provider = sale.provider ?? 'hand';
  const keys = [`ref:${ref}`];
  const about = { keys, ids: keys } as const;
  const isGivenBack = refunded > 0 && refunded >= amount;
  const facts: readonly ProviderFact[] = [
    { kind: 'buyer', keys, ref, email, products: [], quantity: 1, isSubscription: until !== null },
    { kind: 'payment', ...about, state: 'paid', amount, tax: 0, currency, until, products: [], quantity: 1 },
    ...(refunded === 0 || isGivenBack
      ? []
      : [
          {
            kind: 'refund',
            ...about,
            id: `ref:${ref}`,
            amount: refunded,
            isTotal: true,
            isFull: false,
          } as const,
        ]),
  ];
  const eventId = createHash('sha256').update(`${provider}\n${ref}`).digest('hex');
  return {
    provider,
    origin: 'csv',
    eventId,
    at: sale.paidAt ?? now,
    facts,
    items,
    bundle: null,
    isGivenBack,
  };
}

function cannot(reason: string): Refusal {
  return new Refusal('invalid-request', `Cannot import the orders: ${reason}`);
}
