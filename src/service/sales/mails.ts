import type { Actor } from '../../access/actor.ts';
import { Refusal } from '../../refusal.ts';
import type { MailState, OutboxRow } from '../../sales/outbox.ts';
import type { Store } from '../../store/store.ts';
import { describeActs } from '../audit-entry.ts';
import { type LogPage, type PagePlace, type Read, readPage, walk } from '../row-pages.ts';

/** A mail with its place in a list. */
export type PlacedMail = OutboxRow & { readonly at: number; readonly row: number };

/** The owner's use cases of mail: listing it, and sending it again. */
export function createMails(store: Store, by: Actor, now: () => number) {
  const describe = describeActs(by, now);
  const read =
    (state: MailState | null): Read<PlacedMail> =>
    async (window) =>
      (await store.listMailPage(state, window)).map((mail) => ({
        ...mail,
        at: mail.createdAt,
        row: mail.id,
      }));
  return {
    page: (state: MailState | null, place: PagePlace): Promise<LogPage<PlacedMail>> =>
      readPage(read(state), place),
    /** Every mail, the newest first, in steps of some rows. */
    rows: (state: MailState | null): AsyncGenerator<readonly PlacedMail[]> => walk(read(state)),
    /** Queues a mail once more; the running server sends it. Refuses not-found, and one that is queued already. */
    async repeat(id: number): Promise<OutboxRow> {
      const mail = await store.findMail(id);
      if (mail === null)
        throw new Refusal('not-found', `Cannot find mail ${id}: "bookstall mail list" shows them all`);
      const audit = describe('mail.send', `mail ${id}`, { kind: mail.kind });
      if (await store.write('repeatMail', { id, at: now(), audit })) return mail;
      throw new Refusal('invalid-request', `Cannot send mail ${id} again: it waits to be sent already`);
    },
  };
}
