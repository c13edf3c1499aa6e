import type { ItemKind } from '../../../item/item.ts';
import type { ItemFigures as Figures, Span } from '../../../service/figures.ts';
import { OUTCOMES } from '../logs/questions.tsx';
import { Choices } from '../parts/choices.tsx';
import { DataTable } from '../parts/data-table.tsx';
import { type ItemView, itemPath } from './item-address.ts';
import { Stat } from './stat.tsx';
import { TimeChart } from './time-chart.tsx';
import { FIGURE_DAYS } from '../../../service/figures.ts';

const SPANS: Readonly<Record<Span, string>> = { days: `${FIGURE_DAYS} days`, months: '12 months' };

/** The outcomes of questions that the book did not answer. */
const UNANSWERED = ['not_covered', 'unsupported'];

/** An item's holders now, and its totals over a span. */
export function ItemStats({
  kind,
  holders,
  figures,
  span,
}: {
  kind: ItemKind;
  holders: number;
  figures: readonly Figures[];
  span: Span;
}) {
  const total = (of: (period: Figures) => number) => figures.reduce((sum, period) => sum + of(period), 0);
  return (
    <dl class="stats">
      <Stat name={holders === 1 ? 'holder now' : 'holders now'} count={holders} />
      <Stat name={`page views, ${SPANS[span]}`} count={total(({ views }) => views)} />
      <Stat name={`downloads, ${SPANS[span]}`} count={total(({ downloads }) => downloads)} />
      {kind === 'book' && (
        <>
          <Stat name={`questions, ${SPANS[span]}`} count={total(askedIn)} />
          <Stat name="without an answer" count={total(unansweredIn)} />
        </>
      )}
    </dl>
  );
}

/** Charts of an item's views, downloads and questions over time, and a table with the same figures. */
export function ItemFigures({
  kind,
  view,
  figures,
}: {
  kind: ItemKind;
  view: ItemView;
  figures: readonly Figures[];
}) {
  const by = view.span === 'days' ? 'day' : 'month';
  const charts: readonly (readonly [id: string, title: string, of: (period: Figures) => number])[] = [
    ['views', 'Page views', ({ views }) => views],
    ['downloads', 'Downloads', ({ downloads }) => downloads],
    ...(kind === 'book'
      ? ([
          ['questions', 'Questions', askedIn],
          ['unanswered', 'Questions without an answer', unansweredIn],
        ] as const)
      : []),
  ];
  return (
    <section>
      <h2>The last {SPANS[view.span]}</h2>
      <Choices
        label="Time"
        choices={(['days', 'months'] as const).map((span) => ({
          href: itemPath({ ...view, span }),
          name: SPANS[span],
          isChosen: span === view.span,
        }))}
      />
      {charts.map(([id, title, of]) => (
        <TimeChart
          key={id}
          id={id}
          title={title}
          by={by}
          counts={figures.map((period) => ({ period: period.period, count: of(period) }))}
        />
      ))}
      <details>
        <summary>Figures by {by} (UTC)</summary>
        <FigureTable kind={kind} by={by} figures={figures} />
      </details>
    </section>
  );
}

/** The figures with a column for each outcome that any question had. */
function FigureTable({ kind, by, figures }: { kind: ItemKind; by: string; figures: readonly Figures[] }) {
  const seen = new Set(figures.flatMap(({ outcomes }) => Object.keys(outcomes)));
  const outcomes = [...Object.keys(OUTCOMES).filter((name) => seen.has(name))];
  const isBook = kind === 'book';
  return (
    <DataTable
      caption={`Page views${isBook ? ', downloads and questions' : ' and downloads'} by ${by} (UTC)`}
      columns={[
        by === 'day' ? 'Day' : 'Month',
        'Page views',
        'Downloads',
        ...(isBook ? ['Questions'] : []),
        ...outcomes.map((name) => OUTCOMES[name] ?? name),
      ]}
      rows={figures.toReversed().map((period) => ({
        key: period.period,
        cells: [
          period.period,
          period.views,
          period.downloads,
          ...(isBook ? [askedIn(period)] : []),
          ...outcomes.map((name) => period.outcomes[name] ?? 0),
        ],
      }))}
      empty={null}
    />
  );
}

function askedIn({ outcomes }: Figures): number {
  return Object.values(outcomes).reduce((sum, count) => sum + count, 0);
}

function unansweredIn({ outcomes }: Figures): number {
  return UNANSWERED.reduce((sum, name) => sum + (outcomes[name] ?? 0), 0);
}
