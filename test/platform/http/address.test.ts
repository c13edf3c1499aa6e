import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createAddressReader,
  formatClient,
  formatNetworks,
  parseIp,
  parseNetworks,
  siteOf,
} from '../../../src/platform/http/address.ts';
import { Refusal } from '../../../src/platform/base/refusal.ts';

function openReader(trustedProxies = '') {
  const uses: string[] = [];
  const read = createAddressReader({
    trustedProxies: parseNetworks(trustedProxies),
    see: (sight, peer) => uses.push(`${sight} ${peer}`),
  });
  return { read, uses };
}

const read = openReader().read;
const proxied = openReader('10.0.0.0/8, fd00::/8').read;

describe('client address of a peer', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7', '203.0'],
    ['::ffff:203.0.113.7', '203.0.113.7', '203.0'],
    ['::ffff:cb00:7107', '203.0.113.7', '203.0'],
    ['2001:db8:a:b::1', '2001:db8:a:b', '2001:db8'],
    ['2001:DB8:A:B:ffff:ffff:ffff:ffff', '2001:db8:a:b', '2001:db8'],
    ['2001:db8:a:c::1', '2001:db8:a:c', '2001:db8'],
    ['::1', '0:0:0:0', '0:0'],
    ['fe80::1%eth0', 'fe80:0:0:0', 'fe80:0'],
    [null, 'unknown', 'unknown'],
    ['', 'unknown', 'unknown'],
    ['/run/bookstall.sock', 'unknown', 'unknown'],
  ])('%p counts as %s in %s', (peer, key, coarseKey) => {
    expect(read(peer, null)).toEqual({ key, coarseKey });
  });

  test('mapped IPv4 clients do not share a bucket (CVE-2026-30827)', () => {
    fc.assert(
      fc.property(fc.ipV4(), fc.ipV4(), (one, other) => {
        expect(read(`::ffff:${one}`, null)).toEqual(read(one, null));
        expect(read(`::ffff:${one}`, null).key === read(`::ffff:${other}`, null).key).toBe(one === other);
      }),
    );
  });

  test('an IPv6 network of 64 bits is one bucket, its neighbour another', () => {
    const group = fc.integer({ min: 0, max: 0xffff });
    const groups = (length: number) => fc.array(group, { minLength: length, maxLength: length });
    const write = (parts: readonly number[]) => parts.map((part) => part.toString(16)).join(':');
    fc.assert(
      fc.property(
        fc.integer({ min: 0x2000, max: 0x3fff }),
        groups(3),
        groups(4),
        groups(4),
        (first, net, one, other) => {
          const key = read(write([first, ...net, ...one]), null).key;
          expect(read(write([first, ...net, ...other]), null).key).toBe(key);
          expect(read(write([first, net[0]!, net[1]!, net[2]! ^ 1, ...one]), null).key).not.toBe(key);
        },
      ),
    );
  });
});

describe('a client in words', () => {
  test('is the network of its addresses alone, as firewalls read it', () => {
    const ipv6 = fc.bigInt({ min: 0x2000n << 112n, max: (0x4000n << 112n) - 1n });
    const write = (bits: bigint) => bits.toString(16).match(/.{4}/g)!.join(':');
    fc.assert(
      fc.property(ipv6, fc.integer({ min: 0, max: 124 }), (bits, flipped) => {
        const one = read(write(bits), null).key;
        const other = write(bits ^ (1n << BigInt(flipped)));
        const [network] = parseNetworks(formatClient(one));
        const isInside = parseIp(other)!.match(network![0], network![1]);
        expect(isInside).toBe(read(other, null).key === one);
      }),
    );
    expect(formatClient('203.0.113.7')).toBe('203.0.113.7');
  });

  test('has the prefix length that the Handbook names', () => {
    const limits = readFileSync(
      join(import.meta.dir, '../../../content/books/handbook/4d-limits.md'),
      'utf8',
    );
    const [, length] = formatClient('2001:db8:0:1').split('/');
    expect(limits).toContain(`IPv6 by its /${length} network`);
    expect(limits).toContain(`one address or /${length}`);
  });

  test.each([
    ['2001:db8:a:b', '2001:db8:a'],
    ['203.0.113.7', '203.0.113.7'],
  ])('%s is of the site %s', (client, site) => {
    expect(siteOf(client)).toBe(site);
  });
});

