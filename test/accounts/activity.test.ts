import { expect, test } from 'bun:test';
import { DAY, openAdmin, TODAY } from '../helpers/admin-services.ts';

const { store, accounts, grants, keys } = await openAdmin();
const anna = await accounts.add('anna@example.org');
const today = TODAY / DAY;

async function download(slug: string, daysAgo: number, times = 1): Promise<void> {
  const row = {
    id: 'd',
    accountId: anna.id,
    keyId: 1,
    kind: 'book',
    itemKey: `${slug}-id`,
    slug,
    digest: 'd',
    door: 'install',
    bytes: 1,
    downloadedAt: TODAY - daysAgo * DAY,
  };
  await store.write.addDownloads(JSON.stringify(Array.from({ length: times }, () => row)));
}

async function ask(id: string, at: number, outcome: string | null): Promise<void> {
  const question = { id, serverStartId: 's', accountId: anna.id, keyId: 1, bookId: 'b', askedAt: at };
  await store.write.openQuestion({ ...question, engine: 'anthropic' });
  const none = { engine: 'anthropic', answerBytes: 0, inputTokens: 0, outputTokens: 0, latencyMs: 1 };
  if (outcome !== null) await store.write.completeQuestion({ id, outcome, ...none });
}

test('downloads are counted by item, also those whose rows were deleted as old', async () => {
  await download('heron', 40, 3);
  await download('heron', 1, 2);
  await download('heron', 0);
  await download('stork', 0);
  const since = Math.floor(today) - 29;
  expect(store.countItemDownloads('book', 'heron-id', since)).toEqual({ all: 6, recent: 3 });
  await store.write.deleteOldLogs({ before: TODAY - 30 * DAY, atMost: 100 });
  expect(store.countItemDownloads('book', 'heron-id', since)).toEqual({ all: 6, recent: 3 });
  expect(store.countItemDownloads('skill', 'heron-id', since)).toEqual({ all: 0, recent: 0 });
});

test('the last endings leave out what ran without an end, and what nobody was asked', async () => {
  const midnight = Math.floor(today) * DAY;
  await store.write.addServerStart({ id: 's', version: '1', startedAt: 0 });
  await ask('before', midnight - 1, 'answered');
  await ask('after', midnight, 'failed');
  await ask('running', midnight + 1, null);
  await ask('refused', midnight + 2, 'refused');
  const engine = 'anthropic';
  const all = [
    { outcome: 'failed', engine },
    { outcome: 'answered', engine },
  ];
  expect(store.listEndings(0, 9)).toEqual(all);
  expect(store.listEndings(0, 1)).toEqual(all.slice(0, 1));
  expect(store.listEndings(TODAY, 9)).toEqual([]);
});

test('holdings count what may still be used', async () => {
  await grants.add({ email: anna.email, slug: 'heron' });
  await grants.add({ email: anna.email, slug: 'tool', until: '2026-11-21' });
  await keys.create(anna.email, 'laptop', { days: 2 });
  expect(store.countHoldings(TODAY)).toEqual({ accounts: 1, disabled: 0, grants: 2, keys: 1 });
  await accounts.disable(anna.email);
  expect(store.countHoldings(TODAY + 3 * DAY)).toEqual({
    accounts: 1,
    disabled: 1,
    grants: 1,
    keys: 0,
  });
});
