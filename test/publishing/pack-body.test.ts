import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { artefactFile } from '../../src/catalog/artefact.ts';
import { CHUNK_SIZE } from '../../src/catalog/file-scan.ts';
import { packHeader } from '../../src/installing/git/pack.ts';
import { createTrailer, FLUSH, toSideBand, TRAILER_SIZE } from '../../src/installing/git/packet-line.ts';
import { type Files, skillMd, temporaryDirectory } from '../helpers/harness.ts';
import { compile, makeItem } from './item-folder.ts';

const FILES: Files = {
  'SKILL.md': skillMd('heron'),
  'bin/run.sh': '#!/bin/sh\necho run\n',
  'bin/again.sh': '#!/bin/sh\necho run\n',
  'empty.txt': '',
  'noise.bin': randomBytes(2 * CHUNK_SIZE + 777),
  'Wörter/日本語.md': 'text',
  'a.b/c.md': 'sorted before a/',
  'a/b/c.md': 'deep',
};

const data = temporaryDirectory();
const repository = join(temporaryDirectory(), 'pack.git');
const item = makeItem(FILES, 'skill');
const { pack } = compile(item, data).artefacts;

function git(words: readonly string[], stdin: Uint8Array = new Uint8Array(0)): string {
  const run = Bun.spawnSync(['git', '-c', 'core.quotePath=off', ...words], { cwd: item.folder, stdin });
  expect([words[0], run.stderr.toString().trim(), run.exitCode]).toEqual([words[0], '', 0]);
  return run.stdout.toString().trim();
}

/** The payload of side-band lines. */
function unframe(lines: Uint8Array): Buffer {
  const parts: Uint8Array[] = [];
  const bytes = Buffer.from(lines);
  for (let at = 0; at < bytes.length;) {
    const length = Number.parseInt(bytes.toString('latin1', at, at + 4), 16);
    if (length === 0) break;
    expect(bytes[at + 4]).toBe(1);
    parts.push(bytes.subarray(at + 5, at + length));
    at += length;
  }
  return Buffer.concat(parts);
}

test("git itself finds every file of a compiled pack, each of the folder's bytes and mode", () => {
  const body = readFileSync(artefactFile(data, pack!));
  const { tree, objects } = pack!.content!;
  const start = packHeader(objects);
  const trailer = createTrailer(start);
  // Cut anywhere, as pieces of a file are.
  for (let at = 0; at < body.length; at += 64_000) trailer.update(body.subarray(at, at + 64_000));
  const end = trailer.end();
  expect([end.length, Buffer.from(end.subarray(-4)).toString()]).toEqual([TRAILER_SIZE, FLUSH]);
  git(['init', '-q', '--bare', repository]);
  const whole = unframe(Buffer.concat([toSideBand(start), body, end]));
  git(['--git-dir', repository, 'index-pack', '--strict', '--stdin'], whole);
  const listed = git(['--git-dir', repository, 'ls-tree', '-r', tree]).split('\n');
  const paths = Object.keys(FILES).toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  expect(listed).toEqual(
    paths.map(
      (path) =>
        `${path.endsWith('.sh') ? 100755 : 100644} blob ${git(['hash-object', '--no-filters', path])}\t${path}`,
    ),
  );
});

test('files with one content are one object, and the same files the same bytes', () => {
  // Seven different files; the root, "bin", "Wörter", "a.b", "a" and "a/b".
  expect(pack!.content!.objects).toBe(7 + 6);
  expect(compile(makeItem(FILES, 'skill'), temporaryDirectory()).artefacts.pack).toEqual(pack);
});
