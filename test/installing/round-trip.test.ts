import { afterAll, describe, expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { unzipSync } from 'fflate';
import { inspectItem } from '../../src/publishing/scan.ts';
import { defaultLimits } from '../../src/platform/base/item-limits.ts';
import {
  inDirectory,
  listingOf,
  run,
  testWith,
  read,
  tarReaders,
  zipReaders,
} from '../catalog/archive/readers.ts';
import { itemYaml, openStall, skillMd, writeFiles } from '../helpers/harness.ts';

/** A publisher's folder: bytes and the executable bit, by path. */
type Tree = ReadonlyMap<string, { readonly bytes: Uint8Array; readonly executable: boolean }>;

const SLUG = 'any-tree';
const stall = await openStall({
  files: { 'books/other/item.yaml': itemYaml({ id: 'o' }), 'books/other/a.md': 'a' },
});
const { headers } = await stall.reader('anna@example.org');
afterAll(() => stall.close());

const sha256 = (bytes: Uint8Array): string => new Bun.CryptoHasher('sha256').update(bytes).digest('hex');
const lines = (tree: Tree): string[] =>
  [...tree]
    .map(([path, { bytes, executable }]) => `${executable ? '755' : '644'} ${sha256(bytes)} ${SLUG}/${path}`)
    .toSorted();
const get = async (path: string): Promise<Uint8Array> => {
  const response = await stall.fetch(path, { headers });
  expect([path, response.status]).toEqual([path, 200]);
  return response.bytes();
};

/** Writes the tree, and nothing else, into the item's folder; returns the files the stall must hand out, or null if `check` refuses the tree. */
function lay(tree: Tree): Tree | null {
  const folder = join(stall.content, 'skills', SLUG);
  rmSync(folder, { recursive: true, force: true });
  const skill = { bytes: Buffer.from(skillMd(SLUG)), executable: false };
  const whole: Tree = new Map([...tree, ['SKILL.md', skill]]);
  writeFiles(folder, {
    'item.yaml': itemYaml(),
    ...Object.fromEntries([...whole].map(([path, { bytes }]) => [path, bytes])),
  });
  for (const [path, { executable }] of whole) chmodSync(join(folder, path), executable ? 0o755 : 0o644);
  const item = { kind: 'skill', slug: SLUG, folder } as const;
  return inspectItem(item, defaultLimits, null).manifest === null ? null : whole;
}

const name = fc.oneof(
  { weight: 4, arbitrary: fc.stringMatching(/^[a-z0-9][A-Za-z0-9_ -]{0,12}[a-z0-9]$/) },
  {
    weight: 2,
    arbitrary: fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
      .map((text) => text.normalize('NFC')),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'a',
      'con',
      '.hidden',
      '-rf',
      '@x',
      'n'.repeat(200),
      '章',
      '🦉.md',
      "it's",
      '%41',
    ),
  },
);
const path = fc
  .array(name, { minLength: 1, maxLength: 5 })
  .map((names) => names.join('/'))
  .filter((text) => !/(^|\/)\.{0,2}(\/|$)|\0/.test(text) && Buffer.byteLength(text) < 600);
const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 600 }),
  fc.string({ unit: 'binary', maxLength: 300 }).map((text) => new TextEncoder().encode(text)),
  fc.tuple(fc.nat(3_000_000), fc.nat(255)).map(([size, byte]) => new Uint8Array(size).fill(byte)),
);
// Each file in a numbered folder of its own, so that most trees are accepted: no path is another's folder.
const tree: fc.Arbitrary<Tree> = fc
  .array(fc.record({ path, bytes, executable: fc.boolean() }), { minLength: 1, maxLength: 5 })
  .map((files) => new Map(files.map(({ path: below, ...file }, n) => [`${n}/${below}`, file])));

test('any tree that check accepts comes back byte for byte, with its executable bits, in every reader', async () => {
  let accepted = 0;
  await fc.assert(
    fc.asyncProperty(tree, async (files) => {
      const laid = lay(files);
      const isServed = (await stall.app.publish()).some(({ slug, isFresh }) => slug === SLUG && isFresh);
      expect(isServed).toBe(laid !== null);
      if (laid === null) return;
      accepted++;
      await expectSame(laid);
    }),
    { numRuns: 8 },
  );
  expect(accepted).toBeGreaterThan(2);
});

