import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { createBodyRoom, readBody } from '../../src/platform/http/body.ts';
import { messageOf } from '../../src/platform/base/refusal.ts';
import { openSocket, sendRaw } from '../platform/http/raw-socket.ts';
import { openSellingStall } from './selling-stall.ts';
import { type Signed, signLemonSqueezy, signStripe } from './signed.ts';
import { order } from './providers/lemonsqueezy-events.ts';
import { completed, refund } from './providers/stripe-events.ts';

const stall = await openSellingStall({ config: { routeBudget: { limit: 40, seconds: 3600 } } });
const reads = stall.app.stall.store;
const database = new Database(join(stall.data, 'bookstall.db'), { readonly: true });
let count = 0;
const newName = () => `h${(count += 1)}`;
const events = () => database.query('SELECT count(*) AS events FROM sale_events').get();
const send = (signed: Signed, extra: RequestInit = {}) => stall.deliver('stripe', signed, extra);

const REFUSED: readonly (readonly [title: string, sign: (event: unknown) => Signed])[] = [
  ["another stall's secret", (event) => signStripe(event, Date.now(), 'whsec_of_another_stall')],
  ['a clock 301 s behind', (event) => signStripe(event, Date.now() - 302_000)],
  ['a clock 301 s ahead', (event) => signStripe(event, Date.now() + 302_000)],
  ['a changed amount', (event) => changed(event, (body) => body.replace('1900', '1901'))],
  ['another address', (event) => changed(event, (body) => body.replace('ada@', 'eve@'))],
  ['a cut end', (event) => changed(event, (body) => body.slice(0, -1))],
  ['other white space', (event) => changed(event, (body) => JSON.stringify(JSON.parse(body)))],
  ['no signature', (event) => ({ ...signStripe(event, Date.now()), headers: {} })],
  ["another provider's signature", (event) => signLemonSqueezy(JSON.stringify(event))],
];

function changed(event: unknown, change: (body: string) => string): Signed {
  const { body, headers } = signStripe(event, Date.now());
  return { body: change(body), headers };
}

test.each(REFUSED)('a delivery with %s is refused, and nothing is kept', async (_, sign) => {
  const before = events();
  const answer = await send(sign(completed(newName(), 0)));
  expect(answer.status).toBe(401);
  expect(await answer.json()).toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(events()).toEqual(before);
});

test('two headers of a signature are no signature, even if one is right', async () => {
  const { body, headers } = signStripe(completed(newName(), 0), Date.now());
  const right = headers['Stripe-Signature'] ?? '';
  for (const [first, second] of [
    [right, 't=1,v1=00'],
    ['t=1,v1=00', right],
  ]) {
    const lines = [
      'POST /webhooks/stripe HTTP/1.1',
      `Host: ${new URL(stall.url).host}`,
      `Stripe-Signature: ${first}`,
      `Stripe-Signature: ${second}`,
      `Content-Length: ${Buffer.byteLength(body)}`,
    ];
    expect((await sendRaw(stall.url, lines, body))?.status).toBe(401);
  }
});

test.each([
  ['a foreign origin', { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }],
  ['a form as content type', { 'Content-Type': 'application/x-www-form-urlencoded' }],
  ['no content type', { 'Content-Type': '' }],
  ['a wrong key', { Authorization: 'Bearer svc_wrong' }],
  ["a stranger's cookie", { Cookie: 'session=x.y' }],
  ['the name of an encoding that the body has not', { 'Content-Encoding': 'gzip' }],
])('a signed delivery with %s is taken', async (_, more) => {
  const name = newName();
  const { body, headers } = signStripe(completed(name, 0), Date.now());
  expect((await send({ body, headers: { ...headers, ...more } })).status).toBe(200);
  expect(reads.findOrderByKey('stripe', `cs_live_${name}`)).not.toBeNull();
});

test('a compressed body is not unpacked: its bytes are what is signed', async () => {
  const name = newName();
  const packed = gzipSync(JSON.stringify(completed(name, 0)));
  const { headers } = signStripe(JSON.stringify(completed(name, 0)), Date.now());
  const answer = await stall.fetch('/webhooks/stripe', {
    method: 'POST',
    body: packed,
    headers: { ...headers, 'Content-Encoding': 'gzip' },
  });
  expect(answer.status).toBe(401);
});

test.each([
  ['not JSON', 'not json'],
  ['an empty body', ''],
  ['a list', '[]'],
  ['null', 'null'],
  ['an object of another kind', '{"hello":1}'],
  ['bytes that are no text', '"\ud800"'],
  ['names of prototypes', '{"__proto__":{"id":"evt_x"},"type":"constructor","data":{"object":{}}}'],
])('a signed body with %s is answered, and makes no order', async (_, body) => {
  const open = reads.findSaleTroubles(Date.now());
  expect((await send(signStripe(body, Date.now()))).status).toBe(200);
  expect(reads.findSaleTroubles(Date.now())).toEqual(open);
});

