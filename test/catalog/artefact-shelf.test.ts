import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Artefact, artefactFile, MEMORY_LIMIT } from '../../src/catalog/artefact.ts';
import { createArtefactShelf } from '../../src/catalog/artefact-shelf.ts';
import { temporaryDirectory } from '../harness.ts';

function putArtefact(data: string, size: number): Artefact {
  const bytes = Buffer.alloc(size, 7);
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const artefact: Artefact = { kind: 'tar', name: sha256, size, sha256, crc32: 0, rawSize: size };
  const file = artefactFile(data, artefact);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  return artefact;
}

test.each([
  ['a small one', 1000],
  ['a large one', MEMORY_LIMIT + 1],
])('%s is verified once for all who open it at the same time', async (_, size) => {
  const data = temporaryDirectory();
  const artefact = putArtefact(data, size);
  const shelf = createArtefactShelf(data);
  const opened = await Promise.all(Array.from({ length: 20 }, () => shelf.open(artefact)));
  expect(new Set(opened).size).toBe(1);
});

test('a broken artefact is refused to all callers, and opens after it was repaired', async () => {
  const data = temporaryDirectory();
  const artefact = putArtefact(data, 1000);
  const file = artefactFile(data, artefact);
  const shelf = createArtefactShelf(data);
  writeFileSync(file, '');
  const attempts = await Promise.allSettled([shelf.open(artefact), shelf.open(artefact)]);
  expect(attempts.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  writeFileSync(file, Buffer.alloc(1000, 7));
  expect((await shelf.open(artefact)).spliceBuffer?.subarray(4096, -8)).toEqual(new Uint8Array(1000).fill(7));
});

test('one in memory is also read from its file, verified block by block', async () => {
  const data = temporaryDirectory();
  const artefact = putArtefact(data, 1_200_000);
  const { spliceBuffer, openReader } = await createArtefactShelf(data).open(artefact);
  expect(spliceBuffer).not.toBeNull();
  const { read, close } = await openReader();
  expect(await read(1_100_000, 1_200_000)).toEqual(new Uint8Array(100_000).fill(7));
  writeFileSync(artefactFile(data, artefact), Buffer.alloc(1_200_000, 8));
  expect(await read(0, 100).catch((error: Error) => error.constructor.name)).toBe('BrokenArtefact');
  close();
});
