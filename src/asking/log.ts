import type { LogSelection, PagedDownload, PagedQuestionRow } from './log.sql.ts';
import { findAccount } from '../accounts/account.ts';
import { readInstant } from '../platform/base/duration.ts';
import type { Stall } from './stall.ts';
import { type LogPlace, type Paged, pagesOf } from '../platform/store/paging.ts';

export type { DailyUsage, PagedDownload, ServerStart } from './log.sql.ts';

type Part = Pick<Stall, 'store' | 'now' | 'isServed'>;

export type PagedQuestion = Omit<PagedQuestionRow, 'serverStartId' | 'outcome'> & {
  readonly outcome: string;
};

/** Selects rows of a log. `item` is a slug, or the key by which grants name an item; null matches any. */
export type LogQuery = LogSelection & { readonly item: string | null };
export type FetchQuery = LogQuery & { readonly outcome: string | null };
export type DownloadQuery = LogQuery & { readonly door: string | null };

/**
 * Lists questions, oldest first, of one account and since a time in ISO 8601; null means all. Refuses an unknown account, and a
 * time in another form.
 */
export function listQuestions(stall: Part, email: string | null, since: string | null) {
  const { accountId, since: from } = filterOf(stall, email, since);
  return oldestFirst(pagedQuestions(stall, { ...ANY, accountId, from, outcome: null }));
}

export const listUsage = (stall: Part, email: string | null, since: string | null) =>
  stall.store.listDailyUsage(filterOf(stall, email, since));

export function listDownloads(stall: Part, email: string | null, since: string | null) {
  const { accountId, since: from } = filterOf(stall, email, since);
  return oldestFirst(pagedDownloads(stall, { ...ANY, accountId, from, door: null }));
}

const ANY = { keyId: null, until: null, item: null };

const oldestFirst = <Row extends LogPlace>(log: Paged<Row>): readonly Row[] =>
  [...log.all()].flat().toReversed();

export const pagedQuestions = (stall: Part, { item, ...query }: FetchQuery) =>
  pagesOf<PagedQuestion>((window) => {
    const known = item === null ? null : stall.store.findKnownItem(item);
    const living = findLiving(stall);
    const bookId = known?.kind === 'book' ? known.itemKey : item;
    const rows = stall.store.listQuestionPage({ ...query, bookId, living }, window);
    return rows.map(({ serverStartId, outcome, ...row }) => ({
      ...row,
      outcome: outcome ?? (serverStartId === living ? 'running' : 'interrupted'),
    }));
  });

export const pagedDownloads = ({ store }: Part, { item, ...query }: DownloadQuery) =>
  pagesOf<PagedDownload>((window) => {
    const known = item === null ? null : store.findKnownItem(item);
    const named = { kind: known?.kind ?? null, itemKey: known?.itemKey ?? item };
    return store.listDownloadPage({ ...query, ...named }, window);
  });

const filterOf = (stall: Part, email: string | null, since: string | null) => ({
  accountId: email === null ? null : findAccount(stall, email).id,
  since: since === null ? 0 : readInstant(since),
});

const findLiving = ({ store, isServed }: Part): string | null =>
  isServed() ? (store.findLastStart()?.id ?? null) : null;
