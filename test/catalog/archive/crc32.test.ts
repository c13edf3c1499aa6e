import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  crc32Combine,
  crc32Combiner,
  deflateChunk,
  END_OF_DEFLATE,
  storedBlock,
} from '../../../src/catalog/archive/gzip.ts';
import { runs } from '../../helpers/runs.ts';
import { inflateRawSync } from 'node:zlib';

const crc32 = (bytes: Uint8Array, seed = 0) => Bun.hash.crc32(bytes, seed);

describe('crc32Combine', () => {
  test('gives the CRC of the whole for every split', () => {
    const bytesAndSplit = fc
      .uint8Array({ maxLength: 5_000 })
      .chain((bytes) => fc.tuple(fc.constant(bytes), fc.nat(bytes.length)));
    fc.assert(
      fc.property(bytesAndSplit, ([bytes, split]) => {
        const [a, b] = [bytes.subarray(0, split), bytes.subarray(split)];
        expect(crc32Combine(crc32(a), crc32(b), b.length)).toBe(crc32(bytes));
      }),
      { numRuns: runs(500) },
    );
  });

  test('is associative over three parts of any length up to 2^50', () => {
    const crc = fc.integer({ min: 0, max: 0xffffffff });
    const length = fc.integer({ min: 0, max: 2 ** 50 });
    fc.assert(
      fc.property(crc, crc, crc, length, length, (a, b, c, lengthB, lengthC) => {
        const leftFirst = crc32Combine(crc32Combine(a, b, lengthB), c, lengthC);
        expect(crc32Combine(a, crc32Combine(b, c, lengthC), lengthB + lengthC)).toBe(leftFirst);
      }),
    );
  });

  test('agrees with a CRC carried over more than 4 GiB', () => {
    const first = new TextEncoder().encode('The owl reads by moonlight');
    const part = new Uint8Array(64 * 2 ** 20).fill(0x5a);
    const parts = 66;
    let [body, whole] = [0, crc32(first)];
    for (let i = 0; i < parts; i++) [body, whole] = [crc32(part, body), crc32(part, whole)];
    expect(parts * part.length).toBeGreaterThan(2 ** 32);
    expect(crc32Combine(crc32(first), body, parts * part.length)).toBe(whole);
  });

  test('prepared for a length gives the same', () => {
    const combine = crc32Combiner(2 ** 33 + 5);
    expect(combine(0x12345678, 0x9abcdef0)).toBe(crc32Combine(0x12345678, 0x9abcdef0, 2 ** 33 + 5));
  });
});

const inflate = (...chunks: readonly Uint8Array[]) =>
  new Uint8Array(inflateRawSync(Buffer.concat([...chunks, END_OF_DEFLATE])));

const noise = (size: number) => {
  const bytes = new Uint8Array(size);
  for (let at = 0; at < size; at += 65_536) crypto.getRandomValues(bytes.subarray(at, at + 65_536));
  return bytes;
};

describe.each([
  ['deflateChunk', deflateChunk],
  ['storedBlock', storedBlock],
])('%s', (_name, encode) => {
  test('joins with others, in any order, into one stream', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 2_000 }), { maxLength: 8 }), (parts) => {
        expect(inflate(...parts.map(encode))).toEqual(new Uint8Array(Buffer.concat(parts)));
      }),
    );
  });

  test('makes nothing of nothing', () => expect(encode(new Uint8Array(0))).toHaveLength(0));

  test.each([1, 65_534, 65_535, 65_536, 131_070, 131_071, 1_000_000])(
    'grows %d bytes of noise by stored headers at most',
    (size) => {
      const bytes = noise(size);
      const encoded = encode(bytes);
      expect(encoded.length).toBeLessThanOrEqual(size + 5 * Math.ceil(size / 65_535));
      expect(inflate(encoded)).toEqual(bytes);
    },
  );
});

test('deflateChunk shrinks prose', () => {
  const prose = new TextEncoder().encode('The owl slept; the otter did not. '.repeat(100));
  expect(deflateChunk(prose).length).toBeLessThan(prose.length / 10);
});

test('deflateChunk is not final, so that END_OF_DEFLATE is needed', () => {
  expect(() => inflateRawSync(deflateChunk(new TextEncoder().encode('owl')))).toThrow(
    'unexpected end of file',
  );
});
