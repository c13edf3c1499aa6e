import type { ComponentChildren } from 'preact';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { listPublished } from '../catalog/catalog.ts';
import { listOffers } from '../selling/offer.ts';
import { takesSales } from '../platform/config/sales.ts';
import { DAY } from '../platform/base/duration.ts';
import { isFree } from '../catalog/item.rule.ts';
import { formatMoney } from '../catalog/price.rule.ts';
import { PAYMENT_PROVIDERS, PROVIDER_NAMES } from '../words/payment-provider.ts';
import { countAdminItems } from '../publishing/admin-items.ts';
import type { Diagnosis } from './doctor/doctor.ts';
import { ANY_ORDER, type CurrencySales, listSales, totalOf } from '../selling/order.ts';
import { findSetupProblems, originProblem } from '../publishing/sell-check.ts';
import { examineHealth } from './server-start.ts';
import type { Stall, Http } from './stall.ts';
import { DataTable, Facts } from '../platform/site/data-table.tsx';
import { QuietLink } from '../platform/site/form.tsx';
import { sendAdminPage, spell, Stat } from './office.part.tsx';
import { counted, listed } from '../platform/base/text.ts';
import { ADD, ITEMS, ORDERS, REPORTS } from '../platform/site/paths.ts';
import { orderColumns } from '../selling/orders.part.tsx';

/** The maximum number of orders on the page. */
const LAST = 8;

/** `GET /admin`: shows money, the latest orders, problems, the remaining steps before the first sale, and the readers. */
export async function showOverview(http: Http, owner: SessionPrincipal): Promise<Response> {
  const { stall } = http;
  const { store, now } = stall;
  const filter = { ...ANY_ORDER, now: now() };
  const orders = store.listOrderPage(filter, { beside: null, side: 'older', limit: LAST });
  const tasks = [
    [store.countOrders({ ...filter, attention: true }), 'order', ORDERS],
    [store.countOpenReports(), 'report', REPORTS],
  ] as const;
  const holdings = store.countHoldings(now());
  const [takings, diagnoses] = await Promise.all([listSales(stall, '90d', false), examineHealth(stall)]);
  const { served, broken } = countAdminItems(stall);
  const { accounts, disabled, grants, keys } = holdings;
  const isOpen = store.hasProviderSales();
  return sendAdminPage(
    http,
    owner,
    { current: '/admin', title: 'Office' },
    <>
      <div class="columns overview">
        <div class="stack">
          {(isOpen || takings.length > 0) && <Money takings={takings} now={now()} />}
          {!isOpen && <FirstSteps stall={stall} isFolded={takings.length > 0} />}
          {orders.length > 0 && (
            <section>
              <h2>Last orders</h2>
              <DataTable
                caption="The last orders, newest first"
                columns={orderColumns(stall)}
                rows={orders}
              />
              <div class="actions">
                <QuietLink href={ORDERS}>All orders</QuietLink>
              </div>
            </section>
          )}
        </div>
        <Attention tasks={tasks} diagnoses={diagnoses} />
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
    </>,
  );
}

const plural = (count: number, one: string): string => (count === 1 ? one : `${one}s`);
const also = (count: number, word: string): string => (count === 0 ? '' : `, ${count} ${word}`);

/** The amounts paid in each currency; amounts in different currencies cannot be added. */
function Money({ takings, now }: { takings: readonly CurrencySales[]; now: number }) {
  return (
    <section class="takings">
      <h2>Sales</h2>
      {takings.length === 0 && <p>Nothing was sold in the last 90 days.</p>}
      {takings.map(({ currency, periods: days }) => {
        const month = days.slice(-new Date(now).getUTCDate());
        const money = (amount: number): string => formatMoney(amount, currency);
        return (
          <>
            <dl class="stats">
              <Stat name="today" count={money(days.at(-1)?.gross ?? 0)} />
              <Stat name="this month" count={money(totalOf(month, 'gross'))} />
              <Stat name={`in ${days.length} days`} count={money(totalOf(days, 'gross'))} />
            </dl>
            <p class="quiet">
              {counted(totalOf(month, 'payments'), 'sale')} this month
              {totalOf(month, 'givenBack') > 0 && `, ${money(totalOf(month, 'givenBack'))} given back`}
            </p>
            <DayLine amounts={days.map(({ gross }) => gross)} currency={currency} now={now} />
          </>
        );
      })}
      <p class="quiet">
        With tax, before your provider’s fees; days are in UTC.{' '}
        <a href="/admin/sales?span=90d">By day and item</a>
      </p>
    </section>
  );
}

