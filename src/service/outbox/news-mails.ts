import { itemKey } from '../../item/item.ts';
import { DAY, HOUR } from '../../duration.ts';
import { messageOf } from '../../refusal.ts';
import type { Edition } from '../../catalog/edition.ts';
import type { Store } from '../../store/store.ts';
import type { NewsReader } from '../../store/tables/news.ts';
import { listHeld } from '../holdings.ts';
import type { Stall } from '../stall.ts';
import type { Outbox } from './outbox.ts';

/** How often new editions are looked for, and how long an account waits between two mails; in milliseconds. */
const LOOK = HOUR;
const PAUSE = DAY;

/** The most versions in a mail, and characters of each one's notes. */
const MOST = 10;
const LONGEST = 1500;

type Part = Pick<Stall, 'store' | 'catalog' | 'shelves' | 'log' | 'now'>;

type Version = { readonly title: string; readonly digest: string; readonly text: string };

/** Mails the notes of new versions to holders who asked for them: one mail a day at most. Without a mail server it does nothing. */
export function createNewsMails(stall: Part, outbox: Outbox) {
  const { store, log, now } = stall;
  const versionsFor = async ({ accountId, email, since }: NewsReader): Promise<readonly Version[]> => {
    const principal = {
      kind: 'account',
      accountId,
      email,
      keyId: null,
      sessionId: '',
      isOwner: false,
    } as const;
    const held = await listHeld(stall, principal);
    const found = await Promise.all(held.map(({ edition }) => versionsOf(store, edition, since)));
    return found.flat().slice(0, MOST);
  };
  const queueFor = async (reader: NewsReader): Promise<void> => {
    const versions = await versionsFor(reader);
    const [newest] = versions;
    if (newest === undefined) return;
    const titles = [...new Set(versions.map(({ title }) => title))].join('\n');
    const text = versions.map((version) => version.text).join('\n\n');
    const { accountId, email: address } = reader;
    const mail = {
      kind: 'news',
      subject: `edition:${newest.digest}`,
      address,
      orderId: null,
      accountId,
    } as const;
    await store.write('queueMails', {
      mails: [{ ...mail, details: { titles, text }, state: 'queued', at: now() }],
    });
  };
  /** Queues what is due now. */
  const queueDue = async (): Promise<void> => {
    if (!outbox.sends) return;
    try {
      for (const reader of await store.listNewsReaders(now() - PAUSE)) await queueFor(reader);
      outbox.wake();
    } catch (error) {
      log({
        event: 'mail-late',
        message: `Cannot queue news: ${messageOf(error)}. It is tried again in an hour`,
      });
    }
  };
  const timer = outbox.sends ? setInterval(() => void queueDue(), LOOK) : null;
  timer?.unref();
  return {
    queueDue,
    close: (): void => {
      if (timer !== null) clearInterval(timer);
    },
  };
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
