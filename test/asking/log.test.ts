import { describe, expect, test } from 'bun:test';
import {
  type DownloadQuery,
  type FetchQuery,
  listDownloads,
  listQuestions,
  pagedDownloads,
  pagedQuestions,
} from '../../src/asking/log.ts';
import { openAdmin, refusalOf, TODAY } from '../helpers/admin-services.ts';
import { Database } from 'bun:sqlite';
import { join } from 'node:path';
import { createOffice } from '../helpers/office.ts';
import { openStore } from '../../src/store.ts';
import { temporaryDirectory } from '../helpers/harness.ts';
import type { LogPage, PagePlace } from '../../src/platform/store/paging.ts';

const { store, accounts } = await openAdmin();
const { id: accountId } = await accounts.add('anna@example.org');
let isServed = true;
const logs = { store, now: Date.now, isServed: () => isServed };

async function start(id: string): Promise<void> {
  await store.write.addServerStart({ id, version: '1', startedAt: TODAY });
}

async function ask(id: string, serverStartId: string, askedAt = TODAY): Promise<void> {
  await store.write.openQuestion({
    id,
    serverStartId,
    accountId,
    keyId: 1,
    bookId: 'b',
    askedAt,
    engine: 'extractive',
  });
}

const outcomes = async () =>
  Object.fromEntries(listQuestions(logs, null, null).map(({ id, outcome }) => [id, outcome]));

test('an open row of the running server is running, and of any other interrupted', async () => {
  await start('first');
  await ask('done', 'first');
  await ask('cut', 'first');
  await store.write.completeQuestion({
    id: 'done',
    engine: 'extractive',
    outcome: 'quoted',
    answerBytes: 5,
    inputTokens: 0,
    outputTokens: 0,
    latencyMs: 7,
  });
  expect(await outcomes()).toEqual({ done: 'quoted', cut: 'running' });
  await start('second');
  await ask('now', 'second');
  expect(await outcomes()).toEqual({ done: 'quoted', cut: 'interrupted', now: 'running' });
  isServed = false;
  expect(await outcomes()).toEqual({ done: 'quoted', cut: 'interrupted', now: 'interrupted' });
});

test('a row contains no question, and is found by account and time', async () => {
  const { id: other } = await accounts.add('ben@example.org');
  await ask('late', 'second', TODAY + 1000);
  expect(listQuestions(logs, 'anna@example.org', '2026-11-20T12:00:01Z').map(({ id }) => id)).toEqual([
    'late',
  ]);
  expect(listQuestions(logs, 'ben@example.org', null)).toEqual([]);
  expect(other).not.toBe(accountId);
  const [row] = listQuestions(logs, null, null);
  expect(row).toEqual({
    row: 1,
    keyName: null,
    keyPrefix: null,
    id: 'done',
    accountId,
    email: 'anna@example.org',
    keyId: 1,
    bookId: 'b',
    at: TODAY,
    door: 'api',
    engine: 'extractive',
    outcome: 'quoted',
    answerBytes: 5,
    inputTokens: 0,
    outputTokens: 0,
    latencyMs: 7,
  });
});

test('an unknown account or malformed time is refused', async () => {
  expect(await refusalOf(() => listQuestions(logs, 'nobody@example.org', null))).toStartWith('not-found');
  expect(await refusalOf(() => listDownloads(logs, null, 'yesterday'))).toStartWith(
    'invalid-request: Cannot read the time "yesterday"',
  );
});

const ANY = { accountId: null, keyId: null, item: null, from: null, until: null };
const QUESTIONS: FetchQuery = { ...ANY, outcome: null };
const DOWNLOADS: DownloadQuery = { ...ANY, door: null };
const START = Date.parse('2026-11-20T12:00:00Z');