/** A line chart of daily amounts up to today, with a description for screen readers. */
function DayLine({ amounts, currency, now }: { amounts: readonly number[]; currency: string; now: number }) {
  const [last, most] = [amounts.length - 1, Math.max(...amounts)];
  const dayOf = (n: number): string => spell(new Date(now - (last - n) * DAY).toISOString());
  const line = amounts
    .map((amount, n) => `${n * 10} ${Math.round(72 - (72 * amount) / (most || 1))}`)
    .join('L');
  const best = `at most ${formatMoney(most, currency)}, on ${dayOf(amounts.indexOf(most))}`;
  const words = `Paid in ${currency.toUpperCase()} on each of ${amounts.length} days: ${best}`;
  const box = { viewBox: `0 0 ${last * 10} 72`, preserveAspectRatio: 'none' };
  return (
    <figure class="time-chart">
      <svg class="chart line" role="img" aria-label={words} {...box}>
        <path class="area" d={`M0 72L${line}V72Z`} />
        <path class="stroke" d={`M${line}`} />
      </svg>
      <p class="span">
        <span>{dayOf(0)}</span>
        <span>{dayOf(last)}</span>
      </p>
    </figure>
  );
}

type Task = readonly [count: number, name: string, href: string];

/** Orders and reports that the owner must handle, and problems with their remedies. Passed checks are collapsed. */
function Attention({ tasks, diagnoses }: { tasks: readonly Task[]; diagnoses: readonly Diagnosis[] }) {
  const wrong = diagnoses.filter(({ status }) => status === 'fail' || status === 'warn');
  const well = diagnoses.filter(({ status }) => status === 'ok');
  return (
    <section>
      <h2>Needs attention</h2>
      {wrong.length === 0 && tasks.every(([count]) => count === 0) && (
        <p class="quiet">Nothing needs you now.</p>
      )}
      <ul class="warnings">
        {tasks
          .filter(([count]) => count > 0)
          .map(([count, name, href]) => (
            <li>
              <strong>
                <a href={href}>{counted(count, name)}</a> {count === 1 ? 'needs' : 'need'} you.
              </strong>
            </li>
          ))}
        {wrong
          .toSorted((a, b) => Number(b.status === 'fail') - Number(a.status === 'fail'))
          .map(({ status, sentence, remedy }) => (
            <li class={status === 'fail' ? 'bad' : undefined}>
              <strong>{sentence}.</strong> {remedy}.
            </li>
          ))}
      </ul>
      <details>
        <summary>{counted(well.length, 'check')} passed</summary>
        <Facts facts={well.map(({ check, sentence }) => [check, sentence])} />
        <p class="quiet">
          <code>bookstall doctor</code> checks more: the whole database, all content and the model.
        </p>
      </details>
    </section>
  );
}

/** Chapters of the Handbook by their titles, each with the section to link to. */
const CHAPTERS = {
  'The shop and the office': '2g-shop-and-office.md#give-the-stall-its-name-and-looks',
  'Import a manuscript': '2b-import.md',
  'Books and skills': '2a-books-and-skills.md#set-or-change-the-price',
  Selling: '2e-selling.md#connect-a-provider-sell-setup',
  'Mail and claims': '2f-mail-and-claims.md#let-the-stall-send-mail',
  'Install and run': '2i-install-and-run.md#behind-caddy',
} as const;

/** A step before the first sale: its name, whether it is done, how to do it, and a chapter about it. */
type Step = readonly [name: string, isDone: boolean, how: ComponentChildren, chapter: keyof typeof CHAPTERS];

