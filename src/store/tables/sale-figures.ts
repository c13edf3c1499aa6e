import type { Database } from 'bun:sqlite';

/**
 * The income of one item or bundle, or of several items bought at once, in a stretch of time; amounts are in minor
 * units.
 */
export type SaleSum = {
  /** The slug of a bundle or item; of several items, all of them with " + " between. */
  readonly name: string;
  readonly currency: string;
  readonly payments: number;
  readonly gross: number;
  readonly givenBack: number;
};

const NAME = `coalesce(bundle, (SELECT group_concat(slug, ' + ' ORDER BY slug) FROM order_items
  WHERE order_items.order_id = orders.id), products)`;

export function saleFigureReads(db: Database) {
  const sums = db.prepare<SaleSum, [number, number]>(
    `SELECT name, currency, sum(payments) AS payments, sum(gross) AS gross, sum(givenBack) AS givenBack FROM (
       SELECT ${NAME} AS name, order_payments.currency, 1 AS payments, order_payments.amount AS gross, 0 AS givenBack
       FROM order_payments JOIN orders ON orders.id = order_id
       WHERE order_payments.at >= ?1 AND order_payments.at < ?2
       UNION ALL
       SELECT ${NAME}, order_payments.currency, 0, 0, order_payments.refunded
       FROM order_payments JOIN orders ON orders.id = order_id
       WHERE order_payments.refunded_at >= ?1 AND order_payments.refunded_at < ?2)
     GROUP BY name, currency ORDER BY name, currency`,
  );
  return {
    /** What was paid, and what was given back, from a time until another; each counts at its own time. */
    async sumSales(from: number, until: number): Promise<readonly SaleSum[]> {
      return sums.all(from, until);
    },
  };
}
