import { officeOf, useOffice } from '../platform/site/words.tsx';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { DAY } from '../platform/base/duration.ts';
import { formatMoney } from '../catalog/price.rule.ts';
import { countAdminItems } from '../publishing/admin-items.ts';
import type { Diagnosis } from './doctor/doctor.ts';
import { ANY_ORDER, type CurrencySales, listSales, totalOf } from '../selling/order.ts';
import { examineHealth } from './server-start.ts';
import { redirect } from '../platform/http/answer.ts';
import { FirstSteps, STEPS_AWAY } from './first-steps.part.tsx';
import type { Http } from './stall.ts';
import { DataTable, Facts } from '../platform/site/data-table.tsx';
import { QuietLink } from '../platform/site/form.tsx';
import { sendAdminPage, spell, Stat } from './office.part.tsx';
import { ORDERS, REPORTS } from '../platform/site/linked-pages.ts';
import { orderColumns } from '../selling/orders.part.tsx';

const LAST = 8;

export async function showOverview(http: Http, owner: SessionPrincipal): Promise<Response> {
  const w = officeOf(http, owner);
  const { stall } = http;
  const { store, now } = stall;
  const filter = { ...ANY_ORDER, now: now() };
  const orders = store.listOrderPage(filter, { beside: null, side: 'older', limit: LAST });
  const tasks = [
    [store.countOrders({ ...filter, attention: true }), 'ordersNeedYou', ORDERS],
    [store.countOpenReports(), 'reportsNeedYou', REPORTS],
  ] as const;
  const holdings = store.countHoldings(now());
  const [takings, diagnoses] = await Promise.all([listSales(stall, '90d', false), examineHealth(stall)]);
  const { served, broken } = countAdminItems(stall);
  const { accounts, disabled, grants, keys } = holdings;
  const isOpen = store.hasProviderSales();
  return sendAdminPage(
    http,
    owner,
    { current: '/admin', title: w.overview.title },
    <>
      <div class="columns overview">
        <div class="stack">
          {(isOpen || takings.length > 0) && <Money takings={takings} now={now()} />}
          {!isOpen && <FirstSteps stall={stall} owner={owner} isFolded={takings.length > 0} />}
          {orders.length > 0 && (
            <section>
              <h2>{w.overview.lastOrders}</h2>
              <DataTable
                caption={w.overview.lastOrdersCaption}
                columns={orderColumns(w, stall)}
                rows={orders}
              />
              <div class="actions">
                <QuietLink href={ORDERS}>{w.overview.allOrdersLink}</QuietLink>
              </div>
            </section>
          )}
        </div>
        <Attention tasks={tasks} diagnoses={diagnoses} />
      </div>
      <section>
        <h2>{w.overview.readers}</h2>
        <dl class="stats">
          <Stat name={w.overview.served({ count: served, broken })} count={served} />
          <Stat name={w.overview.accounts({ count: accounts, disabled })} count={accounts} />
          <Stat name={w.overview.grants({ count: grants })} count={grants} />
          <Stat name={w.overview.keys({ count: keys })} count={keys} />
        </dl>
      </section>
    </>,
  );
}

export async function putStepsAway({ stall }: Http, owner: SessionPrincipal): Promise<Response> {
  await stall.settings.save(owner, STEPS_AWAY, { values: { [STEPS_AWAY]: true } });
  return redirect('/admin');
}

/** The amounts paid, by currency, since amounts in different currencies cannot be added. */
function Money({ takings, now }: { takings: readonly CurrencySales[]; now: number }) {
  const w = useOffice();
  return (
    <section class="takings">
      <h2>{w.overview.sales}</h2>
      {takings.length === 0 && <p>{w.overview.noSales}</p>}
      {takings.map(({ currency, periods: days }) => {
        const month = days.slice(-new Date(now).getUTCDate());
        const money = (amount: number): string => formatMoney(amount, currency, w.locale);
        const back = totalOf(month, 'givenBack');
        return (
          <>
            <dl class="stats">
              <Stat name={w.overview.today} count={money(days.at(-1)?.gross ?? 0)} />
              <Stat name={w.overview.thisMonth} count={money(totalOf(month, 'gross'))} />
              <Stat name={w.overview.inDays({ count: days.length })} count={money(totalOf(days, 'gross'))} />
            </dl>
            <p class="quiet">
              {w.overview.salesOfMonth({
                count: totalOf(month, 'payments'),
                givenBack: back === 0 ? null : money(back),
              })}
            </p>
            <DayLine amounts={days.map(({ gross }) => gross)} currency={currency} now={now} />
          </>
        );
      })}
      <p class="quiet">
        {w.overview.salesHint({ link: (text) => <a href="/admin/sales?span=90d">{text}</a> })}
      </p>
    </section>
  );
}

function DayLine({ amounts, currency, now }: { amounts: readonly number[]; currency: string; now: number }) {
  const w = useOffice();
  const [last, most] = [amounts.length - 1, Math.max(...amounts)];
  const dayOf = (n: number): string => spell(new Date(now - (last - n) * DAY).toISOString(), w.locale);
  const line = amounts
    .map((amount, n) => `${n * 10} ${Math.round(72 - (72 * amount) / (most || 1))}`)
    .join('L');
  const words = w.overview.chart({
    currency: currency.toUpperCase(),
    count: amounts.length,
    most: formatMoney(most, currency, w.locale),
    day: dayOf(amounts.indexOf(most)),
  });
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

type Task = readonly [count: number, name: 'ordersNeedYou' | 'reportsNeedYou', href: string];

function Attention({ tasks, diagnoses }: { tasks: readonly Task[]; diagnoses: readonly Diagnosis[] }) {
  const w = useOffice();
  const wrong = diagnoses.filter(({ status }) => status === 'fail' || status === 'warn');
  const well = diagnoses.filter(({ status }) => status === 'ok');
  return (
    <section>
      <h2>{w.overview.attention}</h2>
      {wrong.length === 0 && tasks.every(([count]) => count === 0) && (
        <p class="quiet">{w.overview.noAttention}</p>
      )}
      <ul class="warnings">
        {tasks
          .filter(([count]) => count > 0)
          .map(([count, name, href]) => (
            <li>
              <strong>{w.overview[name]({ count, link: (text) => <a href={href}>{text}</a> })}</strong>
            </li>
          ))}
        {wrong
          .toSorted((a, b) => Number(b.status === 'fail') - Number(a.status === 'fail'))
          .map(({ status, sentence, remedy }) => (
            <li class={status === 'fail' ? 'bad' : undefined} lang="en">
              <strong>{sentence}.</strong> {remedy}.
            </li>
          ))}
      </ul>
      <details>
        <summary>{w.overview.passed({ count: well.length })}</summary>
        <div lang="en">
          <Facts facts={well.map(({ check, sentence }) => [check, sentence])} />
        </div>
        <p class="quiet">{w.overview.doctorHint({ code: <code>bookstall doctor</code> })}</p>
      </details>
    </section>
  );
}
