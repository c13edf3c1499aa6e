import { Database } from 'bun:sqlite';
import { expect, spyOn, test } from 'bun:test';
import { join } from 'node:path';
import { ensureSetup } from '../../src/accounts/one-time-link.ts';
import { openStall, PASSWORD } from '../helpers/harness.ts';

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
  expect(fresh.app.stall.store.findOwner()).toMatchObject({ email: form.email });
});

test('a request for the set-up page does not read every account', async () => {
  const compiled = spyOn(Database.prototype, 'query');
  const fresh = await openStall();
  expect((await fresh.fetch('/set-up')).status).toBe(200);
  const asked = compiled.mock.calls.map(([text]) => text).filter((text) => text.includes('is_owner ='));
  compiled.mockRestore();
  const db = new Database(join(fresh.data, 'bookstall.db'), { readonly: true });
  const plans = asked.map((text) => JSON.stringify(db.prepare(`EXPLAIN QUERY PLAN ${text}`).all()));
  db.close();
  expect(plans.filter((plan) => plan.includes('SEARCH accounts')).length).toBeGreaterThan(0);
  expect(plans.filter((plan) => plan.includes('SCAN'))).toEqual([]);
});
