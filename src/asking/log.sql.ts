import { type Query, query, type Sql, sql, type Statements } from '../platform/store/statements.ts';
import { type LogPlace, type LogWindow, readPage } from '../platform/store/paging.ts';
import { DAY } from '../platform/base/duration.ts';
import { EXTRACTIVE } from '../platform/config/model-engines.ts';
import { countQuestion } from '../catalog/item-day.sql.ts';
import type { Download } from '../catalog/download-queue.ts';

type LastDownload = Pick<Download, 'kind' | 'itemKey' | 'digest' | 'downloadedAt'>;

export type PagedDownload = Omit<Download, 'downloadedAt'> & PageRow;

type DownloadSelection = LogSelection & {
  readonly kind: string | null;
  readonly itemKey: string | null;
  readonly door: string | null;
};

type OwnDownloads = Pick<Download, 'kind' | 'itemKey' | 'door'> & {
  readonly accountId: string;
  readonly since: number;
};

/**
 * The maximum number of an account's newest downloads that its library page reads, since an agent may download every minute.
 */
const RECENT = 1000;

function countByItemAndDay(downloads: readonly Download[]): Iterable<readonly [Download, number]> {
  const groups = Map.groupBy(downloads, (d) => `${dayOf(d)} ${d.kind} ${d.itemKey}`);
  return groups.values().map((group) => [group[0]!, group.length] as const);
}

const dayOf = ({ downloadedAt }: Download): number => Math.floor(downloadedAt / DAY);

type LogFilter = { readonly accountId: string | null; readonly since: number };

/** Selects rows of a log; null selects all. Times are in milliseconds, `until` is exclusive. */
export type LogSelection = {
  readonly accountId: string | null;
  readonly keyId: number | null;
  readonly from: number | null;
  readonly until: number | null;
};

/** The columns of every log's page. Account and key are null if they were removed, or if none was used. */
type PageRow = LogPlace & {
  readonly email: string | null;
  readonly keyName: string | null;
  readonly keyPrefix: string | null;
};

type Log<Row> = { readonly table: Sql; readonly time: Sql; readonly select: Query<Row> };

/** Ends a SELECT: the columns of `PageRow`, then FROM and its joins. */
const pageOf = (
  table: Sql,
  time: Sql,
) => sql`${time} AS at, ${table}.rowid AS row, email, keys.name AS keyName,
  keys.prefix AS keyPrefix FROM ${table} LEFT JOIN accounts ON ${table}.account_id = accounts.id
  LEFT JOIN keys ON ${table}.key_id = keys.id`;

const DOWNLOADS: Log<PagedDownload> = {
  table: sql`downloads`,
  time: sql`downloaded_at`,
  select: query<PagedDownload>`SELECT downloads.id, downloads.account_id AS accountId, key_id AS keyId, kind,
    item_key AS itemKey, slug, digest, door, bytes, ${pageOf(sql`downloads`, sql`downloaded_at`)}`,
};

type LogRead = {
  readonly selection: LogSelection;
  readonly window: LogWindow;
  readonly more: readonly (Sql | null)[];
};

/** Reads a page of a log. Filters that are null are left out of the SQL, so that SQLite can use an index for the others. */
function readLog<Row extends PageRow>(
  db: Statements,
  { table, time, select }: Log<Row>,
  { selection: { accountId, keyId, from, until }, window, more }: LogRead,
): readonly Row[] {
  const conditions = [
    accountId === null ? null : sql`${table}.account_id = ${accountId}`,
    keyId === null ? null : sql`key_id = ${keyId}`,
    from === null ? null : sql`${time} >= ${from}`,
    until === null ? null : sql`${time} < ${until}`,
    ...more,
  ];
  return readPage(db, { select, time, row: sql`${table}.rowid`, conditions }, window);
}

/** One question to a book, without its text. The row is added before the answer begins, and completed when it ends. */
type QuestionRow = {
  readonly id: string;
  readonly accountId: string;
  /** Null if no API key was used, but a session or an install token. */
  readonly keyId: number | null;
  readonly bookId: string;
  readonly askedAt: number;
  readonly engine: string;
};

type QuestionTokens = Pick<QuestionEnd, 'id' | 'inputTokens' | 'outputTokens'>;

/** The figures that are stored when an answer ends or fails. Sizes are in bytes, latency in milliseconds. */
type QuestionEnd = {
  readonly id: string;
  /** The engine that answered, or that took over after the first engine failed. */
  readonly engine: string;
  readonly outcome: string;
  readonly answerBytes: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly latencyMs: number;
};

export type DailyUsage = Pick<QuestionEnd, 'engine' | 'inputTokens' | 'outputTokens'> & {
  readonly day: string;
  readonly questions: number;
};

