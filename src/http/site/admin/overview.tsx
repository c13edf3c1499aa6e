import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { listOffers, listPublished } from '../../../catalog/catalog.ts';
import { takesSales } from '../../../config/sales.ts';
import { DAY } from '../../../duration.ts';
import { isFree } from '../../../item/item.ts';
import { formatMoney } from '../../../item/price.ts';
import { PAYMENT_PROVIDERS } from '../../../payment-provider.ts';
import type { Order } from '../../../sales/order.ts';
import { countAdminItems } from '../../../service/admin-items.ts';
import type { Diagnosis } from '../../../service/doctor/doctor.ts';
import { FIGURE_DAYS, figuresOverTime } from '../../../service/figures.ts';
import { ANY_ORDER, listTakings, type Takings, TAKINGS_DAYS } from '../../../service/orders.ts';
import { findSetupProblems, originProblem } from '../../../service/sell-check.ts';
import { examineHealth } from '../../../service/server-start.ts';
import type { Stall } from '../../../service/stall.ts';
import type { Http } from '../../http.ts';
import { counted, DataTable, Facts, When } from '../parts/data-table.tsx';
import { QuietLink } from '../parts/form.tsx';
import { ITEMS, ORDERS, OverTime, sendAdminPage, spell, Stat } from './office.tsx';
import { moneyOf, OrderBadge, titlesOf } from './orders.tsx';

/** So many orders are shown. */
const LAST = 8;

/** `GET /admin`: money, the last orders, what needs attention, before the first sale what is left to do, and the readers. */
export async function showOverview(http: Http, owner: SessionPrincipal): Promise<Response> {
  const { stall } = http;
  const { store, now } = stall;
  const filter = { ...ANY_ORDER, now: now() };
  const [takings, orders, urgent, days, holdings, diagnoses] = await Promise.all([
    listTakings(stall),
    store.listOrderPage(filter, { beside: null, side: 'older', limit: LAST }),
    store.countOrders({ ...filter, attention: true }),
    figuresOverTime(stall).then((found) => found.map(({ day, ...counts }) => ({ period: day, ...counts }))),
    store.countHoldings(now()),
    examineHealth(stall),
  ]);
  const { served, broken } = countAdminItems(stall);
  const { accounts, disabled, grants, keys } = holdings;
  return sendAdminPage(
    http,
    owner,
    { current: '/admin', title: 'Office' },
    <>
      <div class="columns overview">
        <div class="stack">
          {store.hasSales() ? <Money takings={takings} now={now()} /> : <FirstSteps stall={stall} />}
          {orders.length > 0 && <LastOrders stall={stall} orders={orders} />}
        </div>
        <Attention urgent={urgent} diagnoses={diagnoses} />
      </div>
      <section>
        <h2>Readers</h2>
        <dl class="stats">
          <Stat name={`${plural(served, 'item')} served${also(broken, 'with errors')}`} count={served} />
          <Stat name={`${plural(accounts, 'account')}${also(disabled, 'disabled')}`} count={accounts} />
          <Stat name={plural(grants, 'active grant')} count={grants} />
          <Stat name={plural(keys, 'active key')} count={keys} />
        </dl>
      </section>
      <section class="charts">
        <h2>The last {FIGURE_DAYS} days</h2>
        <OverTime
          by="day"
          caption="Questions and downloads"
          periods={days}
          charts={[
            ['questions', 'Questions to books', ({ questions }) => questions],
            ['downloads', 'Downloads', ({ downloads }) => downloads],
          ]}
          columns={{
            Questions: ({ questions }) => questions,
            Downloads: ({ downloads }) => downloads,
          }}
        />
      </section>
    </>,
  );
}

const plural = (count: number, one: string): string => (count === 1 ? one : `${one}s`);
const also = (count: number, word: string): string => (count === 0 ? '' : `, ${count} ${word}`);

