import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { openForWriting } from '../../../src/store/database.ts';
import { holderReads } from '../../../src/store/tables/grants.ts';
import { itemDayReads } from '../../../src/store/tables/item-days.ts';
import { join } from 'node:path';
import { temporaryDirectory } from '../../harness.ts';

const db: Database = openForWriting(join(temporaryDirectory(), 'bookstall.db'));

/** How SQLite would run each statement that `prepareAll` prepares. */
function plansOf(prepareAll: (db: Database) => unknown): readonly string[] {
  const plans: string[] = [];
  const prepare = (sql: string) => {
    const steps = db.prepare<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${sql}`).all();
    plans.push(steps.map(({ detail }) => detail).join('\n'));
    return db.prepare(sql);
  };
  prepareAll({ prepare } as unknown as Database);
  return plans;
}

test('the lists and counts of an item are read from indexes, and never sorted', () => {
  const plans = [...plansOf(holderReads), ...plansOf(itemDayReads)];
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
