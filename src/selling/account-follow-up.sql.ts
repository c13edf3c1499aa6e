import type { AccountFollowers } from '../accounts/account-follow-up.rule.ts';
import type { NewMail } from '../mailing/outbox.rule.ts';
import { queueMail } from '../mailing/outbox.sql.ts';
import { comparableEmail } from '../platform/base/email-address.ts';
import type { Statements } from '../platform/store/statements.ts';
import { hashAddress, listRecipients } from './announcement.sql.ts';
import { actOnOrder, attachWaiting } from './order-fold.sql.ts';
import { orderOfSource } from './order-grant.sql.ts';
import type { KnownItem } from '../catalog/known-item.rule.ts';

export const saleFollowers = (db: Statements): AccountFollowers => ({
  verified: (accountId, at) => attachWaiting(db, accountId, { at }),
  moving({ accountId, from, to, at }) {
    const found = db.all<{ id: number }>`SELECT id FROM orders
      WHERE account_id = ${accountId} AND email_key = ${comparableEmail(from)} ORDER BY id`;
    const fact = { kind: 'attach', accountId, by: 'address' } as const;
    for (const { id: orderId } of found)
      actOnOrder(db, { orderId, fact, origin: 'buyer', at, isQuiet: true });
    db.run`INSERT OR IGNORE INTO opt_outs SELECT ${hashAddress(to)}, at FROM opt_outs WHERE address_hash = ${hashAddress(from)}`;
  },
  revokeOrder(source, item, at) {
    const orderId = orderOfSource(source);
    if (orderId === null) return false;
    return actOnOrder(db, { orderId, fact: { kind: 'revoke', items: [item] }, origin: 'owner', at });
  },
});

/** Queues one mail to each holder of an item that was only announced, in the transaction that publishes the item. */
export function tellHolders(db: Statements, { kind, itemKey }: KnownItem, at: number): void {
  const state = db.value<NewMail['state']>`SELECT mail FROM sale_settings` ?? 'manual';
  const about = { kind: 'published', subject: `published:${kind} ${itemKey}`, state, at } as const;
  for (const reader of listRecipients(db, { kind, itemKey }, at))
    queueMail(db, { ...reader, ...about, details: { kind, item: itemKey } });
}