/** What was paid, currency by currency: sums of different ones mean nothing. */
function Money({ takings, now }: { takings: readonly Takings[]; now: number }) {
  return (
    <section class="takings">
      <h2>Sales</h2>
      {takings.length === 0 && <p>Nothing was sold in the last {TAKINGS_DAYS} days.</p>}
      {takings.map(({ currency, today, month, payments, givenBack, days }) => {
        const money = (amount: number): string => formatMoney(amount, currency);
        return (
          <>
            <dl class="stats">
              <Sum name="today" amount={money(today)} />
              <Sum name="this month" amount={money(month)} />
              <Sum
                name={`in ${TAKINGS_DAYS} days`}
                amount={money(days.reduce((all, amount) => all + amount, 0))}
              />
            </dl>
            <p class="quiet">
              {counted(payments, 'sale')} this month{givenBack > 0 && `, ${money(givenBack)} given back`}
            </p>
            <DayLine currency={currency} days={days} now={now} />
          </>
        );
      })}
      <p class="quiet">
        With tax, before your provider’s fees; days are in UTC. <a href="/admin/sales">By month and item</a>
      </p>
    </section>
  );
}

const Sum = ({ name, amount }: { name: string; amount: string }) => (
  <div>
    <dt>{name}</dt>
    <dd>{amount}</dd>
  </div>
);

const [WIDTH, HEIGHT] = [720, 72];

/** A line through the amounts of days, of which today is the last, and in words what it shows. */
function DayLine({ currency, days, now }: { currency: string; days: readonly number[]; now: number }) {
  const most = Math.max(1, ...days);
  const dayOf = (n: number): string => spell(new Date(now - (days.length - 1 - n) * DAY).toISOString());
  const points = days
    .map((amount, n) => [(n * WIDTH) / (days.length - 1), HEIGHT - (amount / most) * HEIGHT])
    .map((point) => point.map((length) => Math.round(length * 10) / 10).join(' '))
    .join('L');
  const best = `at most ${formatMoney(Math.max(...days), currency)}, on ${dayOf(days.indexOf(Math.max(...days)))}`;
  return (
    <figure class="time-chart">
      <svg
        class="chart line"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`Paid in ${currency.toUpperCase()} on each of ${days.length} days: ${best}`}
      >
        <path class="area" d={`M0 ${HEIGHT}L${points}L${WIDTH} ${HEIGHT}Z`} />
        <path class="stroke" d={`M${points}`} />
      </svg>
      <p class="span">
        <span>{dayOf(0)}</span>
        <span>{dayOf(days.length - 1)}</span>
      </p>
    </figure>
  );
}

function LastOrders({ stall, orders }: { stall: Stall; orders: readonly Order[] }) {
  return (
    <section>
      <h2>Last orders</h2>
      <DataTable
        caption="The last orders, newest first"
        columns={{
          Order: ({ id, ref }) => <a href={`${ORDERS}/${id}`}>{ref}</a>,
          State: (order) => <OrderBadge order={order} now={stall.now()} />,
          Amount: ({ amount, currency }) => moneyOf(amount, currency),
          When: ({ at }) => <When at={at} />,
          Bought: (order) => titlesOf(stall, order),
        }}
        rows={orders}
      />
      <div class="actions">
        <QuietLink href={ORDERS}>All orders</QuietLink>
      </div>
    </section>
  );
}

/** Orders that wait for the owner, and the stall's problems with their remedies; passed checks are folded away. */
function Attention({ urgent, diagnoses }: { urgent: number; diagnoses: readonly Diagnosis[] }) {
  const wrong = diagnoses.filter(({ status }) => status === 'fail' || status === 'warn');
  const well = diagnoses.filter(({ status }) => status === 'ok');
  return (
    <section>
      <h2>Needs attention</h2>
      {urgent + wrong.length === 0 && <p class="quiet">Nothing needs you now.</p>}
      <ul class="warnings">
        {urgent > 0 && (
          <li>
            <strong>
              <a href={ORDERS}>{counted(urgent, 'order')}</a> {urgent === 1 ? 'needs' : 'need'} you.
            </strong>
          </li>
        )}
        {wrong
          .toSorted((a, b) => Number(b.status === 'fail') - Number(a.status === 'fail'))
          .map(({ status, sentence, remedy }) => (
            <li class={status === 'fail' ? 'bad' : undefined}>
              <strong>{sentence}.</strong> {remedy}.
            </li>
          ))}
      </ul>
      <details>
        <summary>{`${well.length} checks passed`}</summary>
        <Facts facts={well.map(({ check, sentence }) => [check, sentence])} />
        <p class="quiet">
          <code>bookstall doctor</code> checks more: the whole database, all content and the model.
        </p>
      </details>
    </section>
  );
}

