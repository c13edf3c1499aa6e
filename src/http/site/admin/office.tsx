import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { formatMoney } from '../../../item/price.ts';
import { listSalesMonths, type SalesMonth } from '../../../service/orders.ts';
import { findProduct } from '../../../catalog/catalog.ts';
import type { Stall } from '../../../service/stall.ts';
import type { Http } from '../../http.ts';
import { type PageHead, sendPage } from '../frame/page.tsx';
import { type Columns, DataTable, Empty } from '../parts/data-table.tsx';
import { QuietLink } from '../parts/form.tsx';
import { formatInstant } from '../parts/instant.ts';

/** The paths of lists to which pages of other nouns lead. */
export const ACCOUNTS = '/admin/accounts';
export const ITEMS = '/admin/items';
export const ORDERS = '/admin/orders';

/** The pages of the office, as its menu names them. */
const GROUPS = [
  {
    name: 'Shop',
    links: [
      { href: '/admin', name: 'Overview' },
      { href: ITEMS, name: 'Items' },
      { href: ORDERS, name: 'Orders' },
      { href: '/admin/sales', name: 'Sales' },
      { href: '/admin/codes', name: 'Codes' },
    ],
  },
  {
    name: 'Readers',
    links: [
      { href: ACCOUNTS, name: 'Accounts' },
      { href: '/admin/links', name: 'Links' },
      { href: '/admin/grants/import', name: 'Import' },
    ],
  },
  {
    name: 'Log',
    links: [
      { href: '/admin/mail', name: 'Mail' },
      { href: '/admin/logs', name: 'Questions' },
      { href: '/admin/downloads', name: 'Downloads' },
      { href: '/admin/audit', name: 'Audit log' },
    ],
  },
] as const;

/** A page of the office: its place in the menu, and its head. */
export type AdminPage = PageHead & { readonly current: (typeof GROUPS)[number]['links'][number]['href'] };

/** Sends a page of the office. */
export function sendAdminPage(
  { viewOf }: Http,
  owner: SessionPrincipal,
  { current, ...head }: AdminPage,
  body: ComponentChildren,
): Response {
  const section = { name: 'Office', groups: GROUPS, current };
  return sendPage(viewOf(owner), { ...head, current: '/admin', section }, body);
}

/** `GET /admin/sales`: what was sold in twelve months, by item and currency; currencies are never added. */
export async function showSales(http: Http, owner: SessionPrincipal): Promise<Response> {
  const months = await listSalesMonths(http.stall);
  const currencies = [...new Set(months.flatMap(({ sums }) => sums.map(({ currency }) => currency)))].sort();
  return sendAdminPage(
    http,
    owner,
    {
      current: '/admin/sales',
      title: 'Sales',
      lead: 'What was paid in the last 12 months, with tax, before the fees of your payment provider. Refunds count in the month in which they were made.',
    },
    currencies.length === 0 ? (
      <Empty action={<QuietLink href={ORDERS}>Orders</QuietLink>}>No sales yet.</Empty>
    ) : (
      currencies.map((currency) => <Currency stall={http.stall} currency={currency} months={months} />)
    ),
  );
}

/** The titles that sold items and bundles have now; what is no longer sold keeps its slug. */
const titlesOf = ({ catalog }: Stall, name: string): string =>
  name
    .split(' + ')
    .map((slug) => findProduct(catalog(), slug)?.title ?? slug)
    .join(' + ');

function Currency({
  stall,
  currency,
  months,
}: {
  stall: Stall;
  currency: string;
  months: readonly SalesMonth[];
}) {
  const own = months.map(({ month, sums }) => ({
    month,
    sums: sums.filter((sum) => sum.currency === currency),
  }));
  const money = (amount: number): string => formatMoney(amount, currency);
  return (
    <section>
      <h2>{currency.toUpperCase()}</h2>
      <TimeChart
        id={`sales-${currency}`}
        title={`Gross sales in ${currency.toUpperCase()}`}
        by="month"
        counts={own.map(({ month, sums }) => ({
          period: month,
          count: sums.reduce((all, { gross }) => all + gross, 0),
        }))}
        format={money}
      />
      <DataTable
        caption={`Sales in ${currency.toUpperCase()} by month and item, newest first`}
        columns={{
          Month: ({ month }) => spell(month),
          Item: ({ name }) => titlesOf(stall, name),
          Sales: ({ payments }) => payments,
          Gross: ({ gross }) => money(gross),
          'Given back': ({ givenBack }) => money(givenBack),
          Net: ({ gross, givenBack }) => money(gross - givenBack),
        }}
        rows={own.toReversed().flatMap(({ month, sums }) => sums.map((sum) => ({ ...sum, month })))}
      />
    </section>
  );
}

