import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Artefact, artefactFile } from '../../src/catalog/artefact.ts';
import { createArtefactCache } from '../../src/catalog/artefact-cache.ts';
import { temporaryDirectory } from '../helpers/harness.ts';

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
  ['a large one', 1_000_000],
])('%s is verified once for all who open it at the same time', async (_, size) => {
  const data = temporaryDirectory();
  const artefact = putArtefact(data, size);
  const shelf = createArtefactCache(data);
  const opened = await Promise.all(Array.from({ length: 20 }, () => shelf.open(artefact)));
  expect(new Set(opened).size).toBe(1);
});

test('a broken artefact is refused to all callers, and opens after it was repaired', async () => {
  const data = temporaryDirectory();
  const artefact = putArtefact(data, 1000);
  const file = artefactFile(data, artefact);
  const shelf = createArtefactCache(data);
  writeFileSync(file, '');
  const attempts = await Promise.allSettled([shelf.open(artefact), shelf.open(artefact)]);
  expect(attempts.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  writeFileSync(file, Buffer.alloc(1000, 7));
  expect((await shelf.open(artefact)).bytes).toEqual(new Uint8Array(1000).fill(7));
});

test('a large one is verified again once its file is another one', async () => {
  const data = temporaryDirectory();
  const artefact = putArtefact(data, 1_000_000);
  const shelf = createArtefactCache(data);
  expect(await shelf.open(artefact)).toEqual({ file: artefactFile(data, artefact), bytes: null });
  writeFileSync(artefactFile(data, artefact), Buffer.alloc(1_000_000, 8));
  const failure = await shelf.open(artefact).catch((error: Error) => error.constructor.name);
  expect(failure).toBe('BrokenArtefact');
});
