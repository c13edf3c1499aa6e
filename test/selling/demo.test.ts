import { expect, test } from 'bun:test';
import { prepareDemo } from '../../src/selling/demo.ts';
import { openStall } from '../helpers/harness.ts';

const stall = await openStall();
const prepare = () => prepareDemo(stall.app.stall);
const keyIn = (lines: readonly string[]) => /svc_[0-9A-Za-z]{38}/.exec(lines.join('\n'))?.[0] ?? '';
const statusWith = async (key: string) =>
  (await stall.fetch('/api/cli/library', { headers: { Authorization: `Bearer ${key}` } })).status;

test('the demo prints at least four physical lines that begin with curl', async () => {
  const lines = await prepare();
  expect(lines.length).toBeGreaterThanOrEqual(4);
  for (const line of lines) expect(line).toMatch(/^curl [^\n]+$/);
});

test('every start makes a new key for 24 hours and revokes the earlier ones of this account', async () => {
  await stall.app.admin.accounts.add('other@example.org');
  const other = await stall.app.admin.keys.create('other@example.org', 'demo', 'never');
  const keys = [];
  for (let n = 0; n < 3; n++) keys.push(keyIn(await prepare()));
  expect(new Set(keys).size).toBe(3);
  expect(await Promise.all([...keys, other.key].map(statusWith))).toEqual([401, 401, 200, 200]);
  const stored = await stall.app.admin.keys.list('demo@bookstall.invalid');
  const live = stored.filter(({ revokedAt }) => revokedAt === null);
  expect(live).toHaveLength(1);
  expect((live[0]?.expiresAt ?? 0) - (live[0]?.createdAt ?? 0)).toBe(24 * 60 * 60 * 1000);
});

test('the demo account holds one grant of each paid item, however often it starts', async () => {
  const slugs = stall.app.admin.grants.list('demo@bookstall.invalid').map(({ slug }) => slug);
  expect(slugs).toEqual(['paid-book', 'paid-skill']);
});
