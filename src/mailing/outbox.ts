import { setTimeout as sleep } from 'node:timers/promises';
import { startChore } from '../platform/base/chores.ts';
import { HOUR, MINUTE } from '../platform/base/duration.ts';
import { messageOf } from '../platform/base/refusal.ts';
import type { Mail, MailOutcome, SendMail } from './mailer.ts';
import { MAIL_KINDS, MAIL_WAYS, type MailState, type MailWay, type OutboxRow } from './outbox.rule.ts';
import type { Stall } from './stall.ts';

/** When to try to send a mail, in milliseconds after the first try. If the last of these tries fails, the mail fails. */
const TRIES = [0, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR] as const;

/** The maximum number of mails sent at the same time: several, so that one without an answer does not block the others. */
const TOGETHER = 4;

/**
 * The maximum number of mails in one pass that cannot be composed or recorded. The pass ends there, since the disk may be full.
 */
const MOST_LATE = 10;

/** How often to look for mails that commands queued beside the server, in milliseconds. */
const LOOK_PAUSE = 5000;

/** A mail to send. `begin` stores a try and the rows of its links; false if the mail is no longer queued. */
type ComposedMail = {
  readonly begin: (next: { readonly messageId: string; readonly nextAt: number }) => Promise<boolean>;
  readonly write: () => Promise<Omit<Mail, 'to' | 'messageId' | 'isBulk'>>;
};

/** `isNever`: this mail can never be sent. */
type MailEnding = {
  readonly state: Exclude<MailState, 'manual'>;
  readonly error: string | null;
  readonly isNever: boolean;
};

/** The parts of sending that know what mails are about; `selling/mail-desk.ts` makes them. */
export type MailDesk = {
  /** Composes the mail of a row from the state at the time of sending; null if the mail is no longer needed. */
  readonly compose: (row: OutboxRow) => ComposedMail | null;
  readonly end: (row: OutboxRow, ending: MailEnding) => Promise<void>;
  readonly leave: () => Promise<unknown>;
};

/**
 * Creates the background sender of queued mails. Call `look` after each write. While `mailer` returns null, the owner must pass
 * on mails by hand. A demo sends nothing, and leaves queued mails as they are.
 *
 * News is sent one mail at a time, with a pause of `pauseOf` milliseconds, beside all other mails: if the program is killed, at
 * most one mail of news is sent twice.
 */
export function createOutbox(
  { store, origin, log, now }: Pick<Stall, 'store' | 'origin' | 'log' | 'now'>,
  {
    desk,
    mailer,
    isDemo = false,
    pauseOf = () => 0,
  }: {
    readonly desk: MailDesk;
    readonly mailer: () => SendMail | null;
    readonly isDemo?: boolean;
    readonly pauseOf?: () => number;
  },
) {
  const sender = (): SendMail | null => (isDemo ? null : mailer());
  const closed = new AbortController();
  let [gap, nextNews] = [pauseOf(), 0];

  /**
   * Sends one mail and returns the outcome; null if the mail is no longer needed. The try is recorded before it begins, so that
   * a mail that crashes the program is not tried forever.
   */
  const attempt = async (row: OutboxRow, deliver: SendMail): Promise<MailOutcome['outcome'] | null> => {
    const mail = desk.compose(row);
    if (mail === null)
      return desk.end(row, { state: 'dropped', error: null, isNever: false }).then(() => null);
    const messageId =
      row.messageId ?? `<${crypto.randomUUID()}@${new URL(origin()).hostname.replace(/^\[|\]$/g, '')}>`;
    if (!(await mail.begin({ messageId, nextAt: now() + delayAfter(row.tries) }))) return null;
    const delivery = await mail.write().then(
      (written) => deliver({ ...written, to: row.address, messageId, isBulk: MAIL_KINDS[row.kind].isBulk }),
      (error: unknown): MailOutcome => ({ outcome: 'later', reason: messageOf(error) }),
    );
    const state = stateAfter(delivery, row.tries + 1);
    if (state === 'failed')
      log({
        event: 'mail-failed',
        mail: row.id,
        kind: row.kind,
        message: `Cannot send a mail: ${'reason' in delivery ? delivery.reason.replaceAll(row.address, '…') : ''}`,
      });
    const error = delivery.outcome === 'sent' ? null : delivery.reason;
    await desk.end(row, { state, error, isNever: delivery.outcome === 'never' });
    return delivery.outcome;
  };

  /**
   * Sends the mails of one way that are due: `soon` a few at a time, others one by one. A mail that cannot be composed or
   * recorded waits for the next pass.
   */
  const sendDue = async (deliver: SendMail, way: MailWay): Promise<void> => {
    const left = new Set<number>();
    for (;;) {
      if (way === 'many')
        await sleep(Math.max(0, nextNews - performance.now()), undefined, closed).catch(() => {});
      const due = store.listDueMails(now(), way, (way === 'soon' ? TOGETHER : 1) + left.size);
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
      // Many hosts limit the number of mails in an hour: while the server refuses mails, the pauses get longer.
      const pause = pauseOf();
      gap = outcome === 'later' ? Math.max(pause, Math.min(2 * gap, MINUTE)) : pause;
      nextNews = performance.now() + gap;
    }
  };
  const leave = async (): Promise<void> => {
    if (!isDemo && store.findNextMailTime() !== null) await desk.leave();
  };
  // If a pass fails, for example because the database cannot be read, the next one tries again.
  const chores = MAIL_WAYS.map((way) =>
    startChore(
      LOOK_PAUSE,
      () => {
        const send = sender();
        return send === null ? leave() : sendDue(send, way);
      },
      (reason) => log({ event: 'mail-late', message: `Cannot send mail now: ${reason}` }),
    ),
  );
  const wake = (): void => void (closed.signal.aborted || chores.forEach((chore) => void chore.run()));
  const settle = async (): Promise<void> => {
    wake();
    await Promise.all(chores.map((chore) => chore.settled()));
  };

  return {
    get sends(): boolean {
      return sender() !== null;
    },
    /** Starts to send the mails that are due, if any; returns at once. */
    look: (): void => void (store.isMailDue(now()) && wake()),
    settle,
    async close(): Promise<void> {
      closed.abort();
      chores.forEach((chore) => chore.close());
      await settle();
    },
  };
}

function delayAfter(tries: number): number {
  const [at = 0, next = at + HOUR] = TRIES.slice(tries, tries + 2);
  return next - at;
}

function stateAfter({ outcome }: MailOutcome, tries: number): 'queued' | 'sent' | 'failed' {
  if (outcome === 'sent') return 'sent';
  return outcome === 'never' || tries >= TRIES.length ? 'failed' : 'queued';
}
