import { expect, test } from 'bun:test';
import { openForWriting } from '../../src/platform/store/database.ts';
import { type Sql, sql, type Statements, statementsOf } from '../../src/platform/store/statements.ts';
import { grantReads } from '../../src/accounts/grant.sql.ts';
import { itemDayReads } from '../../src/catalog/item-day.sql.ts';
import { join } from 'node:path';
import { temporaryDirectory } from '../helpers/harness.ts';

const file = openForWriting(join(temporaryDirectory(), 'bookstall.db'));
const db = statementsOf(() => file);

/** How SQLite would run each statement that `read` runs. */
async function plansOf(read: (db: Statements) => unknown): Promise<readonly string[]> {
  const plans: string[] = [];
  const explain = (...statement: Parameters<typeof sql>) => {
    const explained: Sql = sql(...statement);
    const steps = db.all<{ detail: string }>`EXPLAIN QUERY PLAN ${explained}`;
    plans.push(steps.map(({ detail }) => detail).join('\n'));
    return explained;
  };
  const one = <Row>(...statement: Parameters<typeof sql>) => db.one<Row>`${explain(...statement)}`;
  const all = <Row>(...statement: Parameters<typeof sql>) => db.all<Row>`${explain(...statement)}`;
  const value = <Value>(...statement: Parameters<typeof sql>) => db.value<Value>`${explain(...statement)}`;
  read({ ...db, one, value, all });
  return plans;
}

const ITEM = { kind: 'book', itemKey: 'heron-id', grantKeys: ['heron-id'], now: 5, isLive: true };
const PERIODS = { kind: 'book', itemKey: 'heron-id', since: 1, by: 'day' } as const;
const BESIDE = { beside: { at: 5, row: 5 }, limit: 20 };

test('the lists and counts of an item are read from indexes, and never sorted', async () => {
  db.run`INSERT INTO accounts (id, email, created_at, verified_at) VALUES ('ada', 'ada@example.org', 1, 1)`;
  db.run`INSERT INTO known_items VALUES ('book', 'heron-id', 'heron', 1)`;
  db.run`INSERT INTO grants (account_id, kind, item_key, source, granted_at, starts_at)
    VALUES ('ada', 'book', 'heron-id', 'manual', 1, 1)`;
  const plans = await plansOf((explained) => {
    const [holders, days] = [grantReads(explained), itemDayReads(explained)];
    return [
      holders.listHolders(ITEM, { ...BESIDE, side: 'older' }),
      holders.countHolders(ITEM),
      days.countItemViews(PERIODS),
      days.countItemDownloadsBy(PERIODS),
      days.countItemQuestions(PERIODS),
    ];
  });
  expect(plans).toHaveLength(6);
  for (const plan of plans) expect(plan).not.toMatch(/SCAN (grants|downloads|fetch_logs|\w+_days)/);
  const [page, lastTimes, count] = plans;
  expect(page).toContain('SEARCH grants USING INDEX grants_by_item (kind=? AND item_key=? AND granted_at');
  expect(lastTimes).toContain('SEARCH downloads USING INDEX downloads_by_account (account_id=?)');
  expect(lastTimes).toContain('SEARCH fetch_logs USING INDEX fetch_logs_by_account (account_id=?)');
  expect(lastTimes).not.toContain('TEMP B-TREE');
  // Those of a group and of everyone alone are sorted: no index has when their members joined.
  expect(page?.split('TEMP B-TREE')).toHaveLength(3);
  expect(count).toContain('SEARCH grants USING INDEX holders_by_item (kind=? AND item_key=?)');
});
