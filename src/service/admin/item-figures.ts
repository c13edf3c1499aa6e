import { DAY } from '../../duration.ts';
import type { ItemPeriods, PeriodCount } from '../../store/tables/item-days.ts';
import type { KnownItem } from '../../store/tables/known-items.ts';
import type { Store } from '../../store/store.ts';
import { firstDay } from './figures.ts';

/** A stretch of time that the office shows: thirty days, or twelve months with the current one. */
export type Span = 'days' | 'months';

/** The figures of an item in a UTC day or month, such as `2026-11-20` or `2026-11`; `outcomes` are of ended questions. */
export type ItemFigures = {
  readonly period: string;
  readonly views: number;
  readonly downloads: number;
  readonly outcomes: Readonly<Record<string, number>>;
};

const MONTHS = 12;

/** How much an item was viewed, downloaded and asked. */
export function createItemFigures(store: Store, now: () => number) {
  /** Every period of the span, including those without any entry, the current one last. */
  return async (
    { kind, itemKey }: Pick<KnownItem, 'kind' | 'itemKey'>,
    span: Span,
  ): Promise<readonly ItemFigures[]> => {
    const { since, by, periods } = spanOf(span, now());
    const selection: ItemPeriods = { kind, itemKey, since, by };
    const views = byPeriod(await store.countItemViews(selection));
    const downloads = byPeriod(await store.countItemDownloadsBy(selection));
    const questions = Map.groupBy(await store.countItemQuestions(selection), ({ period }) => period);
    return periods.map((period) => ({
      period,
      views: views.get(period) ?? 0,
      downloads: downloads.get(period) ?? 0,
      outcomes: Object.fromEntries(
        (questions.get(period) ?? []).map(({ outcome, count }) => [outcome, count]),
      ),
    }));
  };
}

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
