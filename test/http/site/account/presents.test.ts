import { expect, test } from 'bun:test';
import { chosen, openClaimStall, secretOf } from './claim-stall.ts';
import { requestMail } from '../../../../src/service/mails.ts';

const stall = await openClaimStall();

/** A purchase that its buyer turned into a present; the secret of the mail that came before. */
async function give(name: string, email: string): Promise<{ readonly id: number; readonly secret: string }> {
  const id = await stall.buy(name, email);
  const secret = secretOf((await stall.server.waitFor(email)).text);
  const browser = stall.browser();
  await browser.comeBack(name);
  expect((await browser.post('/claim/present')).text).toContain('svg_');
  return { id, secret };
}

test('the mail of a purchase that became a present opens nothing and makes no account', async () => {
  const { secret } = await give('present001', 'ada@example.org');
  const page = await stall.browser().post('/claim', { code: secret, ...chosen() });
  expect(page.text).toContain('it became a present');
  expect(await stall.store.findAccountByAddress('ada@example.org')).toBeNull();
});

test('a purchase that became a present is not mailed to its buyer again', async () => {
  const { id } = await give('present002', 'bea@example.org');
  requestMail(stall.app.stall, 'claim', 'bea@example.org', 'a client');
  // Writes are one after the other: what was asked for is done once this sale is.
  await stall.buy('another002', 'dora@example.org');
  await stall.settle();
  const mails = await stall.store.listOrderMails(id);
  expect(mails.map(({ kind, state }) => `${kind} ${state}`)).toEqual(['claim sent']);
  expect(stall.server.received.filter(({ to }) => to.includes('bea@example.org'))).toHaveLength(1);
});

test('the owner is told that a present has a code, and gets no link to claim it', async () => {
  const { id } = await give('present003', 'cleo@example.org');
  try {
    await stall.app.admin.linkToClaim(id, 'http://localhost');
    expect.unreachable();
  } catch (error) {
    expect((error as Error).message).toContain('it became a present, which its code opens');
  }
});

test('the return page of a purchase that became a present makes no account of it', async () => {
  await give('present004', 'dana@example.org');
  const browser = stall.browser();
  expect((await browser.comeBack('present004')).text).toContain('This purchase is a present');
  await browser.post('/claim', chosen());
  expect(await stall.store.findAccountByAddress('dana@example.org')).toBeNull();
});

test('the return page of a purchase whose buyer was erased knows nothing of it', async () => {
  const id = await stall.buy('erased0001', 'emil@example.org');
  await stall.app.admin.orders.erase(id);
  const { text } = await stall.browser().comeBack('erased0001');
  expect(text).toContain('Waiting for Stripe');
  expect(text).not.toContain('emil');
});
