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
import { ORDERS } from '../platform/site/paths.ts';

const SALES = '/admin/sales';

const readSpan = ({ span = '' }: Query): SalesSpan =>
  Object.hasOwn(SALES_SPANS, span) ? (span as SalesSpan) : '12m';

export async function showSales(http: Http, owner: SessionPrincipal, typed: Query): Promise<Response> {
  const span = readSpan(typed);
  const [sales, word] = [await listSales(http.stall, span), span === '12m' ? 'Month' : 'Day'];
  return sendAdminPage(
    http,
    owner,
    {
      current: SALES,
      title: 'Sales',
      lead: `What was paid, with tax, before the fees of your payment provider. A refund counts in the ${word.toLowerCase()} in which it was made, in UTC. ${http.stall.config.demo ? 'Sales at the demo’s checkout count until the demo ends.' : 'Test sales are left out.'}`,
    },
    <>
      <Choices
        label="Time"
        current="page"
        choices={Object.entries(SALES_SPANS).map(([one, name]) => ({
          href: `${SALES}?span=${one}`,
          name,
          isChosen: one === span,
        }))}
      />
      {sales.length === 0 && (
        <Empty action={<QuietLink href={ORDERS}>Orders</QuietLink>}>
          No sales in the {SALES_SPANS[span].toLowerCase()}.
        </Empty>
      )}
      {sales.map(({ currency, sums, periods }) => {
        const money = (amount: number): string => formatMoney(amount, currency);
        const name = currency.toUpperCase();
        return (
          <section>
            <h2>{name}</h2>
            <TimeChart
              title={`Gross sales in ${name}`}
              counts={periods.map(({ period, gross }) => [period, gross])}
              format={money}
            />
            <DataTable
              caption={`Sales in ${name} by ${word.toLowerCase()} and item, newest first`}
              columns={{
                [word]: ({ period }) => spell(period),
                Item: (sum) => titlesOf(http.stall, sum.name),
                Sales: ({ payments }) => payments,
                Gross: ({ gross }) => money(gross),
                'Given back': ({ givenBack }) => money(givenBack),
                Net: ({ gross, givenBack }) => money(gross - givenBack),
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

/** Returns the present title of a sold item or bundle; its slug if it is no longer sold. */
const titlesOf = ({ catalog }: Stall, name: string): string =>
  name
    .split(' + ')
    .map((slug) => findProduct(catalog(), slug)?.title ?? slug)
    .join(' + ');
