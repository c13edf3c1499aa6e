import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { migrations, openForWriting } from '../../src/platform/store/database.ts';
import { statementsOf } from '../../src/platform/store/statements.ts';
import { createReads } from '../../src/writes.ts';
import { listItemFigures } from '../../src/catalog/figures.ts';
import { DAY, openAdmin, TODAY } from '../helpers/admin-services.ts';
import { temporaryDirectory } from '../helpers/harness.ts';

type ItemName = { readonly kind: 'book' | 'skill'; readonly itemKey: string };

const { store, accounts, personalData, now } = await openAdmin();
const anna = await accounts.add('anna@example.org');
await store.write.addServerStart({ id: 's', version: '1', startedAt: 0 });
const heron: ItemName = { kind: 'book', itemKey: 'heron-id' };
const none = { engine: 'extractive', answerBytes: 0, inputTokens: 0, outputTokens: 0, latencyMs: 1 };

async function ask(id: string, at: number, outcome: string | null, bookId = heron.itemKey): Promise<void> {
  const question = { id, serverStartId: 's', accountId: anna.id, keyId: 1, bookId, askedAt: at };
  await store.write.openQuestion({ ...question, engine: 'extractive' });
  if (outcome !== null) await store.write.completeQuestion({ id, outcome, ...none });
}

const view = (at: number, views: number, itemKey = heron.itemKey) =>
  store.write.addViews(JSON.stringify([{ kind: 'book', itemKey, day: Math.floor(at / DAY), views }]));

const MIDNIGHT = Date.parse('2026-11-20T00:00:00Z');

describe('the figures of an item', () => {
  test('count views and ended questions on the UTC day on which they began, each question once', async () => {
    await view(MIDNIGHT - 1, 3);
    await view(MIDNIGHT, 2);
    await view(MIDNIGHT, 5);
    await view(MIDNIGHT, 70, 'stork-id');
    await ask('q1', MIDNIGHT - 1, 'quoted');
    await ask('q2', MIDNIGHT, 'quoted');
    await ask('q3', MIDNIGHT, 'not_covered');
    await ask('q4', MIDNIGHT, 'not_covered');
    await ask('q5', MIDNIGHT, null);
    await ask('q6', MIDNIGHT, 'quoted', 'stork-id');
    // The end of an answer may be told twice, but counts as it was told first.
    await store.write.completeQuestion({ id: 'q4', outcome: 'failed', ...none });
    const days = listItemFigures({ store, now }, heron, 'days');
    expect(days).toHaveLength(30);
    expect(days[0]).toEqual({ period: '2026-10-22', views: 0, downloads: 0, outcomes: {} });
    expect(days.slice(-2)).toEqual([
      { period: '2026-11-19', views: 3, downloads: 0, outcomes: { quoted: 1 } },
      { period: '2026-11-20', views: 7, downloads: 0, outcomes: { quoted: 1, not_covered: 2 } },
    ]);
  });

  test('are summed by month, from the first of the month eleven months ago', async () => {
    await view(Date.parse('2025-12-01T00:00:00Z'), 11);
    await view(Date.parse('2025-11-30T23:59:59Z'), 1000);
    await view(Date.parse('2026-10-31T23:59:59Z'), 4);
    const months = listItemFigures({ store, now }, heron, 'months');
    expect(months.map(({ period }) => period)).toEqual([
      '2025-12',
      ...Array.from({ length: 11 }, (_, n) => `2026-${String(n + 1).padStart(2, '0')}`),
    ]);
    expect(months.map(({ views }) => views)).toEqual([11, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 10]);
    expect(months.at(-1)?.outcomes).toEqual({ quoted: 2, not_covered: 2 });
  });

  test.each([
    ['2027-03-31T12:00:00Z', '2026-04', '2027-03'],
    ['2028-02-29T23:59:59Z', '2027-03', '2028-02'],
    ['2027-01-01T00:00:00Z', '2026-02', '2027-01'],
  ])('at %s begin with %s and end with %s', async (at, first, last) => {
    const months = listItemFigures({ store, now: () => Date.parse(at) }, heron, 'months');
    expect([months.length, months[0]?.period, months.at(-1)?.period]).toEqual([12, first, last]);
  });

  test('of a skill have no questions, even if a book has its slug as id', async () => {
    await ask('q7', MIDNIGHT, 'quoted', 'tool');
    const days = listItemFigures({ store, now }, { kind: 'skill', itemKey: 'tool' }, 'days');
    expect(days.at(-1)?.outcomes).toEqual({});
  });

  test('stay when the rows of the log are deleted as old, and when the account is removed', async () => {
    const figures = (...asked: [typeof heron, 'days' | 'months']) =>
      listItemFigures({ store, now }, ...asked);
    const before = [figures(heron, 'days'), figures(heron, 'months')];
    await store.write.deleteOldLogs({ before: TODAY + DAY, atMost: 1000 });
    await personalData.remove('anna@example.org');
    expect([figures(heron, 'days'), figures(heron, 'months')]).toEqual(before);
  });
});

test('a stall that was upgraded has the counts of the questions in its log', async () => {
  const file = join(temporaryDirectory(), 'bookstall.db');
  const old = openForWriting(
    file,
    migrations.slice(
      0,
      migrations.findIndex((sql) => sql.includes('view_days')),
    ),
  );
  old.run("INSERT INTO server_starts VALUES ('s', '1', 0, NULL)");
  const insert = old.prepare(
    `INSERT INTO fetch_logs (id, server_start_id, book_id, asked_at, engine, outcome) VALUES (?, 's', 'heron-id', ?, 'x', ?)`,
  );
  ['quoted', 'quoted', 'declined', null].forEach((outcome, n) => insert.run(`q${n}`, TODAY, outcome));
  insert.run('early', TODAY - DAY, 'quoted');
  old.close();
  const db: Database = openForWriting(file);
  const since = Math.floor(TODAY / DAY) - 5;
  expect(createReads(statementsOf(() => db)).countItemQuestions({ ...heron, since, by: 'day' })).toEqual([
    { period: '2026-11-19', outcome: 'quoted', count: 1 },
    { period: '2026-11-20', outcome: 'declined', count: 1 },
    { period: '2026-11-20', outcome: 'quoted', count: 2 },
  ]);
  db.close();
});
