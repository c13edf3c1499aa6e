import { DAY } from '../platform/base/duration.ts';
import { sql, type Statements, values } from '../platform/store/statements.ts';
import { type Audited, logAct } from '../platform/store/audit-log.sql.ts';
import { NOTE_COLUMNS, type NotePlace, noteValues, type StoredNote } from './note.sql.ts';
import { findLastMail, findMailedOwner, queueMail } from '../mailing/outbox.sql.ts';

/** The states of a report; `true` means that somebody must still deal with it. Migrations list the same states. */
export const REPORT_STATES = { open: true, done: false, declined: false };

export type ReportState = keyof typeof REPORT_STATES;

/** A report to add: a copy of the note `noteId`; or, if that is '', an unanswered question in `text`. */
type NewReport = StoredNote & { readonly noteId: string };

/**
 * A stored report. `mendedIn` is the first edition that no longer had the reported words; the account is null once it was
 * removed.
 */
export type StoredReport = Omit<NewReport, 'accountId'> & {
  readonly accountId: string | null;
  readonly email: string | null;
  readonly state: ReportState;
  readonly mendedIn: string | null;
  readonly answer: string | null;
};

export const MOST_OPEN_REPORTS = 20;
const MOST_LISTED = 100;

const SELECT = sql`SELECT ${NOTE_COLUMNS}, note_id AS noteId, state, mended_in AS mendedIn, answer,
  (SELECT email FROM accounts WHERE accounts.id = account_id) AS email FROM reports`;
const OPEN_STATES = JSON.stringify(
  Object.entries(REPORT_STATES).flatMap(([state, isOpen]) => (isOpen ? [state] : [])),
);
const IS_OPEN = sql`state IN (SELECT value FROM json_each(${OPEN_STATES}))`;
const NEWEST = sql`ORDER BY created_at DESC, rowid DESC LIMIT ${MOST_LISTED}`;

/** A new state of a report, with an answer to its sender, or '' for none. `isMailed` queues a mail to the sender. */
type ReportChange = Pick<StoredReport, 'id' | 'state'> & {
  readonly answer: string;
  readonly at: number;
  readonly isMailed: boolean;
} & Audited;

export const reportReads = (db: Statements) => ({
  findReport: (id: string) => db.one<StoredReport>`${SELECT} WHERE id = ${id}`,
  /** Lists the newest reports in a state; only those of `books`, if any are named. */
  listReports: (state: ReportState, books: readonly string[] | null = null) =>
    db.all<StoredReport>`${SELECT} WHERE state = ${state}
      AND (${books === null} OR book_id IN (SELECT value FROM json_each(${JSON.stringify(books ?? [])}))) ${NEWEST}`,
  listOwnReports: (accountId: string) =>
    db.all<StoredReport>`${SELECT} WHERE account_id = ${accountId} ${NEWEST}`,
  countOpenReports: () => db.value<number>`SELECT count(*) FROM reports WHERE ${IS_OPEN}`!,
});

export const reportWrites = (db: Statements) => ({
  /**
   * Adds a report unless the same one is open, and queues a mail to the owner if `isMailed`. Returns false if the account has
   * too many open reports.
   */
  addReport({ isMailed, ...report }: NewReport & { readonly isMailed: boolean }): boolean {
    const { accountId, noteId, bookId, text, createdAt } = report;
    const open = sql`FROM reports WHERE account_id = ${accountId} AND ${IS_OPEN}`;
    const same = sql`note_id = ${noteId} AND book_id = ${bookId} AND (note_id <> '' OR text = ${text})`;
    if (db.has`SELECT 1 ${open} AND ${same}`) return true;
    if (db.value<number>`SELECT count(*) ${open}`! >= MOST_OPEN_REPORTS) return false;
    const mended_in = noteId !== '' && report.placedStart === null ? report.placedIn : null;
    db.run`INSERT INTO reports ${values({ ...noteValues(report), note_id: noteId, mended_in })}`;
    if (isMailed) tellOwner(db, createdAt);
    return true;
  },
  setReportState({ id, state, answer, at, isMailed, audit }: ReportChange): boolean {
    const { changes } = db.run`UPDATE reports SET state = ${state}, updated_at = ${at},
      answer = coalesce(nullif(${answer}, ''), answer) WHERE id = ${id}`;
    if (changes !== 1) return false;
    logAct(db, audit);
    if (isMailed) tellSender(db, id, at);
    return true;
  },
  placeReports(places: string): void {
    for (const { id, placedIn, placedPath, placedStart } of JSON.parse(places) as NotePlace[])
      db.run`UPDATE reports SET placed_in = ${placedIn}, placed_path = ${placedPath}, placed_start = ${placedStart},
          mended_in = iif(${placedStart} IS NULL, ifnull(mended_in, ${placedIn}), NULL) WHERE id = ${id}`;
  },
});

/**
 * Queues a mail to the owner about new reports, unless such a mail waits already. It is sent a day after the last one at the
 * earliest.
 */
function tellOwner(db: Statements, at: number): void {
  const [owner, last] = [findMailedOwner(db), findLastMail(db, 'reports')];
  if (owner === null || last?.isWaiting === true) return;
  const { id: accountId, email: address } = owner;
  const dueAt = Math.max(at, (last?.at ?? 0) + DAY);
  const about = { kind: 'reports', subject: `reports:${dueAt}`, orderId: null, details: {} } as const;
  queueMail(db, { ...about, address, accountId, state: 'queued', at, dueAt });
}

function tellSender(db: Statements, report: string, at: number): void {
  const sender = db.one<{ id: string; email: string }>`SELECT accounts.id, email FROM accounts
    JOIN reports ON account_id = accounts.id WHERE reports.id = ${report} AND disabled_at IS NULL`;
  if (sender === null) return;
  const { id: accountId, email: address } = sender;
  const about = { kind: 'answered', subject: `report:${report}:${at}`, orderId: null } as const;
  queueMail(db, { ...about, address, accountId, details: { report }, state: 'queued', at });
}
