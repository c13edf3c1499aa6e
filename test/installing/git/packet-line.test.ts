import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  DELIMITER,
  FLUSH,
  type PacketLine,
  packetLine,
  parsePacketLines,
} from '../../../src/installing/git/packet-line.ts';

const MOST = 5000;
const bytes = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const write = (line: PacketLine): string => (typeof line === 'string' ? line : packetLine(`${line.text}\n`));

describe('packet lines', () => {
  test('come back as they were written', () => {
    const text = fc.stringMatching(/^[^\n]{1,200}$/).map((one) => ({ text: one }));
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.constantFrom(FLUSH, DELIMITER), text)),
        (lines: readonly PacketLine[]) => {
          expect(parsePacketLines(Buffer.from(lines.map(write).join('')), MOST)).toEqual(lines);
        },
      ),
    );
  });

  test.each([
    ['no length', 'want'],
    ['a length that is no hex', '00zzabcd'],
    ['a sign in the length', '+012abcdefgh'],
    ['a length below its own', '0003'],
    ['a length of a response', '0002'],
    ['a length over the end', '0032want'],
    ['a length over 65,520', 'ffffx'],
  ])('with %s are refused', (_, text) => {
    expect(() => parsePacketLines(bytes(text), 10)).toThrow(RangeError);
  });

  test('beyond the bound are refused', () => {
    expect(() => parsePacketLines(bytes(FLUSH.repeat(MOST + 1)), MOST)).toThrow('more than');
  });
});
