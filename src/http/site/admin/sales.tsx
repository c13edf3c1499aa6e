import type { SessionPrincipal } from '../../../access/principal.ts';
import { formatMoney } from '../../../item/price.ts';
import { listSalesMonths, type SalesMonth } from '../../../service/orders.ts';
import type { Http } from '../../http.ts';
import { DataTable, Empty } from '../parts/data-table.tsx';
import { formatInstant } from '../parts/instant.ts';
import { ButtonLink } from '../parts/form.tsx';
import { ORDERS, sendAdminPage } from './admin-page.tsx';

const SALES = '/admin/sales';

/** `GET /admin/sales`: what was sold in twelve months, by item and currency; currencies are never added. */
export async function showSales(http: Http, owner: SessionPrincipal): Promise<Response> {
  const months = await listSalesMonths(http.stall);
  const currencies = [...new Set(months.flatMap(({ sums }) => sums.map(({ currency }) => currency)))].sort();
  return sendAdminPage(
    http,
    owner,
    {
      current: SALES,
      title: 'Sales',
      lead: 'What was paid in the last 12 months, with tax, before the fees of your payment provider. Refunds count in the month in which they were made.',
    },
    currencies.length === 0 ? (
      <Empty
        action={
          <ButtonLink href={ORDERS} kind="quiet">
            Orders
          </ButtonLink>
        }
      >
        No sales yet.
      </Empty>
    ) : (
      <>
        {currencies.map((currency) => (
          <Currency key={currency} currency={currency} months={months} />
        ))}
      </>
    ),
  );
}

function Currency({ currency, months }: { currency: string; months: readonly SalesMonth[] }) {
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
        columns={['Month', 'Item', 'Sales', 'Gross', 'Given back', 'Net']}
        rows={own.toReversed().flatMap(({ month, sums }) =>
          sums.map(({ name, payments, gross, givenBack }) => ({
            key: `${month} ${name}`,
            cells: [spell(month), name, payments, money(gross), money(givenBack), money(gross - givenBack)],
          })),
        )}
        empty={null}
      />
    </section>
  );
}

/** How often something happened on a UTC day such as `2026-11-20`, or in a month such as `2026-11`. */
type PeriodCount = { readonly period: string; readonly count: number };

const WIDTH = 720;
const HEIGHT = 120;

/** An SVG chart of one bar for each day or month; `id` is unique on the page. A table beside it should hold the figures. */
export function TimeChart({ id, title, by, counts, format = number }: ChartProps) {
  const most = Math.max(...counts.map(({ count }) => count));
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const words = all === 0 ? 'none' : `${format(all)} in total, at most ${format(most)} a ${by}`;
  return (
    <figure class="time-chart">
      <figcaption>
        <strong>{title}</strong>: {words}
      </figcaption>
      {all > 0 && (
        <Bars id={id} title={title} by={by} words={words} counts={counts} most={most} format={format} />
      )}
    </figure>
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

type BarsProps = Required<ChartProps> & { readonly words: string; readonly most: number };

function Bars({ id, title, by, words, counts, most, format }: BarsProps) {
  return (
    <>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-labelledby={`${id}-title ${id}-words`}
      >
        <title id={`${id}-title`}>{`${title} by ${by}`}</title>
        <desc id={`${id}-words`}>{words}</desc>
        {counts.map(({ period, count }, n) => (
          <Bar key={period} {...{ period, count, n, most, format }} of={counts.length} />
        ))}
        <path class="axis" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
      </svg>
      <p class="span">
        <span>{spell(counts[0]?.period)}</span>
        <span>{spell(counts.at(-1)?.period)}</span>
      </p>
    </>
  );
}

type BarProps = PeriodCount &
  Required<Pick<ChartProps, 'format'>> & { readonly n: number; readonly of: number; readonly most: number };

function Bar({ period, count, n, of, most, format }: BarProps) {
  if (count === 0) return null;
  const step = WIDTH / of;
  // The bar of a period with one entry must be visible beside the highest.
  const height = Math.max(2, (count / most) * HEIGHT);
  return (
    <rect
      class="bar"
      x={round((n + 0.15) * step)}
      y={round(HEIGHT - height)}
      width={round(0.7 * step)}
      height={round(height)}
    >
      <title>{`${period}: ${format(count)}`}</title>
    </rect>
  );
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}

function number(count: number): string {
  return count.toLocaleString('en');
}

/** `20 Nov 2026`, or of a month `Nov 2026`. */
function spell(period: string | undefined): string {
  if (period === undefined) return '';
  const day = formatInstant(new Date(period), false, 'UTC');
  return period.length === '2026-11'.length ? day.slice(day.indexOf(' ') + 1) : day;
}

/** One count at the head of a page, with its name; it belongs in `<dl class="stats">`. */
export function Stat({ name, count }: { name: string; count: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{count.toLocaleString('en')}</dd>
    </div>
  );
}
