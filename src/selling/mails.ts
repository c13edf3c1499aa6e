import { plainLines } from '../mailing/mail-text.ts';
import { readLibrary } from '../accounts/library.ts';
import { proveReader } from '../accounts/reader-proof.ts';
import type { MailClient } from '../accounts/stall.ts';
import type { Actor, SessionPrincipal } from '../platform/base/principal.ts';
import { comparableEmail, hintOf, isMailable, readEmail } from '../platform/base/email-address.ts';
import { hashSecret } from '../accounts/secret.rule.ts';
import { siteOf } from '../platform/http/address.ts';
import { DAY, HOUR } from '../platform/base/duration.ts';
import { itemKey } from '../catalog/item.rule.ts';
import { createKept } from '../platform/base/cache.ts';
import { messageOf } from '../platform/base/refusal.ts';
import { ToldRefusal, OfficeRefusal } from '../platform/base/told.ts';
import type { MailState, NewMail, OutboxRow, AskedMail } from '../mailing/outbox.rule.ts';
import type { NewAuditEntry } from '../platform/store/audit-log.sql.ts';
import type { NewsReader } from './mail.sql.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import { startChore } from '../platform/base/chores.ts';
import type { Records, Stall } from './stall.ts';
import { pagesOf } from '../platform/store/paging.ts';

export type PlacedMail = OutboxRow & { readonly at: number; readonly row: number };

export const pagedMails = ({ store }: Records, state: MailState | null) =>
  pagesOf<PlacedMail>((window) =>
    store.listMailPage(state, window).map((mail) => ({ ...mail, at: mail.createdAt, row: mail.id })),
  );

/** Queues a mail once more; the running server sends it. Refuses not-found, and a mail that is queued already. */
export async function repeatMail({ store, now }: Records, by: Actor, id: number): Promise<OutboxRow> {
  const mail = store.findMail(id);
  if (mail === null) throw new OfficeRefusal('not-found', (r) => r.noMail({ id }));
  const at = now();
  const audit = auditEntry(by, at, 'mail.send', `mail ${id}`, { kind: mail.kind });
  if (await store.write.repeatMail({ id, at, audit })) return mail;
  throw new OfficeRefusal('invalid-request', (r) => r.mailWaits({ id }));
}

/** How often the server looks for new editions, and how long an account waits between two mails of news; in milliseconds. */
const LOOK = HOUR;
const PAUSE = DAY;

/** The maximum number of versions in one mail of news, and of characters in the notes of each version. */
const MOST_VERSIONS = 10;
const LONGEST_NOTES = 1500;

/**
 * Mails notes about new versions to readers who asked for them and have the item, at most one mail a day. Does nothing
 * without a mail server.
 */
export function startNewsMails(stall: Stall) {
  const { store, outbox, log, now } = stall;
  const queueDue = async (): Promise<void> => {
    if (!outbox.sends) return;
    for (const reader of store.listNewsReaders(now() - PAUSE)) await queueNews(stall, reader);
  };
  return startChore(LOOK, queueDue, (reason) =>
    log({ event: 'mail-late', message: `Cannot queue news: ${reason}. It is tried again in an hour` }),
  );
}

async function queueNews(stall: Stall, { accountId, email, since }: NewsReader): Promise<void> {
  const { store } = stall;
  const { held } = readLibrary(stall, { accountId, email });
  const told = store.findNewsOf(accountId) ?? '';
  const found = held.map(({ edition: { manifest } }) => {
    const editions = store.listNotedEditions(manifest.kind, itemKey(manifest), MOST_VERSIONS);
    const isNew = (one: (typeof editions)[number]): boolean =>
      one.notes !== null && one.firstServedAt > since && !told.includes(one.digest);
    return editions.filter(isNew).map((one) => ({ ...one, title: manifest.title }));
  });
  const versions = found.flat().slice(0, MOST_VERSIONS);
  const [newest] = versions;
  if (newest === undefined) return;
  const titles = [...new Set(versions.map(({ title }) => title))].join('\n');
  const texts = versions.map(({ title, version, notes }) => {
    // The heading has no words of its own: the language of the mail is not known before it is sent.
    const heading = version === null ? title : `${title} ${version}`;
    return `${heading}:\n\n${shorten(notes ?? '')}`;
  });
  const editions = versions.map(({ digest }) => digest).join(' ');
  const about = { kind: 'news', subject: `edition:${newest.digest}`, accountId } as const;
  const details = { titles, text: texts.join('\n\n'), editions };
  await queue(stall, [{ ...about, address: email, details }]);
}

