import type { Database, SQLQueryBindings } from 'bun:sqlite';
import { DAY } from '../../duration.ts';
import { EXTRACTIVE } from '../../config/model-engines.ts';
import { questionCounts } from './item-days.ts';

/** One archive handed out. `door` is the way it was taken: install, zip, …; `bytes` is the archive's length. */
export type Download = {
  readonly id: string;
  readonly accountId: string | null;
  readonly keyId: number | null;
  readonly kind: string;
  readonly itemKey: string;
  readonly slug: string;
  readonly digest: string;
  readonly door: string;
  readonly bytes: number;
  readonly downloadedAt: number;
};

/** The edition of an item that an account took last. */
type LastDownload = Pick<Download, 'kind' | 'itemKey' | 'digest' | 'downloadedAt'>;

export type ListedDownload = Download & { readonly email: string | null };

/** A download as a page of the log shows it. */
export type PagedDownload = Omit<Download, 'downloadedAt'> & PageRow;

/** Selects downloads by item and door too; `kind` null is either. */
type DownloadSelection = LogSelection & {
  readonly kind: string | null;
  readonly itemKey: string | null;
  readonly door: string | null;
};

/** Downloads of one item by one account since a time, in milliseconds since 1970. */
type OwnDownloads = Pick<Download, 'kind' | 'itemKey' | 'door'> & {
  readonly accountId: string;
  readonly since: number;
};

const COLUMNS = `downloads.id, downloads.account_id AS accountId, key_id AS keyId, kind, item_key AS itemKey, slug, digest, door, bytes`;

/** How many downloads of one account are looked at on its page: an agent may fetch every minute. */
const RECENT = 1000;

export function downloadReads(db: Database) {
  const list = db.prepare<ListedDownload, [string | null, number]>(
    `SELECT ${COLUMNS}, downloaded_at AS downloadedAt, email FROM downloads LEFT JOIN accounts ON accounts.id = account_id
     WHERE (?1 IS NULL OR account_id = ?1) AND downloaded_at >= ?2 ORDER BY downloaded_at, downloads.rowid`,
  );
  // The columns beside max() are those of its row: https://sqlite.org/lang_select.html#bareagg
  const last = db.prepare<LastDownload, [string]>(
    `SELECT kind, item_key AS itemKey, digest, max(downloaded_at) AS downloadedAt FROM (
       SELECT * FROM downloads WHERE account_id = ? ORDER BY downloaded_at DESC LIMIT ${RECENT})
     GROUP BY kind, item_key`,
  );
  const has = db.prepare<{ found: number }, [string, number, string, string, string]>(
    `SELECT EXISTS (SELECT 1 FROM downloads WHERE account_id = ? AND downloaded_at >= ?
       AND kind = ? AND item_key = ? AND door = ?) AS found`,
  );
  const readPage = createLogPages<PagedDownload>(db, {
    table: 'downloads',
    time: 'downloaded_at',
    columns: COLUMNS,
  });
  return {
    /** Downloads since a time, oldest first. */
    async listDownloads(filter: LogFilter): Promise<readonly ListedDownload[]> {
      return list.all(filter.accountId, filter.since);
    },
    /** The last download of each item by an account, among its newest thousand. */
    async listLastDownloads(accountId: string): Promise<readonly LastDownload[]> {
      return last.all(accountId);
    },
    /** whether an account has taken an item in this way since a time. */
    async hasDownload({ accountId, since, kind, itemKey, door }: OwnDownloads): Promise<boolean> {
      return has.get(accountId, since, kind, itemKey, door)?.found === 1;
    },
    /** Downloads in a window of the log, newest first. */
    async listDownloadPage(
      selection: DownloadSelection,
      window: LogWindow,
    ): Promise<readonly PagedDownload[]> {
      const { kind, itemKey, door } = selection;
      return readPage(
        selection,
        [when('kind = ?', kind), when('item_key = ?', itemKey), when('door = ?', door)],
        window,
      );
    },
  };
}

