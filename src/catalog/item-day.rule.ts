/**
 * How often something happened to an item in a period, such as the day `2026-11-20` or the month `2026-11`. Periods with a
 * count of 0 are left out.
 */
export type PeriodCount = { readonly period: string; readonly count: number };

/** `since` counts the days since 1970 UTC. */
export type ItemPeriods = {
  readonly kind: string;
  readonly itemKey: string;
  readonly since: number;
  readonly by: 'day' | 'month';
};

export type ItemDownloads = { readonly all: number; readonly recent: number };