export function shorten(notes: string): string {
  const text = plainLines(notes);
  return text.length <= LONGEST_NOTES ? text : `${text.slice(0, LONGEST_NOTES)}…`;
}

/** The maximum number of mails of one kind that one address, or one client, may request in an hour. */
export const MAILS_AN_HOUR = 3;

/**
 * The maximum number of sign-in mails to one address in an hour, above `MAILS_AN_HOUR`: a stranger who asks three times
 * does not lock out a reader without a password.
 */
const SIGN_INS_AN_HOUR = 12;

/**
 * The maximum number of mails of one kind in an hour for an IPv6 /48 network: one site may own all of its 65,536 clients
 * (RFC 6177 §2).
 */
const AN_HOUR_BY_SITE = 12;

/**
 * The maximum number of remembered addresses, clients and /48 networks, each counted once for each kind of mail, so that
 * strangers cannot fill the memory.
 */
const REMEMBERED = 100_000;

/**
 * Makes a function that decides whether a mail of a kind, requested by a client, may be sent to an address now. If so,
 * the function counts the mail.
 */
export function createMailLimits(now: () => number) {
  const times = createKept<readonly number[]>(REMEMBERED);
  // A request that this limit refuses does not count for it.
  const isFree = (name: string, most: number): boolean => {
    const at = now();
    const past = (times.get(name) ?? []).filter((time) => at - time < HOUR);
    if (past.length >= most) return false;
    times.set(name, [...past, at]);
    return true;
  };
  return (kind: AskedMail, address: string, client: string): boolean =>
    isFree(`${kind} client ${client}`, MAILS_AN_HOUR) &&
    isFree(`${kind} site ${siteOf(client)}`, AN_HOUR_BY_SITE) &&
    isFree(
      `${kind} address ${comparableEmail(address)}`,
      kind === 'sign-in' ? SIGN_INS_AN_HOUR : MAILS_AN_HOUR,
    );
}

/**
 * Returns the details of a mail that somebody asked for. Its language is that of their page, unless the account has
 * chosen one.
 */
const detailsOf = ({ language, asker }: MailClient): NewMail['details'] => ({
  ...(language !== null && { language }),
  ...(asker !== undefined && { asker }),
});

/** Requests a mail to an address. The caller never learns whether one is sent. */
export function requestMail(
  stall: Stall,
  kind: Exclude<AskedMail, 'news' | 'email'>,
  text: string,
  client: MailClient,
): void {
  const address = readEmail(text);
  if (!isMailable(address) || !stall.outbox.sends || !stall.mayAskForMail(kind, address, client.address))
    return;
  // The answer goes out first, so that its time does not tell whether the address is known.
  sendSoon(
    stall,
    Bun.sleep(1).then(() => queueAsked(stall, kind, address, client)),
  );
}

/** Queues mails without anybody waiting for the result; a failure is logged. */
export const sendSoon = ({ log }: Stall, queued: Promise<unknown>): void =>
  void queued.catch((error: unknown) =>
    log({ event: 'mail-late', message: `Cannot queue a mail: ${messageOf(error)}` }),
  );

/**
 * Starts a change of an account's address: mails a confirmation link to the new address, and tells the old one. If the
 * new address has an account, it gets a note instead; the caller does not learn of that. Refuses what `proveReader` does,
 * the present address, and one that cannot get mail.
 */
export async function requestEmailChange(
  stall: Stall,
  who: SessionPrincipal,
  { text, password, client }: { readonly text: string; readonly password: string; readonly client: string },
): Promise<void> {
  const { accountId, email } = who;
  const address = readEmail(text);
  const isTheirs = comparableEmail(address) === comparableEmail(email);
  if (!isMailable(address) || isTheirs)
    throw new ToldRefusal('invalid-request', ({ account }) =>
      (isMailable(address) ? account.emailIsYours : account.emailUnmailable)({ email: address }),
    );
  await proveReader(stall, who, { password, address: client }, (r) => r.account.emailWrongPassword);
  if (!stall.outbox.sends || !stall.mayAskForMail('email', address, client)) return;
  sendSoon(stall, queueEmailChange(stall, accountId, email, address));
}

