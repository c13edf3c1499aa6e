import { DAY } from '../duration.ts';
import type { DayCount, ItemPeriods, PeriodCount } from '../store/tables/item-days.ts';
import type { KnownItem } from '../store/tables/known-items.ts';
import type { Store } from '../store/store.ts';
import type { Records } from './stall.ts';

/** How many days the office shows. */
export const FIGURE_DAYS = 30;

/** The totals of a UTC day such as `2026-11-20`. */
type DayFigures = { readonly day: string; readonly questions: number; readonly downloads: number };

/** The first day that the office shows, in whole days since 1970 UTC. */
export function firstDay(now: number): number {
  return Math.floor(now / DAY) - FIGURE_DAYS + 1;
}

/** Rows are written a moment after their time. A day that ended this many milliseconds ago no longer changes. */
const SETTLED = 60_000;

/** The days that no longer change, by stall. */
const settledDays = new WeakMap<Store, Map<number, DayFigures>>();

/** The last thirty days, including days without any entry; today is the last. Days that are settled are counted once. */
export async function figuresOverTime({ store, now }: Records): Promise<readonly DayFigures[]> {
  const past = settledDays.getOrInsertComputed(store, () => new Map());
  let since = firstDay(now());
  for (const day of past.keys()) if (day < since) past.delete(day);
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
  return [...counted.values()].toSorted((a, b) => (a.day < b.day ? -1 : 1)).slice(-FIGURE_DAYS);
}

function byDay(counts: readonly DayCount[]): ReadonlyMap<number, number> {
  return new Map(counts.map(({ day, count }) => [day, count]));
}

/** A stretch of time that the office shows: thirty days, or twelve months with the current one. */
export type Span = 'days' | 'months';

const MONTHS = 12;

/** How much an item was viewed, downloaded and asked in every period of the span, the current one last. */
export async function itemFigures(
  { store, now }: Records,
  { kind, itemKey }: Pick<KnownItem, 'kind' | 'itemKey'>,
  span: Span,
) {
  const { since, by, periods } = spanOf(span, now());
  const selection: ItemPeriods = { kind, itemKey, since, by };
  const views = byPeriod(await store.countItemViews(selection));
  const downloads = byPeriod(await store.countItemDownloadsBy(selection));
  const questions = Map.groupBy(await store.countItemQuestions(selection), ({ period }) => period);
  return periods.map((period) => ({
    period,
    views: views.get(period) ?? 0,
    downloads: downloads.get(period) ?? 0,
    outcomes: Object.fromEntries((questions.get(period) ?? []).map(({ outcome, count }) => [outcome, count])),
  }));
}

/**
 * The figures of an item in a UTC day or month, such as `2026-11-20` or `2026-11`; `outcomes` are of ended questions.
 */
export type ItemFigures = {
  readonly period: string;
  readonly views: number;
  readonly downloads: number;
  readonly outcomes: {
    [k: string]: number;
  };
};

function spanOf(span: Span, now: number) {
  const today = Math.floor(now / DAY);
  if (span === 'days') {
    const since = firstDay(now);
    const days = Array.from({ length: today - since + 1 }, (_, n) => since + n);
    return { since, by: 'day' as const, periods: days.map((day) => isoOf(day * DAY).slice(0, 10)) };
  }
  const [year, month] = [new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()];
  const months = Array.from({ length: MONTHS }, (_, n) => Date.UTC(year, month - MONTHS + 1 + n, 1));
  return {
    since: (months[0] ?? 0) / DAY,
    by: 'month' as const,
    periods: months.map((first) => isoOf(first).slice(0, 7)),
  };
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}

function byPeriod(counts: readonly PeriodCount[]): ReadonlyMap<string, number> {
  return new Map(counts.map(({ period, count }) => [period, count]));
}
