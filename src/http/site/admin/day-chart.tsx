import { formatInstant } from '../parts/instant.ts';

/** How often something happened on a day such as `2026-11-20`. */
type DayCount = { readonly day: string; readonly count: number };

const WIDTH = 720;
const HEIGHT = 120;

/** An SVG chart of one bar a day; `id` is unique on the page. A table beside it should hold the figures. */
export function DayChart({ id, title, counts }: { id: string; title: string; counts: readonly DayCount[] }) {
  const most = Math.max(...counts.map(({ count }) => count));
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const words = all === 0 ? 'none' : `${number(all)} in total, at most ${number(most)} a day`;
  return (
    <figure class="day-chart">
      <figcaption>
        <strong>{title}</strong>: {words}
      </figcaption>
      {all > 0 && <Bars id={id} title={title} words={words} counts={counts} most={most} />}
    </figure>
  );
}

type BarsProps = {
  readonly id: string;
  readonly title: string;
  readonly words: string;
  readonly counts: readonly DayCount[];
  readonly most: number;
};

function Bars({ id, title, words, counts, most }: BarsProps) {
  return (
    <>
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-labelledby={`${id}-title ${id}-words`}
      >
        <title id={`${id}-title`}>{`${title} by day`}</title>
        <desc id={`${id}-words`}>{words}</desc>
        {counts.map(({ day, count }, n) => (
          <Bar key={day} day={day} count={count} n={n} of={counts.length} most={most} />
        ))}
        <path class="axis" d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} />
      </svg>
      <p class="span">
        <span>{spell(counts[0]?.day)}</span>
        <span>{spell(counts.at(-1)?.day)}</span>
      </p>
    </>
  );
}

type BarProps = DayCount & { readonly n: number; readonly of: number; readonly most: number };

function Bar({ day, count, n, of, most }: BarProps) {
  if (count === 0) return null;
  const step = WIDTH / of;
  // The bar of a day with one entry must be visible beside the highest.
  const height = Math.max(2, (count / most) * HEIGHT);
  return (
    <rect
      class="bar"
      x={round((n + 0.15) * step)}
      y={round(HEIGHT - height)}
      width={round(0.7 * step)}
      height={round(height)}
    >
      <title>{`${day}: ${count}`}</title>
    </rect>
  );
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}

function number(count: number): string {
  return count.toLocaleString('en');
}

function spell(day: string | undefined): string {
  return day === undefined ? '' : formatInstant(new Date(day), false, 'UTC');
}
