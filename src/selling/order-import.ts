import type { Office } from '../words/office.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Actor } from '../platform/base/principal.ts';
import { comparableEmail, hintOf, readEmail } from '../platform/base/email-address.ts';
import { idsOf } from './offer.ts';
import { DAY, readInstant } from '../platform/base/duration.ts';
import { majorUnits, readPrice } from '../catalog/price.rule.ts';
import type { Bundle } from '../catalog/stall-manifest.rule.ts';
import {
  isPaymentProvider,
  PAYMENT_PROVIDERS,
  type PaymentProvider,
  PROVIDER_NAMES,
} from '../words/payment-provider.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { isGivenBack } from './fold.rule.ts';
import type { OfferedItem } from '../catalog/item.rule.ts';
import { keyOfReference, type Order } from './order.rule.ts';
import type { HandOrder } from './sale.sql.ts';
import { createTurns } from '../platform/base/turn.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import { type Csv, readCsv, refuseRows } from '../platform/base/csv-rows.ts';
import { ANY_ORDER, describeSale, type SaleTerms } from './order.ts';
import type { Records } from './stall.ts';
import { sha256 } from '../platform/base/runtime.ts';

export const SALE_COLUMNS = [
  'email',
  'ref',
  'product',
  'amount',
  'currency',
  'refunded',
  'paid_at',
  'until',
  'status',
] as const satisfies readonly (keyof Office['orderImport']['columns'])[];

type SaleColumn = (typeof SALE_COLUMNS)[number];

/**
 * The format of a list of sales: that of a provider's export, or our own if `provider` is null. A list has this format if
 * it has all columns in `signs`. Of several columns for one fact, the first that is not empty counts. A row is left out
 * if a column in `left` has the value given there, unless the column `unless` has a yes.
 */
type Format = {
  readonly provider: PaymentProvider | null;
  readonly signs: readonly string[];
  readonly columns: Readonly<Partial<Record<SaleColumn, readonly string[]>>>;
  readonly currency?: string;
  readonly left?: readonly (readonly [column: string, value: RegExp, reason: string, unless?: string])[];
  /** The form of an id that the provider's events do not name, and a sentence that says which id they do name. */
  readonly wrongRef?: readonly [form: RegExp, sentence: string];
};

const YES = /^(1|true|yes)$/i;

/** The states of a sale that was paid, at least in part, in lower case. */
const PAID: ReadonlySet<string> = new Set([
  '',
  'paid',
  'succeeded',
  'complete',
  'completed',
  'partial refund',
  'partially refunded',
]);
const REFUNDED = 'it was refunded in full';
const NO_CURRENCY = ': say the currency of amounts that name none';
const RUNNING = 'it is of a subscription, whose end the list does not say: "bookstall orders reconcile" asks';

const OWN_FORMAT: Format = {
  provider: null,
  signs: ['ref', 'email', 'slug'],
  columns: {
    email: ['email'],
    ref: ['ref'],
    product: ['slug'],
    amount: ['amount'],
    currency: ['currency'],
    refunded: ['refunded'],
    paid_at: ['paid_at'],
    until: ['until'],
  },
};