async function expectSame(laid: Tree): Promise<void> {
  const [archive, zipped] = await Promise.all([
    get(`/api/install/${SLUG}`),
    get(`/api/skills/${SLUG}/download`),
  ]);
  const wanted = lines(laid);
  const isFile = (line: string): boolean => !line.endsWith(` ${SLUG}/.svc-install`);
  await Promise.all([
    ...tarReaders
      .filter(({ tool }) => Bun.which(tool))
      .map(async (reader) =>
        expect([reader.name, (await read(reader, archive)).filter(isFile)]).toEqual([reader.name, wanted]),
      ),
    ...zipReaders
      .filter(({ tool }) => Bun.which(tool))
      .map(async (reader) =>
        expect([reader.name, await read(reader, zipped)]).toEqual([reader.name, wanted]),
      ),
  ]);
  const unzipped = Object.entries(unzipSync(zipped)).map(([at, content]) => `${sha256(content)} ${at}`);
  const plain = wanted.map((line) => line.slice(4));
  expect(unzipped.toSorted()).toEqual(plain.toSorted());
  expect(await filesJson()).toEqual(plain.toSorted());
}

async function filesJson(): Promise<string[]> {
  // A free item's files need a grant; the first publish made the item known.
  await stall.app.admin.grants.add({ email: 'anna@example.org', slug: SLUG });
  const answer = new TextDecoder().decode(await get(`/api/skills/${SLUG}/files`));
  const { files } = JSON.parse(answer) as {
    files: { path: string; content: string; sha256: string; encoding?: BufferEncoding }[];
  };
  return files
    .map((file) => {
      expect(sha256(Buffer.from(file.content, file.encoding ?? 'utf8'))).toBe(file.sha256);
      return `${file.sha256} ${SLUG}/${file.path}`;
    })
    .toSorted();
}

describe('install is bit-exact', () => {
  const text = (content: string, executable = false) => ({ bytes: Buffer.from(content), executable });

  test("for a skill as Anthropic's are: nested folders, scripts, images, long references", async () => {
    const laid = lay(
      new Map([
        ['LICENSE.txt', text('Licence\n'.repeat(200))],
        ['scripts/office/pack.py', text('#!/usr/bin/env python3\nprint("pack")\n', true)],
        ['scripts/office/helpers/__init__.py', text('')],
        ['scripts/init.sh', text('#!/bin/sh\r\necho init\r\n', true)],
        ['reference/forms.md', text(`# Forms\n\n${'A long reference. 長い参考文献。\n'.repeat(20_000)}`)],
        ['reference/ooxml/schemas/ISO-IEC29500-4_2016/dml-chart.xsd', text('<xs:schema/>\n'.repeat(9_000))],
        [
          'assets/logo.png',
          {
            bytes: Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), randomBytes(150_000)]),
            executable: false,
          },
        ],
        ['assets/fonts/Übung Sans.ttf', { bytes: randomBytes(70_001), executable: false }],
        ['templates/viewer.html', text('\uFEFF<!doctype html>\n')],
      ]),
    );
    await stall.app.publish();
    await expectSame(laid!);
  });

  testWith('tar')('for a Markdown book of a megabyte', async () => {
    const book = Buffer.from(
      Array.from(
        { length: 9_000 },
        (_, n) => `## ${n}\n\nThe heron — “${n}” — stood on one leg; 鷺は動かなかった。\r\n\n`,
      ).join(''),
    ).subarray(0, 1_048_576);
    writeFiles(join(stall.content, 'books/long'), { 'item.yaml': itemYaml({ id: 'long' }), 'book.md': book });
    await stall.app.publish();
    await inDirectory(async (directory) => {
      await Bun.write(join(directory, 'archive'), await get('/api/install/long'));
      await run(['tar', '-xzpf', 'archive'], directory);
      expect((await listingOf(directory)).filter((line) => line.includes('book.md'))).toEqual([
        `644 ${sha256(book)} long/book.md`,
      ]);
    });
  });
});