async function queueEmailChange(stall: Stall, accountId: string, from: string, to: string) {
  const other = stall.store.findAccountByAddress(to);
  const subject = `account:${accountId}:${stall.now()}`;
  const note =
    other === null
      ? ({ kind: 'email', address: to, accountId } as const)
      : ({ kind: 'taken', address: other.email, accountId: other.id } as const);
  const told = { kind: 'moving', address: from, accountId, details: { to: hintOf(to) } } as const;
  await queue(
    stall,
    [note, told].map((mail) => ({ subject, ...mail })),
  );
}

/**
 * Queues a mail that somebody requested. `claim` sends the mail about the newest order again. `open` sends a link that
 * makes an account, or to an address that has one, a link that sets a password, as `reset` does.
 */
async function queueAsked(
  stall: Stall,
  kind: Exclude<AskedMail, 'news' | 'email'>,
  address: string,
  client: MailClient,
): Promise<void> {
  const { store, now } = stall;
  const details = detailsOf(client);
  if (kind === 'claim') await store.write.repeatOrderMail({ address, details, at: now() });
  if (kind === 'claim' || (kind === 'open' && stall.manifest().accounts !== 'open')) return;
  const account = store.findAccountByAddress(address);
  const link = kind === 'sign-in' ? 'sign-in' : 'reset';
  // A mailbox alone must not open the office. It can reset the password, but the owner notices that.
  if (link === 'sign-in' && account?.isOwner) return;
  if (account !== null && account.disabledAt === null) await queueLink(stall, link, account, { details });
  else if (kind === 'open')
    await queue(stall, [{ kind, subject: `open:${now()}`, address, accountId: null, details }]);
}

/** Queues a mail with a link, to the address that the account has stored: a typed one may only look like it. */
const queueLink = (
  stall: Records,
  kind: 'invite' | 'reset' | 'sign-in',
  { id: accountId, email: address }: { readonly id: string; readonly email: string },
  { audit, details = {} }: { readonly audit?: NewAuditEntry; readonly details?: NewMail['details'] },
) =>
  queue(
    stall,
    [{ kind, subject: `account:${accountId}:${stall.now()}`, address, accountId, details }],
    audit,
  );

type AccountMail = Pick<NewMail, 'kind' | 'subject' | 'address' | 'accountId'> &
  Partial<Pick<NewMail, 'details' | 'orderId'>>;

function queue({ store, now }: Records, mails: readonly AccountMail[], audit?: NewAuditEntry) {
  const rest = { orderId: null, details: {}, state: 'queued', at: now() } as const;
  return store.write.queueMails({
    mails: mails.map((mail) => ({ ...rest, ...mail })),
    ...(audit && { audit }),
  });
}

/** Mails an account the link that sets its first or another password. Refuses a disabled account, and a stall without mail. */
export async function mailLink(stall: Stall, by: Actor, email: string): Promise<void> {
  if (!stall.outbox.sends) throw new OfficeRefusal('invalid-request', (r) => r.sendsNoMail);
  const account = stall.store.findAccount(email);
  if (account === null || account.disabledAt !== null)
    throw new OfficeRefusal('invalid-request', (r) => r.mailDisabled({ email }));
  const purpose = account.hasPassword ? 'reset' : 'invite';
  const audit = auditEntry(by, stall.now(), 'account.link', account.email, { purpose, mail: true });
  await queueLink(stall, purpose, account, { audit });
}

/** Whether the holder of an account wants news by mail; null if this stall sends no mail, or the address is not verified. */
export function wantsNews({ store, outbox }: Stall, accountId: string): boolean | null {
  const account = outbox.sends ? store.findAccountById(accountId) : null;
  return account?.verifiedAt == null ? null : store.findNewsSince(accountId) !== null;
}

export const wantNews = ({ store, now }: Records, accountId: string, isWanted: boolean): Promise<void> =>
  store.write.setNews({ accountId, at: isWanted ? now() : null });

export const endNews = ({ store, now }: Records, secret: string): Promise<boolean> =>
  store.write.endNews({ secretHash: hashSecret(secret), at: now() });
