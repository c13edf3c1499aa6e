import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../../access/actor.ts';
import { Refusal } from '../../refusal.ts';
import type { ProviderFact } from '../../sales/fact.ts';
import type { OfferedItem } from '../../sales/offer.ts';
import type { Order } from '../../sales/order.ts';
import type { HandOrder } from '../../store/tables/sales.ts';
import type { Store } from '../../store/store.ts';
import { keyOfReference } from '../../sales/order-references.ts';
import { createTurns } from '../../turn.ts';
import { describeActs } from '../audit-entry.ts';
import { refuseRows } from '../csv-rows.ts';
import { type PastSale, readPastSales } from './order-csv.ts';
import { findItem } from './orders.ts';

/** The most orders in one file. */
const MOST = 20_000;

/** Orders in one write, and the pause in milliseconds in which a running server writes: all at once would hold it up for seconds. */
const BATCH = 100;
const PAUSE = 10;

/**
 * Makes orders of past sales from a CSV text. Every row is read before the first is stored, so that a fault in one adds none;
 * the same file twice is harmless, and completes an import that a crash cut short.
 */
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
    const ids: number[] = [];
    for (const [n, batch] of batches.entries()) {
      const audit = n === 0 ? { audit: describe('orders.import', 'orders') } : {};
      const step = { batches: [batch], at: now(), isQuiet: !isMailed, ...audit };
      ids.push(...(await store.write('addHandOrders', step)));
      await sleep(PAUSE);
    }
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
  const keys = nameOrder(provider, ref);
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

/** The provider's own ids come first, so that what it says later of the order, such as a refund, is about this one. */
function nameOrder(provider: string, ref: string): readonly string[] {
  const own = keyOfReference(provider, ref);
  return own === null ? [`ref:${ref}`] : [own, `ref:${ref}`];
}

function cannot(reason: string): Refusal {
  return new Refusal('invalid-request', `Cannot import the orders: ${reason}`);
}
