import type { Account } from '../accounts/account.ts';
import { access, isUnproven, may, servedBySlug } from '../accounts/access.ts';
import { countDownload } from '../catalog/counted-download.ts';
import type { Edition } from '../catalog/catalog.ts';
import { DAY } from '../platform/base/duration.ts';
import { comparableEmail, isMailable } from '../platform/base/email-address.ts';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { formatBytes } from '../platform/base/text.ts';
import { notFound, ToldRefusal } from '../platform/base/told.ts';
import { hasEpub } from '../reading/epubs.ts';
import type { Stall } from './stall.ts';

/** The largest EPUB that is mailed, in bytes, and the most books that an account sends in 24 hours. */
export const LARGEST_MAILED = 15_000_000;
export const MOST_MAILED = 5;

/** The e-readers that take mail, by the name that readers know, each with the domain of its addresses. */
export const E_READERS = { Kindle: 'kindle.com', PocketBook: 'pbsync.com' } as const;

const NAMED = /^[\w.+-]+$/;

function isEReader(address: string): boolean {
  const [name = '', domain = ''] = address.split('@');
  return NAMED.test(name) && Object.values<string>(E_READERS).includes(domain);
}

/** Reads the address of a Kindle or PocketBook. Refuses any other, so that the stall mails no files to strangers. */
function readEReader(text: string): string {
  const address = comparableEmail(text);
  if (isMailable(address) && isEReader(address)) return address;
  throw new ToldRefusal('invalid-request', (r) => r.account.notAnEReader({ text: text.slice(0, 80) }));
}

/** Finds a book that a reader may take as an EPUB. Refuses as the download does, and if this stall sends no mail. */
export function findSent(stall: Stall, member: SessionPrincipal, slug: string): Edition {
  const edition = servedBySlug(stall, member, slug, 'book');
  access(stall, member, { edition, action: 'zip' });
  if (!hasEpub(edition) || !stall.outbox.sends) throw notFound(slug);
  return edition;
}

/** Queues the mail with a book. The address of the newest such mail counts as that of the account's e-reader. */
export async function mailBook(stall: Stall, member: SessionPrincipal, slug: string, typed: string) {
  const address = readEReader(typed);
  const edition = findSent(stall, member, slug);
  const { accountId } = member;
  // The page shows no form to a reader whose address is unproven.
  if (isUnproven(stall, member)) throw notFound(slug);
  const bytes = (await openBook(stall, edition)).artefact.size;
  const [at, { id }] = [stall.now(), edition.manifest];
  const about = { kind: 'e-reader', subject: `book:${id}:${at}`, details: { item: id } } as const;
  const mail = { ...about, address, accountId, orderId: null, state: 'queued', at } as const;
  const isQueued = await stall.store.write.queueBook({ mail, since: at - DAY, most: MOST_MAILED });
  if (!isQueued) throw new ToldRefusal('rate-limited', (r) => r.account.mailedEnough({ most: MOST_MAILED }));
  countDownload(stall, { principal: member, edition, door: 'epub', bytes });
}

/** Finds a book that an account may take at the time its mail is sent; null if there is none. `attach` makes the EPUB. */
export function findMailedBook(stall: Stall, { id: accountId, email }: Account, bookId: string) {
  const edition = stall.catalog().byBookId.get(bookId);
  // Access is decided as for a request with one of the account's keys.
  const principal = { kind: 'account', accountId, email, keyId: 0 } as const;
  if (edition === undefined || !hasEpub(edition) || !may(stall, principal, { edition, action: 'zip' }))
    return null;
  const { title, slug } = edition.manifest;
  const head = { name: `${slug}.epub`, type: 'application/epub+zip' };
  return { title, attach: async () => ({ ...head, file: (await openBook(stall, edition)).body.file }) };
}

export type MailedBook = NonNullable<ReturnType<typeof findMailedBook>>;

async function openBook({ epubs }: Stall, edition: Edition) {
  const opened = await epubs.openServed(edition);
  const sizes = { size: formatBytes(opened.artefact.size), most: formatBytes(LARGEST_MAILED) };
  if (opened.artefact.size <= LARGEST_MAILED) return opened;
  throw new ToldRefusal('payload-too-large', (r) => r.account.bookTooLarge(sizes));
}
