import type { Database } from 'bun:sqlite';
import { DAY } from '../../duration.ts';
import { isMailable } from '../../access/email-address.ts';
import { outboxInserts } from './outbox.ts';
import { saleOffers } from './sale-offers.ts';

/** How long after their end buyers are still told of it: a stall that was down for longer writes to nobody. */
const LATE = 7 * DAY;

type EndedOrder = { readonly id: number; readonly email: string; readonly accountId: string | null };

/** Orders that ran out by themselves and whose buyers were not told; one that was over when it was imported is not theirs to hear of. */
const ENDED = `SELECT id, email, account_id AS accountId FROM orders
  WHERE state = 'paid' AND until IS NOT NULL AND until <= ?1 AND until > ?2 AND email IS NOT NULL
    AND EXISTS (SELECT 1 FROM sale_facts JOIN sale_events ON sale_events.id = event
      WHERE sale_facts.chain = orders.chain AND received_at < orders.until)
    AND NOT EXISTS (SELECT 1 FROM sale_facts WHERE sale_facts.chain = orders.chain AND fact ->> 'kind' = 'gift')
    AND NOT EXISTS (SELECT 1 FROM outbox WHERE order_id = orders.id AND kind = 'ended' AND outbox.state <> 'dropped')`;

export function endedOrderReads(db: Database) {
  const any = db.prepare(`${ENDED} LIMIT 1`);
  return {
    /** Whether the buyer of an order that ran out was not told yet. */
    hasEndedOrders: (at: number): boolean => any.get(at, at - LATE) !== null,
  };
}

export function endedOrderWrites(db: Database) {
  const ended = db.prepare<EndedOrder, [number, number, number, number]>(
    `${ENDED} AND id > ?3 ORDER BY id LIMIT ?4`,
  );
  const { queue } = outboxInserts(db);
  const offers = saleOffers(db);
  return {
    /** Queues the mails to buyers whose orders after an id ran out, at most so many; the last id, or null. The hour calls it. */
    tellEndedOrders({
      at,
      after,
      atMost,
    }: {
      readonly at: number;
      readonly after: number;
      readonly atMost: number;
    }) {
      const { mail: state } = offers.settings();
      const orders = ended.all(at, at - LATE, after, atMost);
      for (const { id, email, accountId } of orders) {
        const [address, subject] = [email.trim(), `order:${id}`];
        if (isMailable(address))
          queue({ kind: 'ended', subject, address, orderId: id, accountId, details: {}, state, at });
      }
      return orders.at(-1)?.id ?? null;
    },
  };
}
