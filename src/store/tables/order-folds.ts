import type { Database } from 'bun:sqlite';
import { foldEmail, isMailable } from '../../access/email-address.ts';
import type { OwnerFact } from '../../sales/fact.ts';
import { type FoldedOrder, foldOrder } from '../../sales/fold.ts';
import type { Offer } from '../../sales/offer.ts';
import { stateAt } from '../../sales/order.ts';
import type { NewMail } from '../../sales/outbox.ts';
import { accountsByAddress } from './account-addresses.ts';
import { codeGrants, saleGrants } from './order-grants.ts';
import { type Holder, type KnownOrder, orderRows } from './order-rows.ts';
import { attentionInserts, outboxInserts } from './outbox.ts';
import { saleEventInserts, saleFactInserts } from './sale-events.ts';
import { saleOffers, type SaleSettings } from './sale-offers.ts';

/** When a fold happens, in milliseconds since 1970 UTC; a quiet one queues no mail. */
export type FoldMoment = { readonly at: number; readonly isQuiet?: boolean };

/** An act of the owner, or of the buyer who claims, on one order. */
export type OrderAct = FoldMoment & {
  readonly orderId: number;
  readonly fact: OwnerFact;
  readonly origin: 'owner' | 'buyer';
  /** The time that orders it among the provider's facts; the moment's if it is left out. */
  readonly dated?: number;
};

/**
 * The parts of a transaction that change orders: each folds what it touched, sets its grants and queues its mails. Writes
 * of other tables call them, so that a claim, its account and its grants are one write.
 */
export function orderFolds(db: Database) {
  const [rows, facts, events] = [orderRows(db), saleFactInserts(db), saleEventInserts(db)];
  const [offers, grants, mail] = [saleOffers(db), saleGrants(db), saleMails(db)];
  const codes = codeGrants(db);
  const account = db.prepare('SELECT 1 FROM accounts WHERE id = ?');
  const byAddress = accountsByAddress(db);
  const emailOf = db.prepare<{ email: string }, [string]>(
    'SELECT email FROM accounts WHERE id = ? AND verified_at IS NOT NULL',
  );
  const claimMail = db.prepare<{ state: string }, [number]>(
    "SELECT state FROM outbox WHERE order_id = ? AND kind = 'claim' ORDER BY id DESC LIMIT 1",
  );
  const waiting = db.prepare<{ chain: number; provider: string }, [string]>(
    'SELECT chain, provider FROM orders WHERE email_key = ? AND account_id IS NULL ORDER BY id',
  );

  const findHolder = ({ attached, email }: FoldedOrder, isErased: boolean, at: number): Holder | null => {
    if (attached !== null && account.get(attached.accountId) !== null)
      return { accountId: attached.accountId, by: attached.by, at };
    const found = email === null || isErased ? null : byAddress(email);
    return found?.isVerified === 1 ? { accountId: found.id, by: 'address', at } : null;
  };

  /** Why no mail reaches the buyer of a paid order that waits for its account, for the owner; null if one does. */
  const findUnreached = ({ state, isGift, email }: FoldedOrder, before: KnownOrder | null): string | null => {
    if (state !== 'paid' || isGift) return null;
    if (email === null || !isMailable(email.trim()))
      return 'Its buyer left no address that mail can be sent to: give the order to an account';
    if (before === null || claimMail.get(before.id)?.state !== 'failed') return null;
    return 'The mail to its buyer failed: copy its claim link, or give the order to an account';
  };

  /** The order's number; null for a chain without a buyer, or one that `notOurs` names. */
  const fold = (chain: number, provider: string, { at, isQuiet = false }: FoldMoment): number | null => {
    const before = rows.byChain(chain);
    const settings = offers.settings();
    const ask = (product: string): Offer | null => offers.find(provider, product);
    const order = foldOrder(facts.list(chain), {
      offerOf: remember(
        (product) => (before === null ? ask(product) : rows.findMeaning(before, product, ask)),
        (product) => product,
      ),
      isPublished: remember(offers.isPublished, ({ kind, itemKey }) => `${kind} ${itemKey}`),
      grace: settings.grace,
    });
    if (order === null) return null;
    if (order === 'not-ours') {
      if (before !== null) grants.remove(before.id);
      if (before !== null) rows.remove(before.id);
      events.forget(chain);
      return null;
    }
    const isErased = (before?.erasedAt ?? null) !== null;
    if (isErased) events.hide(chain);
    const holder = findHolder(order, isErased, at);
    const attention = order.attention ?? (isErased || holder !== null ? null : findUnreached(order, before));
    const id = rows.save(before, chain, provider, { ...order, attention }, holder);
    const items = order.state === 'paid' && !order.isGift ? order.entitled : [];
    const from = Math.min(order.paidAt ?? order.at, at);
    grants.set({ orderId: id, accountId: holder?.accountId ?? null, items, from, until: order.until, at });
    const [isPaid, wasPaid] = [order.state === 'paid', before?.state === 'paid'];
    codes.follow({ orderId: id, isPaid, wasPaid, until: order.until, at });
    if (!isQuiet) mail({ before, id, order: { ...order, attention }, holder, at }, settings);
    return id;
  };

  return {
    fold,
    /** Merges two chains, and their orders; the grants of the later one become the earlier's with its next fold. */
    merge(into: number, from: number): void {
      const gone = rows.merge(into, from);
      if (gone !== null) grants.remove(gone);
    },
    /** Adds an act to an order; false if there is none of this number. */
    act({ orderId, fact, origin, dated, ...moment }: OrderAct): boolean {
      const order = rows.byId(orderId);
      if (order === null) return false;
      const eventId = events.addAct(order.provider, origin, fact.kind, moment.at);
      facts.addAct(eventId, order.chain, dated ?? moment.at, fact);
      fold(order.chain, order.provider, moment);
      return true;
    },
    /** Gives the waiting orders of a verified account's address to it; how many. Every write that verifies calls it. */
    attachWaiting(accountId: string, moment: FoldMoment): number {
      const email = emailOf.get(accountId)?.email;
      const found = email === undefined ? [] : waiting.all(foldEmail(email));
      for (const { chain, provider } of found) fold(chain, provider, moment);
      return found.length;
    },
    /** Folds orders again, as after a publish. */
    refold(orderIds: readonly number[], moment: FoldMoment): void {
      for (const id of orderIds) {
        const order = rows.byId(id);
        if (order !== null) fold(order.chain, order.provider, moment);
      }
    },
  };
}

/** Caches look-ups for the length of one fold. */
function remember<Question, Answer>(
  ask: (question: Question) => Answer,
  nameOf: (question: Question) => string,
): (question: Question) => Answer {
  const answers = new Map<string, Answer>();
  return (question) => {
    const name = nameOf(question);
    const answer = answers.has(name) ? (answers.get(name) as Answer) : ask(question);
    answers.set(name, answer);
    return answer;
  };
}

export type OrderFolds = ReturnType<typeof orderFolds>;

/** An order that was just folded. */
type Folding = {
  readonly before: KnownOrder | null;
  readonly id: number;
  readonly order: FoldedOrder;
  readonly holder: Holder | null;
  readonly at: number;
};

/** The part of a transaction that queues the mails which follow from a fold, each once. */
function saleMails(db: Database) {
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
    const was = before !== null && stateAt(before, at) === 'paid';
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
