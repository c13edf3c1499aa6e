import { expect, test } from 'bun:test';
import Stripe from 'stripe';
import { stripe } from '../../src/selling/providers/stripe.ts';
import { signStripe, STRIPE_SECRET } from './signed.ts';
import { completed, NOON } from './providers/stripe-events.ts';

/** Stripe's own library: it signs what we verify, and verifies what we sign. */
const sdk = new Stripe('sk_test_none');
const now = NOON * 1000;
const payload = JSON.stringify({ ...completed('ü', 0), note: 'ünïcode \u{1F4DA}' });
const deliveryOf = (signature: string, body = payload) => ({
  body: new TextEncoder().encode(body),
  header: (name: string) => (name === 'stripe-signature' ? signature : null),
});
const sign = (timestamp: number, secret = STRIPE_SECRET) =>
  sdk.webhooks.generateTestHeaderStringAsync({ payload, secret, timestamp });

test("a signature of Stripe's own library verifies", async () => {
  expect(stripe.verify(deliveryOf(await sign(NOON)), [STRIPE_SECRET], now)).toBeTrue();
  expect(stripe.verify(deliveryOf(await sign(NOON)), ['whsec_new', STRIPE_SECRET], now)).toBeTrue();
});

test("a signature of another secret does not verify, here and in Stripe's library", async () => {
  const header = await sign(NOON, 'whsec_of_another_stall');
  expect(stripe.verify(deliveryOf(header), [STRIPE_SECRET], now)).toBeFalse();
  const verified = sdk.webhooks.constructEventAsync(payload, header, STRIPE_SECRET, 300, undefined, now);
  expect(
    await verified.then(
      () => 'verified',
      () => 'refused',
    ),
  ).toBe('refused');
});

test("Stripe's own library verifies how the tests sign", async () => {
  const { body, headers } = signStripe(payload, now);
  const header = headers['Stripe-Signature'] ?? '';
  const event = await sdk.webhooks.constructEventAsync(body, header, STRIPE_SECRET, 300, undefined, now);
  expect(event.type).toBe('checkout.session.completed');
});

test.each([
  [-301, false],
  [-300, true],
  [0, true],
  [300, true],
  // The library takes a signature of tomorrow.
  [301, false],
  [86_400, false],
])('a signature of %d seconds from now verifies: %p', async (seconds, isTaken) => {
  expect(stripe.verify(deliveryOf(await sign(NOON + seconds)), [STRIPE_SECRET], now)).toBe(isTaken);
});

test('several signatures verify if any is right, as while a secret is replaced', async () => {
  const [time = '', right = ''] = (await sign(NOON)).split(',');
  const wrong = `v1=${'0'.repeat(64)}`;
  for (const header of [`${time},${wrong},${right}`, `${time},${right},${wrong}`, `${time},v0=x,${right}`])
    expect(stripe.verify(deliveryOf(header), [STRIPE_SECRET], now)).toBeTrue();
});

test.each([
  ['two times', (time: string, mac: string) => `${time},${time},${mac}`],
  ['an older time first', (time: string, mac: string) => `t=1,${time},${mac}`],
  ['no time', (_: string, mac: string) => mac],
  ['a time with a zero before it', (time: string, mac: string) => `${time.replace('t=', 't=0')},${mac}`],
  ['a time with a fraction', (time: string, mac: string) => `${time}.0,${mac}`],
  ['no signature', (time: string) => time],
  ['a shortened signature', (time: string, mac: string) => `${time},${mac.slice(0, -1)}`],
  ['a lengthened signature', (time: string, mac: string) => `${time},${mac}0`],
  ['an empty signature', (time: string) => `${time},v1=`],
  ['the signature in capitals', (time: string, mac: string) => `${time},v1=${mac.slice(3).toUpperCase()}`],
  ['another scheme', (time: string, mac: string) => `${time},${mac.replace('v1', 'v0')}`],
  ['twenty signatures', (time: string, mac: string) => [time, ...Array(20).fill(mac)].join(',')],
  ['nothing', () => ''],
])('a header with %s is refused', async (_, spell) => {
  const [time = '', mac = ''] = (await sign(NOON)).split(',');
  expect(stripe.verify(deliveryOf(`${time},${mac}`), [STRIPE_SECRET], now)).toBeTrue();
  expect(stripe.verify(deliveryOf(spell(time, mac)), [STRIPE_SECRET], now)).toBeFalse();
});

test.each([
  ['a byte changed', payload.replace('1900', '1901')],
  ['a byte less', payload.slice(0, -1)],
  ['a line end more', `${payload}\n`],
  ['other spaces', JSON.stringify(JSON.parse(payload), null, 1)],
  ['escapes instead of letters', payload.replace('\u{1F4DA}', String.raw`\ud83d\udcda`)],
])('a body with %s is refused', async (_, body) => {
  expect(stripe.verify(deliveryOf(await sign(NOON), body), [STRIPE_SECRET], now)).toBeFalse();
});
