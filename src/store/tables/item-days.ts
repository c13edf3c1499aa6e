import type { Database } from 'bun:sqlite';
import { DAY } from '../../duration.ts';
import { LIVE_GRANT } from './grants.ts';
import { LIVE_KEY } from './keys.ts';

/** How often an item's page was viewed on a day, in whole days since 1970 UTC. */
export type DayViews = {
  readonly kind: string;
  readonly itemKey: string;
  readonly day: number;
  readonly views: number;
};

/** How much of something happened to an item in a period, as `2026-11-20` or `2026-11`. Periods without any are left out. */
export type PeriodCount = { readonly period: string; readonly count: number };

type OutcomeCount = PeriodCount & { readonly outcome: string };

/** Selects the counts of an item from a day on, by day or by month. */
export type ItemPeriods = {
  readonly kind: string;
  readonly itemKey: string;
  readonly since: number;
  readonly by: 'day' | 'month';
};

const FORMATS = { day: '%Y-%m-%d', month: '%Y-%m' } as const;
const PERIOD = `strftime(?1, day * 86400, 'unixepoch') AS period`;

export function itemDayReads(db: Database) {
  const ofItem = (table: string, column: string) =>
    db.prepare<PeriodCount, [string, string, string, number]>(
      `SELECT ${PERIOD}, sum(${column}) AS count FROM ${table} WHERE kind = ? AND item_key = ? AND day >= ? GROUP BY period`,
    );
  const views = ofItem('view_days', 'views');
  const downloads = ofItem('download_days', 'downloads');
  const questions = db.prepare<OutcomeCount, [string, string, number]>(
    `SELECT ${PERIOD}, outcome, sum(questions) AS count FROM question_days WHERE book_id = ? AND day >= ? GROUP BY period, outcome`,
  );
  return {
    async countItemViews({ kind, itemKey, since, by }: ItemPeriods): Promise<readonly PeriodCount[]> {
      return views.all(FORMATS[by], kind, itemKey, since);
    },
    /** Rows of the log that were deleted as old are counted too. */
    async countItemDownloadsBy({ kind, itemKey, since, by }: ItemPeriods): Promise<readonly PeriodCount[]> {
      return downloads.all(FORMATS[by], kind, itemKey, since);
    },
    /** The questions that have ended, by outcome; none for a skill. */
    async countItemQuestions({ kind, itemKey, since, by }: ItemPeriods): Promise<readonly OutcomeCount[]> {
      return kind === 'book' ? questions.all(FORMATS[by], itemKey, since) : [];
    },
  };
}

export function itemDayWrites(db: Database) {
  const add = db.prepare(
    `INSERT INTO view_days (kind, item_key, day, views) VALUES (?, ?, ?, ?)
     ON CONFLICT DO UPDATE SET views = views + excluded.views`,
  );
  return {
    /** `counts` is a JSON array of DayViews. */
    addViews(counts: string): void {
      for (const { kind, itemKey, day, views } of JSON.parse(counts) as DayViews[])
        add.run(kind, itemKey, day, views);
    },
  };
}

/** Counts a question when it ends; it must still be open, so that it counts once. */
export function questionCounts(db: Database) {
  const count = db.prepare(
    `INSERT INTO question_days (book_id, day, outcome, questions)
     SELECT book_id, asked_at / 86400000, ?, 1 FROM fetch_logs WHERE id = ? AND outcome IS NULL
     ON CONFLICT DO UPDATE SET questions = questions + 1`,
  );
  return ({ id, outcome }: { readonly id: string; readonly outcome: string }): void =>
    void count.run(outcome, id);
}

/** How much of something happened on a day; `day` counts whole days since 1970 UTC. Days without any are left out. */
export type DayCount = { readonly day: number; readonly count: number };

/** How often an item was handed out, and how often of late. */
export type ItemDownloads = { readonly all: number; readonly recent: number };

/** How much the stall holds now; only live grants and keys count, those of disabled accounts too. */
type Holdings = {
  readonly accounts: number;
  readonly disabled: number;
  readonly grants: number;
  readonly keys: number;
};

/** How a question ended, and the engine that answered it. */
type Ending = { readonly outcome: string; readonly engine: string };

export function activityReads(db: Database) {
  // Both are answered from the index of their time alone.
  const byDay = (table: string, time: string) =>
    db.prepare<DayCount, [number]>(
      `SELECT ${time} / ${DAY} AS day, count(*) AS count FROM ${table} WHERE ${time} >= ? * ${DAY} GROUP BY day`,
    );
  const downloads = byDay('downloads', 'downloaded_at');
  const questions = byDay('fetch_logs', 'asked_at');
  const ofItem = db.prepare<ItemDownloads, [number, string, string]>(
    `SELECT coalesce(sum(downloads), 0) AS "all", coalesce(sum(iif(day >= ?1, downloads, 0)), 0) AS recent
     FROM download_days WHERE kind = ? AND item_key = ?`,
  );
  const holdings = db.prepare<Holdings, [number]>(
    `SELECT (SELECT count(*) FROM accounts) AS accounts, (SELECT count(disabled_at) FROM accounts) AS disabled,
       (SELECT count(*) FROM grants WHERE ${LIVE_GRANT}) AS grants, (SELECT count(*) FROM keys WHERE ${LIVE_KEY}) AS keys`,
  );
  const endings = db.prepare<Ending, [number, number]>(
    `SELECT outcome, engine FROM fetch_logs WHERE asked_at >= ? AND outcome IS NOT NULL AND outcome <> 'refused'
     ORDER BY asked_at DESC LIMIT ?`,
  );
  return {
    /** Downloads since a day, oldest first. */
    async countDownloadsByDay(since: number): Promise<readonly DayCount[]> {
      return downloads.all(since);
    },
    /** Questions since a day, oldest first. */
    async countQuestionsByDay(since: number): Promise<readonly DayCount[]> {
      return questions.all(since);
    },
    /** `recent` counts from the day `since` on. Rows of the log that were deleted as old are counted too. */
    async countItemDownloads(kind: string, itemKey: string, since: number): Promise<ItemDownloads> {
      return ofItem.get(since, kind, itemKey) ?? { all: 0, recent: 0 };
    },
    async countHoldings(now: number): Promise<Holdings> {
      return holdings.get(now) ?? { accounts: 0, disabled: 0, grants: 0, keys: 0 };
    },
    /** The last questions since a time, the newest first, at most so many; running and refused ones are left out. */
    async listEndings(since: number, atMost: number): Promise<readonly Ending[]> {
      return endings.all(since, atMost);
    },
  };
}