/** The format of each provider's export; null if its columns must be named. */
const EXPORTS: Readonly<Record<PaymentProvider, Format | null>> = {
  // The format is defined in https://github.com/antiwork/gumroad, app/services/exports/purchase_export_service.rb;
  // amounts are in US dollars.
  gumroad: {
    provider: 'gumroad',
    signs: ['Purchase ID', 'Item Name', 'Purchase Email'],
    columns: {
      email: ['Giftee Email', 'Purchase Email'],
      ref: ['Purchase ID'],
      product: ['Item Name'],
      amount: ['Sale Price ($)'],
      refunded: ['Partial Refund ($)'],
      paid_at: ['Purchase Time (UTC timezone)', 'Purchase Date'],
    },
    currency: 'usd',
    left: [
      ['Fully Refunded?', YES, REFUNDED],
      ['Disputed?', YES, 'it was disputed', 'Dispute Won?'],
      ['Recurrence', /./, RUNNING],
      ['Access Revoked?', YES, 'its access was revoked there'],
      ['Pre-order authorization?', YES, 'it was not charged yet'],
    ],
  },
  // The format is defined in https://github.com/polarsource/polar, server/polar/order/export.py; no column has the id
  // that webhook events have.
  polar: {
    provider: 'polar',
    signs: ['Email', 'Created At', 'Product', 'Invoice number'],
    columns: {
      email: ['Email'],
      ref: ['Invoice number'],
      product: ['Product'],
      amount: ['Total', 'Net Amount'],
      currency: ['Currency'],
      refunded: ['Refunded Amount'],
      paid_at: ['Created At'],
      status: ['Status'],
    },
    left: [['Billing Reason', /^subscription/i, RUNNING]],
  },
  // The list of payments in Stripe's dashboard, whose owner chooses the columns:
  // https://docs.cello.so/guides/attribution/stripe-reports
  stripe: {
    provider: 'stripe',
    signs: ['Amount', 'Amount Refunded', 'Customer Email', 'Status'],
    columns: {
      email: ['Customer Email'],
      ref: ['PaymentIntent ID', 'id'],
      amount: ['Amount'],
      currency: ['Currency'],
      refunded: ['Amount Refunded'],
      paid_at: ['Created date (UTC)', 'Created (UTC)'],
      status: ['Status'],
    },
    left: [
      ['Mode', /^test$/i, 'it is a test'],
      ['Description', /^Subscription /, RUNNING],
    ],
    wrongRef: [/^(?:ch|py)_/, 'Stripe’s events name the PaymentIntent: give its id, pi_…, not the charge’s'],
  },
  lemonsqueezy: null,
};

export const EXPORTING = PAYMENT_PROVIDERS.filter((provider) => EXPORTS[provider] !== null)
  .map((provider) => PROVIDER_NAMES[provider])
  .toSorted();

/** The columns of a list in our own format; only the first three are required. */
const OWN = ['ref', 'email', 'slug', 'paid_at', 'amount', 'currency', 'refunded', 'until', 'provider'];

/** A list of sales and its format. If `format` is null, the user has to name the columns. */
type SaleList = Csv & { readonly format: Format | null };

export async function readSaleList(text: string): Promise<SaleList> {
  const csv = await readCsv(text, 'orders', true);
  const count = csv.header.length;
  if (count > MOST_COLUMNS) throw cannot(`it has ${count} columns, and ${MOST_COLUMNS} at most are read`);
  const isOther = csv.header.some((name) => !OWN.includes(name));
  const formats = [OWN_FORMAT, ...Object.values(EXPORTS)];
  const format = formats.find((one) => one?.signs.every((name) => csv.header.includes(name))) ?? null;
  return { ...csv, format: format?.provider === null && isOther ? null : format };
}

export type Sold = Pick<Bundle, 'slug' | 'title' | 'sell'> & { readonly items?: readonly string[] };

export type ImportChoices = {
  readonly columns?: Readonly<Partial<Record<SaleColumn, string>>>;
  /** The item for each product in the list, as slug, title or id. The product '' stands for rows that name none. */
  readonly products?: ReadonlyMap<string, string>;
  readonly currency?: string | null;
  readonly sold?: readonly Sold[];
  readonly isMailed?: boolean;
  readonly isDry?: boolean;
};

/**
 * A row that was left out: the line on which it ends, a hint of the buyer's address, and the reason. `product` is null
 * unless the reason is that no item is known for it.
 */
export type LeftRow = Readonly<Record<'buyer' | 'reason', string>> & {
  readonly line: number;
  readonly product: string | null;
};

export function countUnknown(left: readonly LeftRow[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { product } of left) if (product !== null) counts.set(product, (counts.get(product) ?? 0) + 1);
  return counts;
}

/** The maximum number of orders in one file, and of columns: the office shows a choice for each column. */
export const MOST_ORDERS = 20_000;
const MOST_COLUMNS = 200;

/**
 * The number of orders stored in one write, and the pause after it in milliseconds. All orders in one write would delay a
 * running server's other writes for seconds.
 */
const BATCH = 100;
const PAUSE = 10;

/**
 * Makes orders of past sales, once all rows are read. A row is left out if it cannot be read, contradicts a known order,
 * or names no known item; in a list of our own format, an unreadable row refuses the whole list. If `isMailed`, each new
 * buyer is mailed as for any sale.
 *
 * A known order stays as it is, so importing a file again does no harm, and completes an import that a crash cut short.
 * Returns the orders in the file's order, how many were known, and the rows left out.
 */