/** The logs over a database with so many `questions` and `downloads`, three in each millisecond, of two accounts in turn. */
async function openLogs(questions: number, downloads: number) {
  const directory = temporaryDirectory();
  const store = await openStore(directory);
  const accounts = createOffice({ store, now: () => START, config: { data: '' } }).accounts;
  const ids = [(await accounts.add('anna@example.org')).id, (await accounts.add('ben@example.org')).id];
  await store.write.publishItems({
    items: [
      { kind: 'book', itemKey: 'heron-id', slug: 'heron', edition: null },
      { kind: 'skill', itemKey: 'tool', slug: 'tool', edition: null },
    ],
    at: START,
  });
  for (const id of ['dead', 'living'])
    await store.write.addServerStart({ id, version: '1', startedAt: START });
  const db = new Database(join(directory, 'bookstall.db'), { strict: true });
  const question = db.prepare(
    `INSERT INTO fetch_logs (id, server_start_id, account_id, key_id, book_id, asked_at, engine, outcome) VALUES (?, ?, ?, ?, ?, ?, 'extractive', ?)`,
  );
  const download = db.prepare(
    `INSERT INTO downloads (id, account_id, key_id, kind, item_key, slug, digest, door, bytes, downloaded_at) VALUES (?, ?, ?, ?, ?, 'old-name', 'd', ?, 9, ?)`,
  );
  const account = (n: number) => ids[n % 2] ?? null;
  db.transaction(() => {
    for (let n = 0; n < questions; n++) {
      const [start, outcome] = [n % 7 === 0 ? 'dead' : 'living', n % 7 < 2 ? null : 'quoted'];
      question.run(
        `q${n}`,
        start,
        account(n),
        1 + (n % 3),
        n % 5 === 0 ? 'heron-id' : 'other',
        START + Math.floor(n / 3),
        outcome,
      );
    }
    for (let n = 0; n < downloads; n++) {
      const [kind, key] = n % 5 === 0 ? ['book', 'heron-id'] : ['skill', 'tool'];
      download.run(
        `d${n}`,
        account(n),
        1 + (n % 3),
        kind,
        key,
        n % 2 === 0 ? 'install' : 'zip',
        START + Math.floor(n / 3),
      );
    }
  })();
  return { db, ids, logs: { store, now: Date.now, isServed: () => true } };
}

/** The ids on every page from a place on, in one direction, and the number of pages. */
function walk(
  read: (place: PagePlace) => LogPage<{ readonly id: string }>,
  side: 'newer' | 'older',
  from: PagePlace,
) {
  const pages: string[][] = [];
  for (let place = from; ;) {
    const page = read(place);
    pages.push(page.rows.map(({ id }) => id));
    const next = page[side];
    if (next === null) return { pages, last: page };
    place = next;
  }
}

const numbers = (length: number, keep: (n: number) => boolean = () => true) =>
  Array.from({ length }, (_, n) => n)
    .filter(keep)
    .reverse();

