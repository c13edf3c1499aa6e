import type { Database } from 'bun:sqlite';
import { isMailable } from '../../access/email-address.ts';
import { HOUR } from '../../duration.ts';
import type { FoldedOrder } from '../../sales/fold.ts';
import type { NewMail } from '../../sales/outbox.ts';
import { stateAt } from '../../sales/order.ts';
import type { Holder, KnownOrder } from './order-rows.ts';
import { outboxInserts } from './outbox.ts';
import type { SaleSettings } from './sale-offers.ts';

/** An order that was just folded. */
export type Folding = {
  readonly before: KnownOrder | null;
  readonly id: number;
  readonly order: FoldedOrder;
  readonly holder: Holder | null;
  readonly at: number;
};

/** The part of a transaction that queues the mails which follow from a fold, each once. */
export function saleMails(db: Database) {
  const outbox = outboxInserts(db);
  const owner = db.prepare<{ id: string; email: string }, []>(
    'SELECT id, email FROM accounts WHERE is_owner = 1',
  );
  return (folding: Folding, settings: SaleSettings): void => {
    const { before, id, order, holder, at } = folding;
    const queue = (mail: Pick<NewMail, 'kind' | 'subject' | 'address' | 'accountId'>): void => {
      if (isMailable(mail.address))
        outbox.queue({ ...mail, orderId: id, details: {}, state: settings.mail, at });
    };
    const tellOwner = (kind: 'attention' | 'sale', subject: string): void => {
      const found = owner.get();
      if (found !== null) queue({ kind, subject, address: found.email, accountId: found.id });
    };
    const was =
      before !== null && stateAt({ state: before.state as 'paid', until: before.until }, at) === 'paid';
    const is = stateAt(order, at) === 'paid' && !order.isGift;
    const subject = `order:${id}`;
    const buyer = { subject, address: order.email ?? '', accountId: holder?.accountId ?? null };
    if (is && holder === null) queue({ ...buyer, kind: 'claim' });
    if (is && holder?.by === 'address') queue({ ...buyer, kind: 'library' });
    if (!is || holder !== null) outbox.drop(id, 'claim');
    if (!is) outbox.drop(id, 'library');
    if (was && !is && !order.isGift) queue({ ...buyer, kind: 'ended' });
    if (is && !was && settings.tellsSales) tellOwner('sale', subject);
    if (order.attention !== null && order.attention !== before?.attention)
      tellOwner('attention', `attention:${Math.floor(at / HOUR)}`);
  };
}
