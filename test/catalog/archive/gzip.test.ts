import { describe, expect, test } from 'bun:test';
import { Gunzip, decompressSync, gunzipSync as fflateGunzipSync } from 'fflate';
import { join } from 'node:path';
import { createSplice, END_OF_DEFLATE, headSize, TRAILER } from '../../../src/catalog/archive/gzip.ts';
import { RECORD, SLUG, everyKind, spliced, tarBody, tarGz } from './tree.ts';
import { installRecordEntry } from '../../../src/installing/install-record.ts';
import { inDirectory, run, testWith } from './readers.ts';

const GZ = tarGz(everyKind);
const TAR = new Uint8Array(Buffer.concat([installRecordEntry(SLUG, RECORD), tarBody(everyKind)]));

function fflateGunzip(bytes: Uint8Array): Uint8Array {
  const parts: Uint8Array[] = [];
  const gunzip = new Gunzip((part) => parts.push(part));
  for (let at = 0; at < bytes.length; at += 1_000)
    gunzip.push(bytes.slice(at, at + 1_000), at + 1_000 >= bytes.length);
  return new Uint8Array(Buffer.concat(parts));
}

describe('a spliced archive is one member', () => {
  test.each([
    ['Bun.gunzipSync', (bytes: typeof GZ) => Bun.gunzipSync(bytes)],
    [
      'Bun.gunzipSync with libdeflate',
      (bytes: typeof GZ) => Bun.gunzipSync(bytes, { library: 'libdeflate' }),
    ],
    [
      'DecompressionStream',
      (bytes: typeof GZ) =>
        new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).bytes(),
    ],
    ['fflate gunzipSync', (bytes: typeof GZ) => fflateGunzipSync(bytes)],
    ['fflate decompressSync', (bytes: typeof GZ) => decompressSync(bytes)],
    ['fflate Gunzip', fflateGunzip],
  ])('for %s', async (_name, gunzip) => expect(Buffer.from(await gunzip(GZ)).equals(TAR)).toBe(true));

  const NODE = `const zlib = require('node:zlib'), { readFileSync, createReadStream } = require('node:fs')`;
  const NODE_STREAM = `new Blob([readFileSync('a.gz')]).stream().pipeThrough(new DecompressionStream('gzip'))`;
  const PYTHON_ZLIB = `import sys, zlib; sys.stdout.buffer.write(zlib.decompress(open('a.gz', 'rb').read(), 31))`;
  const PYTHON_GZIP = `import gzip, sys; sys.stdout.buffer.write(gzip.open('a.gz').read())`;
  describe.each([
    ['gzip', 'gzip', ['-dc', 'a.gz']],
    ['pigz', 'pigz', ['-dc', 'a.gz']],
    ['Python zlib', 'python3', ['-c', PYTHON_ZLIB]],
    ['Python gzip', 'python3', ['-c', PYTHON_GZIP]],
    [
      'Node gunzipSync',
      'node',
      ['-e', `${NODE}; process.stdout.write(zlib.gunzipSync(readFileSync('a.gz')))`],
    ],
    [
      'Node createGunzip',
      'node',
      ['-e', `${NODE}; createReadStream('a.gz').pipe(zlib.createGunzip()).pipe(process.stdout)`],
    ],
    [
      'Node DecompressionStream',
      'node',
      ['-e', `${NODE}; require('node:stream').Readable.fromWeb(${NODE_STREAM}).pipe(process.stdout)`],
    ],
  ])('for %s', (_name, tool, rest) => {
    testWith(tool)('as a program', () =>
      inDirectory(async (directory) => {
        await Bun.write(join(directory, 'a.gz'), GZ);
        expect(Buffer.from(await run([tool, ...rest], directory)).equals(TAR)).toBe(true);
      }),
    );
  });

  testWith('gzip')('for gzip -t, and gzip -l knows its size', () =>
    inDirectory(async (directory) => {
      await Bun.write(join(directory, 'a.gz'), GZ);
      await run(['gzip', '-t', 'a.gz'], directory);
      expect(new TextDecoder().decode(await run(['gzip', '-l', 'a.gz'], directory))).toContain(
        ` ${TAR.length} `,
      );
    }),
  );
});

describe('a splice', () => {
  test.each([1, 512, 65_535, 65_536, 200_000])('takes a first part of %d bytes', (size) => {
    const first = new Uint8Array(size).fill(65);
    const gz = spliced(first, Uint8Array.of(3, 0), { crc32: 0, size: 0 });
    expect(Buffer.from(Bun.gunzipSync(gz)).equals(first)).toBe(true);
  });

  test('writes a first part again after a longer one before the same body', () => {
    const [short, long] = [new Uint8Array(1024), new Uint8Array(1536)];
    const all = new Uint8Array(headSize(long.length) + END_OF_DEFLATE.length + TRAILER);
    all.set(END_OF_DEFLATE, headSize(long.length));
    const splice = createSplice({ crc32: 0, size: 0 });
    const member = all.subarray(headSize(long.length) - headSize(short.length));
    const [writeShort, writeLong] = [splice(member), splice(all)];
    writeShort(short);
    writeLong(long);
    expect(Bun.gunzipSync(all)).toHaveLength(long.length);
    writeShort(short);
    expect(Bun.gunzipSync(member)).toHaveLength(short.length);
  });

  test('writes no time and no system', () => {
    const gz = spliced(Uint8Array.of(1), Uint8Array.of(3, 0), { crc32: 0, size: 0 });
    expect([...gz.subarray(0, 10)]).toEqual([31, 139, 8, 0, 0, 0, 0, 0, 0, 255]);
  });

  test('writes size modulo 2^32 and the CRC of all of it beyond 4 GiB', () => {
    const part = new Uint8Array(64 * 2 ** 20).fill(9);
    const first = new TextEncoder().encode('first');
    let [body, whole] = [0, Bun.hash.crc32(first)];
    for (let i = 0; i < 70; i++) [body, whole] = [Bun.hash.crc32(part, body), Bun.hash.crc32(part, whole)];
    const gz = spliced(first, new Uint8Array(0), { crc32: body, size: 70 * part.length });
    const view = new DataView(gz.buffer, gz.length - TRAILER);
    expect([view.getUint32(0, true), view.getUint32(4, true)]).toEqual([
      whole,
      70 * part.length + 5 - 2 ** 32,
    ]);
  });
});