describe('pages of a log', async () => {
  const { db, ids, logs } = await openLogs(177, 177);
  const [anna = ''] = ids;

  test('list every row once, newest first, in both directions', async () => {
    const read = (place: PagePlace) => pagedQuestions(logs, QUESTIONS).page(place);
    const there = walk(read, 'older', null);
    expect(there.pages.map((page) => page.length)).toEqual([50, 50, 50, 27]);
    expect(there.pages.flat()).toEqual(numbers(177).map((n) => `q${n}`));
    expect(there.last.older).toBeNull();
    const back = walk(read, 'newer', there.last.newer);
    expect(back.pages).toEqual([...there.pages.slice(0, 3)].reverse());
    expect(read(null).newer).toBeNull();
  });

  test('that are exactly full are not followed by an empty page', async () => {
    const page = pagedQuestions(logs, { ...QUESTIONS, keyId: 1, until: START + 50 }).page(null);
    expect([page.rows.length, page.older]).toEqual([50, null]);
  });

  test.each([
    ['an account', { accountId: anna }, (n: number) => n % 2 === 0],
    ['a key', { keyId: 2 }, (n: number) => n % 3 === 1],
    ['an item by its slug', { item: 'heron' }, (n: number) => n % 5 === 0],
    ['an item by its id', { item: 'heron-id' }, (n: number) => n % 5 === 0],
    ['an item nobody knows', { item: "x' OR 1=1 --" }, () => false],
    ['a time from', { from: START + 50 }, (n: number) => n >= 150],
    ['a time until', { until: START + 1 }, (n: number) => n < 3],
    [
      'all at once',
      { accountId: anna, keyId: 1, item: 'heron', from: START + 10, until: START + 40 },
      (n: number) => n % 30 === 0 && n >= 30 && n < 120,
    ],
  ] as const)('are filtered by %s', async (_, filter, keep) => {
    const questions = walk(
      (place) => pagedQuestions(logs, { ...QUESTIONS, ...filter }).page(place),
      'older',
      null,
    );
    expect(questions.pages.flat()).toEqual(numbers(177, keep).map((n) => `q${n}`));
    const downloads = walk(
      (place) => pagedDownloads(logs, { ...DOWNLOADS, ...filter }).page(place),
      'older',
      null,
    );
    expect(downloads.pages.flat()).toEqual(numbers(177, keep).map((n) => `d${n}`));
  });

  test.each([
    ['quoted', (n: number) => n % 7 >= 2],
    ['running', (n: number) => n % 7 === 1],
    ['interrupted', (n: number) => n % 7 === 0],
    ['declined', () => false],
  ] as const)('with the outcome %s have those rows', async (outcome, keep) => {
    const { pages } = walk(
      (place) => pagedQuestions(logs, { ...QUESTIONS, outcome }).page(place),
      'older',
      null,
    );
    expect(pages.flat()).toEqual(numbers(177, keep).map((n) => `q${n}`));
    const [row] = pagedQuestions(logs, { ...QUESTIONS, outcome }).page(null).rows;
    expect(row?.outcome ?? outcome).toBe(outcome);
  });

  test('of a door have its downloads', async () => {
    const { pages } = walk(
      (place) => pagedDownloads(logs, { ...DOWNLOADS, door: 'zip' }).page(place),
      'older',
      null,
    );
    expect(pages.flat()).toEqual(numbers(177, (n) => n % 2 === 1).map((n) => `d${n}`));
  });

  test('neither repeat nor skip a row when new rows arrive in between', async () => {
    const first = pagedDownloads(logs, DOWNLOADS).page(null);
    db.run(
      `INSERT INTO downloads SELECT 'late', account_id, key_id, kind, item_key, slug, digest, door, bytes, ${START + 999} FROM downloads LIMIT 60`,
    );
    const second = pagedDownloads(logs, DOWNLOADS).page(first.older);
    expect([first.rows.at(-1)?.id, second.rows[0]?.id]).toEqual(['d127', 'd126']);
    db.run("DELETE FROM downloads WHERE id = 'late'");
  });

  test('a place whose rows were deleted is read as the newest page', async () => {
    const gone = { beside: { at: 5, row: 1 }, side: 'older' } as const;
    expect(pagedDownloads(logs, DOWNLOADS).page(gone).rows[0]?.id).toBe('d176');
  });

  test('a row names account and key, and neither if they are gone', async () => {
    db.run(
      "INSERT INTO keys (id, account_id, hash, prefix, name, created_at) VALUES (3, ?, zeroblob(32), 'svc_abcd', 'laptop', 1)",
      [anna],
    );
    // All reads of one turn of the event loop see one snapshot.
    await new Promise((resolve) => setImmediate(resolve));
    const { rows } = pagedQuestions(logs, QUESTIONS).page(null);
    expect(
      rows.slice(0, 2).map(({ email, keyName, keyPrefix, at }) => [email, keyName, keyPrefix, at]),
    ).toEqual([
      ['anna@example.org', 'laptop', 'svc_abcd', START + 58],
      ['ben@example.org', null, null, START + 58],
    ]);
  });

  test('the whole list is read in steps', async () => {
    const steps = await Array.fromAsync(pagedDownloads(logs, { ...DOWNLOADS, accountId: anna }).all());
    expect(steps.flat().map(({ id }) => id)).toEqual(numbers(177, (n) => n % 2 === 0).map((n) => `d${n}`));
    expect(await Array.fromAsync(pagedQuestions(logs, { ...QUESTIONS, item: 'none' }).all())).toEqual([]);
  });
});