/** A question in the log. Account and key are null if deleted or not used, outcome and latency until the answer ends. */
export type PagedQuestionRow = Omit<QuestionRow, 'accountId' | 'keyId' | 'askedAt'> &
  Pick<Download, 'accountId' | 'keyId'> &
  Omit<QuestionEnd, 'outcome' | 'latencyMs'> &
  PageRow & {
    readonly outcome: string | null;
    readonly latencyMs: number | null;
    readonly serverStartId: string;
    readonly door: string;
  };

/**
 * Also selects by book and outcome. A question without an outcome is `running` if it was asked since the server's current
 * start, otherwise `interrupted`.
 */
type QuestionSelection = LogSelection & {
  readonly bookId: string | null;
  readonly outcome: string | null;
  /** The id of the running server's start; null if no server runs. */
  readonly living: string | null;
};

const QUESTIONS: Log<PagedQuestionRow> = {
  table: sql`fetch_logs`,
  time: sql`asked_at`,
  select: query<PagedQuestionRow>`SELECT fetch_logs.id, fetch_logs.account_id AS accountId, key_id AS keyId,
    book_id AS bookId, door, engine, outcome, answer_bytes AS answerBytes, input_tokens AS inputTokens,
    output_tokens AS outputTokens, latency_ms AS latencyMs, server_start_id AS serverStartId,
    ${pageOf(sql`fetch_logs`, sql`asked_at`)}`,
};

export function logReads(db: Statements) {
  return {
    /** Sums the tokens of all questions since a time, including those reserved for open questions. */
    countTokens: (since: number): number =>
      db.value<number>`SELECT coalesce(sum(input_tokens + output_tokens), 0)
        FROM fetch_logs WHERE asked_at >= ${since}`!,
    /**
     * Counts an account's questions to a model since a time, up to the question `id` and including it: those without an
     * outcome, and those that cost tokens.
     */
    countQuestions(accountId: string, since: number, id: string): number {
      // Leaves out later rows: of two questions asked at once, the first must not be refused because of the second.
      return db.value<number>`SELECT count(*) FROM fetch_logs
        WHERE account_id = ${accountId} AND asked_at >= ${since}
          AND rowid <= (SELECT rowid FROM fetch_logs WHERE id = ${id})
          AND (outcome IS NULL AND engine <> ${EXTRACTIVE} OR input_tokens > 0)`!;
    },
    listDailyUsage: (filter: LogFilter) =>
      db.all<DailyUsage>`SELECT strftime('%Y-%m-%d', asked_at / 1000, 'unixepoch') AS day, engine,
        count(*) AS questions, sum(input_tokens) AS inputTokens, sum(output_tokens) AS outputTokens
        FROM fetch_logs WHERE (${filter.accountId} IS NULL OR account_id = ${filter.accountId})
        AND asked_at >= ${filter.since} GROUP BY day, engine ORDER BY day, engine`,
    listQuestionPage(selection: QuestionSelection, window: LogWindow): readonly PagedQuestionRow[] {
      const { bookId, outcome, living } = selection;
      const more = [
        bookId === null ? null : sql`book_id = ${bookId}`,
        outcome === null ? null : ofOutcome(outcome, living ?? ''),
      ];
      return readLog(db, QUESTIONS, { selection, window, more });
    },
    listLastDownloads(accountId: string): readonly LastDownload[] {
      // The columns beside max() are those of its row: https://sqlite.org/lang_select.html#bareagg
      return db.all<LastDownload>`SELECT kind, item_key AS itemKey, digest, max(downloaded_at) AS downloadedAt
        FROM (SELECT * FROM downloads WHERE account_id = ${accountId} ORDER BY downloaded_at DESC LIMIT ${RECENT})
        GROUP BY kind, item_key`;
    },
    hasDownload: ({ accountId, since, kind, itemKey, door }: OwnDownloads) =>
      db.has`SELECT 1 FROM downloads WHERE account_id = ${accountId} AND downloaded_at >= ${since}
        AND kind = ${kind} AND item_key = ${itemKey} AND door = ${door} LIMIT 1`,
    listDownloadPage(selection: DownloadSelection, window: LogWindow): readonly PagedDownload[] {
      const { kind, itemKey, door } = selection;
      const more = [
        kind === null ? null : sql`kind = ${kind}`,
        itemKey === null ? null : sql`item_key = ${itemKey}`,
        door === null ? null : sql`door = ${door}`,
      ];
      return readLog(db, DOWNLOADS, { selection, window, more });
    },
    /** Returns the last start of a server. Only the lock of the data directory tells whether that server still runs. */
    findLastStart: () => db.one<
      ServerStart & { stoppedAt: number | null }
    >`SELECT id, version, started_at AS startedAt,
        stopped_at AS stoppedAt FROM server_starts ORDER BY rowid DESC LIMIT 1`,
  };
}

