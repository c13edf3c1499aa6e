import type { WaitingMail } from '../mailing/outbox.rule.ts';
import type { Statements } from '../platform/store/statements.ts';
import type { Offer } from './goods.rule.ts';
import type { OfferedItem } from '../catalog/item.rule.ts';
import { ANNOUNCED } from '../catalog/known-item.rule.ts';

/** The settings with which orders are computed, in the server and in commands alike. */
export type SaleSettings = {
  readonly grace: number;
  /** The state that new mails get: `queued`, but `manual` in the demo and without a mail server. */
  readonly mail: WaitingMail;
  readonly tellsSales: boolean;
};

export type Mapping = { readonly offers: readonly Offer[]; readonly settings: SaleSettings };

export function saleOffers(db: Statements) {
  const list = (): readonly Offer[] =>
    db.all<{ offer: string }>`SELECT offer FROM sale_offers ORDER BY provider, product`.map(readOffer);
  const settings = (): SaleSettings => {
    const row = db.one<Omit<SaleSettings, 'tellsSales'> & { tellsSales: number }>`
      SELECT grace, mail, tells_sales AS tellsSales FROM sale_settings`;
    if (row === null) throw new Error('The database has no settings of sales');
    return { ...row, tellsSales: row.tellsSales === 1 };
  };
  const read = (): Mapping => ({ settings: settings(), offers: list() });
  return {
    read,
    settings,
    find(provider: string, product: string): Offer | null {
      const row = db.one<{ offer: string }>`SELECT offer FROM sale_offers
        WHERE product = ${product} AND provider IN (${provider}, '') ORDER BY provider DESC LIMIT 1`;
      return row && readOffer(row);
    },
    // Asks for an edition, or an announced item: a draft is a known item before it is published.
    isPublished: ({ kind, itemKey }: OfferedItem): boolean =>
      db.has`SELECT 1 FROM editions WHERE kind = ${kind} AND item_key = ${itemKey}
        UNION ALL SELECT 1 FROM shown_items WHERE kind = ${kind} AND item_key = ${itemKey}
          AND edition = ${ANNOUNCED}`,
    replace(offers: readonly Offer[], { grace, mail, tellsSales }: SaleSettings): boolean {
      const before = JSON.stringify(read());
      db.run`UPDATE sale_settings SET grace = ${grace}, mail = ${mail}, tells_sales = ${tellsSales}`;
      db.run`DELETE FROM sale_offers`;
      for (const offer of offers)
        db.run`INSERT INTO sale_offers (provider, product, offer)
          VALUES (${offer.provider}, ${offer.product}, ${JSON.stringify(offer)})`;
      return before !== JSON.stringify(read());
    },
  };
}

const readOffer = ({ offer }: { readonly offer: string }): Offer => JSON.parse(offer) as Offer;
