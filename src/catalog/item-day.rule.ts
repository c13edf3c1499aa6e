// Counts of an item by day.

/**
 * How often something happened to an item in a period, such as the day `2026-11-20` or the month `2026-11`. Periods with a
 * count of 0 are left out.
 */
export type PeriodCount = { readonly period: string; readonly count: number };

/** Selects the counts of an item since a day, in days since 1970 UTC, by day or by month. */
export type ItemPeriods = {
  readonly kind: string;
  readonly itemKey: string;
  readonly since: number;
  readonly by: 'day' | 'month';
};

/** How often an item was downloaded in all, and recently. */
export type ItemDownloads = { readonly all: number; readonly recent: number };
