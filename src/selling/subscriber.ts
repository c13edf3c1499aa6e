import { isMailable, readEmail } from '../platform/base/email-address.ts';
import type { Actor, Principal } from '../platform/base/principal.ts';
import { hashSecret } from '../accounts/secret.rule.ts';
import { findBySlug } from '../catalog/catalog.ts';
import { HOUR } from '../platform/base/duration.ts';
import { isAnnounced } from '../catalog/item.rule.ts';
import { Refusal } from '../platform/base/refusal.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import { startChore } from '../platform/base/chores.ts';
import { seeItem } from '../reading/files.ts';
import { unusable } from '../accounts/one-time-link.ts';
import type { MailClient } from '../accounts/stall.ts';
import { sendSoon } from './mails.ts';
import type { Records, Stall } from './stall.ts';

/**
 * Requests news by mail: about an item until it is published, or about the stall. Does not wait for the mail, so that a
 * visitor never learns whether one is sent.
 */
export function requestNews(stall: Stall, visitor: Principal, typed: Typed, client: MailClient): void {
  const { store, outbox, manifest, now } = stall;
  const address = readEmail(typed.email);
  const item = typed.item === '' ? null : seeItem(stall, visitor, typed.item).manifest;
  if (!isMailable(address) || !outbox.sends || !stall.mayAskForMail('news', address, client.address)) return;
  const about = item !== null && isAnnounced(item) ? item.slug : '';
  const page = item === null ? '/' : `/${item.kind}s/${item.slug}`;
  const language = client.language ?? manifest().languages[0];
  sendSoon(stall, store.write.subscribe({ address, about, page, language, at: now() }));
}

type Typed = { readonly email: string; readonly item: string };

/**
 * Confirms an address by the link mailed to it. Returns the slug of the item whose news it wants, '' for the stall's
 * news, and the page where they were requested. Refuses a link that cannot be used.
 */
export async function confirmNews(stall: Stall, secret: string) {
  const { store, now } = stall;
  const found = await store.write.confirmNews({ secretHash: hashSecret(secret), at: now() });
  if (found === null) throw unusable();
  // The item may have been published since the request.
  if (found.about !== '' && isPublished(stall, found.about))
    await store.write.tellSubscribers({ slug: found.about, at: now() });
  return found;
}

const isPublished = ({ catalog }: Stall, slug: string): boolean =>
  findBySlug(catalog(), slug)?.manifest.status === 'published';

/**
 * Mails those who wait for an item once it is published, and deletes addresses that stay unconfirmed: hourly, and when
 * `run` is called.
 */
export function startSubscriberUpkeep(stall: Stall) {
  const { log, now, outbox, store } = stall;
  const keepUp = async (): Promise<void> => {
    await store.write.sweepSubscribers({ at: now() });
    const due = outbox.sends ? store.listAwaited().filter(({ slug }) => isPublished(stall, slug)) : [];
    for (const { slug } of due) await store.write.tellSubscribers({ slug, at: now() });
  };
  return startChore(HOUR, keepUp, (reason) =>
    log({
      event: 'mail-late',
      message: `Cannot tell who waits for an item: ${reason}. It is tried again in an hour`,
    }),
  );
}

/**
 * Deletes an address that requested news without an account, with its mails. Returns how many subscriptions were deleted.
 * Refuses an address that requested none.
 */
export async function removeSubscriber({ store, now }: Records, by: Actor, text: string): Promise<number> {
  // The audit log does not get the address, which is being erased.
  const audit = auditEntry(by, now(), 'news.remove', 'an address');
  const removed = await store.write.removeSubscriber({ address: readEmail(text), audit });
  if (removed > 0) return removed;
  throw Refusal.missing(
    'Nobody asks for news at this address; mails that it had without an account are erased',
  );
}
