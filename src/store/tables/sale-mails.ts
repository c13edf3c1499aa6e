import type { Database } from 'bun:sqlite';
import { isMailable } from '../../access/email-address.ts';
import type { FoldedOrder } from '../../sales/fold.ts';
import type { NewMail } from '../../sales/outbox.ts';
import { stateAt } from '../../sales/order.ts';
import { attentionInserts } from './mail-tries.ts';
import type { Holder, KnownOrder } from './order-rows.ts';
import { outboxInserts } from './outbox.ts';
import type { SaleSettings } from './sale-offers.ts';

/** An order that was just folded. */
type Folding = {
  readonly before: KnownOrder | null;
  readonly id: number;
  readonly order: FoldedOrder;
  readonly holder: Holder | null;
  readonly at: number;
};

/** The part of a transaction that queues the mails which follow from a fold, each once. */
export function saleMails(db: Database) {
  const outbox = outboxInserts(db);
  const queueAttention = attentionInserts(db);
  const owner = db.prepare<{ id: string; email: string }, []>(
    'SELECT id, email FROM accounts WHERE is_owner = 1',
  );
  return (folding: Folding, settings: SaleSettings): void => {
    const { before, id, order, holder, at } = folding;
    const queue = (mail: Pick<NewMail, 'kind' | 'subject' | 'address' | 'accountId'>): void => {
      if (isMailable(mail.address))
        outbox.queue({ ...mail, orderId: id, details: {}, state: settings.mail, at });
    };
    const tellSale = (): void => {
      const found = owner.get();
      if (found !== null) queue({ kind: 'sale', subject, address: found.email, accountId: found.id });
    };
    const was =
      before !== null && stateAt({ state: before.state as 'paid', until: before.until }, at) === 'paid';
    const is = stateAt(order, at) === 'paid' && !order.isGift;
    const subject = `order:${id}`;
    const buyer = { subject, address: order.email?.trim() ?? '', accountId: holder?.accountId ?? null };
    if (is && holder === null) queue({ ...buyer, kind: 'claim' });
    if (is && holder?.by === 'address') queue({ ...buyer, kind: 'library' });
    // Claimed on the return page or by the owner, it is still due: it proves the address, or tells its holder of that.
    if (!is || holder?.by === 'address' || holder?.by === 'mail') outbox.drop(id, 'claim');
    outbox.drop(id, is ? 'ended' : 'library');
    if (was && !is && !order.isGift) queue({ ...buyer, kind: 'ended' });
    if (is && !was && settings.tellsSales) tellSale();
    if (order.attention !== null && order.attention !== before?.attention) queueAttention(at, settings.mail);
  };
}
