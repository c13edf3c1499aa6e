import { EXTRACTIVE } from '../../model-engines.ts';
import type { Database } from 'bun:sqlite';
import type { Download } from './downloads.ts';
import { questionCounts } from './item-days.ts';
import {
  createLogPages,
  type LogFilter,
  type LogSelection,
  type LogWindow,
  type PageRow,
  when,
} from './log-page.ts';

/** One question to a book: written before the first event, completed when the stream ends. The question itself is nowhere. */
type FetchLog = {
  readonly id: string;
  readonly accountId: string;
  /** Null for a question of a session or an install token. */
  readonly keyId: number | null;
  readonly bookId: string;
  readonly askedAt: number;
  readonly engine: string;
};

type FetchTokens = Pick<FetchResult, 'id' | 'inputTokens' | 'outputTokens'>;

/** The end of an answer, however it ended. Sizes in bytes, latency in milliseconds. */
type FetchResult = {
  readonly id: string;
  /** The engine that answered in the end; another than the one asked, if that fell back. */
  readonly engine: string;
  readonly outcome: string;
  readonly answerBytes: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly latencyMs: number;
};

/** Account and key are null if the account was removed. */
export type ListedFetchLog = Omit<FetchLog, 'accountId' | 'keyId'> &
  Pick<Download, 'accountId' | 'keyId'> &
  Omit<FetchResult, 'outcome' | 'latencyMs'> & {
    readonly outcome: string | null;
    readonly latencyMs: number | null;
    readonly serverStartId: string;
    readonly email: string | null;
    /** Where it was asked: api, page or mcp. */
    readonly door: string;
  };

/** The questions to one engine on one day (UTC, `2026-11-20`). */
export type DailyUsage = {
  readonly day: string;
  readonly engine: string;
  readonly questions: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
};

/** A question as a page of the log shows it. */
export type PagedFetchLog = Omit<ListedFetchLog, 'askedAt'> & PageRow;

/** Selects questions by book and outcome too; an open row is `running` if the server's start is the current one, otherwise `interrupted`. */
export type FetchSelection = LogSelection & {
  readonly bookId: string | null;
  readonly outcome: string | null;
  /** The current start of the server; null if none runs. */
  readonly living: string | null;
};

const COLUMNS = `fetch_logs.id, fetch_logs.account_id AS accountId, key_id AS keyId, book_id AS bookId, door, engine, outcome,
  answer_bytes AS answerBytes, input_tokens AS inputTokens, output_tokens AS outputTokens, latency_ms AS latencyMs,
  server_start_id AS serverStartId`;

