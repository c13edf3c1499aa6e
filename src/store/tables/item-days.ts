import type { Database } from 'bun:sqlite';

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
