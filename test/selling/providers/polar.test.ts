import { describe, expect, test } from 'bun:test';
import { Webhook } from 'standardwebhooks';
import { polar } from '../../../src/selling/providers/polar.ts';
import { order } from './polar-events.ts';

const NOW = Date.UTC(2026, 10, 2, 12);
const BODY = JSON.stringify({ ...order('paid', 0), note: 'ünïcode \u{1F4DA}' });
const SECRET = 'polar_whs_of_this_stall_ü';
const ENCODED = `whsec_${Buffer.from('another secret of this stall').toString('base64')}`;

type Headers = Readonly<Record<string, string>>;

/** As Polar signs: Standard Webhooks with the secret's own bytes as the key, or with what its base64 says. */
function sign(body: string, at: number, key: string | Webhook = SECRET, id = 'msg_1'): Headers {
  const webhook = typeof key === 'string' ? new Webhook(Buffer.from(key).toString('base64')) : key;
  return {
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': webhook.sign(id, new Date(at), body),
  };
}
const verifies = (headers: Headers, secrets: readonly string[] = [SECRET], body = BODY): boolean =>
  polar.verify(
    { body: new TextEncoder().encode(body), header: (name) => headers[name] ?? null },
    secrets,
    NOW,
  );

describe('a delivery of Polar', () => {
  test('verifies as signed with the secret, with its base64, and with a secret that is replaced', () => {
    expect(verifies(sign(BODY, NOW))).toBeTrue();
    expect(verifies(sign(BODY, NOW, ENCODED), [ENCODED])).toBeTrue();
    expect(verifies(sign(BODY, NOW, new Webhook(ENCODED)), [ENCODED])).toBeTrue();
    expect(verifies(sign(BODY, NOW), ['the next secret', SECRET])).toBeTrue();
    const headers = sign(BODY, NOW);
    const two = `v1,${Buffer.alloc(32).toString('base64')} ${headers['webhook-signature']}`;
    expect(verifies({ ...headers, 'webhook-signature': two })).toBeTrue();
  });

  const good = sign(BODY, NOW);
  test.each<[string, Headers, string?]>([
    ['of another stall', sign(BODY, NOW, 'another')],
    ['301 seconds old', sign(BODY, NOW - 301_000)],
    ['301 seconds ahead', sign(BODY, NOW + 301_000)],
    ['with another body', good, `${BODY} `],
    ['with another id', { ...good, 'webhook-id': 'msg_2' }],
    ['with another time', { ...good, 'webhook-timestamp': String(NOW / 1000 + 1) }],
    ['with two ids', { ...good, 'webhook-id': 'msg_1, msg_1' }],
    ['without an id', { ...good, 'webhook-id': undefined as unknown as string }],
    ['without a time', { ...good, 'webhook-timestamp': undefined as unknown as string }],
    ['without a signature', { ...good, 'webhook-signature': undefined as unknown as string }],
    [
      'with a short signature',
      { ...good, 'webhook-signature': (good['webhook-signature'] ?? '').slice(0, -4) },
    ],
    [
      'with the signature of another version',
      { ...good, 'webhook-signature': (good['webhook-signature'] ?? '').replace('v1,', 'v2,') },
    ],
    ['with a signature that is not base64', { ...good, 'webhook-signature': 'v1,ü' }],
  ])('%s does not verify', (_, headers, body = BODY) => {
    expect(verifies(headers, [SECRET], body)).toBeFalse();
  });

  test('that is no event of an order says nothing', () => {
    const unreadable = [
      null,
      [],
      'x',
      {},
      { type: 'order.paid' },
      { ...order('paid', 0), timestamp: 'yesterday' },
    ];
    for (const body of unreadable) expect(polar.read(body)).toBeNull();
    const silent = ['refund.created', 'constructor', '__proto__', 'customer.created'];
    for (const type of silent) expect(polar.read({ ...order('paid', 0), type })?.facts).toEqual([]);
    expect(
      polar.read({ type: 'order.paid', timestamp: '2026-11-02T10:00:00Z', data: { id: 7 } })?.facts,
    ).toEqual([]);
  });

  test('never takes an item from what the buyer writes', () => {
    const facts = polar.read(order('paid', 0))?.facts ?? [];
    expect(JSON.stringify(facts)).not.toMatch(/every-book|0002-4000/);
  });
});
