import { expect, test } from 'bun:test';
import { listDownloads, listQuestions } from '../../src/service/logs.ts';
import { openAdmin, refusalOf, TODAY } from './admin-services.ts';

const { store, accounts } = await openAdmin();
const { id: accountId } = await accounts.add('anna@example.org');
let isServed = true;
const logs = { store, now: Date.now, isServed: () => isServed };

async function start(id: string): Promise<void> {
  await store.write.addServerStart({ id, version: '1', startedAt: TODAY });
}

async function ask(id: string, serverStartId: string, askedAt = TODAY): Promise<void> {
  await store.write.openFetchLog({
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
  Object.fromEntries((await listQuestions(logs, null, null)).map(({ id, outcome }) => [id, outcome]));

test('an open row of the running server is running, and of any other interrupted', async () => {
  await start('first');
  await ask('done', 'first');
  await ask('cut', 'first');
  await store.write.completeFetchLog({
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
  expect((await listQuestions(logs, 'anna@example.org', '2026-11-20T12:00:01Z')).map(({ id }) => id)).toEqual(
    ['late'],
  );
  expect(await listQuestions(logs, 'ben@example.org', null)).toEqual([]);
  expect(other).not.toBe(accountId);
  const [row] = await listQuestions(logs, null, null);
  expect(row).toEqual({
    id: 'done',
    accountId,
    email: 'anna@example.org',
    keyId: 1,
    bookId: 'b',
    askedAt: TODAY,
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
  expect(await refusalOf(listQuestions(logs, 'nobody@example.org', null))).toStartWith('not-found');
  expect(await refusalOf(listDownloads(logs, null, 'yesterday'))).toStartWith(
    'invalid-request: Cannot read the time "yesterday"',
  );
});
