import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../access/principal.ts';
import { foldEmail, readEmail } from '../access/email-address.ts';
import { DAY, readInstant } from '../duration.ts';
import { isPaymentProvider } from '../payment-provider.ts';
import { Refusal } from '../refusal.ts';
import type { OfferedItem } from '../sales/goods.ts';
import type { Order } from '../sales/order.ts';
import type { HandOrder } from '../store/tables/sales.ts';
import { createTurns } from '../turn.ts';
import { auditEntry } from './audit-entry.ts';
import { type CsvRow, type CsvTable, readCsvRows, refuseRows } from './csv-rows.ts';
import { describeSale, findItem } from './orders.ts';
import type { Records } from './stall.ts';
import { sha256 } from '../runtime.ts';

const ORDER_TABLE: CsvTable = {
  name: 'orders',
  columns: ['ref', 'email', 'slug', 'paid_at', 'amount', 'currency', 'refunded', 'until', 'provider'],
  required: 3,
};

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
 * as it is. Gives the orders in the file's order, including those that existed before; `left` are the rows that contradict
 * such an order, or name an unknown item. With mail, each new buyer is mailed as for any sale.
 */
export async function importOrders(stall: Records, by: Actor, csv: string, isMailed: boolean) {
  const { store, now } = stall;
  const { batches, rows, left } = await readOrders(stall, csv);
  const ids: number[] = [];
  for (const [n, batch] of batches.entries()) {
    const audit = n === 0 ? { audit: auditEntry(by, now(), 'orders.import', 'orders') } : {};
    const step = { batches: [batch], at: now(), isQuiet: !isMailed, ...audit };
    ids.push(...(await store.write.addHandOrders(step)));
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
}

/** Orders are handed to the writer as JSON texts, a batch in each: cloning one large object would hold up the thread. */
async function readOrders(stall: Records, csv: string) {
  const turn = createTurns();
  const [faults, orders, batches]: [string[], HandOrder[], string[]] = [[], [], []];
  const [rows, left]: [ReadRow[], LeftRow[]] = [[], []];
  const lines = new Map<string, number>();
  const items = new Map<string, OfferedItem>();
  for (const row of await readCsvRows(csv, ORDER_TABLE)) {
    const { line } = row;
    await turn();
    try {
      const sale = readSale(row);
      const name = `${sale.provider} ${sale.ref}`;
      const before = lines.get(name);
      if (before !== undefined)
        throw cannot(`line ${before} has this ref; write all slugs of an order there`);
      lines.set(name, line);
      const unknown = await findItems(stall, sale.slugs, items);
      if (unknown !== null) {
        left.push({ line, reason: unknown });
        continue;
      }
      const bought = sale.slugs.flatMap((slug) => items.get(slug) ?? []);
      rows.push({ line, sale, items: bought });
      const provider = sale.provider ?? 'hand';
      const eventId = sha256(`${provider}\n${sale.ref}`);
      const at = sale.paidAt ?? stall.now();
      orders.push(describeSale({ provider, origin: 'csv', eventId, at, items: bought }, sale));
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
}

/** Finds the items of slugs that are not found yet; why one is unknown, or null. */
async function findItems(stall: Records, slugs: readonly string[], items: Map<string, OfferedItem>) {
  try {
    for (const slug of slugs) items.set(slug, items.get(slug) ?? (await findItem(stall, slug)));
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.message;
    throw error;
  }
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

function cannot(reason: string): Refusal {
  return Refusal.invalid(`Cannot import the orders: ${reason}`);
}

/** A row of a CSV text with the header `ref,email,slug,paid_at,…`; several slugs have spaces between. Refuses a malformed one. */
function readSale({ field }: CsvRow): PastSale {
  const [ref = '', slugs = '', currency = '', provider = ''] = ['ref', 'slug', 'currency', 'provider'].map(
    field,
  );
  if (!/^[^\p{Cc}]{1,200}$/u.test(ref)) throw unreadable('give each order a ref of 1 to 200 characters');
  if (slugs === '') throw unreadable('give the slug of an item');
  const amount = readAmount(field('amount'));
  if (amount > 0 && !/^[A-Za-z]{3}$/.test(currency))
    throw unreadable('give the currency of an amount as three letters, such as USD');
  if (provider !== '' && provider !== 'hand' && !isPaymentProvider(provider))
    throw unreadable(
      `the provider is one of stripe, polar, lemonsqueezy, gumroad, and not "${provider.slice(0, 40)}"`,
    );
  if (provider === 'stripe' && /^(?:ch|py)_/.test(ref))
    throw unreadable(
      'Stripe’s events name a sale by its PaymentIntent: give that id, pi_…, and not the charge’s',
    );
  return {
    ref,
    email: readEmail(field('email') ?? ''),
    slugs: slugs.split(/\s+/),
    paidAt: readTime(field('paid_at')),
    amount,
    currency: (currency || 'usd').toLowerCase(),
    refunded: readAmount(field('refunded')),
    until: readTime(field('until')),
    provider: provider === '' || provider === 'hand' ? null : provider,
  };
}

/**
 * A past sale as read from a row of CSV. Amounts are in minor units, times in milliseconds since 1970. `ref`: the
 * provider's id of the order, or the owner's own number. `provider`: null for sales outside every provider.
 */
type PastSale = {
  readonly ref: string;
  readonly email: string;
  readonly slugs: string[];
  readonly paidAt: number | null;
  readonly amount: number;
  readonly currency: string;
  readonly refunded: number;
  readonly until: number | null;
  readonly provider: 'stripe' | 'polar' | 'lemonsqueezy' | 'gumroad' | null;
};

function readAmount(text = '0'): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw unreadable(
    `"${text.slice(0, 40)}" is no amount: give a whole number of minor units, as 1900 for $19.00`,
  );
}

function readTime(text: string | undefined): number | null {
  return text === undefined ? null : readInstant(text);
}

function unreadable(reason: string): Refusal {
  return Refusal.invalid(`Cannot read the row: ${reason}`);
}