/** The Handbook's section on stall.yaml. */
const STALL_YAML = '#stallyaml-the-stalls-name-and-looks';

/** One thing to do before the first sale, and how. */
type Step = { readonly name: string; readonly isDone: boolean; readonly how: ComponentChildren };

function FirstSteps({ stall }: { stall: Stall }) {
  const steps = stepsOf(stall);
  return (
    <section>
      <h2>Before your first sale</h2>
      <p class="quiet">{`${steps.filter(({ isDone }) => isDone).length} of ${steps.length} done`}</p>
      <ol class="first-steps">
        {steps.map(({ name, isDone, how }) => (
          <li class={isDone ? 'done' : undefined}>
            <strong>{name}</strong>
            {isDone ? <span class="badge good">Done</span> : <p>{how}</p>}
          </li>
        ))}
      </ol>
      <p class="quiet">
        Then play a sale with <code>bookstall sell test</code>: it makes a real order, and no figure counts
        it.
      </p>
    </section>
  );
}

function stepsOf(stall: Stall): readonly Step[] {
  const { config, outbox, manifest } = stall;
  const catalog = stall.catalog();
  const { name, contact, terms, imprint } = manifest();
  const published = listPublished(catalog);
  const sold = new Set(listOffers(catalog).map(({ provider }) => provider));
  const [problem] = findSetupProblems(config.sales, sold);
  const unreachable = originProblem(stall.origin());
  const guide = (chapter: string, title: string) => <Guide stall={stall} chapter={chapter} title={title} />;
  return [
    {
      name: 'Name your stall and give a contact',
      isDone: name !== 'Bookstall' && contact !== null,
      how: <>Write “name” and “contact” into stall.yaml. {guide(`02-content.md${STALL_YAML}`, 'Content')}</>,
    },
    {
      name: 'Publish an item',
      isDone: published.length > 0,
      how: (
        <>
          Bring a manuscript with “bookstall import”, or begin with “bookstall new book SLUG”; then set its
          status to published. <a href={ITEMS}>Items</a>
        </>
      ),
    },
    {
      name: 'Set a price',
      isDone: catalog.bundles.length > 0 || published.some(({ manifest: one }) => !isFree(one)),
      how: (
        <>Set “unitAmountCents” in an item.yaml. {guide('02-content.md#prices-and-currency', 'Content')}</>
      ),
    },
    {
      name: 'Connect a payment provider',
      isDone: problem === undefined && PAYMENT_PROVIDERS.some((one) => takesSales(config.sales, one)),
      how: (
        <>
          {problem === undefined
            ? 'Choose Stripe, Polar, Lemon Squeezy or Gumroad; “bookstall sell check” says what is missing.'
            : `${problem.sentence}. ${problem.remedy}.`}{' '}
          {guide('17-selling.md#name-what-is-for-sale-sell-in-itemyaml', 'Selling')}
        </>
      ),
    },
    {
      name: 'Let the stall send mail',
      isDone: outbox.sends,
      how: (
        <>
          Set BOOKSTALL_SMTP_URL; until then you pass links on to buyers yourself.{' '}
          {guide('17a-mail-and-claims.md#let-the-stall-send-mail', 'Mail and claims')}
        </>
      ),
    },
    {
      name: 'Serve it at a public https address',
      isDone: unreachable === null,
      how: (
        <>
          {unreachable}. {guide('11-installing-and-deploying.md#behind-caddy', 'Installing and deploying')}
        </>
      ),
    },
    {
      name: 'Show your terms and imprint',
      isDone: terms !== null && imprint !== null,
      how: (
        <>
          Name their pages with “terms” and “imprint” in stall.yaml.{' '}
          {guide(`02-content.md${STALL_YAML}`, 'Content')}
        </>
      ),
    },
  ];
}

/** The chapter of the Handbook: a link where this stall serves it. */
function Guide({ stall, chapter, title }: { stall: Stall; chapter: string; title: string }) {
  const served = stall.catalog().byBookId.get('bookstall-handbook');
  if (served === undefined) return <>Handbook: “{title}”.</>;
  return <a href={`/books/${served.manifest.slug}/read/${chapter}`}>Handbook: {title}</a>;
}