test.each([
  ['checkout.session.completed', {}],
  ['checkout.session.completed', { id: 5, mode: [], amount_total: '1900', payment_link: {} }],
  ['invoice.paid', { id: 'in_x', lines: { data: [null, 5, { period: 7 }] } }],
  ['customer.subscription.updated', { id: 'sub_x', status: '__proto__', items: null }],
  ['charge.refunded', { id: 'ch_x', amount_refunded: -5, payment_intent: null }],
  ['toString', { id: 'x' }],
])('an event %s with the object %j is answered, and is not failed', async (type, object) => {
  const event = { ...completed(newName(), 0), type, data: { object } };
  expect((await send(signStripe(event, Date.now()))).status).toBe(200);
  expect(reads.findSaleTroubles(Date.now())).toMatchObject({ failed: 0, waitingSince: null });
});

test('a signed delivery that is sent again after the refund brings nothing back', async () => {
  const name = newName();
  const sale = signStripe(completed(name, 0), Date.now());
  await send(sale);
  await send(signStripe(refund('refund.created', name, 60), Date.now()));
  expect((await send(sale)).status).toBe(200);
  expect(reads.findOrderByKey('stripe', `pi_${name}`)).toMatchObject({ state: 'refunded' });
});

test('a body of 512 KiB is read, and one of 513 KiB is not', async () => {
  const event = (size: number) => {
    const text = JSON.stringify({ ...completed(newName(), 0), padding: '' });
    return text.replace('"padding":""', `"padding":"${'x'.repeat(size - text.length)}"`);
  };
  const largest = event(512 * 1024);
  expect(largest).toHaveLength(512 * 1024);
  expect((await send(signStripe(largest, Date.now()))).status).toBe(200);
  expect((await send(signStripe(event(513 * 1024), Date.now()))).status).toBe(413);
  const chunked = new ReadableStream({
    pull(controller) {
      controller.enqueue(new Uint8Array(65_536));
    },
  });
  const answer = stall.fetch('/webhooks/stripe', { method: 'POST', body: chunked });
  expect(
    await answer.then(
      ({ status }) => status,
      () => 413,
    ),
  ).toBe(413);
});

test('a body that takes too long is refused', async () => {
  const room = createBodyRoom(1, () => new Error('given away'), 20);
  const request = new Request('http://stall.test/webhooks/stripe', {
    method: 'POST',
    body: new ReadableStream({ pull: () => new Promise(() => {}) }),
  });
  const outcome = await readBody(request, 1000, String, room('slow', 1)).catch(messageOf);
  expect(outcome).toBe("Cannot wait more than 0.02 s for a request's body: send it faster");
});

test('the sixty-fifth body at once is asked to come again, and the others are taken', async () => {
  const { body, headers } = signStripe(completed(newName(), 0), Date.now());
  const lines = [
    'POST /webhooks/stripe HTTP/1.1',
    `Host: ${new URL(stall.url).host}`,
    `Stripe-Signature: ${headers['Stripe-Signature']}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  const sockets = Array.from({ length: 64 }, () => openSocket(stall.url, lines, body.slice(0, 10)));
  const busy = async () => {
    const answer = await send(signStripe(completed(newName(), 0), Date.now()));
    return answer.status === 503 ? answer : null;
  };
  let answer = await busy();
  while (answer === null) answer = await busy();
  expect(answer.headers.get('retry-after')).toBe('1');
  const whole = sockets.map(async (socket) => {
    socket.write(body.slice(10));
    for await (const chunk of socket) return String(chunk).split(' ')[1];
    return 'closed';
  });
  expect(new Set(await Promise.all(whole))).toEqual(new Set(['200']));
  sockets.forEach((socket) => socket.destroy());
  expect((await send(signStripe(completed(newName(), 0), Date.now()))).status).toBe(200);
});

test('a provider that is not set up is not found, as is one that is none', async () => {
  for (const name of ['polar', 'gumroad', 'nobody', 'constructor', 'stripe/', 'stripe/x'])
    expect((await stall.deliver(name, signStripe(completed(newName(), 0), Date.now()))).status).toBe(404);
  const answer = await stall.deliver('polar', signStripe(completed(newName(), 0), Date.now()));
  expect(await answer.json()).toMatchObject({
    error: expect.stringContaining('sales of Polar are not set up here; "bookstall sell check"'),
  });
});

test('failures take the budget of their address, and verified deliveries take none and are never refused', async () => {
  const wrong = () => send(signStripe(completed(newName(), 0), Date.now(), 'whsec_wrong'));
  let answer = await wrong();
  while (answer.status === 401) answer = await wrong();
  expect(answer.status).toBe(429);
  for (let n = 0; n < 60; n++)
    expect((await send(signStripe(completed(newName(), 0), Date.now()))).status).toBe(200);
  expect((await stall.lemonsqueezy(order('order_created', 0))).status).toBe(200);
});

test('no log line holds an address, an id of the provider or a body', () => {
  const text = JSON.stringify(stall.log);
  expect(text).toContain('"/webhooks/:provider"');
  expect(text).not.toMatch(/ada@|cs_live|whsec|plink/);
});
