import type { SessionPrincipal } from '../../../access/principal.ts';
import { formatMoney } from '../../../item/price.ts';
import { listSalesMonths, type SalesMonth } from '../../../service/orders.ts';
import type { Http } from '../../http.ts';
import { DataTable, Empty } from '../parts/data-table.tsx';
import { ButtonLink } from '../parts/form.tsx';
import { ORDERS, sendAdminPage } from './admin-page.tsx';
import { spell, TimeChart } from './figures.tsx';

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
