import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../../access/actor.ts';
import { foldEmail } from '../../access/email-address.ts';
import { DAY } from '../../duration.ts';
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

/** A row whose items are known. */
type ReadRow = { readonly line: number; readonly sale: PastSale; readonly items: readonly OfferedItem[] };

/** A row that was left out, and why. */
type LeftRow = { readonly line: number; readonly reason: string };

/** The most orders in one file. */
const MOST = 20_000;

/** Orders in one write, and the pause in milliseconds in which a running server writes: all at once would hold it up for seconds. */
const BATCH = 100;
const PAUSE = 10;

/**
 * Makes orders of past sales from a CSV text. Every row is read before the first is stored, so that one that cannot be read
 * adds none; the same file twice is harmless, and completes an import that a crash cut short. An order that is known stays
 * as it is.
 */
export function createOrderImport(store: Store, by: Actor, now: () => number) {
  const describe = describeActs(by, now);

  /** Orders are handed to the writer as JSON texts, a batch in each: cloning one large object would hold up the thread. */
  const readOrders = async (csv: string) => {
    const turn = createTurns();
    const [faults, orders, batches]: [string[], HandOrder[], string[]] = [[], [], []];
    const [rows, left]: [ReadRow[], LeftRow[]] = [[], []];
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
        const unknown = await findItems(sale.slugs, items);
        if (unknown !== null) {
          left.push({ line, reason: unknown });
          continue;
        }
        const bought = sale.slugs.flatMap((slug) => items.get(slug) ?? []);
        rows.push({ line, sale, items: bought });
        orders.push(describeOrder(sale, bought, now()));
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
    return { batches, rows, left };
  };

  /** Finds the items of slugs that are not found yet; why one is unknown, or null. */
  const findItems = async (
    slugs: readonly string[],
    items: Map<string, OfferedItem>,
  ): Promise<string | null> => {
    try {
      for (const slug of slugs) items.set(slug, items.get(slug) ?? (await findItem(store, slug)));
      return null;
    } catch (error) {
      if (error instanceof Refusal) return error.message;
      throw error;
    }
  };

  /**
   * Imports the orders of a file and gives them in its order, including those that existed before; `left` are the rows that
   * contradict such an order, or name an unknown item. With mail, each new buyer is mailed as for any sale.
   */
  return async (
    csv: string,
    isMailed: boolean,
  ): Promise<{ readonly orders: readonly Order[]; readonly left: readonly LeftRow[] }> => {
    const { batches, rows, left } = await readOrders(csv);
    const ids: number[] = [];
    for (const [n, batch] of batches.entries()) {
      const audit = n === 0 ? { audit: describe('orders.import', 'orders') } : {};
      const step = { batches: [batch], at: now(), isQuiet: !isMailed, ...audit };
      ids.push(...(await store.write('addHandOrders', step)));
      await sleep(PAUSE);
    }
    const found: Order[] = [];
    const turn = createTurns();
    for (const [n, row] of rows.entries()) {
      const order = await store.findOrder(ids[n] ?? 0);
      const reason = order && contradictionOf(row, order);
      if (order !== null && reason !== null)
        left.push({ line: row.line, reason: `order ${order.ref}: ${reason}` });
      else if (order !== null) found.push(order);
      await turn();
    }
    return { orders: found, left: left.toSorted((a, b) => a.line - b.line) };
  };
}

/** What an order is that a row says otherwise; null if the row says nothing against it. */
function contradictionOf({ sale, items }: ReadRow, order: Order): string | null {
  const { email, amount, refunded, currency, until, paidAt, isSubscription } = order;
  const keysOf = (some: readonly OfferedItem[]) =>
    new Set(some.map(({ kind, itemKey }) => `${kind} ${itemKey}`));
  if (email !== null && foldEmail(email) !== foldEmail(sale.email)) return `it is ${email.trim()}’s`;
  if (keysOf(items).symmetricDifference(keysOf(order.items)).size > 0)
    return `it is for ${order.items.map(({ slug }) => slug).join(' ') || 'no item that is known here'}`;
  // Of a subscription a row may be one payment of several.
  const isOther = isSubscription ? sale.amount > amount : sale.amount !== amount;
  if (sale.amount > 0 && (isOther || sale.currency !== currency))
    return `${amount} ${currency} were paid for it`;
  if (Math.min(sale.refunded, sale.amount) > refunded) return `${refunded} ${currency} of it were given back`;
  if (sale.paidAt !== null && paidAt !== null && Math.abs(sale.paidAt - paidAt) >= DAY)
    return `it was paid on ${dayOf(paidAt)}`;
  return sale.until !== null && until !== null && sale.until > until ? `it ends on ${dayOf(until)}` : null;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

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
