import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { listing, read, tarReaders, testWith, zipReaders } from './readers.ts';
import { SLUG, recordFile, tarGz, zipOf, type TreeFile } from './tree.ts';
import { runs } from '../../helpers/runs.ts';

const letters = fc.constantFrom(...'abcXYZ019-_ éßñ章한🦉'.normalize('NFC'));
const segment = fc.array(letters, { minLength: 1, maxLength: 60 }).map((chars) => `x${chars.join('')}x`);
const path = fc.array(segment, { minLength: 1, maxLength: 6 }).map((segments) => segments.join('/'));
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 2_000 }),
  fc
    .tuple(fc.string({ minLength: 1 }), fc.nat(3_000))
    .map(([text, times]) => new TextEncoder().encode(text.repeat(times))),
);

// A folder of its own for each file: no path is another's folder, nor differs from it in case alone
const tree: fc.Arbitrary<readonly TreeFile[]> = fc
  .array(fc.record({ path, bytes, executable: fc.boolean() }), { maxLength: 6 })
  .map((files) => files.map((file, i) => ({ ...file, path: `${i}/${file.path}` })));
const chunkSize = fc.constantFrom(511, 4_096, 65_536);

describe.each(tarReaders)('any tree through tar.gz and $name', (reader) => {
  testWith(reader.tool)(
    'comes back byte for byte',
    () =>
      fc.assert(
        fc.asyncProperty(tree, chunkSize, async (files, size) => {
          expect(await read(reader, tarGz(files, size))).toEqual(listing([recordFile, ...files]));
        }),
        { numRuns: runs(8) },
      ),
    60_000,
  );
});

describe.each(zipReaders)('any tree through zip and $name', (reader) => {
  testWith(reader.tool)(
    'comes back byte for byte',
    () =>
      fc.assert(
        fc.asyncProperty(
          tree.filter((files) => files.length > 0),
          chunkSize,
          async (files, size) => {
            expect(await read(reader, zipOf(files, size))).toEqual(listing(files));
          },
        ),
        { numRuns: runs(8) },
      ),
    60_000,
  );
});

describe('any tree through zip and fflate', () => {
  test('comes back byte for byte', () =>
    fc.assert(
      fc.property(tree, chunkSize, (files, size) => {
        const contents = files.map(({ path, bytes }) => [`${SLUG}/${path}`, bytes]);
        expect(unzipSync(zipOf(files, size))).toEqual(Object.fromEntries(contents));
      }),
    ));
});