export function downloadWrites(db: Database) {
  const insert = db.prepare(
    `INSERT INTO downloads (id, account_id, key_id, kind, item_key, slug, digest, door, bytes, downloaded_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const count = db.prepare(
    `INSERT INTO download_days (kind, item_key, day, downloads) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET downloads = downloads + excluded.downloads`,
  );
  const findAccount = db.prepare<{ id: string }, [string]>('SELECT id FROM accounts WHERE id = ?');
  return {
    /**
     * Rows as JSON: a list of hundreds of objects costs the sender five times as much as their text. A row of an account
     * that was removed in between names none.
     */
    addDownloads(rows: string): void {
      const downloads = JSON.parse(rows) as readonly Download[];
      const named = new Set(downloads.flatMap(({ accountId }) => accountId ?? []));
      const accounts = new Set([...named].filter((id) => findAccount.get(id) !== null));
      for (const d of downloads) {
        const isThere = d.accountId !== null && accounts.has(d.accountId);
        insert.run(
          d.id,
          isThere ? d.accountId : null,
          isThere ? d.keyId : null,
          d.kind,
          d.itemKey,
          d.slug,
          d.digest,
          d.door,
          d.bytes,
          d.downloadedAt,
        );
      }
      for (const [first, times] of countByItemAndDay(downloads))
        count.run(first.kind, first.itemKey, dayOf(first), times);
    },
  };
}

/** How many of the downloads share item and day, by the first of each. */
function countByItemAndDay(downloads: readonly Download[]): Iterable<readonly [Download, number]> {
  const groups = Map.groupBy(downloads, (d) => `${dayOf(d)} ${d.kind} ${d.itemKey}`);
  return groups.values().map((group) => [group[0]!, group.length] as const);
}

/** Whole days since 1970 UTC. */
function dayOf({ downloadedAt }: Download): number {
  return Math.floor(downloadedAt / DAY);
}

/** A row's place in a log: its time, and its rowid, since rows may share a millisecond. */
export type LogPlace = { readonly at: number; readonly row: number };

/** Which rows of a log a command lists: those of one account or of all, since a time. */
type LogFilter = { readonly accountId: string | null; readonly since: number };

/** Rows next to a place, or the newest; at most `limit` of them, always newest first. */
export type LogWindow = {
  readonly beside: LogPlace | null;
  readonly side: 'newer' | 'older';
  readonly limit: number;
};

/** Which rows of a log; null is any. Times in milliseconds, `until` exclusive. */
export type LogSelection = {
  readonly accountId: string | null;
  readonly keyId: number | null;
  readonly from: number | null;
  readonly until: number | null;
};

/** The columns of a page's row that every log has. Key and account are null if they were removed, or never existed. */
type PageRow = LogPlace & {
  readonly email: string | null;
  readonly keyName: string | null;
  readonly keyPrefix: string | null;
};

type Condition = readonly [sql: string, value: SQLQueryBindings];

/** How a log is read in pages: its table, the column of its time, and the columns to show. */
type Log = { readonly table: string; readonly time: string; readonly columns: string };

/**
 * Reads a log in pages by keyset: each begins after the last one, however many rows came or went in between, and the
 * deepest costs as little as the first. Conditions are left out rather than made optional, so that an index serves them.
 */
function createLogPages<Row extends PageRow>(db: Database, { table, time, columns }: Log) {
  const select = `SELECT ${columns}, ${time} AS at, ${table}.rowid AS row, email, keys.name AS keyName, keys.prefix AS keyPrefix
    FROM ${table} LEFT JOIN accounts ON ${table}.account_id = accounts.id LEFT JOIN keys ON ${table}.key_id = keys.id`;
  return (
    selection: LogSelection,
    more: readonly (Condition | null)[],
    { beside, side, limit }: LogWindow,
  ): readonly Row[] => {
    const [direction, compare] = side === 'older' ? ['DESC', '<'] : ['ASC', '>'];
    const given = [...selectionConditions(table, time, selection), ...more].filter((one) => one !== null);
    const sql = given.map(([condition]) => condition);
    const values = given.map(([, value]) => value);
    if (beside !== null) {
      sql.push(`(${time}, ${table}.rowid) ${compare} (?, ?)`);
      values.push(beside.at, beside.row);
    }
    const where = sql.length === 0 ? '' : `WHERE ${sql.join(' AND ')}`;
    const order = `ORDER BY ${time} ${direction}, ${table}.rowid ${direction} LIMIT ?`;
    // `query` keeps the statement; there are as many as combinations of conditions, not of values.
    const rows = db.query<Row, SQLQueryBindings[]>(`${select} ${where} ${order}`).all(...values, limit);
    return side === 'older' ? rows : rows.toReversed();
  };
}

function selectionConditions(
  table: string,
  time: string,
  { accountId, keyId, from, until }: LogSelection,
): readonly (Condition | null)[] {
  return [
    when(`${table}.account_id = ?`, accountId),
    when('key_id = ?', keyId),
    when(`${time} >= ?`, from),
    when(`${time} < ?`, until),
  ];
}

/** A condition on a value; null if the value is null. */
function when(sql: string, value: SQLQueryBindings): Condition | null {
  return value === null ? null : [sql, value];
}

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
type FetchSelection = LogSelection & {
  readonly bookId: string | null;
  readonly outcome: string | null;
  /** The current start of the server; null if none runs. */
  readonly living: string | null;
};

const QUESTION_COLUMNS = `fetch_logs.id, fetch_logs.account_id AS accountId, key_id AS keyId, book_id AS bookId, door, engine, outcome,
  answer_bytes AS answerBytes, input_tokens AS inputTokens, output_tokens AS outputTokens, latency_ms AS latencyMs,
  server_start_id AS serverStartId`;

export function fetchLogReads(db: Database) {
  const list = db.prepare<ListedFetchLog, [string | null, number]>(
    `SELECT ${QUESTION_COLUMNS}, asked_at AS askedAt, email FROM fetch_logs LEFT JOIN accounts ON accounts.id = account_id
     WHERE (?1 IS NULL OR account_id = ?1) AND asked_at >= ?2 ORDER BY asked_at, fetch_logs.rowid`,
  );
  const readPage = createLogPages<PagedFetchLog>(db, {
    table: 'fetch_logs',
    time: 'asked_at',
    columns: QUESTION_COLUMNS,
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

/** One start of the server over this data directory. */
export type ServerStart = { readonly id: string; readonly version: string; readonly startedAt: number };

export function serverStartReads(db: Database) {
  const last = db.prepare<ServerStart & { stoppedAt: number | null }, []>(
    'SELECT id, version, started_at AS startedAt, stopped_at AS stoppedAt FROM server_starts ORDER BY rowid DESC LIMIT 1',
  );
  return {
    /** The last start; it is the living one only while a server holds the data directory. */
    async findLastStart() {
      return last.get();
    },
  };
}

export function serverStartWrites(db: Database) {
  const insert = db.prepare('INSERT INTO server_starts (id, version, started_at) VALUES (?, ?, ?)');
  const stop = db.prepare('UPDATE server_starts SET stopped_at = ? WHERE id = ?');
  return {
    addServerStart(start: ServerStart): void {
      insert.run(start.id, start.version, start.startedAt);
    },
    endServerStart(end: { readonly id: string; readonly at: number }): void {
      stop.run(end.at, end.id);
    },
  };
}

export function retentionWrites(db: Database) {
  const questions = db.prepare(
    `DELETE FROM fetch_logs WHERE rowid IN (SELECT rowid FROM fetch_logs WHERE asked_at < ? ORDER BY asked_at LIMIT ?)`,
  );
  const downloads = db.prepare(
    `DELETE FROM downloads WHERE rowid IN (SELECT rowid FROM downloads WHERE downloaded_at < ? ORDER BY downloaded_at LIMIT ?)`,
  );
  return {
    /** How many rows from before a time were deleted, at most so many of each log, the oldest first. */
    deleteOldLogs({ before, atMost }: { readonly before: number; readonly atMost: number }) {
      return {
        questions: questions.run(before, atMost).changes,
        downloads: downloads.run(before, atMost).changes,
      };
    },
  };
}