function ofOutcome(outcome: string, living: string): Sql {
  if (outcome === 'running') return sql`outcome IS NULL AND server_start_id = ${living}`;
  if (outcome === 'interrupted') return sql`outcome IS NULL AND server_start_id <> ${living}`;
  return sql`outcome = ${outcome}`;
}

export function logWrites(db: Statements) {
  return {
    reserveQuestionTokens({ id, inputTokens, outputTokens }: QuestionTokens): void {
      db.run`UPDATE fetch_logs SET input_tokens = ${inputTokens}, output_tokens = ${outputTokens}
        WHERE id = ${id} AND outcome IS NULL`;
    },
    /**
     * Adds the row of a question; `door` is the way it was asked: api, page or mcp. If the account was deleted meanwhile, the
     * row has neither account nor key.
     */
    openQuestion(log: QuestionRow & { readonly serverStartId: string; readonly door?: string }): void {
      const { id, serverStartId, accountId, keyId, bookId, askedAt, engine, door = 'api' } = log;
      db.run`
        INSERT INTO fetch_logs (id, server_start_id, account_id, key_id, book_id, asked_at, engine, door)
        SELECT ${id}, ${serverStartId}, accounts.id, iif(accounts.id IS NULL, NULL, ${keyId}), ${bookId}, ${askedAt},
          ${engine}, ${door} FROM (SELECT 1) LEFT JOIN accounts ON accounts.id = ${accountId}`;
    },
    completeQuestion(end: QuestionEnd): void {
      countQuestion(db, end.id, end.outcome);
      db.run`UPDATE fetch_logs SET engine = ${end.engine}, outcome = ${end.outcome},
          answer_bytes = ${end.answerBytes}, input_tokens = ${end.inputTokens},
          output_tokens = ${end.outputTokens}, latency_ms = ${end.latencyMs} WHERE id = ${end.id}`;
    },
    /**
     * Adds downloads, counts them by item and day, and notes when an edition was last installed, to the day. `rows` is JSON:
     * sending hundreds of objects to the Worker takes five times as long. Rows of a deleted account have neither account nor
     * key.
     */
    addDownloads(rows: string): void {
      const downloads = JSON.parse(rows) as readonly Download[];
      const named = new Set(downloads.flatMap(({ accountId }) => accountId ?? []));
      const isAccount = (id: string) => db.has`SELECT 1 FROM accounts WHERE id = ${id}`;
      const accounts = new Set([...named].filter(isAccount));
      for (const d of downloads) {
        const isThere = d.accountId !== null && accounts.has(d.accountId);
        db.run`
          INSERT INTO downloads (id, account_id, key_id, kind, item_key, slug, digest, door, bytes, downloaded_at)
          VALUES (${d.id}, ${isThere ? d.accountId : null}, ${isThere ? d.keyId : null}, ${d.kind}, ${d.itemKey},
            ${d.slug}, ${d.digest}, ${d.door}, ${d.bytes}, ${d.downloadedAt})`;
      }
      for (const [first, times] of countByItemAndDay(downloads))
        db.run`INSERT INTO download_days (kind, item_key, day, downloads)
          VALUES (${first.kind}, ${first.itemKey}, ${dayOf(first)}, ${times})
          ON CONFLICT DO UPDATE SET downloads = downloads + excluded.downloads`;
      const installs = downloads.filter(({ door }) => door === 'install');
      for (const d of new Map(
        installs.map((one) => [`${one.kind} ${one.itemKey} ${one.digest}`, one]),
      ).values())
        db.run`UPDATE editions SET installed_at = ${d.downloadedAt} WHERE kind = ${d.kind} AND item_key = ${d.itemKey}
          AND digest = ${d.digest} AND ifnull(installed_at, 0) < ${d.downloadedAt - DAY}`;
    },
    addServerStart(start: ServerStart): void {
      db.run`INSERT INTO server_starts (id, version, started_at)
        VALUES (${start.id}, ${start.version}, ${start.startedAt})`;
    },
    endServerStart(end: { readonly id: string; readonly at: number }): void {
      db.run`UPDATE server_starts SET stopped_at = ${end.at} WHERE id = ${end.id}`;
    },
    /** Deletes rows from before a time, the oldest first, at most `atMost` in each log; returns how many it deleted. */
    deleteOldLogs({ before, atMost }: { readonly before: number; readonly atMost: number }) {
      return {
        questions: db.run`DELETE FROM fetch_logs WHERE rowid IN (SELECT rowid FROM fetch_logs
          WHERE asked_at < ${before} ORDER BY asked_at LIMIT ${atMost})`.changes,
        downloads: db.run`DELETE FROM downloads WHERE rowid IN (SELECT rowid FROM downloads
          WHERE downloaded_at < ${before} ORDER BY downloaded_at LIMIT ${atMost})`.changes,
      };
    },
  };
}

export type ServerStart = { readonly id: string; readonly version: string; readonly startedAt: number };
