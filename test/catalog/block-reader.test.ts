import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { readdirSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Artefact, BrokenArtefact } from '../../src/catalog/artefact.ts';
import { type BlockReader, createBlockReaders } from '../../src/catalog/block-reader.ts';
import { BLOCK_SIZE } from '../../src/catalog/hashing-writer.ts';
import { temporaryDirectory } from '../harness.ts';

const SIZE = 100 * BLOCK_SIZE + 1000;
const bytes = Buffer.from(randomBytes(SIZE));
const blocks = Array.from({ length: 101 }, (_, n) =>
  Bun.hash.crc32(bytes.subarray(n * BLOCK_SIZE, (n + 1) * BLOCK_SIZE)),
);
const artefact = {
  kind: 'zip',
  name: 'a',
  size: SIZE,
  sha256: '',
  crc32: 0,
  rawSize: 0,
  blocks,
} satisfies Artefact;

function writeArtefact(content: Uint8Array = bytes): string {
  const file = join(temporaryDirectory(), 'artefact');
  writeFileSync(file, content);
  return file;
}

/** Reads a range as a body does: each part is used before anything else is waited for. */
async function readRange({ read }: BlockReader, start: number, end: number): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (let at = start; at < end;) {
    const part = Buffer.from(await read(at, Math.min(end, at + 65_536)));
    at += part.length;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const openDescriptors = (file: string): number =>
  readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`) === file;
    } catch {
      return false;
    }
  }).length;

test('any number of readers at different places get the right bytes through one descriptor', async () => {
  const openReader = createBlockReaders();
  const file = writeArtefact();
  const readers = await Promise.all(Array.from({ length: 60 }, () => openReader(file, artefact)));
  expect(openDescriptors(file)).toBe(1);
  const ranges = await Promise.all(
    readers.map(async (reader, n) => {
      const start = n * 900_000 + n;
      const end = Math.min(SIZE, start + 1_500_000);
      return (await readRange(reader, start, end)).equals(bytes.subarray(start, end));
    }),
  );
  expect(ranges).not.toContain(false);
  expect((await readRange(readers[0]!, SIZE - 1001, SIZE)).equals(bytes.subarray(SIZE - 1001))).toBe(true);
  readers.forEach(({ close }) => close());
  while (openDescriptors(file) > 0) await Bun.sleep(5);
});

test('readers of all blocks at once do not hold all blocks', async () => {
  const openReader = createBlockReaders();
  const file = writeArtefact();
  Bun.gc(true);
  const before = process.memoryUsage().arrayBuffers;
  const readers = await Promise.all(Array.from({ length: 101 }, () => openReader(file, artefact)));
  await Promise.all(readers.map(({ read }, n) => read(n * BLOCK_SIZE, SIZE)));
  Bun.gc(true);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThanOrEqual(50 * BLOCK_SIZE);
  readers.forEach(({ close }) => close());
});

test('a damaged block is refused, and the reader after that has the file that was made instead', async () => {
  const openReader = createBlockReaders();
  const damaged = Buffer.from(bytes);
  damaged[BLOCK_SIZE + 5]! ^= 1;
  const file = writeArtefact(damaged);
  const reader = await openReader(file, artefact);
  expect((await reader.read(0, 10)).length).toBe(10);
  await expect(reader.read(BLOCK_SIZE, BLOCK_SIZE + 10)).rejects.toBeInstanceOf(BrokenArtefact);
  renameSync(writeArtefact(), file);
  const next = await openReader(file, artefact);
  expect((await readRange(next, 0, 2 * BLOCK_SIZE)).equals(bytes.subarray(0, 2 * BLOCK_SIZE))).toBe(true);
  reader.close();
  next.close();
});

test('a missing file is a broken artefact', async () => {
  await expect(createBlockReaders()('/nowhere/at/all', artefact)).rejects.toBeInstanceOf(BrokenArtefact);
});
