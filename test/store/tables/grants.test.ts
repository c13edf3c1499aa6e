import { expect, test } from 'bun:test';
import { openForWriting } from '../../../src/store/database.ts';
import { type Sql, sql, type Statements, statementsOf } from '../../../src/store/statements.ts';
import { grantReads } from '../../../src/store/tables/grants.ts';
import { itemDayReads } from '../../../src/store/tables/item-days.ts';
import { join } from 'node:path';
import { temporaryDirectory } from '../../harness.ts';

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
  const plans = await plansOf((explained) => {
    const [holders, days] = [grantReads(explained), itemDayReads(explained)];
    return [
      holders.listHolders(ITEM, { ...BESIDE, side: 'older' }),
      holders.listHolders(ITEM, { ...BESIDE, side: 'newer' }),
      holders.countHolders(ITEM),
      days.countItemViews(PERIODS),
      days.countItemDownloadsBy(PERIODS),
      days.countItemQuestions(PERIODS),
    ];
  });
  expect(plans).toHaveLength(6);
  for (const plan of plans) expect(plan).not.toMatch(/SCAN (grants|downloads|fetch_logs|\w+_days)/);
  const [older, newer, count] = plans;
  for (const plan of [older, newer]) {
    expect(plan).toContain('SEARCH grants USING INDEX grants_by_item (kind=? AND item_key=? AND granted_at');
    expect(plan).toContain('SEARCH downloads USING INDEX downloads_by_account (account_id=?)');
    expect(plan).toContain('SEARCH fetch_logs USING INDEX fetch_logs_by_account (account_id=?)');
    expect(plan).not.toContain('TEMP B-TREE');
  }
  expect(count).toContain('SEARCH grants USING COVERING INDEX holders_by_item (kind=? AND item_key=?)');
});
