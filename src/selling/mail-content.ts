import { comparableEmail, hintOf } from '../platform/base/email-address.ts';
import { liveGrants } from '../accounts/grant.rule.ts';
import type { Manifest } from '../catalog/item.rule.ts';
import { formatPrice } from '../catalog/price.rule.ts';
import { type GivenFacts, mapFields, oneLine, type WordsKind, writeMail } from '../mailing/mail-text.ts';
import { mailLanguageOf } from './mail-language.ts';
import { mailTextOf, NEWS_PLACE } from './mail-html.ts';
import { nameOrder, type Order, type OrderState, stateAt } from './order.rule.ts';
import type { MailKind, OutboxRow } from '../mailing/outbox.rule.ts';
import type { Account } from '../accounts/account.ts';
import type { LinkSubject } from '../accounts/one-time-link.ts';
import { findByKey, findBySlug } from '../catalog/catalog.ts';
import { hasEpub } from '../reading/epubs.ts';
import type { MailedBook } from './e-reader.ts';
import type { GrantedItem } from '../accounts/grant.ts';
import { nameItem } from '../accounts/items.ts';
import { ANY_ORDER } from './order.ts';
import type { EndReason } from '../words/en/mail.ts';
import type { Stall } from './stall.ts';

type Content = {
  readonly link: LinkSubject | null;
  readonly kind?: WordsKind;
  /** The subject; if null or left out, that of the text. */
  readonly subject?: string | null;
  readonly facts?: Partial<GivenFacts>;
  readonly book?: MailedBook;
  /** The id of an order to whose further copies the mail links; null for no such link. */
  readonly copies?: number | null;
};

const REASONS: Readonly<Partial<Record<OrderState, EndReason>>> = {
  refunded: 'refunded',
  lost: 'lost',
  disputed: 'disputed',
  ended: 'revoked',
};

/** Returns why an order no longer opens its items; undefined if it opens them. */
const reasonOf = (order: Order, now: number): EndReason | undefined =>
  order.state === 'paid' && stateAt(order, now) === 'ended' ? 'ended' : REASONS[order.state];

const NO_FACTS: GivenFacts = { ...mapFields(() => ''), titles: [], reason: 'ended' };

type Part = Pick<Stall, 'store' | 'manifest' | 'stallFiles' | 'origin' | 'catalog' | 'now'> & {
  readonly findMailedBook: (account: Account, id: string) => MailedBook | null;
};

/**
 * Composes the mail for a row of the outbox at the time of sending. Returns null if the mail is no longer needed.
 * - `link`: the subject of the mail's one-time link; null for none
 * - `copies`: the id of the order whose further copies the mail links to; null for none
 * - `write`: writes the mail with the addresses of both links. `framed` is the text with NEWS_PLACE for the news, which
 *   are Markdown; null for a mail without news.
 */
export function composeMail(stall: Part, row: OutboxRow) {
  const content = CONTENTS[row.kind](stall, row);
  if (content === null) return null;
  const { name } = stall.manifest();
  const language = mailLanguageOf(stall, row);
  const facts = { ...NO_FACTS, stall: name, origin: stall.origin(), ...content.facts };
  return {
    link: content.link,
    copies: content.copies ?? null,
    book: content.book,
    write(link: string | null, copies = '') {
      const given = { ...facts, link: link ?? facts.origin, copies };
      const voice = { language, stall: stall.manifest() };
      const writeWith = (news: string) =>
        writeMail(content.kind ?? row.kind, voice, { ...given, news }, stall.stallFiles().mails);
      const mail = writeWith(mailTextOf(facts.news));
      const framed = facts.news === '' ? null : writeWith(NEWS_PLACE).text;
      return { ...mail, subject: content.subject ?? mail.subject, framed, news: facts.news };
    },
  };
}

