import type { Store } from '../../store/store.ts';
import type { SaleSum } from '../../store/tables/sale-figures.ts';

/** The income of each item or bundle by currency in a UTC month such as `2026-11`. */
export type SalesMonth = { readonly month: string; readonly sums: readonly SaleSum[] };

const MONTHS = 12;

/** Lists the sales of twelve months, the current one last. Amounts of different currencies are never added. */
export function createSaleFigures(store: Store, now: () => number) {
  return async (): Promise<readonly SalesMonth[]> => {
    const today = new Date(now());
    const firstOf = (ago: number): number => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - ago, 1);
    const months: SalesMonth[] = [];
    for (let ago = MONTHS - 1; ago >= 0; ago -= 1) {
      const from = firstOf(ago);
      const sums = await store.sumSales(from, firstOf(ago - 1));
      months.push({ month: new Date(from).toISOString().slice(0, 7), sums });
    }
    return months;
  };
}
