import { describe, expect, test } from 'bun:test';
import { parseNetworks } from '../../src/platform/http/address.ts';
import { openSellingStall, TEST_SECRET } from './selling-stall.ts';
import { signStripe } from './signed.ts';
import { completed, refund } from './providers/stripe-events.ts';
import { openSocket } from '../platform/http/raw-socket.ts';
import { parseEvents } from '../helpers/harness.ts';
import { aborted, BODY, scriptedEngine, text } from '../asking/engines/scripted-engine.ts';
import { visitAs, wordsOf } from '../office/visit.ts';
import { order } from './providers/lemonsqueezy-events.ts';

const PLACES = 64;

const stall = await openSellingStall({ config: { trustedProxies: parseNetworks('127.0.0.1') } });
let count = 0;
const newEvent = () => signStripe(completed(`slow${(count += 1)}`, 0), Date.now());
const deliverFrom = async (address: string): Promise<number> => {
  const signed = newEvent();
  const headers = { ...signed.headers, 'X-Forwarded-For': address };
  return (await stall.deliver('stripe', { ...signed, headers })).status;
};

/** Begins a delivery from each address, and sends nothing after its first bytes. */
async function stallFrom(addresses: readonly string[]) {
  const sockets = addresses.map((address) =>
    openSocket(
      stall.url,
      [
        'POST /webhooks/stripe HTTP/1.1',
        `Host: ${new URL(stall.url).host}`,
        `X-Forwarded-For: ${address}`,
        'Content-Length: 100',
      ],
      '{',
    ),
  );
  const statuses: string[] = [];
  for (const socket of sockets)
    socket.on('data', (chunk) => statuses.push(String(chunk).split(' ')[1] ?? '')).on('error', () => {});
  // Every place is taken once the client that holds as many as any is asked to come again.
  while ((await deliverFrom(addresses[0] ?? '')) !== 503);
  return { statuses, end: () => sockets.forEach((socket) => socket.destroy()) };
}

test.each([
  ['one address', Array<string>(PLACES).fill('192.0.2.1')],
  ['four addresses', Array.from({ length: PLACES }, (_, n) => `192.0.2.${n % 4}`)],
  ['64 addresses', Array.from({ length: PLACES }, (_, n) => `192.0.2.${n}`)],
])('deliveries that never end, from %s, keep no other sender out', async (_, addresses) => {
  const { statuses, end } = await stallFrom(addresses);
  expect(await deliverFrom('198.51.100.7')).toBe(200);
  while (statuses.length === 0) await Bun.sleep(1);
  expect(statuses).toEqual(['503']);
  end();
});

const BUYERS = 40;

test('refunds end the answers that are streaming to their buyers, and no other', async () => {
  const engine = scriptedEngine(async function* (question) {
    yield text('One. ');
    await aborted(question);
  });
  const stall = await openSellingStall({ engine });
  const buyers = await Promise.all(
    Array.from({ length: BUYERS }, (_, n) => stall.reader(`buyer${n}@example.org`)),
  );
  const buy = (email: string, n: number) =>
    stall.stripe(completed(`b${n}`, 0, { customer_details: { email } }));
  for (const [n, { email }] of buyers.entries()) expect((await buy(email, n)).status).toBe(200);
  const granted = await stall.reader('granted@example.org', 'paid-book');
  const ask = (headers: Record<string, string>, signal?: AbortSignal) =>
    stall.fetch('/api/agent/fetch', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: BODY,
      ...(signal === undefined ? {} : { signal }),
    });
  const leaving = new AbortController();
  const other = await ask(granted.headers, leaving.signal);
  const answers = await Promise.all(buyers.map(({ headers }) => ask(headers)));
  expect(answers.map(({ status }) => status)).toEqual(Array<number>(BUYERS).fill(200));

  await Promise.all(buyers.map((_, n) => stall.stripe(refund('refund.created', `b${n}`, 60))));
  const ends = await Promise.all(answers.map(async (answer) => parseEvents(await answer.text()).at(-1)));
  for (const end of ends) expect(end).toMatchObject({ event: 'error', data: { code: 'ACCESS_DENIED' } });
  const reads = stall.app.stall.store;
  expect(reads.listGrants(null).filter(({ revokedAt }) => revokedAt === null)).toHaveLength(1);
  const reader = other.body?.getReader();
  expect(Buffer.from((await reader?.read())?.value ?? []).toString()).toContain('One. ');
  leaving.abort();
});

describe('webhooks', async () => {
  const stall = await openSellingStall();
  const reads = stall.app.stall.store;
  const find = (key: string, provider = 'stripe') => reads.findOrderByKey(provider, key);

  test('a sale of Stripe makes an order, and its account may install', async () => {
    const reader = await stall.reader('ada@example.org');
    expect((await stall.fetch('/api/install/paid-book', { headers: reader.headers })).status).toBe(403);
    const answer = await stall.stripe(completed('first', 0));
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('');
    expect(find('cs_live_first')).toMatchObject({ state: 'paid', amount: 1900, attachedBy: 'address' });
    expect((await stall.fetch('/api/install/paid-book', { headers: reader.headers })).status).toBe(200);
    await stall.stripe(refund('refund.created', 'first', 60));
    expect((await stall.fetch('/api/install/paid-book', { headers: reader.headers })).status).toBe(403);
  });

  test('a sale of Lemon Squeezy makes an order', async () => {
    expect((await stall.lemonsqueezy(order('order_created', 0))).status).toBe(200);
    expect(find('order:900', 'lemonsqueezy')).toMatchObject({ state: 'paid', providerRef: '900' });
  });

  test('the page of an order lists what happened by its time, not by its arrival', async () => {
    await stall.stripe(refund('refund.created', 'late', 60));
    await stall.stripe(completed('late', 0));
    await stall.app.admin.accounts.add('owner@example.org', true);
    const { open } = visitAs(stall, await stall.signIn('owner@example.org'));
    const words = wordsOf((await open(`/admin/orders/${find('cs_live_late')?.id}`)).html);
    const events = [...words.matchAll(/checkout\.session\.completed|refund\.created/g)].map(
      ([event]) => event,
    );
    expect([...new Set(events)]).toEqual(['checkout.session.completed', 'refund.created']);
  });

  test('an event of the sandbox is answered and grants nothing', async () => {
    expect((await stall.stripe(completed('sandbox', 0), TEST_SECRET)).status).toBe(200);
    expect((await stall.stripe({ ...completed('marked', 0), livemode: false })).status).toBe(200);
    expect([find('cs_live_sandbox'), find('cs_live_marked')]).toEqual([null, null]);
    await stall.app.admin.replays.all();
    expect([find('cs_live_sandbox'), find('cs_live_marked')]).toEqual([null, null]);
  });
});
