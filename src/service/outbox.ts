import { setTimeout as sleep } from 'node:timers/promises';
import { HOUR, MINUTE } from '../duration.ts';
import type { MailOutcome, SendMail } from '../mail/mailer.ts';
import { messageOf } from '../refusal.ts';
import type { OutboxRow } from '../sales/outbox.ts';
import { mintCopies } from './codes.ts';
import { mintLink } from './links.ts';
import { startChore } from './chores.ts';
import { composeMail } from './mail-content.ts';
import type { Stall } from './stall.ts';

/** The times at which a mail is tried, in milliseconds after its first try. After the last one it is given up. */
const TRIES = [0, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR] as const;

/** The most mails that are sent at a time, so that a silent server holds up no others. */
const TOGETHER = 4;

/** The most mails that could not be composed or recorded in one pass. After them the pass ends, since the disk may be full. */
const MOST_LATE = 10;

/** How often the outbox is looked into, in milliseconds, for mails that commands queued beside the server. */
const LOOK = 5000;

/**
 * Sends queued mails in the background; code that queues a mail calls `wake`. If `mailer` is null, every mail is left to
 * the owner. A demo sends none, and leaves a real stall's queued mails as they are.
 *
 * News goes one mail at a time, with `pause` milliseconds between, beside all other mail: after a kill, at most one mail
 * of news is sent twice.
 */
export function createOutbox(
  stall: Pick<Stall, 'store' | 'manifest' | 'stallFiles' | 'origin' | 'catalog' | 'log' | 'now'>,
  mailer: SendMail | null,
  isDemo = false,
  pause = 0,
) {
  const { store, origin, log, now } = stall;
  const send = isDemo ? null : mailer;
  const closed = new AbortController();
  let [gap, nextNews] = [pause, 0];

  /** Sends one mail; null if it is not needed. Counts the try before, so that a crash cannot make it try forever. */
  const attempt = async (row: OutboxRow, deliver: SendMail): Promise<MailOutcome['outcome'] | null> => {
    const mail = composeMail(stall, row);
    const end = (state: 'queued' | 'sent' | 'failed' | 'dropped', error: string | null) =>
      store.write.endMail({ id: row.id, state, error, at: now() });
    if (mail === null) return end('dropped', null).then(() => null);
    const messageId =
      row.messageId ?? `<${crypto.randomUUID()}@${new URL(origin()).hostname.replace(/^\[|\]$/g, '')}>`;
    const minted = mail.link === null ? null : mintLink(mail.link, origin(), now());
    const copies = mail.copies === null ? null : mintCopies(mail.copies, origin());
    const kept = { link: minted?.row ?? null, copies: copies?.row ?? null };
    const next = { messageId, ...kept, nextAt: now() + delayAfter(row.tries) };
    if (!(await store.write.beginMail({ id: row.id, ...next }))) return null;
    const link = minted?.link.url ?? null;
    const headers = link !== null && mail.link?.purpose === 'unsubscribe' ? endingBy(link) : {};
    const isBulk = row.kind === 'news';
    const delivery = await deliver({
      to: row.address,
      ...mail.write(link, copies?.url),
      messageId,
      headers,
      isBulk,
    });
    const state = stateAfter(delivery, row.tries + 1);
    if (state === 'failed')
      log({
        event: 'mail-failed',
        mail: row.id,
        kind: row.kind,
        message: `Cannot send a mail: ${'reason' in delivery ? delivery.reason.replaceAll(row.address, '…') : ''}`,
      });
    // An address that refuses mail gets no more news.
    if (delivery.outcome === 'never' && isBulk && row.accountId !== null)
      await store.write.setNews({ accountId: row.accountId, at: null });
    await end(state, delivery.outcome === 'sent' ? null : delivery.reason);
    if (delivery.outcome === 'never' && isBulk && row.accountId === null && row.orderId === null)
      await store.write.removeSubscriber({ address: row.address });
    return delivery.outcome;
  };

  /**
   * Sends due mails: news one by one, all others a few at a time. A mail that cannot be composed or recorded is left for
   * the next pass.
   */
  const sendDue = async (deliver: SendMail, isNews: boolean): Promise<void> => {
    const left = new Set<number>();
    for (;;) {
      if (isNews) await sleep(Math.max(0, nextNews - performance.now()), undefined, closed).catch(() => {});
      const due = store.listDueMails(now(), isNews, (isNews ? 1 : TOGETHER) + left.size);
      const rows = due.filter(({ id }) => !left.has(id));
      if (rows.length === 0 || left.size >= MOST_LATE || closed.signal.aborted) return;
      const [outcome = null] = await Promise.all(
        rows.map((row) =>
          attempt(row, deliver).catch((error: unknown) => {
            left.add(row.id);
            log({ event: 'mail-late', message: `Cannot send a mail now: ${messageOf(error)}`, mail: row.id });
          }),
        ),
      );
      if (outcome === null) continue;
      // Many hosts limit the mails an hour: while they refuse, the pauses grow.
      gap = outcome === 'later' ? Math.max(pause, Math.min(2 * gap, MINUTE)) : pause;
      nextNews = performance.now() + gap;
    }
  };
  const leave = async (): Promise<void> => {
    if (!isDemo && store.findNextMailTime() !== null) await store.write.leaveMails();
  };
  // A pass that fails, for example since the store cannot be read, is tried again at the next look.
  const chores = [false, true].map((isNews) =>
    startChore(LOOK, send === null ? leave : () => sendDue(send, isNews), (reason) =>
      log({ event: 'mail-late', message: `Cannot send mail now: ${reason}` }),
    ),
  );
  const settle = async (): Promise<void> => void (await Promise.all(chores.map((chore) => chore.settled())));

  return {
    /** Whether this stall sends mail itself. */
    sends: send !== null,
    /** Asks for due mails to be sent; returns at once. */
    wake: (): void => void (closed.signal.aborted || chores.forEach((chore) => void chore.run())),
    /** Waits until nothing is being sent. */
    settle,
    async close(): Promise<void> {
      closed.abort();
      chores.forEach((chore) => chore.close());
      await settle();
    },
  };
}

/** Returns the headers for the button with which mail programs end a subscription (RFC 8058 §3.1). */
const endingBy = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

/** Returns how long after a try the next one is due, in milliseconds. */
function delayAfter(tries: number): number {
  const [at = 0, next = at + HOUR] = TRIES.slice(tries, tries + 2);
  return next - at;
}

function stateAfter({ outcome }: MailOutcome, tries: number): 'queued' | 'sent' | 'failed' {
  if (outcome === 'sent') return 'sent';
  return outcome === 'never' || tries >= TRIES.length ? 'failed' : 'queued';
}
