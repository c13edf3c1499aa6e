import { officeOf } from '../platform/site/words.tsx';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { findProduct } from './offer.ts';
import { formatMoney, majorUnits } from '../catalog/price.rule.ts';
import { listSales, type PeriodSum, SALES_SPANS, type SalesSpan } from './order.ts';
import type { Stall, Http } from './stall.ts';
import type { Query } from '../platform/http/http.ts';
import { type CsvColumns, sendCsv } from '../accounts/written-answer.ts';
import { DataTable, Empty, SaveCsv } from '../platform/site/data-table.tsx';
import { Choices, QuietLink } from '../platform/site/form.tsx';
import { sendAdminPage, spell, TimeChart } from '../office/office.part.tsx';
import { ORDERS } from '../platform/site/linked-pages.ts';

const SALES = '/admin/sales';

const readSpan = ({ span = '' }: Query): SalesSpan => SALES_SPANS.find((one) => one === span) ?? '12m';

export async function showSales(http: Http, owner: SessionPrincipal, typed: Query): Promise<Response> {
  const w = officeOf(http, owner);
  const span = readSpan(typed);
  const [sales, by] = [await listSales(http.stall, span), span === '12m' ? 'month' : 'day'] as const;
  return sendAdminPage(
    http,
    owner,
    {
      current: SALES,
      title: w.sales.title,
      lead: w.sales.lead({ by, isDemo: http.stall.config.demo }),
    },
    <>
      <Choices
        label={w.sales.time}
        current="page"
        choices={SALES_SPANS.map((one) => ({
          href: `${SALES}?span=${one}`,
          name: w.sales.spans[one],
          isChosen: one === span,
        }))}
      />
      {sales.length === 0 && (
        <Empty action={<QuietLink href={ORDERS}>{w.sales.orders}</QuietLink>}>{w.sales.noSales[span]}</Empty>
      )}
      {sales.map(({ currency, sums, periods }) => {
        const money = (amount: number): string => formatMoney(amount, currency, w.locale);
        const name = currency.toUpperCase();
        return (
          <section>
            <h2>{name}</h2>
            <TimeChart
              title={w.sales.chartTitle({ name })}
              counts={periods.map(({ period, gross }) => [period, gross])}
              format={money}
            />
            <DataTable
              caption={w.sales.caption({ name, by })}
              columns={{
                [w.sales[by]]: ({ period }) => spell(period, w.locale),
                [w.common.item]: (sum) => titlesOf(http.stall, sum.name),
                [w.sales.title]: ({ payments }) => payments,
                [w.sales.gross]: ({ gross }) => money(gross),
                [w.sales.givenBack]: ({ givenBack }) => money(givenBack),
                [w.sales.net]: ({ gross, givenBack }) => money(gross - givenBack),
              }}
              rows={sums}
            />
          </section>
        );
      })}
      {sales.length > 0 && <SaveCsv href={`${SALES}.csv?span=${span}`} />}
    </>,
  );
}

export async function sendSalesFile(http: Http, request: Request, typed: Query): Promise<Response> {
  const span = readSpan(typed);
  const amount = (minor: number, currency: string): number => Number(majorUnits(minor, currency));
  const columns: CsvColumns<PeriodSum> = {
    [span === '12m' ? 'month' : 'day']: ({ period }) => period,
    item: ({ name }) => titlesOf(http.stall, name),
    slug: ({ name }) => name,
    currency: ({ currency }) => currency.toUpperCase(),
    sales: ({ payments }) => payments,
    gross: ({ gross, currency }) => amount(gross, currency),
    given_back: ({ givenBack, currency }) => amount(givenBack, currency),
    net: ({ gross, givenBack, currency }) => amount(gross - givenBack, currency),
  };
  const steps = (await listSales(http.stall, span)).map(({ sums }) => sums);
  const file = { route: `${SALES}.csv`, name: `bookstall-sales-${span}.csv`, columns };
  return sendCsv(http, request, file, steps);
}

/** Returns the present titles of what a `SaleSum` names; the slug of what is no longer sold. */
const titlesOf = ({ catalog }: Stall, name: string): string =>
  name
    .split(' + ')
    .map((slug) => findProduct(catalog(), slug)?.title ?? slug)
    .join(' + ');
