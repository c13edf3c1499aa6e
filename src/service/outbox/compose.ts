import { foldEmail, hintOf } from '../../access/email-address.ts';
import { formatPrice } from '../../item/price.ts';
import { type Order, type OrderState, stateAt } from '../../sales/order.ts';
import type { MailKind, OutboxRow } from '../../sales/outbox.ts';
import type { Account } from '../../store/tables/accounts.ts';
import type { LinkSubject } from '../links.ts';
import { nameItem } from '../items.ts';
import type { Stall } from '../stall.ts';
import { writeMail, type WrittenMail } from './mail-text.ts';
import type { MailFacts } from './words/words.ts';

/**
 * A mail that is ready to be sent: the details of its one-time link, if it has one, and its text around the link's
 * address.
 */
export type ComposedMail = {
  readonly link: LinkSubject | null;
  readonly write: (link: string | null) => WrittenMail;
};

/** The part of a mail that its kind decides. */
type Content = {
  readonly link: LinkSubject | null;
  /** The kind whose words are used; its own if left out. */
  readonly kind?: MailKind;
  readonly facts?: Partial<Omit<MailFacts, 'titles'>> & { readonly titles?: readonly string[] };
};

const REASONS: Readonly<Partial<Record<OrderState, MailFacts['reason']>>> = {
  refunded: 'refunded',
  lost: 'lost',
  disputed: 'lost',
  ended: 'revoked',
};

/** Why an order opens nothing; one that is still stored as paid ran out by itself. */
const reasonOf = (order: Order, now: number): MailFacts['reason'] | undefined =>
  order.state === 'paid' && stateAt(order, now) === 'ended' ? 'ended' : REASONS[order.state];

const NO_FACTS = {
  link: null,
  titles: [],
  ref: '',
  count: 0,
  holder: null,
  reason: 'ended',
  price: '',
  news: '',
} as const;

/** Composes the mail of a row from the state at the time of sending; null if the mail is no longer needed. */
export function createCompose(stall: Pick<Stall, 'store' | 'manifest' | 'origin' | 'catalog' | 'now'>) {
  const { store, manifest, origin, now } = stall;
  const findOrder = async ({ orderId }: OutboxRow): Promise<Order | null> =>
    orderId === null ? null : store.findOrder(orderId);
  /** Of a present its buyer has nothing: its code opens it. */
  const findOpenOrder = async (row: OutboxRow): Promise<Order | null> => {
    const order = await findOrder(row);
    if (order === null || stateAt(order, now()) !== 'paid') return null;
    return (await store.isGiven(order.id)) ? null : order;
  };
  const findHolder = async (id: string | null): Promise<Account | null> => {
    const account = id === null ? null : await store.findAccountById(id);
    return account === null || account.disabledAt !== null ? null : account;
  };
  const factsOf = ({ bundle, items, ref }: Order) => {
    const sold = manifest().bundles.find(({ slug }) => slug === bundle);
    const titles = items.map(({ kind, itemKey, slug }) => nameItem(stall, kind, itemKey)?.title ?? slug);
    return { titles: sold === undefined ? titles : [sold.title], ref };
  };
  const claimLink = (row: OutboxRow): LinkSubject => ({
    purpose: 'claim',
    orderId: row.orderId,
    address: row.address,
    outboxId: row.id,
  });
  const accountLink = async (row: OutboxRow, purpose: 'invite' | 'reset'): Promise<Content | null> => {
    const account = await findHolder(row.accountId);
    if (account === null || (purpose === 'invite' && account.hasPassword)) return null;
    return { link: { purpose, account, outboxId: row.id } };
  };

  const contents: Readonly<Record<MailKind, (row: OutboxRow) => Promise<Content | null>>> = {
    async claim(row) {
      const order = await findOpenOrder(row);
      if (order === null) return null;
      const facts = factsOf(order);
      if (order.accountId === null) return { link: claimLink(row), facts };
      const holder = await findHolder(order.accountId);
      if (holder === null) return null;
      // Somebody else may hold the purchase by now: the buyer must learn of that, and gets no link to it.
      if (foldEmail(holder.email) !== foldEmail(row.address))
        return { link: null, facts: { ...facts, holder: hintOf(holder.email) } };
      return holder.verifiedAt === null ? { link: null, kind: 'library', facts } : null;
    },
    async library(row) {
      const order = await findOpenOrder(row);
      if (order === null) return null;
      return (await findHolder(order.accountId)) === null ? null : { link: null, facts: factsOf(order) };
    },
    async ended(row) {
      const order = await findOrder(row);
      const reason = order === null ? undefined : reasonOf(order, now());
      return order === null || reason === undefined
        ? null
        : { link: null, facts: { ...factsOf(order), reason } };
    },
    invite: (row) => accountLink(row, 'invite'),
    reset: (row) => accountLink(row, 'reset'),
    open: async (row) => ({ link: { purpose: 'open', address: row.address, outboxId: row.id } }),
    async attention() {
      const anyState = { state: null, email: null, since: null, attention: true, now: now() };
      const count = await store.countOrders(anyState);
      return count === 0 ? null : { link: null, facts: { count } };
    },
    async sale(row) {
      const order = await findOrder(row);
      if (order === null) return null;
      const price = order.currency === null ? '' : formatPrice(order.amount, order.currency);
      return { link: null, facts: { ...factsOf(order), price } };
    },
    // Its text is written when it is queued: the notes of that day's editions.
    news: async ({ id, accountId, details: { titles, text } }) => {
      const account = await findHolder(accountId);
      if (account === null || (await store.findNewsSince(account.id)) === null) return null;
      const link = { purpose: 'unsubscribe', account, outboxId: id } as const;
      return { link, facts: { titles: String(titles).split('\n'), news: String(text) } };
    },
  };

  return async (row: OutboxRow): Promise<ComposedMail | null> => {
    const content = await contents[row.kind](row);
    if (content === null) return null;
    return {
      link: content.link,
      write: (link) => {
        const { name, language } = manifest();
        return writeMail(content.kind ?? row.kind, language, {
          ...NO_FACTS,
          stall: name,
          origin: origin(),
          ...content.facts,
          link,
        });
      },
    };
  };
}

export type Compose = ReturnType<typeof createCompose>;
