import { readEmail } from '../../access/email-address.ts';
import { isPaymentProvider } from '../../payment-provider.ts';
import { Refusal } from '../../refusal.ts';
import { type CsvRow, type CsvTable, readCsvRows } from '../csv-rows.ts';
import { readInstant } from '../instant.ts';

/** A past sale as read from a row of CSV. Amounts are in minor units, times in milliseconds since 1970. */
export type PastSale = {
  /** The provider's id of the order, or the owner's own number. */
  readonly ref: string;
  readonly email: string;
  readonly slugs: readonly string[];
  readonly paidAt: number | null;
  readonly amount: number;
  readonly currency: string;
  readonly refunded: number;
  readonly until: number | null;
  /** Null for sales outside every provider. */
  readonly provider: string | null;
};

/** A sale, and the line number of its row. */
type PastRow = { readonly line: number; readonly read: () => PastSale };

const ORDER_TABLE: CsvTable = {
  name: 'orders',
  columns: ['ref', 'email', 'slug', 'paid_at', 'amount', 'currency', 'refunded', 'until', 'provider'],
  required: 3,
};

/** Reads the rows of a CSV text with the header `ref,email,slug,paid_at,…`; several slugs have spaces between. `read` refuses a malformed row. */
export async function readPastSales(csv: string): Promise<readonly PastRow[]> {
  const rows = await readCsvRows(csv, ORDER_TABLE);
  return rows.map((row) => ({ line: row.line, read: () => readSale(row) }));
}

function readSale({ field }: CsvRow): PastSale {
  const [ref = '', slugs = '', currency = '', provider = ''] = ['ref', 'slug', 'currency', 'provider'].map(
    field,
  );
  if (!/^[^\p{Cc}]{1,200}$/u.test(ref)) throw cannot('give each order a ref of 1 to 200 characters');
  if (slugs === '') throw cannot('give the slug of an item');
  const amount = readAmount(field('amount'));
  if (amount > 0 && !/^[A-Za-z]{3}$/.test(currency))
    throw cannot('give the currency of an amount as three letters, such as USD');
  if (provider !== '' && provider !== 'hand' && !isPaymentProvider(provider))
    throw cannot(
      `the provider is one of stripe, polar, lemonsqueezy, gumroad, and not "${provider.slice(0, 40)}"`,
    );
  if (provider === 'stripe' && /^(?:ch|py)_/.test(ref))
    throw cannot(
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

function readAmount(text = '0'): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw cannot(`"${text.slice(0, 40)}" is no amount: give a whole number of minor units, as 1900 for $19.00`);
}

function readTime(text: string | undefined): number | null {
  return text === undefined ? null : readInstant(text);
}

function cannot(reason: string): Refusal {
  return new Refusal('invalid-request', `Cannot read the row: ${reason}`);
}
