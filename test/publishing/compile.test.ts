import { expect, test } from 'bun:test';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { spliced } from '../catalog/archive/tree.ts';
import { artefactFile } from '../../src/catalog/artefact.ts';
import { CHUNK_SIZE } from '../../src/catalog/file-scan.ts';
import type { Edition } from '../../src/catalog/catalog.ts';
import { type Files, temporaryDirectory } from '../helpers/harness.ts';
import { read, tarReaders, testWith, zipReaders } from '../catalog/archive/readers.ts';
import { compile, makeItem } from './item-folder.ts';

const FILES: Files = {
  '01.md': '# One\n',
  'bin/run.sh': '#!/bin/sh\necho run\n',
  'empty.txt': '',
  'block.bin': new Uint8Array(512).fill(7),
  'large.bin': Buffer.from(Array.from({ length: CHUNK_SIZE + 777 }, (_, n) => (n * 31) % 251)),
  'Wörter/日本語.md': 'text',
  [`${'long/'.repeat(30)}${'n'.repeat(120)}.md`]: 'deep',
  '😀.md': 'after U+FFFF',
};

const data = temporaryDirectory();
const item = makeItem(FILES);
const edition = compile(item, data);
const expected = Object.entries(FILES)
  .map(
    ([path, content]) =>
      `${path.endsWith('.sh') ? 755 : 644} ${new Bun.CryptoHasher('sha256').update(content).digest('hex')} heron/${path}`,
  )
  .toSorted();

function bytesOf({ artefacts }: Edition, kind: 'tar' | 'zip' | 'files'): Buffer {
  const artefact = artefacts[kind];
  if (artefact === undefined) throw new Error(`No ${kind}`);
  return readFileSync(artefactFile(data, artefact));
}

function gzip(): Uint8Array {
  const { crc32 = 0, rawSize = 0 } = edition.artefacts.tar ?? {};
  return spliced(new Uint8Array(0), bytesOf(edition, 'tar'), { crc32, size: rawSize });
}

for (const reader of tarReaders) {
  testWith(reader.tool)(`${reader.name} finds every file of a compiled tar`, async () => {
    expect(await read(reader, gzip())).toEqual(expected);
  });
}

for (const reader of zipReaders) {
  testWith(reader.tool)(`${reader.name} finds every file of a compiled zip`, async () => {
    expect(await read(reader, bytesOf(edition, 'zip'))).toEqual(expected);
  });
}

test('the digest is the SHA-256 of the listing that sha256sum would print, with modes', () => {
  const golden = makeItem({ 'a.md': 'a\n', 'b.sh': '#!/bin/sh\n', '01.md': 'one\n' });
  const script =
    'for f in 01.md a.md b.sh; do m=0644; [ -x $f ] && m=0755; printf "%s  %s %s\\n" $(sha256sum < $f | cut -c1-64) $m $f; done | sha256sum | cut -c1-64';
  const printed = Bun.spawnSync(['sh', '-c', script], { cwd: golden.folder }).stdout.toString().trim();
  const { digest } = compile(golden, data);
  expect(digest).toBe(printed);
  expect(digest).toBe('f27ec059d3a27f78c07d61c263906206f01abede9ffeeeab952dbb497842329b');
});

test('compiling again in another place and at another time gives the same bytes and names', () => {
  const elsewhere = temporaryDirectory();
  const again = compile(makeItem(FILES), elsewhere);
  expect(again.digest).toBe(edition.digest);
  expect(again.artefacts).toEqual(edition.artefacts);
});

test('the executable bit of the owner alone counts, and is part of the digest', () => {
  const plain = makeItem({ 'a.sh': 'echo' });
  const before = compile(plain, data);
  chmodSync(join(plain.folder, 'a.sh'), 0o654);
  expect(compile(plain, data).digest).toBe(before.digest);
  chmodSync(join(plain.folder, 'a.sh'), 0o744);
  expect(compile(plain, data).digest).not.toBe(before.digest);
});

test('item.yaml and .bookstallignore are in no artefact', () => {
  const hidden = makeItem({ '.bookstallignore': 'nothing\n' });
  const compiled = compile(hidden, data);
  expect(compiled.files.map(({ path }) => path)).toEqual(['01.md']);
  expect(bytesOf(compiled, 'zip').toString('latin1')).not.toContain('item.yaml');
  expect(bytesOf(compiled, 'files').toString()).not.toContain('bookstallignore');
});
