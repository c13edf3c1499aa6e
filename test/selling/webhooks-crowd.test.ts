import { expect, test } from 'bun:test';
import { openSellingStall } from './selling-stall.ts';
import { signStripe } from './signed.ts';
import { chargeRefunded, completed, refund } from './providers/stripe-events.ts';

const stall = await openSellingStall();
const reads = stall.app.stall.store;

/** Sends until the answer is not "come again", as a provider does. */
async function insist(event: unknown): Promise<number> {
  const { status } = await stall.stripe(event);
  return status === 503 ? insist(event) : status;
}

test('a thousand equal deliveries at once make one order, one grant and one mail', async () => {
  const reader = await stall.reader('crowd@example.org');
  const event = completed('crowd', 0, { customer_details: { email: 'crowd@example.org' } });
  const answers = await Promise.all(Array.from({ length: 1000 }, () => insist(event)));
  expect(new Set(answers)).toEqual(new Set([200]));
  const orders = reads.listAccountOrders(reader.account.id);
  expect(orders).toHaveLength(1);
  const grants = reads.listGrants(reader.account.id).filter(({ revokedAt }) => revokedAt === null);
  expect(grants.map(({ slug, source }) => [slug, source])).toEqual([['paid-book', `sale:${orders[0]?.id}`]]);
  expect(reads.listOrderMails(orders[0]?.id ?? 0).map(({ kind }) => kind)).toEqual(['library']);
});

test('a waiting order has one mail to claim it, and a refund before it is sent drops that', async () => {
  const event = completed('nobody', 0, { customer_details: { email: 'nobody@example.org' } });
  await Promise.all(Array.from({ length: 20 }, () => insist(event)));
  const order = reads.findOrderByKey('stripe', 'cs_live_nobody');
  expect(order).toMatchObject({ state: 'paid', accountId: null });
  const mails = () => reads.listOrderMails(order?.id ?? 0);
  expect(mails().map(({ kind, state, address }) => [kind, state, address])).toEqual([
    ['claim', 'manual', 'nobody@example.org'],
  ]);
  await insist(refund('refund.created', 'nobody', 60));
  expect(mails().map(({ kind, state }) => [kind, state])).toEqual([
    ['claim', 'dropped'],
    ['ended', 'manual'],
  ]);
});

test('a refund that comes before its sale leaves neither grant nor mail', async () => {
  const reader = await stall.reader('early@example.org');
  await insist(chargeRefunded('early', 60, 1900));
  expect(reads.findOrderByKey('stripe', 'pi_early')).toBeNull();
  await insist(completed('early', 0, { customer_details: { email: 'early@example.org' } }));
  const order = reads.findOrderByKey('stripe', 'pi_early');
  expect(order).toMatchObject({ state: 'refunded', accountId: reader.account.id });
  expect(reads.listGrants(reader.account.id)).toEqual([]);
  expect(reads.listOrderMails(order?.id ?? 0)).toEqual([]);
});

test('two hundred refunds at once revoke two hundred grants', async () => {
  const names = Array.from({ length: 200 }, (_, n) => `many${n}`);
  const reader = await stall.reader('many@example.org');
  const buyer = { customer_details: { email: 'many@example.org' } };
  await Promise.all(names.map((name) => insist(completed(name, 0, buyer))));
  const live = async () =>
    reads.listGrants(reader.account.id).filter(({ revokedAt }) => revokedAt === null).length;
  expect(await live()).toBe(200);
  await Promise.all(names.map((name) => insist(refund('refund.created', name, 60))));
  expect(await live()).toBe(0);
  expect((await stall.fetch('/api/install/paid-book', { headers: reader.headers })).status).toBe(403);
});

