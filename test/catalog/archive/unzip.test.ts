import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { unzip } from '../../../src/catalog/archive/zip.ts';
import { runs } from '../../helpers/runs.ts';

const LIMITS = { files: 100, bytes: 1_000_000 };
const [LOCAL, CENTRAL] = [0x04034b50, 0x02014b50];
const TEXT = 'the heron stands on one leg, '.repeat(1000);
const archive = zipSync({ 'a/b.txt': strToU8(TEXT), 'ä.txt': strToU8('ä'), 'empty/': new Uint8Array() });

/** An archive that says something else of its files than they are, at an offset of each local and central header. */
function lie(local: number, central: number, value: number): Uint8Array {
  const copy = archive.slice();
  const view = new DataView(copy.buffer);
  for (let at = 0; at < copy.length - 4; at++) {
    if (view.getUint32(at, true) === LOCAL) view.setUint32(at + local, value, true);
    if (view.getUint32(at, true) === CENTRAL) view.setUint32(at + central, value, true);
  }
  return copy;
}

describe('a zip', () => {
  test('gives its files by name, without its folders', () => {
    const files = unzip(archive, LIMITS);
    expect([...files.keys()]).toEqual(['a/b.txt', 'ä.txt']);
    expect(new TextDecoder().decode(files.get('a/b.txt'))).toBe(TEXT);
  });

  test('may end with a comment', () => {
    const commented = Buffer.concat([archive, Buffer.from('a comment')]);
    commented.writeUInt16LE(9, archive.length - 2);
    expect(unzip(commented, LIMITS).size).toBe(2);
  });

  test.each([
    ['a smaller size than it has', lie(22, 24, 10)],
    ['a larger size than it has', lie(22, 24, 100_000)],
    ['another checksum', lie(14, 16, 7)],
    ['another place', lie(26, 42, 5)],
  ])('that says %s of a file is refused', (_, bytes) => {
    expect(() => unzip(bytes, LIMITS)).toThrow('it is damaged, or no zip');
  });

  test('is refused before it is unpacked if it says more than the limits', () => {
    expect(() => unzip(archive, { ...LIMITS, files: 2 })).toThrow('it holds more than 2 files');
    expect(() => unzip(archive, { ...LIMITS, bytes: 1000 })).toThrow('it unpacks to more than 1000 bytes');
    expect(() => unzip(lie(22, 24, 0x7fffffff), { files: 100, bytes: 2 ** 40 })).toThrow('times its size');
  });

  test('with any byte changed gives the same files, or is refused', () => {
    const position = fc.nat(archive.length - 1);
    fc.assert(
      fc.property(position, fc.nat(255), (at, value) => {
        const copy = archive.slice();
        copy[at] = value;
        try {
          for (const [name, bytes] of unzip(copy, LIMITS))
            if (name === 'a/b.txt') expect(new TextDecoder().decode(bytes)).toBe(TEXT);
        } catch (error) {
          expect(String(error)).toContain('Cannot unpack the archive');
        }
      }),
      { numRuns: runs(1000) },
    );
  });
});
