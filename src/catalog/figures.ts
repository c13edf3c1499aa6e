import { DAY } from '../platform/base/duration.ts';
import type { Stall } from './stall.ts';
import type { KnownItem } from './known-item.rule.ts';
import type { ItemPeriods, PeriodCount } from './item-day.rule.ts';

export const FIGURE_DAYS = 30;

/** The period for which the office shows figures: thirty days including today, or twelve months including the current one. */
export type Span = 'days' | 'months';

export function listItemFigures(
  { store, now }: Pick<Stall, 'store' | 'now'>,
  { kind, itemKey }: Pick<KnownItem, 'kind' | 'itemKey'>,
  span: Span,
): readonly ItemFigures[] {
  const starts = span === 'days' ? dayStarts(now(), FIGURE_DAYS) : monthStarts(now());
  const by = span === 'days' ? 'day' : 'month';
  const selection: ItemPeriods = { kind, itemKey, since: starts[0]! / DAY, by };
  const views = byPeriod(store.countItemViews(selection));
  const downloads = byPeriod(store.countItemDownloadsBy(selection));
  const questions = Map.groupBy(store.countItemQuestions(selection), ({ period }) => period);
  return starts.map((start) => {
    const period = new Date(start).toISOString().slice(0, by === 'day' ? 10 : 7);
    const asked = (questions.get(period) ?? []).map(({ outcome, count }) => [outcome, count] as const);
    return {
      period,
      views: views.get(period) ?? 0,
      downloads: downloads.get(period) ?? 0,
      outcomes: Object.fromEntries(asked),
    };
  });
}

/**
 * The figures of an item for a UTC day or month, such as `2026-11-20` or `2026-11`. `outcomes` counts finished
 * questions by how they ended.
 */
export type ItemFigures = {
  readonly period: string;
  readonly views: number;
  readonly downloads: number;
  readonly outcomes: Readonly<Record<string, number>>;
};

export function dayStarts(now: number, count: number): readonly number[] {
  const today = Math.floor(now / DAY);
  return Array.from({ length: count }, (_, n) => (today - count + 1 + n) * DAY);
}

export function monthStarts(now: number): readonly number[] {
  const [year, month] = [new Date(now).getUTCFullYear(), new Date(now).getUTCMonth()];
  return Array.from({ length: 12 }, (_, n) => Date.UTC(year, month - 11 + n, 1));
}

const byPeriod = (counts: readonly PeriodCount[]): ReadonlyMap<string, number> =>
  new Map(counts.map(({ period, count }) => [period, count]));
