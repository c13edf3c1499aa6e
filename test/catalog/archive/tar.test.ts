import { describe, expect, test } from 'bun:test';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { TAR_END, tarHeader, tarPadding } from '../../../src/catalog/archive/tar.ts';
import { inDirectory, listing, read, run, tarReaders, testWith } from './readers.ts';
import { everyKind, recordFile, tarGz } from './tree.ts';

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const deep = (prefix: number, name: number) => `${'p'.repeat(prefix)}/${'n'.repeat(name)}`;

describe('tarHeader', () => {
  test.each([
    ['a name of 100 bytes', 'n'.repeat(100), 512],
    ['a name of 101 bytes without a slash', 'n'.repeat(101), 1536],
    ['prefix 155, name 100', deep(155, 100), 512],
    ['prefix 156, name 99', deep(156, 99), 1536],
    ['prefix 154, name 101', deep(154, 101), 1536],
    ['256 bytes with the only slash too far left', deep(10, 245), 1536],
    ['257 bytes', `${deep(100, 100)}/${'m'.repeat(55)}`, 1536],
    ['a short name that is not ASCII', 'é.txt', 1536],
    ['an empty prefix', `/${'n'.repeat(100)}`, 1536],
  ])('gives %s its size', (_name, path, size) => expect(tarHeader(path, 1, false)).toHaveLength(size));

  test.each([
    ['f'.repeat(101), 'path'],
    ['ü'.repeat(200), 'path'],
    ['x', 'size'],
  ])('writes the length of a pax record of %p with its own digits', (path, keyword) => {
    const header = tarHeader(path, keyword === 'size' ? 2 ** 33 : 1, false);
    const size = Number.parseInt(text(header.subarray(124, 135)), 8);
    const record = text(header.subarray(512, 512 + size));
    expect(record).toBe(`${size} ${keyword}=${keyword === 'size' ? '8589934592' : path}\n`);
  });

  test.each(Array.from({ length: 20 }, (_, i) => 101 + i * 50))(
    'counts a pax path of %d bytes right',
    (size) => {
      const header = tarHeader('n'.repeat(size), 1, false);
      expect(Number.parseInt(text(header.subarray(512)), 10)).toBe(
        Number.parseInt(text(header.subarray(124, 135)), 8),
      );
    },
  );

  test('depends on its arguments alone', () => {
    expect(tarHeader('a/b', 9, true)).toEqual(tarHeader('a/b', 9, true));
    expect(text(tarHeader('a/b', 9, true).subarray(100, 108))).toBe('0000755\0');
    expect(text(tarHeader('a/b', 9, false).subarray(100, 108))).toBe('0000644\0');
  });
});

test.each([
  [0, 0],
  [1, 511],
  [511, 1],
  [512, 0],
  [513, 511],
  [2 ** 40 + 1, 511],
])('tarPadding of %d bytes is %d zeros', (size, padding) => {
  expect(tarPadding(size)).toEqual(new Uint8Array(padding));
});

describe.each(tarReaders)('tar entries as $name reads them', (reader) => {
  testWith(reader.tool)('have every path, mode and byte, without a warning', async () => {
    expect(await read(reader, tarGz(everyKind))).toEqual(listing([recordFile, ...everyKind]));
  });
});

describe('a file of 8 GiB and one byte', () => {
  const SIZE = 2 ** 33 + 1;
  const PYTHON = `import tarfile; print([entry.size for entry in tarfile.open('big.tar')])`;
  describe.each([
    ['tar', ['tar', '-tvf', 'big.tar']],
    ['bsdtar', ['bsdtar', '-tvf', 'big.tar']],
    ['python3', ['python3', '-c', PYTHON]],
  ])('in %s', (tool, command) => {
    testWith(tool)('is listed with its size', () =>
      inDirectory(async (directory) => {
        const file = await open(join(directory, 'big.tar'), 'w');
        const header = tarHeader('big.bin', SIZE, false);
        await file.write(header);
        // A hole: takes no disk
        await file.truncate(header.length + SIZE + tarPadding(SIZE).length + TAR_END.length);
        await file.close();
        expect(text(await run(command, directory))).toContain(String(SIZE));
      }),
    );
  });
});
