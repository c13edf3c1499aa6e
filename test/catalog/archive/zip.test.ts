import { describe, expect, test } from 'bun:test';
import { unzipSync } from 'fflate';
import { join } from 'node:path';
import { deflateChunk } from '../../../src/catalog/archive/gzip.ts';
import { createZip } from '../../../src/catalog/archive/zip.ts';
import { Refusal } from '../../../src/platform/base/refusal.ts';
import { inDirectory, listing, read, run, testWith, zipReaders } from './readers.ts';
import { everyKind, SLUG, zipOf } from './tree.ts';
import fc from 'fast-check';
import {
  END_LENGTH,
  readZipEnd,
  readZipEntries,
  zipDirectory,
  zipHeader,
} from '../../../src/catalog/archive/zip-entry.ts';
import { runs } from '../../helpers/runs.ts';

describe.each(zipReaders)('a zip as $name reads it', (reader) => {
  testWith(reader.tool)('has every path, mode and byte, without a warning', async () => {
    expect(await read(reader, zipOf(everyKind))).toEqual(listing(everyKind));
  });
});

function check(command: readonly string[], zip: Uint8Array): Promise<string> {
  return inDirectory(async (directory) => {
    await Bun.write(join(directory, 'a.zip'), zip);
    return new TextDecoder().decode(await run(command, directory));
  });
}

describe('a zip passes', () => {
  testWith('unzip')('unzip -t', async () =>
    expect(await check(['unzip', '-tq', 'a.zip'], zipOf(everyKind))).toContain('No errors'),
  );
  testWith('zip')('zip -T', async () =>
    expect(await check(['zip', '-T', 'a.zip'], zipOf(everyKind))).toContain('OK'),
  );
  testWith('bsdtar')('bsdtar from a pipe, which sees no directory', async () => {
    const printed = await check(['sh', '-c', 'cat a.zip | bsdtar -xOf - | sha256sum'], zipOf(everyKind));
    const contents = new Bun.CryptoHasher('sha256');
    for (const { bytes } of everyKind) contents.update(bytes);
    expect(printed).toStartWith(contents.digest('hex'));
  });

  test('fflate unzipSync', () => {
    const files = unzipSync(zipOf(everyKind));
    expect(Object.keys(files)).toEqual(everyKind.map(({ path }) => `${SLUG}/${path}`));
    for (const { path, bytes } of everyKind)
      expect(Buffer.from(files[`${SLUG}/${path}`] ?? '').equals(bytes)).toBe(true);
  });

  testWith('unzip')('with 10,000 files and with none', async () => {
    const files = Array.from({ length: 10_000 }, (_, i) => ({
      path: `${i}.txt`,
      bytes: Buffer.from(`${i}`),
      executable: false,
    }));
    expect(await check(['unzip', '-tq', 'a.zip'], zipOf(files))).toContain('No errors');
    expect(Object.keys(unzipSync(zipOf(files)))).toHaveLength(10_000);
    expect(unzipSync(zipOf([]))).toEqual({});
  });
});

describe('createZip', () => {
  const discard = () => {};
  const nothing = { crc32: 0, size: 0 };

  test('hands on each chunk at once', () => {
    let written = 0;
    const file = createZip((bytes) => (written += bytes.length)).addFile({ path: 'a', executable: false });
    const chunk = deflateChunk(new Uint8Array(50_000).fill(1));
    file.push(chunk);
    expect(written).toBe(30 + 'a'.length + chunk.length);
  });

  test('refuses a file of 4 GiB', () => {
    const file = createZip(discard).addFile({ path: 'a', executable: false });
    expect(() => file.end({ crc32: 0, size: 2 ** 32 })).toThrow(Refusal);
  });

  test('refuses to write 4 GiB', () => {
    let written = 0;
    const file = createZip((bytes) => (written += bytes.length)).addFile({ path: 'a', executable: false });
    const chunk = new Uint8Array(2 ** 28);
    const pushAll = () => Array.from({ length: 16 }, () => file.push(chunk));
    expect(pushAll).toThrow('Cannot make a zip of 4 GiB or more: install the item instead');
    expect(written).toBeLessThan(2 ** 32);
  });

  test('takes 65,534 files and refuses one more', () => {
    const zip = createZip(discard);
    const addFile = (i: number) => zip.addFile({ path: `${i}`, executable: false }).end(nothing);
    for (let i = 0; i < 65_534; i++) addFile(i);
    expect(() => addFile(65_534)).toThrow('Cannot make a zip of 65,535 files or more');
  });
});

const path = fc.stringMatching(/^[a-zé🦉]{1,20}$/u);
const tree = fc.uniqueArray(
  fc.record({ path, bytes: fc.uint8Array({ maxLength: 5000 }), executable: fc.boolean() }),
  { selector: (file) => file.path, maxLength: 8 },
);

test('the files of a zip come back under other paths, with their modes', () => {
  fc.assert(
    fc.property(tree, (files) => {
      const zip = zipOf(files);
      const { start, end } = readZipEnd(zip.subarray(-END_LENGTH));
      const parts: Uint8Array[] = [];
      const length = () => parts.reduce((sum, part) => sum + part.length, 0);
      const written = readZipEntries(zip.subarray(start, end)).map((entry) => {
        const moved = { ...entry, path: `below/${entry.path}` };
        parts.push(zipHeader(moved));
        const at = length();
        parts.push(zip.subarray(entry.start, entry.start + entry.deflated));
        return { ...moved, start: at };
      });
      parts.push(zipDirectory(written, length()));
      const made = Buffer.concat(parts);
      const read = Object.entries(unzipSync(made)).map(([path, bytes]) => [path, [...bytes]]);
      const own = Object.entries(unzipSync(zip)).map(([path, bytes]) => [`below/${path}`, [...bytes]]);
      expect(read).toEqual(own);
      const again = readZipEnd(made.subarray(-END_LENGTH));
      expect(readZipEntries(made.subarray(again.start, again.end))).toEqual(written);
    }),
    { numRuns: runs(200) },
  );
});

test.each([
  ['no end record', () => readZipEnd(new Uint8Array(END_LENGTH))],
  ['a damaged directory', () => readZipEntries(new Uint8Array(46))],
])('%s is an error', (_, act) => {
  expect(act).toThrow();
});