const CONTENTS: Readonly<Record<MailKind, (stall: Part, row: OutboxRow) => Content | null>> = {
  claim(stall, row) {
    const order = findOpenOrder(stall, row);
    if (order === null) return null;
    const { facts, copies } = partsOf(stall, order);
    const { orderId, address, id: outboxId } = row;
    if (order.accountId === null)
      return { link: { purpose: 'claim', orderId, address, outboxId }, facts, copies };
    const holder = findHolder(stall, order.accountId);
    if (holder === null) return null;
    // If another person's account has the purchase by now, the mail tells the buyer so, without a link.
    if (comparableEmail(holder.email) !== comparableEmail(address))
      return { link: null, kind: 'claimed', facts: { ...facts, holder: hintOf(holder.email) } };
    return holder.verifiedAt === null ? { link: null, kind: 'library', facts, copies } : null;
  },
  library(stall, row) {
    const order = findOpenOrder(stall, row);
    if (order === null || findHolder(stall, order.accountId) === null) return null;
    return { link: null, ...partsOf(stall, order) };
  },
  ended(stall, row) {
    const order = findOrder(stall, row);
    const reason = order === null ? undefined : reasonOf(order, stall.now());
    return order === null || reason === undefined
      ? null
      : { link: null, facts: { ...factsOf(stall, order), reason } };
  },
  invite: (stall, row) => linkTo(stall, row, 'invite'),
  reset: (stall, row) => linkTo(stall, row, 'reset'),
  'sign-in': (stall, row) => linkTo(stall, row, 'sign-in'),
  email(stall, { accountId, address, id: outboxId }) {
    const account = findHolder(stall, accountId);
    const isTaken = stall.store.findAccountByAddress(address) !== null;
    return account === null || isTaken ? null : { link: { purpose: 'email', account, address, outboxId } };
  },
  taken: toHolder,
  'wrong-codes': toHolder,
  'step-off': toHolder,
  moving: (_, { details }) => ({ link: null, facts: { holder: String(details['to']) } }),
  open: (_, row) => ({ link: { purpose: 'open', address: row.address, outboxId: row.id } }),
  subscribe({ catalog }, { id: outboxId, details: { about } }) {
    const link = { purpose: 'news', outboxId } as const;
    if (about === '') return { link };
    const edition = findBySlug(catalog(), String(about));
    return edition ? { link, kind: 'tell-me', facts: { titles: [edition.manifest.title] } } : null;
  },
  attention: ({ store, now }) => ofCount(store.countOrders({ ...ANY_ORDER, attention: true, now: now() })),
  reports: ({ store }) => ofCount(store.countOpenReports()),
  answered(stall, { accountId, details: { report: id } }) {
    const report = stall.store.findReport(String(id));
    if (report === null || findHolder(stall, accountId) === null) return null;
    const titles = [nameItem(stall, 'book', report.bookId)?.title ?? []].flat();
    return { link: null, facts: { titles, report: report.state, answer: report.answer ?? '' } };
  },
  sale(stall, row) {
    const order = findOrder(stall, row);
    if (order === null) return null;
    const { id, amount, currency, isTest, quantity, email } = order;
    return {
      link: null,
      facts: {
        ...factsOf(stall, order),
        price: currency === null ? '' : formatPrice(amount, currency),
        mode: isTest ? 'test' : 'live',
        buyer: oneLine(email ?? '–'),
        count: String(quantity),
        order: `${stall.origin()}/admin/orders/${id}`,
      },
    };
  },
  published(stall, { accountId, details, ...row }) {
    const item = {
      kind: details['kind'] === 'book' ? 'book' : 'skill',
      itemKey: String(details['item']),
    } as const;
    const account = findHolder(stall, accountId);
    const order = account === null ? findOpenOrder(stall, { accountId, details, ...row }) : null;
    const isHeld = account === null ? order !== null : holds(stall, account, item);
    const named = nameItem(stall, item.kind, item.itemKey);
    if (!isHeld || named === null) return null;
    const read = order?.accountId === null ? '/claim' : readingPlace({ ...item, slug: named.slug });
    return { link: null, facts: { titles: [named.title], read: stall.origin() + read } };
  },
  'e-reader'(stall, { accountId, details }) {
    const account = findHolder(stall, accountId);
    const book = account && stall.findMailedBook(account, String(details['item']));
    return book && { link: null, book, facts: { titles: [book.title] } };
  },
  // The row of news that an account asked for holds their text. The text of an announcement is stored once for all its mails.
  news(stall, row) {
    const { id, accountId, address, subject, details } = row;
    if (accountId === null && row.orderId === null) return toSubscriber(stall, row);
    const account = findHolder(stall, accountId);
    const order = accountId === null ? findOpenOrder(stall, row) : null;
    const isGone = account?.email !== address && order === null;
    if (isGone || stall.store.findOptOut(address) !== null) return null;
    const link = { purpose: 'unsubscribe', outboxId: id } as const;
    const read = `${stall.origin()}${order?.accountId === null ? '/claim' : '/dashboard'}`;
    if (details['text'] !== undefined) {
      const facts = { titles: String(details['titles']).split('\n'), news: String(details['text']), read };
      return stall.store.findNewsSince(String(accountId)) === null ? null : { link, facts };
    }
    const told = stall.store.findAnnouncement(subject);
    if (told === null || (account !== null && !holds(stall, account, told))) return null;
    const titles = [nameItem(stall, told.kind, told.itemKey)?.title ?? []].flat();
    return { link, subject: told.title, facts: { titles, news: told.text, read } };
  },
};

