import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { inflateRawSync } from 'node:zlib';
import { deflateChunk, END_OF_DEFLATE, storedBlock } from '../../src/archive/gzip.ts';

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