test('an unmapped product beside a mapped one waits, and opens its items once they are for sale', async () => {
  const reader = await stall.reader('unmapped@example.org');
  const buyer = { customer_details: { email: 'unmapped@example.org' } };
  await insist(completed('unmapped', 0, { ...buyer, payment_link: 'plink_unknown' }));
  expect(reads.findOrderByKey('stripe', 'cs_live_unmapped')).toMatchObject({
    state: 'unmatched',
    items: [],
    attention: 'No item names "plink_unknown": add it to "sell" of its item.yaml',
  });
  expect(reads.listGrants(reader.account.id)).toEqual([]);
  await insist(completed('mapped', 0, buyer));
  expect(reads.listGrants(reader.account.id)).toHaveLength(1);
});

test.each([
  ['less than the least', { amount_total: 499 }],
  ['less without tax', { amount_total: 599, total_details: { amount_tax: 100 } }],
  ['another currency', { currency: 'idr' }],
])('a sale that brought %s is held', async (title, more) => {
  const name = title.replaceAll(' ', '');
  await insist(completed(name, 0, more));
  const order = reads.findOrderByKey('stripe', `cs_live_${name}`);
  expect(order).toMatchObject({ state: 'held' });
  expect(order?.attention).toContain('"least"');
});

test('what a buyer writes into a link decides nothing', async () => {
  const reader = await stall.reader('mallory@example.org');
  const foreign = {
    client_reference_id: reader.account.id,
    metadata: { slug: 'paid-skill', account: reader.account.id, email: 'mallory@example.org' },
    custom_fields: [{ key: 'email', text: { value: 'mallory@example.org' } }],
    customer_details: { email: 'victim@example.org' },
  };
  await insist(completed('foreign', 0, foreign));
  expect(reads.findOrderByKey('stripe', 'cs_live_foreign')).toMatchObject({
    email: 'victim@example.org',
    accountId: null,
    items: [{ slug: 'paid-book' }],
  });
  expect(reads.listGrants(reader.account.id)).toEqual([]);
});

test('an account that nobody verified gets nothing by its address, until it is verified', async () => {
  const email = 'unverified@example.org';
  const account = {
    id: 'unverified',
    email,
    isOwner: false,
    createdAt: 1,
    disabledAt: null,
    verifiedAt: null,
  };
  await reads.write.addAccount(account);
  await insist(completed('unverified', 0, { customer_details: { email: 'Unverified@Example.ORG' } }));
  expect(reads.listGrants('unverified')).toEqual([]);
  await stall.signIn(email);
  expect(reads.listGrants('unverified')).toHaveLength(1);
});

test.each([
  ['GROSS@EXAMPLE.ORG', 'gross@example.org', true],
  ['ada@MÜNCHEN.example', 'ada@xn--mnchen-3ya.example', true],
  ['ädä@example.org', 'ÄDÄ@example.org', true],
  ['dots.here@example.org', 'dotshere@example.org', false],
  ['plus+tag@example.org', 'plus@example.org', false],
  ['аda@example.org', 'ada@example.org', false],
  ['"quoted name"@example.org', '"Quoted Name"@example.org', true],
  [`${'x'.repeat(309)}@example.org`, 'short@example.org', false],
])('a sale to %s opens for the account of %s: %p', async (sent, known, isSame) => {
  const id = crypto.randomUUID();
  const account = { isOwner: false, createdAt: 1, disabledAt: null, verifiedAt: 1 };
  await reads.write.addAccount({ ...account, id, email: known });
  await insist(completed(id, 0, { customer_details: { email: sent } }));
  const order = reads.findOrderByKey('stripe', `cs_live_${id}`);
  expect(order).toMatchObject({ state: 'paid', email: sent });
  const holder = reads.findAccount(known);
  expect(order?.accountId === holder?.id).toBe(isSame);
});

test('bodies are signed as they are sent, in pieces too', async () => {
  const { body, headers } = signStripe(completed('pieces', 0), Date.now());
  const pieces = new ReadableStream({
    start(controller) {
      for (const byte of new TextEncoder().encode(body).slice(0, 50)) controller.enqueue(Uint8Array.of(byte));
      controller.enqueue(new TextEncoder().encode(body).slice(50));
      controller.close();
    },
  });
  expect((await stall.deliver('stripe', { body: '', headers }, { body: pieces })).status).toBe(200);
});
