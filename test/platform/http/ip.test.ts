import { describe, expect, test } from 'bun:test';
import { parseIp, unmapped } from '../../../src/platform/http/address.ts';

describe('parseIp and unmapped', () => {
  test.each([
    ['203.0.113.7', '203.0.113.7'],
    ['2001:DB8::1', '2001:db8::1'],
    ['2001:db8::1.2.3.4', '2001:db8::102:304'],
    ['fe80::1%eth0', 'fe80::1'],
    ['fe80::1%br-lan.100', 'fe80::1'],
    // Mapped, however it is written.
    ['::ffff:1.2.3.4', '1.2.3.4'],
    ['::FFFF:102:304', '1.2.3.4'],
    ['0:0:0:0:0:ffff:1.2.3.4', '1.2.3.4'],
    ['::ffff:1.2.3.4%eth0', '1.2.3.4'],
    // Not mapped, however much it looks so.
    ['::1.2.3.4', '::102:304'],
    ['::ffff:0:1.2.3.4', '::ffff:0:102:304'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
  ])('reads %s as %s', (text, expected) => {
    const ip = parseIp(text);
    expect(ip && unmapped(ip).toString()).toBe(expected);
  });

  test.each([
    '',
    'unknown',
    '_hidden',
    '1.2.3',
    '16909060',
    '01.2.3.4',
    '0x1.2.3.4',
    '1.2.3.256',
    '1.2.3.4\n',
    '1.2.3.4%eth0',
    '::ffff:01.2.3.4',
    '1::2::3',
    '[::1]',
    '::1%',
    'localhost',
  ])('does not read %j', (text) => {
    expect(parseIp(text)).toBeNull();
  });
});
