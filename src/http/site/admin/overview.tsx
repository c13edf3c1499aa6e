import { Elysia } from 'elysia';
import type { SessionPrincipal } from '../../../access/principal.ts';
import { type DayFigures, FIGURE_DAYS } from '../../../service/figures.ts';
import type { RouteDeps } from '../frame/route-deps.ts';
import { DataTable } from '../parts/data-table.tsx';
import { Health } from './health.tsx';
import { sendAdminPage } from './admin-page.tsx';
import { Stat } from './stat.tsx';
import { TimeChart } from './time-chart.tsx';

/** `GET /admin`: problems, totals, and the questions and downloads of thirty days. */
export function overview(deps: RouteDeps) {
  return new Elysia()
    .use(deps.identity)
    .get('/admin', ({ owner }) => show(deps, owner), { ownerGuard: true });
}

async function show(deps: RouteDeps, owner: SessionPrincipal): Promise<Response> {
  const { figures, health, items } = deps.service.adminViews;
  const [days, holdings, diagnoses] = await Promise.all([figures.overTime(), figures.holdings(), health()]);
  const { served, broken } = items.count();
  return sendAdminPage(
    deps,
    owner,
    { current: '/admin', title: 'Office' },
    <>
      <Health diagnoses={diagnoses} />
      <dl class="stats">
        <Stat
          name={`${counted(served, 'item')} served${broken === 0 ? '' : `, ${broken} with errors`}`}
          count={served}
        />
        <Stat
          name={`${counted(holdings.accounts, 'account')}${holdings.disabled === 0 ? '' : `, ${holdings.disabled} disabled`}`}
          count={holdings.accounts}
        />
        <Stat name={counted(holdings.grants, 'active grant')} count={holdings.grants} />
        <Stat name={counted(holdings.keys, 'active key')} count={holdings.keys} />
      </dl>
      <Activity days={days} />
    </>,
  );
}

const counted = (count: number, one: string): string => (count === 1 ? one : `${one}s`);

function Activity({ days }: { days: readonly DayFigures[] }) {
  return (
    <section>
      <h2>The last {FIGURE_DAYS} days</h2>
      <TimeChart
        id="questions"
        title="Questions to books"
        by="day"
        counts={days.map(({ day, questions }) => ({ period: day, count: questions }))}
      />
      <TimeChart
        id="downloads"
        title="Downloads"
        by="day"
        counts={days.map(({ day, downloads }) => ({ period: day, count: downloads }))}
      />
      <details>
        <summary>Figures by day (UTC)</summary>
        <DataTable
          caption="Questions and downloads by day (UTC)"
          columns={['Day', 'Questions', 'Downloads']}
          rows={days.toReversed().map(({ day, questions, downloads }) => ({
            key: day,
            cells: [day, questions, downloads],
          }))}
          empty={null}
        />
      </details>
    </section>
  );
}
