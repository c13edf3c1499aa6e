import type { Database } from 'bun:sqlite';
import type { Offer, OfferedItem } from '../../sales/offer.ts';

/** The settings that the server folds with; commands use the same. */
export type SaleSettings = {
  /** How long a subscription goes on after a paid period, in milliseconds. */
  readonly grace: number;
  /** The state in which mails are queued: `manual` without a mail server. */
  readonly mail: 'queued' | 'manual';
  /** Whether the owner is mailed each sale. */
  readonly tellsSales: boolean;
};

/** The part of a transaction that looks up product ids, as the last publish stored them. */
export function saleOffers(db: Database) {
  const find = db.prepare<{ offer: string }, [string, string]>(
    `SELECT offer FROM sale_offers WHERE product = ?2 AND provider IN (?1, '') ORDER BY provider DESC LIMIT 1`,
  );
  // A draft is known before it is served.
  const published = db.prepare('SELECT 1 FROM editions WHERE kind = ? AND item_key = ?');
  const settings = db.prepare<{ grace: number; mail: 'queued' | 'manual'; tellsSales: number }, []>(
    'SELECT grace, mail, tells_sales AS tellsSales FROM sale_settings',
  );
  const all = db.prepare<{ offer: string }, []>('SELECT offer FROM sale_offers ORDER BY provider, product');
  const clear = db.prepare('DELETE FROM sale_offers');
  const insert = db.prepare('INSERT INTO sale_offers (provider, product, offer) VALUES (?, ?, ?)');
  const set = db.prepare('UPDATE sale_settings SET grace = ?, mail = ?, tells_sales = ?');
  return {
    find(provider: string, product: string): Offer | null {
      const row = find.get(provider, product);
      return row && (JSON.parse(row.offer) as Offer);
    },
    isPublished({ kind, itemKey }: OfferedItem): boolean {
      return published.get(kind, itemKey) !== null;
    },
    settings(): SaleSettings {
      const row = settings.get();
      if (row === null) throw new Error('The database has no settings of sales');
      return { ...row, tellsSales: row.tellsSales === 1 };
    },
    /** Whether the offers or settings differ from the stored ones. */
    replace(offers: readonly Offer[], { grace, mail, tellsSales }: SaleSettings): boolean {
      const before = JSON.stringify([this.settings(), all.all().map(({ offer }) => offer)]);
      set.run(grace, mail, tellsSales ? 1 : 0);
      clear.run();
      for (const offer of offers) insert.run(offer.provider, offer.product, JSON.stringify(offer));
      return before !== JSON.stringify([this.settings(), all.all().map(({ offer }) => offer)]);
    },
  };
}
