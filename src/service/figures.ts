import type { DayCount, Holdings } from '../store/activity.ts';
import type { Store } from '../store/store.ts';

const DAY = 24 * 60 * 60 * 1000;

/** How many days the office looks back. */
export const DAYS = 30;

/** What happened on a day of UTC, `2026-11-20`. */
export type DayFigures = { readonly day: string; readonly questions: number; readonly downloads: number };

/** The first of the days the office looks back on, in whole days since 1970 UTC. */
export function firstDay(now: number): number {
  return Math.floor(now / DAY) - DAYS + 1;
}

/** What a stall did, day by day, and what it holds. */
export function createFigures(store: Store, now: () => number) {
  return {
    /** Every one of the last thirty days, today the last, also those on which nothing happened. */
    async overTime(): Promise<readonly DayFigures[]> {
      const since = firstDay(now());
      const questions = byDay(await store.countQuestionsByDay(since));
      const downloads = byDay(await store.countDownloadsByDay(since));
      return Array.from({ length: DAYS }, (_, n) => ({
        day: new Date((since + n) * DAY).toISOString().slice(0, 10),
        questions: questions.get(since + n) ?? 0,
        downloads: downloads.get(since + n) ?? 0,
      }));
    },
    holdings: (): Promise<Holdings> => store.countHoldings(now()),
  };
}

function byDay(counts: readonly DayCount[]): ReadonlyMap<number, number> {
  return new Map(counts.map(({ day, count }) => [day, count]));
}