export function fetchLogReads(db: Database) {
  const list = db.prepare<ListedFetchLog, [string | null, number]>(
    `SELECT ${COLUMNS}, asked_at AS askedAt, email FROM fetch_logs LEFT JOIN accounts ON accounts.id = account_id
     WHERE (?1 IS NULL OR account_id = ?1) AND asked_at >= ?2 ORDER BY asked_at, fetch_logs.rowid`,
  );
  const readPage = createLogPages<PagedFetchLog>(db, {
    table: 'fetch_logs',
    time: 'asked_at',
    columns: COLUMNS,
  });
  const spent = db.prepare<{ tokens: number }, [number]>(
    'SELECT coalesce(sum(input_tokens + output_tokens), 0) AS tokens FROM fetch_logs WHERE asked_at >= ?',
  );
  // Up to and with its own row, so that of two questions at once the first is not refused for the second.
  const asked = db.prepare<{ questions: number }, [string, number, string, string]>(
    `SELECT count(*) AS questions FROM fetch_logs
     WHERE account_id = ? AND asked_at >= ? AND rowid <= (SELECT rowid FROM fetch_logs WHERE id = ?)
       AND (outcome IS NULL AND engine <> ? OR input_tokens > 0)`,
  );
  const daily = db.prepare<DailyUsage, [string | null, number]>(
    `SELECT strftime('%Y-%m-%d', asked_at / 1000, 'unixepoch') AS day, engine, count(*) AS questions,
       sum(input_tokens) AS inputTokens, sum(output_tokens) AS outputTokens
     FROM fetch_logs WHERE (?1 IS NULL OR account_id = ?1) AND asked_at >= ?2 GROUP BY day, engine ORDER BY day, engine`,
  );
  return {
    /** Tokens of all questions since a time that have ended. */
    async countTokens(since: number): Promise<number> {
      return spent.get(since)?.tokens ?? 0;
    },
    /** An account's questions to a model since a time, up to and with the one of this id: those that run, and those that cost something. */
    async countQuestions(accountId: string, since: number, id: string): Promise<number> {
      return asked.get(accountId, since, id, EXTRACTIVE)?.questions ?? 0;
    },
    /** Questions and tokens by day and engine, oldest first. */
    async listDailyUsage(filter: LogFilter): Promise<readonly DailyUsage[]> {
      return daily.all(filter.accountId, filter.since);
    },
    /** Questions since a time, oldest first; `outcome` is null if the row was left open. */
    async listFetchLogs(filter: LogFilter): Promise<readonly ListedFetchLog[]> {
      return list.all(filter.accountId, filter.since);
    },
    /** Questions in a window of the log, newest first. */
    async listFetchLogPage(selection: FetchSelection, window: LogWindow): Promise<readonly PagedFetchLog[]> {
      const { bookId, outcome, living } = selection;
      const ofOutcome = OPEN.get(outcome ?? '');
      return readPage(
        selection,
        [
          when('book_id = ?', bookId),
          ofOutcome === undefined ? when('outcome = ?', outcome) : when(ofOutcome, living ?? ''),
        ],
        window,
      );
    },
  };
}

/** A Map, since an object would have SQL for "toString" too, and the outcome comes from a page's address. */
const OPEN: ReadonlyMap<string, string> = new Map([
  ['running', 'outcome IS NULL AND server_start_id = ?'],
  ['interrupted', 'outcome IS NULL AND server_start_id <> ?'],
]);

export function fetchLogWrites(db: Database) {
  const open = db.prepare(
    `INSERT INTO fetch_logs (id, server_start_id, account_id, key_id, book_id, asked_at, engine, door)
     SELECT ?1, ?2, accounts.id, iif(accounts.id IS NULL, NULL, ?4), ?5, ?6, ?7, ?8 FROM (SELECT 1) LEFT JOIN accounts ON accounts.id = ?3`,
  );
  const count = questionCounts(db);
  const complete = db.prepare(
    `UPDATE fetch_logs SET engine = ?, outcome = ?, answer_bytes = ?, input_tokens = ?, output_tokens = ?, latency_ms = ? WHERE id = ?`,
  );
  const reserve = db.prepare(
    'UPDATE fetch_logs SET input_tokens = ?, output_tokens = ? WHERE id = ? AND outcome IS NULL',
  );
  return {
    /** Writes the tokens an open question may cost, so that they count even if this process is killed. */
    reserveFetchTokens({ id, inputTokens, outputTokens }: FetchTokens): void {
      reserve.run(inputTokens, outputTokens, id);
    },
    /** `door` is where it was asked: api, page or mcp. The row names no account if the account was removed in between. */
    openFetchLog(log: FetchLog & { readonly serverStartId: string; readonly door?: string }): void {
      const { id, serverStartId, accountId, keyId, bookId, askedAt, engine, door = 'api' } = log;
      open.run(id, serverStartId, accountId, keyId, bookId, askedAt, engine, door);
    },
    completeFetchLog(end: FetchResult): void {
      count(end);
      complete.run(
        end.engine,
        end.outcome,
        end.answerBytes,
        end.inputTokens,
        end.outputTokens,
        end.latencyMs,
        end.id,
      );
    },
  };
}