/** Returns the path at which an account reads an item: through the sign-in page, which a signed-in reader passes at once. */
const readingPlace = ({ kind, slug }: Pick<Manifest, 'kind' | 'slug'>): string =>
  `/sign-in?next=/${kind}s/${slug}/read`;

const ofCount = (count: number): Content | null =>
  count === 0 ? null : { link: null, facts: { count: String(count) } };

const holds = ({ store, now }: Part, { id }: Account, { kind, itemKey }: GrantedItem) =>
  liveGrants(store.findGrants(id, kind, itemKey), now()).length > 0;

function toSubscriber(stall: Part, { id, address, subject, details: { about } }: OutboxRow): Content | null {
  const { store, catalog, origin } = stall;
  const told = about === undefined ? store.findAnnouncement(subject) : null;
  const edition =
    told === null ? findBySlug(catalog(), String(about)) : findByKey(catalog(), told.kind, told.itemKey);
  const isWanted = told === null || store.findSubscription(address) !== null;
  if (edition === undefined || !isWanted || store.findOptOut(address) !== null) return null;
  const { kind, slug, title } = edition.manifest;
  return {
    link: { purpose: 'unsubscribe', outboxId: id },
    kind: told === null ? 'told' : 'bulletin',
    subject: told?.title ?? null,
    facts: { titles: [title], news: told?.text ?? '', read: `${origin()}/${kind}s/${slug}` },
  };
}

const findOrder = ({ store }: Part, { orderId }: OutboxRow): Order | null =>
  orderId === null ? null : store.findOrder(orderId);

/**
 * Finds the order that a queued mail is about. Returns null if there is none, if it is not paid now, or if it became a
 * present, whose items go to whoever has the code.
 */
function findOpenOrder(stall: Part, row: OutboxRow): Order | null {
  const order = findOrder(stall, row);
  if (order === null || stateAt(order, stall.now()) !== 'paid') return null;
  return stall.store.isGiven(order.id) ? null : order;
}

function findHolder({ store }: Part, id: string | null): Account | null {
  const account = id === null ? null : store.findAccountById(id);
  return account === null || account.disabledAt !== null ? null : account;
}

function toHolder(stall: Part, { accountId }: OutboxRow): Content | null {
  return findHolder(stall, accountId) === null ? null : { link: null };
}

function linkTo(stall: Part, row: OutboxRow, purpose: 'invite' | 'reset' | 'sign-in'): Content | null {
  const account = findHolder(stall, row.accountId);
  // A link to an account must not be sent to an address that the account no longer has.
  if (account?.email !== row.address || (purpose === 'invite' && account.hasPassword)) return null;
  const { asker } = row.details;
  const isFirst = purpose === 'invite' || (purpose === 'reset' && account.verifiedAt === null);
  const isHelper = isFirst && stall.store.listEditors().some(({ id }) => id === account.id);
  const link = { purpose, account, outboxId: row.id, asker: typeof asker === 'string' ? asker : null };
  return { link, ...(isHelper && { kind: 'helper' }) };
}

/**
 * Returns the facts for the mail to the account that has a purchase. Only the first mail links to the copies for other
 * people: a new link ends the earlier one, and anybody can have the mail sent again.
 */
function partsOf(stall: Part, order: Order): Pick<Content, 'facts' | 'copies'> {
  const left = order.copies - order.copiesUsed;
  const isLinked = left > 0 && !stall.store.isBuyerTold(order.id);
  return { facts: { ...factsOf(stall, order), count: String(left) }, copies: isLinked ? order.id : null };
}

function factsOf(stall: Part, order: Order) {
  const { bundle, items, ref } = order;
  const sold = stall.manifest().bundles.find(({ slug }) => slug === bundle);
  const titles = items.map(({ kind, itemKey, slug }) => nameItem(stall, kind, itemKey)?.title ?? slug);
  const [only] = items.length === 1 ? items : [];
  const edition = only && findByKey(stall.catalog(), only.kind, only.itemKey);
  const read = edition && readingPlace(edition.manifest);
  const coming = items.flatMap((item) => {
    const found = findByKey(stall.catalog(), item.kind, item.itemKey)?.manifest;
    return found?.status === 'announced' ? oneLine(found.title) : [];
  });
  const epub =
    edition && coming.length === 0 && hasEpub(edition)
      ? `/sign-in?next=/api/books/${edition.manifest.id}/epub`
      : '';
  return {
    titles: sold === undefined ? titles : [sold.title],
    coming: coming.join(' · '),
    ref: nameOrder(order),
    read: coming.length === items.length ? '' : stall.origin() + (read ?? `/claim/yours?order=${ref}`),
    epub: epub === '' ? '' : stall.origin() + epub,
  };
}
