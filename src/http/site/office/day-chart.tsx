/** How often something happened on a day, `2026-11-20`. */
type DayCount = { readonly day: string; readonly count: number };

const WIDTH = 720;
const HEIGHT = 160;
const TOP = 24;
const BASE = HEIGHT - 20;

/** One bar a day, drawn as SVG; `id` is unique on the page. The figures themselves belong in a table beside it. */
export function DayChart({ id, title, counts }: { id: string; title: string; counts: readonly DayCount[] }) {
  const most = Math.max(1, ...counts.map(({ count }) => count));
  const all = counts.reduce((sum, { count }) => sum + count, 0);
  const step = WIDTH / counts.length;
  return (
    <figure class="day-chart">
      <svg
        class="chart"
        viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
        role="img"
        aria-labelledby={`${id}-title ${id}-words`}
      >
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-words`}>{`${all} in ${counts.length} days, at most ${most} on one day`}</desc>
        <text x="0" y="14">
          {`${title}: ${all.toLocaleString('en')}`}
        </text>
        <path class="axis" d={`M0 ${BASE + 0.5}H${WIDTH}`} />
        {counts.map(({ day, count }, n) => {
          const height = (count / most) * (BASE - TOP);
          // A day on which something happened is seen, however small beside the greatest.
          return count === 0 ? null : (
            <rect
              key={day}
              class="bar"
              x={round(n * step + step * 0.15)}
              y={round(BASE - Math.max(height, 2))}
              width={round(step * 0.7)}
              height={round(Math.max(height, 2))}
            >
              <title>{`${day}: ${count}`}</title>
            </rect>
          );
        })}
        <text x="0" y={HEIGHT - 4}>
          {counts[0]?.day}
        </text>
        <text x={WIDTH} y={HEIGHT - 4} text-anchor="end">
          {counts.at(-1)?.day}
        </text>
      </svg>
    </figure>
  );
}

function round(length: number): number {
  return Math.round(length * 10) / 10;
}