describe('client address behind proxies', () => {
  test.each([
    ['one hop', '203.0.113.7', '203.0.113.7'],
    [
      'the right-most untrusted hop, not the left-most (CVE-2025-59152)',
      '6.6.6.6, 203.0.113.7',
      '203.0.113.7',
    ],
    ['trusted hops dropped', '6.6.6.6, 203.0.113.7, 10.0.0.9, fd00::9', '203.0.113.7'],
    ['a mapped trusted hop dropped', '203.0.113.7, ::ffff:10.0.0.9', '203.0.113.7'],
    ['all hops trusted: the left-most', '10.0.0.8, 10.0.0.9', '10.0.0.8'],
    ['a port', '203.0.113.7:4711', '203.0.113.7'],
    ['brackets', '[2001:db8:a:b::1]', '2001:db8:a:b'],
    ['brackets and a port', '[2001:db8:a:b::1]:443', '2001:db8:a:b'],
    ['brackets, a zone and a port', '[fe80::1%eth0]:443', 'fe80:0:0:0'],
    ['a bare IPv6 address', '2001:db8:a:b::1', '2001:db8:a:b'],
    ['no white space', '6.6.6.6,203.0.113.7', '203.0.113.7'],
    ['tabs', '6.6.6.6,\t203.0.113.7\t', '203.0.113.7'],
    ['an empty value', '', '10.0.0.1'],
    ['a comma', ',', '10.0.0.1'],
    ['an empty last hop', '6.6.6.6, ', '10.0.0.1'],
    ['an empty first hop', ', 10.0.0.9', '10.0.0.9'],
    ['a malformed last hop', '6.6.6.6, nonsense', '10.0.0.1'],
    ['a hidden hop', '6.6.6.6, unknown, 10.0.0.9', '10.0.0.9'],
    ['a hop in octal', '6.6.6.6, 010.0.0.9', '10.0.0.1'],
    ['a malformed port', '6.6.6.6, 203.0.113.7:port', '10.0.0.1'],
    ['a quoted hop', '6.6.6.6, "203.0.113.7"', '10.0.0.1'],
    ['an over-long zone', `6.6.6.6, fe80::1%${'a'.repeat(16_000)}`, '10.0.0.1'],
    ['more trusted hops than anyone has', `6.6.6.6${', 10.0.0.9'.repeat(2_000)}`, '10.0.0.9'],
  ])('%s', (_, forwardedFor, key) => {
    expect(proxied('10.0.0.1', forwardedFor).key).toBe(key);
  });

  test.each([
    ['203.0.113.9', '203.0.113.9'],
    ['127.0.0.1', '127.0.0.1'],
    ['2001:db8:a:b::1', '2001:db8:a:b'],
    [null, 'unknown'],
  ])('a header from %p, which is not trusted, counts nothing', (peer, key) => {
    expect(proxied(peer, '6.6.6.6').key).toBe(key);
  });

  test('what a client writes before its own address never changes the bucket', () => {
    const client = fc.ipV4().filter((ip) => !ip.startsWith('10.'));
    const hops = fc.array(fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constant('10.0.0.9')));
    fc.assert(
      fc.property(hops, client, fc.integer({ min: 0, max: 5 }), (spoofed, ip, trusted) => {
        const header = [...spoofed, ip, ...Array<string>(trusted).fill('10.0.0.9')].join(', ');
        expect(proxied('10.0.0.1', header).key).toBe(ip);
      }),
    );
  });

  test('any header is read without a throw', () => {
    fc.assert(fc.property(fc.string(), fc.string(), (peer, header) => proxied(peer, header).key.length > 0));
  });

  test('answers stay right when the memo has overflowed', () => {
    const { read } = openReader('10.0.0.0/8');
    for (let n = 0; n < 5_000; n++) {
      const ip = `203.0.${n >> 8}.${n & 255}`;
      expect(read('10.0.0.1', ip).key).toBe(ip);
      expect(read(ip, null).key).toBe(ip);
    }
  });
});

