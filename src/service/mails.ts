import type { Actor } from '../access/actor.ts';
import type { Edition } from '../catalog/edition.ts';
import { DAY, HOUR } from '../duration.ts';
import { itemKey } from '../item/item.ts';
import { Refusal } from '../refusal.ts';
import type { MailState, OutboxRow } from '../sales/outbox.ts';
import type { Store } from '../store/store.ts';
import type { NewsReader } from '../store/tables/news.ts';
import { auditEntry } from './audit-entry.ts';
import { startChore } from './chore.ts';
import { listHeld } from './holdings.ts';
import { type LogPage, type PagePlace, type Read, readPage, walk } from './row-pages.ts';
import type { Stall } from './stall.ts';

/** A mail with its place in a list. */
export type PlacedMail = OutboxRow & { readonly at: number; readonly row: number };

/** A page of mails, the newest first. */
export function pageMails(
  stall: Pick<Stall, 'store'>,
  state: MailState | null,
  place: PagePlace,
): Promise<LogPage<PlacedMail>> {
  return readPage(readMails(stall, state), place);
}

/** Every mail, the newest first, in steps of some rows. */
export function walkMails(
  stall: Pick<Stall, 'store'>,
  state: MailState | null,
): AsyncGenerator<readonly PlacedMail[]> {
  return walk(readMails(stall, state));
}

function readMails({ store }: Pick<Stall, 'store'>, state: MailState | null): Read<PlacedMail> {
  return async (window) =>
    (await store.listMailPage(state, window)).map((mail) => ({ ...mail, at: mail.createdAt, row: mail.id }));
}

/** Queues a mail once more; the running server sends it. Refuses not-found, and one that is queued already. */
export async function repeatMail(
  { store, now }: Pick<Stall, 'store' | 'now'>,
  by: Actor,
  id: number,
): Promise<OutboxRow> {
  const mail = await store.findMail(id);
  if (mail === null)
    throw new Refusal('not-found', `Cannot find mail ${id}: "bookstall mail list" shows them all`);
  const at = now();
  const audit = auditEntry(by, at, 'mail.send', `mail ${id}`, { kind: mail.kind });
  if (await store.write('repeatMail', { id, at, audit })) return mail;
  throw new Refusal('invalid-request', `Cannot send mail ${id} again: it waits to be sent already`);
}

/** How often new editions are looked for, and how long an account waits between two mails; in milliseconds. */
const LOOK = HOUR;
const PAUSE = DAY;

/** The most versions in a mail, and characters of each one's notes. */
const MOST = 10;
const LONGEST = 1500;

type Version = { readonly title: string; readonly digest: string; readonly text: string };

type NewsPart = Pick<Stall, 'store' | 'catalog' | 'shelves' | 'outbox' | 'log' | 'now'>;

/** Mails the notes of new versions to holders who asked for them: one mail a day at most. Without a mail server it does nothing. */
export function startNewsMails(stall: NewsPart) {
  const { store, outbox, log, now } = stall;
  const queueDue = async (): Promise<void> => {
    if (!outbox.sends) return;
    for (const reader of await store.listNewsReaders(now() - PAUSE)) await queueNews(stall, reader);
    outbox.wake();
  };
  return startChore(outbox.sends ? LOOK : null, queueDue, (reason) =>
    log({ event: 'mail-late', message: `Cannot queue news: ${reason}. It is tried again in an hour` }),
  );
}

async function queueNews(stall: NewsPart, { accountId, email, since }: NewsReader): Promise<void> {
  const { store, now } = stall;
  const account = { kind: 'account', accountId, email } as const;
  const held = await listHeld(stall, { ...account, keyId: null, sessionId: '', isOwner: false });
  const found = await Promise.all(held.map(({ edition }) => versionsOf(store, edition, since)));
  const versions = found.flat().slice(0, MOST);
  const [newest] = versions;
  if (newest === undefined) return;
  const titles = [...new Set(versions.map(({ title }) => title))].join('\n');
  const text = versions.map((version) => version.text).join('\n\n');
  const about = { kind: 'news', subject: `edition:${newest.digest}`, orderId: null, accountId } as const;
  await store.write('queueMails', {
    mails: [{ ...about, address: email, details: { titles, text }, state: 'queued', at: now() }],
  });
}

/** The versions of an item with notes that were first served after a time, the newest first; the served one at the top. */
async function versionsOf(store: Store, { manifest }: Edition, since: number): Promise<readonly Version[]> {
  const { kind, title } = manifest;
  const editions = await store.listNotedEditions(kind, itemKey(manifest), MOST);
  return editions
    .filter(({ notes, firstServedAt }) => notes !== null && firstServedAt > since)
    .map(({ digest, version, notes }) => ({
      title,
      digest,
      text: `${title}${version === null ? '' : `, version ${version}`}:\n${shorten(notes ?? '')}`,
    }));
}

function shorten(notes: string): string {
  const text = notes.trim().replaceAll(/[^\P{Cc}\n]/gu, ' ');
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}…`;
}
