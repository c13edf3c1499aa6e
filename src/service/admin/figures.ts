import { DAY } from '../../duration.ts';
import type { DayCount, Holdings } from '../../store/tables/activity.ts';
import type { Store } from '../../store/store.ts';

/** How many days the office shows. */
export const FIGURE_DAYS = 30;

/** The totals of a UTC day such as `2026-11-20`. */
export type DayFigures = { readonly day: string; readonly questions: number; readonly downloads: number };

/** The first day that the office shows, in whole days since 1970 UTC. */
export function firstDay(now: number): number {
  return Math.floor(now / DAY) - FIGURE_DAYS + 1;
}

/** Rows are written a moment after their time. A day that ended this many milliseconds ago no longer changes. */
const SETTLED = 60_000;

/** The stall's figures: questions and downloads by day, and its totals. */
export function createFigures(store: Store, now: () => number) {
  const past = new Map<number, DayFigures>();

  /** Counts the days from `first` on that were not settled at the last count. */
  const countSince = async (first: number): Promise<ReadonlyMap<number, DayFigures>> => {
    let since = first;
    while (past.has(since)) since++;
    const today = Math.floor(now() / DAY);
    const settled = Math.floor((now() - SETTLED) / DAY);
    const questions = byDay(await store.countQuestionsByDay(since));
    const downloads = byDay(await store.countDownloadsByDay(since));
    const counted = new Map(past);
    for (let day = since; day <= today; day++) {
      const figures = {
        day: new Date(day * DAY).toISOString().slice(0, 10),
        questions: questions.get(day) ?? 0,
        downloads: downloads.get(day) ?? 0,
      };
      counted.set(day, figures);
      if (day < settled) past.set(day, figures);
    }
    return counted;
  };

  return {
    /** The last thirty days, including days without any entry; today is the last. */
    async overTime(): Promise<readonly DayFigures[]> {
      const first = firstDay(now());
      for (const day of past.keys()) if (day < first) past.delete(day);
      const counted = await countSince(first);
      return [...counted.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1)).slice(-FIGURE_DAYS);
    },
    holdings: (): Promise<Holdings> => store.countHoldings(now()),
  };
}

function byDay(counts: readonly DayCount[]): ReadonlyMap<number, number> {
  return new Map(counts.map(({ day, count }) => [day, count]));
}
