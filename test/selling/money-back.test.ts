import { describe, expect, test } from 'bun:test';
import { DAY } from '../../src/platform/base/duration.ts';
import { guaranteedDays } from '../../src/selling/guarantee.rule.ts';
import { openClaimStall } from './claim-stall.ts';

const stall = await openClaimStall({
  yaml: 'name: The Heron Stall\ndefaults:\n  guarantee: Money back within 20 days, no questions\n',
});
await stall.app.admin.accounts.add('owner@example.org', true);
const headers = { ...(await stall.signIn('owner@example.org')), 'Sec-Fetch-Site': 'same-origin' };
const office = async (path: string) => (await stall.fetch(path, { headers })).text();

/** A buyer who came back from the checkout; `ask` sends the form of their library. */
async function buyer(name: string, more = {}) {
  const id = await stall.buy(name, `${name}@example.org`, more);
  const browser = stall.browser();
  await browser.comeBack(name);
  const path = `/dashboard/orders/${stall.store.findOrder(id)?.ref}/money-back`;
  const form = async () => (await browser.open('/dashboard')).html.includes(`action="${path}"`);
  return { id, path, browser, form, ask: (reason = '') => browser.post(path, { reason }) };
}

describe('asking for the money back', () => {
  test('shows the owner the order with its reason and payment, once, until the refund comes', async () => {
    const ada = await buyer('backada01');
    expect(await ada.form()).toBe(true);
    expect((await ada.ask('Too \u202e<short>\nfor me')).headers.get('location')).toBe('/dashboard');
    expect([await ada.form(), (await ada.ask()).status]).toEqual([false, 400]);
    expect((await ada.browser.open('/dashboard')).text).toContain('You asked for the money back on');
    const [list, order] = [await office('/admin/orders'), await office(`/admin/orders/${ada.id}`)];
    expect(list).toMatch(/Need your attention.*The buyer asks for the money back: “Too &lt;short> for me”/s);
    expect(order).toContain('href="https://dashboard.stripe.com/search?query=cs_live_backada01"');
    expect(order).toMatch(new RegExp(`action="/admin/orders/${ada.id}/grant".*Decline`, 's'));
    await stall.server.waitFor('owner@example.org');

    expect(JSON.stringify(await stall.app.admin.personalData.export('backada01@example.org'))).toContain(
      'Too <short> for me',
    );
    stall.pass(DAY);
    await stall.giveBack('backada01');
    expect(stall.store.findOrder(ada.id)).toMatchObject({ state: 'refunded', attention: null });
    await stall.app.admin.orders.erase(ada.id);
    expect(JSON.stringify(stall.store.listOrderFacts(ada.id))).not.toContain('short');
  });

  test('ends with “Decline”, and the order stays open', async () => {
    const bob = await buyer('backbob01');
    await bob.ask();
    expect(stall.store.findOrder(bob.id)?.attention).toBe('The buyer asks for the money back');
    await stall.app.admin.orders.grant(bob.id);
    expect(stall.store.findOrder(bob.id)).toMatchObject({ state: 'paid', attention: null });
    expect((await bob.ask()).status).toBe(400);
  });

  test('is not possible for an order that cost nothing', async () => {
    const free = await buyer('backfree1', { amount_total: 0, amount_subtotal: 0 });
    await stall.app.admin.orders.grant(free.id);
    await free.browser.comeBack('backfree1');
    expect(stall.store.findOrder(free.id)).toMatchObject({ state: 'paid', amount: 0, attention: null });
    expect([await free.form(), (await free.ask()).status]).toEqual([false, 400]);
  });

  test('is not possible for another’s order, and after the last day', async () => {
    const [cy, eve] = [await buyer('backcy001'), await buyer('backeve01')];
    expect((await eve.browser.post(cy.path, { reason: '' })).status).toBe(400);
    stall.pass(20 * DAY);
    expect(await cy.form()).toBe(true);
    stall.pass(DAY);
    expect([await cy.form(), (await cy.ask()).status]).toEqual([false, 400]);
  });
});

test.each([
  ['14 Tage Geld zurück', 14],
  ['３０日間返金保証', 30],
  ['A 60-day guarantee', 60],
  ['Remboursé sous 7 jours, 24 h sur 24', 7],
  ['Version 2: satisfied or your money', Infinity],
])('%p is a guarantee of %p days', (guarantee, days) => {
  expect(guaranteedDays(guarantee)).toBe(days);
});