export async function importOrders(stall: Records, by: Actor, list: SaleList, choices: ImportChoices = {}) {
  const { store, now } = stall;
  const { rows, left, orders } = await readOrders(stall, list, choices);
  const ids: number[] = [];
  for (let at = 0; at < orders.length && choices.isDry !== true; at += BATCH) {
    const audit = at === 0 ? { audit: auditEntry(by, now(), 'orders.import', 'orders') } : {};
    // Batches are passed as JSON, since cloning one large object would block the thread.
    const batches = [JSON.stringify(orders.slice(at, at + BATCH))];
    const step = { batches, at: now(), isQuiet: choices.isMailed !== true, ...audit };
    ids.push(...(await store.write.addHandOrders(step)));
    await sleep(PAUSE);
  }
  const [found, turn]: [Order[], () => Promise<void>] = [[], createTurns()];
  for (const known of rows) {
    const order = known ?? store.findOrder(ids.shift() ?? 0);
    if (order !== null) found.push(order);
    await turn();
  }
  return { orders: found, made: orders.length, known: rows.length - orders.length, left };
}

/**
 * Reads the rows of a list. Returns the orders to make, the rows left out, and each other row's known order, null for a
 * new one.
 */
async function readOrders(stall: Records, list: SaleList, choices: ImportChoices) {
  const { header } = list;
  const { format, columns } = chooseColumns(list, choices);
  const isOwn = format?.provider === null;
  const places = new Map(header.map((name, n) => [name, n]));
  const [turn, find] = [createTurns(), createFinder(stall, choices.sold ?? [])];
  const [faults, left, rows, orders]: [string[], LeftRow[], (Order | null)[], HandOrder[]] = [[], [], [], []];
  const lines = new Map<string, number>();
  for (const { record, line } of list.rows) {
    await turn();
    const cell = (...names: readonly string[]): string =>
      names.map((name) => record[places.get(name) ?? -1] ?? '').find((text) => text !== '') ?? '';
    // Removes the apostrophe that exports put before a text, so that spreadsheets do not run it as a formula.
    const text = (column: SaleColumn) => cell(...(columns[column] ?? [])).replace(/^'(?=[=+\-@])/, '');
    const leave = (reason: string, product: string | null = null): unknown =>
      left.push({ line, buyer: text('email') && hintOf(text('email')), product, reason });
    try {
      if (record.length > header.length || (isOwn && record.length < header.length))
        throw unreadable(`the first line has ${header.length} fields, and it has ${record.length}`);
      const sale = readSale(text, cell, format, choices);
      const provider = sale.provider ?? 'hand';
      const before = lines.get(`${provider} ${sale.ref}`);
      if (before !== undefined && isOwn)
        throw unreadable(`line ${before} has this ref; write all slugs of an order there`);
      if (before !== undefined) throw unreadable(`line ${before} is about the same sale`);
      lines.set(`${provider} ${sale.ref}`, line);
      const bought = sale.names.map(find);
      const items = bought.flatMap((one) => one?.items ?? []);
      const missing = sale.names.find((_, n) => bought[n] === null);
      const known = findKnown(stall, sale, items);
      const reason = known && contradictionOf(sale, items, known);
      if (missing === '') leave('it names no product', isOwn ? null : '');
      else if (missing !== undefined) leave(`nothing here is known as "${missing}"`, isOwn ? null : missing);
      else if (known !== null && reason !== null) leave(`order ${known.ref}: ${reason}`);
      else {
        rows.push(known);
        if (known !== null) continue;
        const eventId = sha256(`${provider}\n${sale.ref}`);
        const bundle = bought.length === 1 ? (bought[0]?.bundle ?? null) : null;
        const at = sale.paidAt ?? stall.now();
        orders.push(describeSale({ provider, origin: 'csv', eventId, at, items, bundle }, sale));
      }
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (isOwn) faults.push(`line ${line}: ${error.message}`);
      else leave(error.message);
    }
  }
  if (faults.length > 0) throw refuseRows('orders', faults);
  if (rows.length > MOST_ORDERS) throw cannot(`a file has ${MOST_ORDERS} orders at most; divide it`);
  return { rows, left, orders };
}

/** Chooses the column of each fact. Refuses a list without a column of addresses, and a chosen column that does not exist. */
function chooseColumns({ header, format }: SaleList, { columns = {} }: ImportChoices) {
  const chosen = Object.entries(columns).map(([column, name]) => [column, [name]] as const);
  const known = format?.provider === null && chosen.length > 0 ? null : format;
  const all: Format['columns'] = { ...known?.columns, ...Object.fromEntries(chosen) };
  const strange = chosen.find(([, [name]]) => !header.includes(name));
  const reads = `the first line reads "${header.join(',').slice(0, 300)}"`;
  if (strange !== undefined) throw cannot(`no column is called "${strange[1][0]}": ${reads}`);
  if (all.email !== undefined) return { format: known, columns: all };
  throw cannot(
    `the first line must be "${OWN.join(',')}", those after "slug" optional, or be that of a provider's export, or its columns be named, as --column email=Buyer; ${reads}`,
  );
}

/** Makes a function that finds the item or bundle with a title, slug or provider's id; null if there is none. */
function createFinder({ store }: Records, sold: readonly Sold[]) {
  const search = (name: string) => {
    const wanted = name.toLowerCase();
    const one = sold.find(({ slug, title, sell }) =>
      [slug, title, ...idsOf(sell).map(({ product }) => product)].some(
        (text) => text.toLowerCase() === wanted,
      ),
    );
    const slugs = one?.items ?? [one?.slug ?? name];
    const found = slugs.map((slug) => store.findKnownItem(slug));
    const items = found.flatMap((item, n) => (item === null ? [] : [{ ...item, slug: slugs[n] ?? name }]));
    return items.length < slugs.length ? null : { bundle: one?.items === undefined ? null : one.slug, items };
  };
  const answers = new Map<string, ReturnType<typeof search>>();
  return (name: string) => answers.getOrInsertComputed(name, search);
}

/**
 * Finds the known order of a sale by the sale's id; in an export without such ids, by items, buyer and day among the
 * orders that providers reported. Null if there is none.
 */
function findKnown({ store, now }: Records, sale: PastSale, items: readonly OfferedItem[]) {
  const { provider, ref, email, paidAt, isOwn } = sale;
  for (const key of [keyOfReference(provider ?? '', ref) ?? [], `ref:${ref}`].flat()) {
    const order = store.findOrderByKey(provider ?? 'hand', key);
    if (order !== null) return order;
  }
  if (provider !== null || paidAt === null || isOwn) return null;
  const filter = { ...ANY_ORDER, email, since: paidAt - DAY, now: now() };
  const orders = store.listOrderPage(filter, { beside: null, side: 'older', limit: 100 });
  const isSame = (order: Order) => order.provider !== 'hand' && contradictionOf(sale, items, order) === null;
  return orders.find(isSame) ?? null;
}

/** Says in which fact a row contradicts a known order; null if it does not. */
function contradictionOf(sale: PastSale, items: readonly OfferedItem[], order: Order): string | null {
  const { email, amount, refunded, currency, until, paidAt, isSubscription } = order;
  const keysOf = (some: readonly OfferedItem[]) =>
    new Set(some.map(({ kind, itemKey }) => `${kind} ${itemKey}`));
  if (email !== null && comparableEmail(email) !== comparableEmail(sale.email))
    return `it is ${email.trim()}’s`;
  if (keysOf(items).symmetricDifference(keysOf(order.items)).size > 0)
    return `it is for ${order.items.map(({ slug }) => slug).join(' ') || 'no item that is known here'}`;
  // A row may be one of several payments of a subscription, so only a larger amount is a contradiction.
  const isOther = isSubscription ? sale.amount > amount : sale.amount !== amount;
  if (sale.amount > 0 && (isOther || sale.currency !== currency))
    return `${amount} ${currency} were paid for it`;
  if (Math.min(sale.refunded, sale.amount) > refunded) return `${refunded} ${currency} of it were given back`;
  if (sale.paidAt !== null && paidAt !== null && Math.abs(sale.paidAt - paidAt) >= DAY)
    return `it was paid on ${dayOf(paidAt)}`;
  return sale.until !== null && until !== null && sale.until > until ? `it ends on ${dayOf(until)}` : null;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

const cannot = (reason: string): Refusal => Refusal.invalid(`Cannot import the orders: ${reason}`);
const unreadable = (reason: string): Refusal => Refusal.invalid(reason);

/**
 * A past sale as read from a row. `ref` is the provider's id of the order, or the owner's number; `provider` is null for
 * sales outside every provider. `names` are the products, `paidAt` is in ms since 1970.
 */
type PastSale = SaleTerms & {
  readonly names: readonly string[];
  readonly paidAt: number | null;
  readonly provider: PaymentProvider | null;
  readonly isOwn: boolean;
};

/**
 * Reads a sale from a row. Refuses a malformed row, and one that is not one complete sale. In an export, a row without a
 * number gets a hash of its fields as its id.
 */
function readSale(
  text: (column: SaleColumn) => string,
  cell: (...names: readonly string[]) => string,
  format: Format | null,
  { products, currency: fallback }: ImportChoices,
): PastSale {
  const isOwn = format?.provider === null;
  const [status, product, written] = [text('status'), text('product'), text('amount')];
  const reason = format?.left?.find(
    ([column, value, , unless = '']) => value.test(cell(column)) && !YES.test(cell(unless)),
  )?.[2];
  if (reason !== undefined || /^(fully[ _])?refunded/i.test(status)) throw unreadable(reason ?? REFUNDED);
  if (!PAID.has(status.toLowerCase().replaceAll('_', ' ')))
    throw unreadable(`its status is "${status.slice(0, 40)}"`);
  if (text('email') === '') throw unreadable('it has no e-mail address');
  const code =
    text('currency') ||
    format?.currency ||
    /(?<![a-z])[a-z]{3}(?![a-z])/i.exec(written)?.[0] ||
    fallback ||
    '';
  const currency = code.toLowerCase() || 'usd';
  const [amount = 0, refunded = 0] = [written, text('refunded')].map((one) => {
    const minor = isOwn ? (/^\d{0,12}$/.test(one) ? Number(one) : null) : readMoney(one, currency);
    if (minor !== null) return minor;
    const how = isOwn
      ? ': give a whole number of minor units, as 1900 for $19.00'
      : code === ''
        ? NO_CURRENCY
        : ` of ${currency.toUpperCase()}`;
    throw unreadable(`"${one.slice(0, 40)}" is no amount${how}`);
  });
  if (amount > 0 && !/^[a-z]{3}$/i.test(code))
    throw unreadable(`its amount has no currency of three letters, such as USD${NO_CURRENCY}`);
  if (!isOwn && isGivenBack(refunded, amount)) throw unreadable(REFUNDED);
  // Turns times into ISO 8601: exports write "2026-11-20 14:30:00.123 UTC", Gumroad writes "2026-11-20 14:30:00 +0000".
  const time = text('paid_at')
    .replace(/^(\S{10})[ T](\d\d:\d\d(?::\d\d)?)(?:\.\d+)? ?(?:UTC)?/, '$1T$2')
    .replace(/([+-]\d\d)(\d\d)$/, '$1:$2');
  const [email, paidAt, until] = [readEmail(text('email')), readTime(time), readTime(text('until'))];
  const names = isOwn ? product.split(/\s+/) : [products?.get(product) || product];
  const ref =
    text('ref') || (isOwn ? '' : `row-${sha256(JSON.stringify([comparableEmail(email), names, paidAt]))}`);
  if (!/^[^\p{Cc}]{1,200}$/u.test(ref)) throw unreadable('give each order a ref of 1 to 200 characters');
  const source = (isOwn ? cell('provider') : format?.provider) || 'hand';
  if (source !== 'hand' && !isPaymentProvider(source))
    throw unreadable(`"${source.slice(0, 40)}" is no provider: give ${PAYMENT_PROVIDERS.join(', ')}`);
  const [wrong, sentence] = (isOwn && source !== 'hand' && EXPORTS[source]?.wrongRef) || [];
  if (wrong?.test(ref)) throw unreadable(sentence ?? '');
  const provider = source !== 'hand' && (isOwn || keyOfReference(source, ref) !== null) ? source : null;
  return { ref, email, names, paidAt, amount, currency, refunded, until, provider, isOwn };
}

/**
 * Reads an amount as minor units. Drops separators between thousands, except in a currency with three decimals, where
 * they look like the decimal point.
 */
function readMoney(text: string, currency: string): number | null {
  const hasThree = majorUnits(0, currency) === '0.000';
  const plain = hasThree ? text : text.replace(/(?<=\d)[.,'’\s](?=\d{3}(?!\d))/g, '');
  return readPrice(plain || '0', currency);
}

const readTime = (text: string): number | null => (text === '' ? null : readInstant(text));
