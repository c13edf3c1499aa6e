import type { SessionPrincipal } from '../../../access/principal.ts';
import { type DayFigures, FIGURE_DAYS, figuresOverTime } from '../../../service/figures.ts';
import type { Http } from '../../http.ts';
import { DataTable } from '../parts/data-table.tsx';
import { sendAdminPage } from './admin-page.tsx';
import { Stat, TimeChart } from './sales.tsx';
import type { Diagnosis } from '../../../service/doctor/doctor.ts';
import { countAdminItems } from '../../../service/admin-items.ts';
import { examineHealth } from '../../../service/server-start.ts';

/** `GET /admin`: problems, totals, and the questions and downloads of thirty days. */
export async function showOverview(http: Http, owner: SessionPrincipal): Promise<Response> {
  const { stall } = http;
  const [days, holdings, diagnoses] = await Promise.all([
    figuresOverTime(stall),
    stall.store.countHoldings(stall.now()),
    examineHealth(stall),
  ]);
  const { served, broken } = countAdminItems(stall);
  return sendAdminPage(
    http,
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

/** The stall's problems with their remedies; passed checks are folded away. */
function Health({ diagnoses }: { diagnoses: readonly Diagnosis[] }) {
  const wrong = diagnoses.filter(({ status }) => status === 'fail' || status === 'warn');
  const well = diagnoses.filter(({ status }) => status === 'ok');
  return (
    <>
      {wrong.length > 0 && (
        <ul class="warnings" aria-label="Needs attention">
          {wrong
            .toSorted((a, b) => Number(b.status === 'fail') - Number(a.status === 'fail'))
            .map(({ check, status, sentence, remedy }) => (
              <li key={check} class={status === 'fail' ? 'bad' : undefined}>
                <strong>{sentence}.</strong> {remedy}.
              </li>
            ))}
        </ul>
      )}
      <details>
        <summary>{`${well.length} checks passed`}</summary>
        <dl class="facts">
          {well.map(({ check, sentence }) => (
            <>
              <dt>{check}</dt>
              <dd>{sentence}</dd>
            </>
          ))}
        </dl>
        <p class="quiet">
          <code>bookstall doctor</code> checks more: the whole database, all content and the model.
        </p>
      </details>
    </>
  );
}
