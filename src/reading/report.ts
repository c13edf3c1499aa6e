// Reports of readers to the owner: mistakes in a book, and questions that got no answer.
import { randomUUID } from 'node:crypto';
import type { SessionPrincipal } from '../platform/base/principal.ts';
import { findByKey } from '../catalog/catalog.ts';
import { markAddress } from './item-links.ts';
import type { StoredNote } from './note.sql.ts';
import { MOST_OPEN_REPORTS, REPORT_STATES, type ReportState, type StoredReport } from './report.sql.ts';
import { OfficeRefusal, ToldRefusal } from '../platform/base/told.ts';
import { auditEntry } from '../platform/store/audit-entry.ts';
import { plainLines } from '../mailing/mail-text.ts';
import { findNotePlaces, findStoredNote, LONGEST_NOTE, type Notebook, seesNotes } from './note.ts';
import type { Stall } from './stall.ts';

/** Sends a reader's note, as it is now, to the owner. Refuses another reader's note, and too many open reports. */
export const reportNote = (book: Notebook, id: string): Promise<void> =>
  addReport(book.stall, findStoredNote(book, id), id);

type Reported = Omit<StoredNote, 'id' | 'createdAt' | 'updatedAt'>;

export async function addReport({ store, outbox, now }: Stall, reported: Reported, noteId: string) {
  const report = { ...reported, noteId, id: randomUUID(), createdAt: now(), updatedAt: now() };
  if (!(await store.write.addReport({ ...report, isMailed: outbox.sends })))
    throw new ToldRefusal('conflict', (r) => r.reading.reports.many({ most: MOST_OPEN_REPORTS }));
}

/** Lists a reader's newest reports with their books. For a book that the reader may not read now, the words are left out. */
export const listOwnReports = (stall: Stall, reader: SessionPrincipal) =>
  stall.store.listOwnReports(reader.accountId).map((report) => {
    const edition = findByKey(stall.catalog(), 'book', report.bookId);
    return edition !== undefined && seesNotes(stall, reader, edition)
      ? { ...report, edition }
      : { ...report, edition: null, exact: '' };
  });

/**
 * Lists the newest reports in a state, with the places of their words in the served editions. An editor gets only those of
 * books that editors may change, without their senders.
 */
export async function listReports(stall: Stall, who: SessionPrincipal, state: ReportState) {
  const { store } = stall;
  const list = () => store.listReports(state, who.isOwner ? null : editableBookIds(stall));
  const noted = list().filter(({ exact }) => exact !== '');
  for (const [bookId, own] of Map.groupBy(noted, (report) => report.bookId)) {
    const edition = findByKey(stall.catalog(), 'book', bookId);
    const unplaced = own.filter(({ placedIn }) => edition !== undefined && placedIn !== edition.digest);
    if (edition === undefined || unplaced.length === 0) continue;
    await store.write.placeReports(JSON.stringify(await findNotePlaces(stall, edition, 'reports', unplaced)));
  }
  const all = list().map((report) => describe(stall, report));
  return who.isOwner ? all : all.map((report) => ({ ...report, accountId: null, email: null }));
}

/** Returns the ids of the books that an editor may change: those whose files the stall itself keeps (`isPushed`). */
const editableBookIds = (stall: Stall): readonly string[] =>
  [...stall.catalog().byBookId].flatMap(([id, { isPushed }]) => (isPushed === true ? id : []));

/**
 * Describes a report, with versions in place of digests. `address` links to its words in the book; null if they are not
 * found.
 */
function describe(stall: Stall, report: StoredReport) {
  const { bookId, exact, placedPath: path, placedStart: start, edition, mendedIn } = report;
  const book = findByKey(stall.catalog(), 'book', bookId);
  const editions = stall.store.listEditions('book', bookId);
  const versionOf = (digest: string): string =>
    editions.find((one) => one.digest === digest)?.version ?? digest.slice(0, 12);
  const file = start === null ? undefined : book?.files.find((one) => one.path === path);
  const words = start !== null && file && { path, start, end: start + exact.length, sha256: file.sha256 };
  return {
    ...report,
    isAnswerable: report.accountId !== null,
    manifest: book?.manifest ?? null,
    edition: versionOf(edition),
    mendedIn: mendedIn && versionOf(mendedIn),
    address: book && words ? markAddress(book.manifest, words) : null,
  };
}

/**
 * Sets the state of a report, and answers its sender. The sender sees both, and gets a mail if there is an answer or the report
 * is closed. Refuses not-found, and an answer that is longer than a note.
 */
export async function setReportState(
  stall: Stall,
  by: SessionPrincipal,
  id: string,
  { state, answer: typed }: { readonly state: ReportState; readonly answer: string },
) {
  const { store, outbox, now } = stall;
  const [at, answer] = [now(), plainLines(typed)];
  if (answer.length > LONGEST_NOTE)
    throw new OfficeRefusal('invalid-request', (r) => r.answerTooLong({ longestNote: LONGEST_NOTE }));
  if (!by.isOwner && !editableBookIds(stall).includes(store.findReport(id)?.bookId ?? ''))
    throw new OfficeRefusal('not-found', (r) => r.noReport);
  const audit = auditEntry(by, at, 'report.set', `report ${id}`, { state, answered: answer !== '' });
  const isMailed = outbox.sends && (answer !== '' || !REPORT_STATES[state]);
  if (!(await store.write.setReportState({ id, state, answer, at, isMailed, audit })))
    throw new OfficeRefusal('not-found', (r) => r.noReport);
}
