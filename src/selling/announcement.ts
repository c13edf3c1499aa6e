import { comparableEmail, isMailable } from '../platform/base/email-address.ts';
import type { Actor } from '../platform/base/principal.ts';
import { OfficeRefusal } from '../platform/base/told.ts';
import { sha256 } from '../platform/base/runtime.ts';
import { mapInTurns } from '../platform/base/turn.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import { findEdition, listEditions } from '../catalog/edition.ts';
import { findGrantedItem, type GrantedItem } from '../accounts/grant.ts';
import { shorten } from './mails.ts';
import { plainLines } from '../mailing/mail-text.ts';
import type { Records } from './stall.ts';

/**
 * The content of an announcement: a subject and text by the owner, or the notes of an edition, given by version or digest
 * (null means the served one). It goes to the item's buyers, or with `to: 'news'` to people who asked for news without an
 * account.
 */
type Told = ({ readonly title: string; readonly text: string } | { readonly edition: string | null }) & {
  readonly to?: string | null;
};

/** The maximum length of the owner's text, in characters, so that a wrong file is not sent to thousands of people. */
export const LONGEST_TEXT = 20_000;
const LONGEST_TITLE = 200;

/**
 * Mails everyone who bought an item or has a grant of it, or who wants news of the stall; each person once. Counts the
 * mails, the unsubscribed people (`left`), those who got this mail before (`had`), and buyers of test sales, who get none
 * (`tests`). A dry run writes nothing. Refuses not-found, missing notes, an empty text, and, unless dry, a stall without
 * mail.
 */
export async function announce(
  stall: Records,
  by: Actor,
  { slug, told, isDry }: { readonly slug: string; readonly told: Told; readonly isDry: boolean },
) {
  const { store, now } = stall;
  const item = findGrantedItem(stall, slug);
  const { subject, edition, ...words } =
    'title' in told ? readOwn(slug, told) : readNotes(stall, slug, told.edition);
  const { staying, left, tests } = await findReaders(stall, item, told.to ?? null);
  const reached = store.listTold(subject);
  const had = new Set(reached.flatMap((one) => [comparableEmail(one.address), one.accountId, one.claimedBy]));
  const mails = staying.filter(([address, one]) => !had.has(address) && !had.has(one.accountId ?? address));
  const at = now();
  if (!isDry && store.findSaleMapping().settings.mail !== 'queued')
    throw new OfficeRefusal('invalid-request', (r) => r.tellNoMail({ slug }));
  if (!isDry && mails.length > 0) {
    const details = { edition, title: words.title, mails: mails.length };
    const audit = auditEntry(by, at, 'item.announce', slug, details);
    // The readers are passed as JSON: cloning thousands of objects would hold up the thread.
    const readers = JSON.stringify(mails.map(([, one]) => one));
    await store.write.addAnnouncement({ ...item, ...words, subject, leftOut: left, at, readers, audit });
  }
  return { item, edition, ...words, mails: mails.length, left, tests, had: staying.length - mails.length };
}

export async function countReaders(stall: Records, slug: string) {
  const { staying, left, tests } = await findReaders(stall, findGrantedItem(stall, slug), null);
  return { mails: staying.length, left, tests };
}

async function findReaders({ store, now }: Records, item: GrantedItem, to: string | null) {
  const found =
    to === 'news'
      ? store.listSubscribers('').map(({ address }) => ({ address, accountId: null, orderId: null }))
      : store.listRecipients(item, now());
  const all = found.filter(({ address }) => isMailable(address));
  // An address may occur several times: its first entry counts, and people with an account come first.
  const people = [...new Map(all.toReversed().map((one) => [comparableEmail(one.address), one]))].reverse();
  const known = new Set(people.map(([address]) => address));
  const testers = to === 'news' ? [] : store.listTestBuyers(item).map(comparableEmail);
  const optOuts = await mapInTurns(people, ([address]) => store.findOptOut(address));
  const staying = people.filter((_, n) => optOuts[n] === null);
  const tests = new Set(testers).difference(known).size;
  return { staying, left: people.length - staying.length, tests };
}

export async function stopAnnouncements(stall: Records, by: Actor, slug: string): Promise<number> {
  const audit = auditEntry(by, stall.now(), 'item.announce', slug, { stopped: true });
  return stall.store.write.stopAnnouncements({ ...findGrantedItem(stall, slug), audit });
}

function readNotes(stall: Records, slug: string, wanted: string | null) {
  const served = listEditions(stall, slug).find(({ state }) => state === 'served');
  const found = wanted === null ? served : findEdition(stall, slug, wanted);
  const notes = found?.state === 'withdrawn' ? '' : shorten(found?.notes ?? '');
  if (found === undefined || notes === '')
    throw new OfficeRefusal('invalid-request', (r) => r.tellNoNotes({ slug }));
  const text = found.version === null ? notes : `Version ${found.version}:\n\n${notes}`;
  return { subject: `edition:${found.digest}`, edition: found.version ?? found.digest, title: null, text };
}

function readOwn(slug: string, own: { readonly title: string; readonly text: string }) {
  const [title, text] = [own.title.trim(), plainLines(own.text)];
  if (title === '' || text === '' || text.length > LONGEST_TEXT || title.length > LONGEST_TITLE)
    throw new OfficeRefusal('invalid-request', (r) =>
      r.tellWords({ slug, longestTitle: LONGEST_TITLE, longestText: LONGEST_TEXT }),
    );
  return { subject: `text:${sha256([slug, title, text].join('\n'))}`, edition: null, title, text };
}
