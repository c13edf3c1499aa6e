import { type Sql, sql, type Statements } from '../platform/store/statements.ts';
import type { ItemDownloads, ItemPeriods, PeriodCount } from './item-day.rule.ts';

/** `day` counts the days since 1970 UTC. */
export type DayViews = {
  readonly kind: string;
  readonly itemKey: string;
  readonly day: number;
  readonly views: number;
};

type OutcomeCount = PeriodCount & { readonly outcome: string };

const FORMATS = { day: '%Y-%m-%d', month: '%Y-%m' } as const;
const periodOf = ({ by }: ItemPeriods) => sql`strftime(${FORMATS[by]}, day * 86400, 'unixepoch') AS period`;

export function itemDayReads(db: Statements) {
  const count = (table: Sql, column: Sql, item: ItemPeriods) => db.all<PeriodCount>`
    SELECT ${periodOf(item)}, sum(${column}) AS count FROM ${table}
    WHERE kind = ${item.kind} AND item_key = ${item.itemKey} AND day >= ${item.since} GROUP BY period`;
  return {
    countItemViews: (item: ItemPeriods): readonly PeriodCount[] => count(sql`view_days`, sql`views`, item),
    /** Counts an item's downloads by period, including those whose rows in the log were deleted. */
    countItemDownloadsBy: (item: ItemPeriods): readonly PeriodCount[] =>
      count(sql`download_days`, sql`downloads`, item),
    countItemQuestions(item: ItemPeriods): readonly OutcomeCount[] {
      if (item.kind !== 'book') return [];
      return db.all<OutcomeCount>`SELECT ${periodOf(item)}, outcome, sum(questions) AS count FROM question_days
        WHERE book_id = ${item.itemKey} AND day >= ${item.since} GROUP BY period, outcome`;
    },
    countItemDownloads: (kind: string, itemKey: string, since: number): ItemDownloads =>
      db.one<ItemDownloads>`SELECT coalesce(sum(downloads), 0) AS "all",
          coalesce(sum(iif(day >= ${since}, downloads, 0)), 0) AS recent
        FROM download_days WHERE kind = ${kind} AND item_key = ${itemKey}`!,
    listEndings: (since: number, atMost: number) =>
      db.all<Ending>`SELECT outcome, engine FROM fetch_logs WHERE asked_at >= ${since}
        AND outcome IS NOT NULL AND outcome <> 'refused' ORDER BY asked_at DESC LIMIT ${atMost}`,
  };
}

export const itemDayWrites = (db: Statements) => ({
  /** Adds views to the counts by day; `counts` is a JSON array of DayViews. */
  addViews(counts: string): void {
    for (const { kind, itemKey, day, views } of JSON.parse(counts) as DayViews[])
      db.run`INSERT INTO view_days (kind, item_key, day, views)
          VALUES (${kind}, ${itemKey}, ${day}, ${views})
          ON CONFLICT DO UPDATE SET views = views + excluded.views`;
  },
});

/** Counts a question that ends. Call it before its row gets an outcome: a row with one is not counted again. */
export function countQuestion(db: Statements, id: string, outcome: string): void {
  db.run`INSERT INTO question_days (book_id, day, outcome, questions)
    SELECT book_id, asked_at / 86400000, ${outcome}, 1 FROM fetch_logs WHERE id = ${id} AND outcome IS NULL
    ON CONFLICT DO UPDATE SET questions = questions + 1`;
}

type Ending = { readonly outcome: string; readonly engine: string };