function stepsOf({ config: { sales }, outbox, manifest, catalog, origin }: Stall): readonly Step[] {
  const { name, contact, terms, imprint } = manifest();
  const published = listPublished(catalog());
  const hasPrice = catalog().bundles.length > 0 || published.some(({ manifest: one }) => !isFree(one));
  const [problem] = findSetupProblems(sales, new Set(listOffers(catalog()).map(({ provider }) => provider)));
  const isConnected = PAYMENT_PROVIDERS.some((provider) => takesSales(sales, provider));
  const unreachable = originProblem(origin());
  const items = <a href={ITEMS}>Items</a>;
  const inStallFile = (keys: string) => (
    <>
      Write {keys} into stall.yaml, in the content directory, and press “Reload content” in {items}.
    </>
  );
  const sell =
    problem === undefined
      ? `Choose ${listed(PAYMENT_PROVIDERS.map((provider) => PROVIDER_NAMES[provider]))}: the command “bookstall sell setup stripe” sets it up.`
      : `${problem.sentence}. ${problem.remedy}.`;
  return [
    [
      'Name your stall',
      name !== 'Bookstall' && contact !== null,
      inStallFile('“name” and “contact”'),
      'The shop and the office',
    ],
    [
      'Publish an item',
      published.length > 0,
      <>
        <a href={ADD}>Add a book or skill</a>; or write your own words into a draft of the content directory,
        with “status: published” in its item.yaml, and press “Reload content” in {items}.
      </>,
      'Import a manuscript',
    ],
    [
      'Set a price',
      hasPrice,
      <>
        “Edit” of an item in {items} has its price; an item of the content directory has it in its item.yaml,
        as in “price: 19.00”.
      </>,
      'Books and skills',
    ],
    ['Connect a payment provider', isConnected && problem === undefined, sell, 'Selling'],
    [
      'Let the stall send mail',
      outbox.sends,
      <>
        Set the variable BOOKSTALL_SMTP_URL; until then <a href="/admin/mail">Mail</a> has links for you to
        pass on to buyers.
      </>,
      'Mail and claims',
    ],
    ['Serve it over public https', unreachable === null, `${unreachable}.`, 'Install and run'],
    [
      'Show your terms and imprint',
      terms !== null && imprint !== null,
      inStallFile('“terms” and “imprint”, which name their pages,'),
      'The shop and the office',
    ],
  ];
}

/** The steps before a provider sells the first item; folded once something was sold in another way. */
function FirstSteps({ stall, isFolded }: { stall: Stall; isFolded: boolean }) {
  const steps = stepsOf(stall);
  const done = steps.filter(([, isDone]) => isDone).length;
  const count = `${done} of ${steps.length} done`;
  if (!isFolded)
    return (
      <section>
        <h2>Before your first sale</h2>
        <p class="quiet">{count}</p>
        <StepList stall={stall} steps={steps} />
      </section>
    );
  return done === steps.length ? null : (
    <details>
      <summary>Before your first sale by a provider: {count}</summary>
      <StepList stall={stall} steps={steps} />
    </details>
  );
}

function StepList({ stall, steps }: { stall: Stall; steps: readonly Step[] }) {
  const handbook = stall.catalog().byBookId.get('bookstall-handbook')?.manifest.slug;
  return (
    <>
      <ol class="first-steps">
        {steps.map(([name, isDone, how, chapter]) => (
          <li class={isDone ? 'done' : undefined}>
            <strong>{name}</strong>
            {isDone && <span class="badge good">Done</span>}
            {!isDone && (
              <p>
                {how}
                {handbook !== undefined && (
                  <>
                    {' '}
                    Handbook: <a href={`/books/${handbook}/read/${CHAPTERS[chapter]}`}>{chapter}</a>
                  </>
                )}
              </p>
            )}
          </li>
        ))}
      </ol>
      <p class="quiet">
        Then play a sale with <code>bookstall sell test</code>: it makes a real order, and no figure counts
        it.
      </p>
    </>
  );
}