describe('proxies that are seen', () => {
  test.each([
    ['127.0.0.1', 1],
    ['::1', 1],
    ['10.0.0.1', 1],
    ['172.17.0.1', 1],
    ['::ffff:192.168.1.1', 1],
    ['100.64.0.1', 1],
    ['169.254.1.1', 1],
    ['fd00::1', 1],
    ['fe80::1%eth0', 1],
    ['203.0.113.7', 0],
    ['2600::1', 0],
    [null, 0],
  ])('a forwarded header from %p, not trusted: %d', (peer, count) => {
    const { read, uses } = openReader('10.9.9.9');
    read(peer, '6.6.6.6');
    read(peer, '6.6.6.6');
    expect(uses).toHaveLength(count);
  });

  test('an unlisted proxy is reported once for all private peers, and not for a request without the header', () => {
    const { read, uses } = openReader();
    read('::ffff:10.0.0.1', null);
    expect(uses).toEqual([]);
    read('::ffff:10.0.0.1', '6.6.6.6');
    read('192.168.0.1', '6.6.6.6');
    expect(uses).toEqual(['unlisted 10.0.0.1']);
  });

  test('a trusted peer is reported once as forwarding and once as silent', () => {
    const { read, uses } = openReader('127.0.0.0/8');
    for (const header of [null, '6.6.6.6', null, '6.6.6.6']) read('127.0.0.1', header);
    read('127.0.0.2', null);
    expect(uses).toEqual(['silent 127.0.0.1', 'forwarding 127.0.0.1']);
  });
});

describe('parseNetworks', () => {
  test.each([
    ['', '10.0.0.1', false],
    ['  ', '::1', false],
    ['10.0.0.0/8', '10.255.255.255', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['10.0.0.0/8', '::ffff:10.1.2.3', true],
    ['192.0.2.1', '192.0.2.1', true],
    ['192.0.2.1', '192.0.2.2', false],
    ['10.1.2.3/8', '10.9.9.9', true],
    [' 10.0.0.0/8 , fd00::/8 ', 'fdff::1', true],
    ['fd00::/8', 'fe00::1', false],
    ['fe80::/10', 'fe80::1%eth0', true],
    ['::1', '::1', true],
    ['0.0.0.0/0', '8.8.8.8', true],
    ['0.0.0.0/0', '2001:db8::1', false],
    ['::/0', '2001:db8::1', true],
    ['::/0', '8.8.8.8', false],
    ['::/0', '::ffff:8.8.8.8', false],
    ['::ffff:10.0.0.0/104', '10.200.0.1', true],
    ['::ffff:10.0.0.0/104', '11.0.0.1', false],
    ['::ffff:10.0.0.1', '10.0.0.1', true],
    ['::ffff:0:0/96', '203.0.113.7', true],
    ['::10.0.0.0/104', '10.0.0.1', false],
  ])('%j trusts %s: %p', (networks, peer, isTrusted) => {
    for (const written of [networks, formatNetworks(parseNetworks(networks))]) {
      const { read } = openReader(written);
      expect(read(peer, '198.51.100.9').key === '198.51.100.9').toBe(isTrusted);
    }
  });

  test('names every bad part and no good one', () => {
    const bad = [
      '10.0.0.0/33',
      'fd00::/129',
      '10.0.0.0/08',
      '10/8',
      'proxy',
      '1.2.3.4/',
      '::ffff:10.0.0.0/8',
      '/8',
      'fe80::1%eth0',
      '1.2.3.4/8/8',
    ];
    const refused = () => parseNetworks(['192.0.2.0/24', ...bad, ''].join(','));
    expect(refused).toThrow(Refusal);
    expect(refused).toThrow(
      `Cannot parse the trusted proxies ${bad.map((part) => `"${part}"`).join(', ')}, "": write addresses`,
    );
  });
});

test.each([
  [15, '203.0.113.9'],
  [16, '10.0.0.1'],
])('behind %d trusted proxies beside the peer the client counts as %s', (proxies, key) => {
  const hops = Array.from({ length: proxies }, (_, n) => `10.0.0.${n + 1}`);
  expect(proxied('10.9.9.9', ['203.0.113.9', ...hops].join(', ')).key).toBe(key);
});
