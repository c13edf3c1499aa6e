import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { ensureSetup } from '../../../../src/service/links.ts';
import { openStall, PASSWORD } from '../../../harness.ts';

const stall = await openStall();

async function fastest(path: string): Promise<number> {
  const times = [];
  for (let n = 0; n < 5; n++) {
    const start = performance.now();
    await (await stall.fetch(path)).text();
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}

test('the form of the set-up link makes the owner, signs in and leads to the office', async () => {
  const fresh = await openStall();
  const { url = '' } = (await ensureSetup(fresh.app.stall, fresh.url)) ?? {};
  const form = { email: 'owner@example.org', password: PASSWORD };
  const response = await fresh.fetch('/set-up', {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ ...form, code: url.slice(url.indexOf('#') + 1) }),
  });
  expect([response.status, response.headers.get('location')]).toEqual([303, '/admin']);
  expect(await fresh.app.stall.store.findOwner()).toMatchObject({ email: form.email });
});

test('a request for the set-up page does not read every account', async () => {
  const db = new Database(join(stall.data, 'bookstall.db'));
  db.run(`WITH RECURSIVE counted(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < 40000)
    INSERT INTO accounts (id, email, created_at) SELECT 'id' || n, n || '@example.org', n FROM counted`);
  db.close();
  expect(await fastest('/set-up')).toBeLessThan(5 * (await fastest('/invite')) + 5);
});
