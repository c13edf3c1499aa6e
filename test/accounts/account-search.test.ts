import { expect, test } from 'bun:test';
import { DAY, MINUTE, openAdmin, TODAY } from '../helpers/admin-services.ts';

const { store, accounts, grants, keys, pass } = await openAdmin();
const anna = await accounts.add('Anna@example.org');
const ben = await accounts.add('ben_%@example.org');
const page = { search: '', now: TODAY, atMost: 10, skip: 0 };

const found = async (search: string) => store.searchAccounts({ ...page, search }).map(({ email }) => email);

test.each([
  ['', ['ben_%@example.org', 'Anna@example.org']],
  ['ANNA@', ['Anna@example.org']],
  ['example', ['ben_%@example.org', 'Anna@example.org']],
  // Wildcards of SQL are characters like any other.
  ['_%', ['ben_%@example.org']],
  ['%', ['ben_%@example.org']],
  ["' OR 1=1 --", []],
  [anna.id, ['Anna@example.org']],
  [anna.id.slice(0, 8), []],
])('the roll searched for %j', async (search, emails) => {
  expect(await found(search)).toEqual(emails);
});

test('the roll is read page by page, the newest first', async () => {
  expect(store.searchAccounts({ ...page, atMost: 1 })).toMatchObject([{ id: ben.id }]);
  expect(store.searchAccounts({ ...page, atMost: 1, skip: 1 })).toMatchObject([{ id: anna.id }]);
  expect(store.searchAccounts({ ...page, skip: 2 })).toEqual([]);
});

test('a row counts what lives, and knows the last use of a key', async () => {
  const fresh = { keys: 0, grants: 0, lastSeenAt: null, isOwner: false, disabledAt: null };
  expect(store.findAccountSummary(anna.id, TODAY)).toEqual({ ...anna, ...fresh });
  await grants.add({ email: anna.email, slug: 'heron', until: '2026-11-22' });
  await grants.add({ email: anna.email, slug: 'tool' });
  await grants.revoke(anna.email, 'tool', null);
  const { id } = await keys.create(anna.email, 'laptop', { days: 1 });
  await keys.create(anna.email, 'server', 'never');
  await store.write.recordKeyUse({ kind: 'key', id, at: TODAY + MINUTE });
  pass(DAY);
  const one = { keys: 2, grants: 1, lastSeenAt: TODAY + MINUTE };
  expect(store.findAccountSummary(anna.id, TODAY + MINUTE)).toMatchObject(one);
  expect(store.findAccountSummary(anna.id, TODAY + 3 * DAY)).toMatchObject({ keys: 1, grants: 0 });
  expect(store.findAccountSummary('nobody', TODAY)).toBeNull();
});

test('an account has figures of its own', async () => {
  expect(store.countActivity(anna.id, TODAY)).toEqual({ sessions: 0, questions: 0, downloads: 0 });
});