/** How often something happened on a UTC day such as `2026-11-20`, or in a month such as `2026-11`. */
type PeriodCount = { readonly period: string; readonly count: number };

const WIDTH = 720;
const HEIGHT = 120;

/** Charts of what is counted in each period, each with its id and title, and a table of the same figures. */
export function OverTime<Period extends { readonly period: string }>({
  by,
  caption,
  periods,
  charts,
  columns,
}: {
  by: 'day' | 'month';
  caption: string;
  periods: readonly Period[];
  charts: readonly (readonly [id: string, title: string, of: (period: Period) => number])[];
  columns: Columns<Period>;
}) {
  return (
    <>
      {charts.map(([id, title, of]) => (
        <TimeChart
          id={id}
          title={title}
          by={by}
          counts={periods.map((one) => ({ period: one.period, count: of(one) }))}
        />
      ))}
      <details>
        <summary>Figures by {by} (UTC)</summary>
        <DataTable
          caption={`${caption} by ${by} (UTC)`}
          columns={{ [by === 'day' ? 'Day' : 'Month']: ({ period }) => period, ...columns }}
          rows={periods.toReversed()}
        />
      </details>
    </>
  );
}

type ChartProps = {
  readonly id: string;
  readonly title: string;
  readonly by: 'day' | 'month';
  readonly counts: readonly PeriodCount[];
  /** Spells a count, which may be an amount of money. */
  readonly format?: (count: number) => string;
};

/** An SVG chart of one bar for each day or month; `id` is unique on the page. A table beside it should hold the figures. */
function TimeChart({ id, title, by, counts, format = number }: ChartProps) {
  const most = Math.max(...counts.map(({ count }) => count));
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const words = all === 0 ? 'none' : `${format(all)} in total, at most ${format(most)} a ${by}`;
  return (
    <figure class="time-chart">
      <figcaption>
        <strong>{title}</strong>: {words}
      </figcaption>
      {all > 0 && (
        <>
          <svg
            class="chart"
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            role="img"
            aria-labelledby={`${id}-title ${id}-words`}
          >
            <title id={`${id}-title`}>{`${title} by ${by}`}</title>
            <desc id={`${id}-words`}>{words}</desc>
            {counts.map(({ period, count }, n) =>
              count === 0 ? null : (
                <rect class="bar" {...barOf(n, counts.length, count / most)}>
                  <title>{`${period}: ${format(count)}`}</title>
                </rect>
              ),
            )}
            <path class="axis" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
          </svg>
          <p class="span">
            <span>{spell(counts[0]?.period)}</span>
            <span>{spell(counts.at(-1)?.period)}</span>
          </p>
        </>
      )}
    </figure>
  );
}

/** The bar of the period `n` of so many; `share` is its height of the highest, but one with an entry must be visible. */
function barOf(n: number, of: number, share: number) {
  const [step, height] = [WIDTH / of, Math.max(2, share * HEIGHT)];
  return {
    x: round((n + 0.15) * step),
    y: round(HEIGHT - height),
    width: round(0.7 * step),
    height: round(height),
  };
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}

function number(count: number): string {
  return count.toLocaleString('en');
}

/** `20 Nov 2026`, or of a month `Nov 2026`. */
export function spell(period: string | undefined): string {
  if (period === undefined) return '';
  const day = formatInstant(new Date(period), false, 'UTC');
  return period.length === '2026-11'.length ? day.slice(day.indexOf(' ') + 1) : day;
}

/** One count or amount at the head of a page, with its name; it belongs in `<dl class="stats">`. */
export function Stat({ name, count }: { name: string; count: number | string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{typeof count === 'string' ? count : number(count)}</dd>
    </div>
  );
}
