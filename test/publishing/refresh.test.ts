import { describe, expect, test } from 'bun:test';
import {
  chmodSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { artefactFile } from '../../src/catalog/artefact.ts';
import type { Edition } from '../../src/catalog/catalog.ts';
import { readFileRecord } from '../../src/catalog/file-record.ts';
import { inspectItem } from '../../src/publishing/scan.ts';
import type { ItemFile } from '../../src/catalog/item.rule.ts';
import { defaultLimits } from '../../src/platform/base/item-limits.ts';
import { itemYaml, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { compile, makeItem, refresh } from './item-folder.ts';

const LIE = 'f'.repeat(64);
const PATH = '01.md';

/** A clock far ahead of every stamp here. */
const later = (): number => Date.now() + 2_000_000_000;

/** The edition as if 01.md had been something else when hashed, `seconds` after it last changed: only its stamp still fits. */
function stale(edition: Edition, seconds: number, lie = { sha256: LIE }): Edition {
  const files = edition.files.map((file) => {
    const changedAt = Number(BigInt(file.stamp.ctime) / 1_000_000n);
    const stamp = { ...file.stamp, hashedAt: changedAt + seconds * 1000 };
    return file.path === PATH ? { ...file, ...lie, stamp } : file;
  });
  return { ...edition, files };
}

function sha256(text: string): string {
  return new Bun.CryptoHasher('sha256').update(text).digest('hex');
}

function hashOf({ files }: { readonly files: readonly ItemFile[] }): string | undefined {
  return files.find(({ path }) => path === PATH)?.sha256;
}

describe('a file of the same size, inode and times as before', () => {
  const item = makeItem();
  const honest = compile(item, temporaryDirectory());

  test.each([0, 1, 1.9])('is read again if it changed %d s before its hash', (seconds) => {
    expect(hashOf(inspectItem(item, defaultLimits, stale(honest, seconds), later))).toBe(hashOf(honest));
  });

  test('is not read again if it changed earlier', () => {
    expect(hashOf(inspectItem(item, defaultLimits, stale(honest, 3), later))).toBe(LIE);
  });

  test('is read again if the clock was set back to before its hash', () => {
    const ahead = stale(honest, 1000);
    const [hashedAt = 0] = ahead.files.map(({ stamp }) => stamp.hashedAt);
    expect(hashOf(inspectItem(item, defaultLimits, ahead, () => hashedAt))).toBe(LIE);
    expect(hashOf(inspectItem(item, defaultLimits, ahead, () => hashedAt - 1))).toBe(hashOf(honest));
  });

  test.each<[string, (file: string) => void]>([
    ['mtime', (file) => utimesSync(file, 1, 1)],
    ['ctime', (file) => chmodSync(file, 0o600)],
    [
      'inode',
      (file) => {
        writeFileSync(`${file}.new`, readFileSync(file));
        renameSync(`${file}.new`, file);
      },
    ],
    ['size', (file) => writeFileSync(file, 'shorter')],
  ])('is read again where its %s is another', (_, change) => {
    const changed = makeItem();
    const before = compile(changed, temporaryDirectory());
    change(join(changed.folder, PATH));
    const { files } = inspectItem(changed, defaultLimits, stale(before, 1_000_000), later);
    expect(files.map(({ sha256 }) => sha256)).not.toContain(LIE);
  });
});

describe('a file that changed after it was hashed', () => {
  test.each([
    ['another hash', { sha256: LIE }],
    ['a larger size', { sha256: LIE, size: 100_000 }],
    ['text where there is none', { sha256: LIE, text: true }],
  ])('is found when compiled: %s', (_, lie) => {
    const item = makeItem({ [PATH]: Buffer.from([0x80, 0xff, 0x00]) });
    const data = temporaryDirectory();
    const honest = compile(item, data);
    writeFiles(item.folder, { 'new.md': 'new' });
    const { edition, problems } = refresh(item, data, stale(honest, 1000, lie), later);
    expect(problems).toEqual([]);
    expect(hashOf(edition ?? honest)).toBe(hashOf(honest));
    expect(edition?.files.map(({ path }) => path)).toEqual([PATH, 'new.md']);
    expect(edition?.digest).not.toBe(honest.digest);
  });

  test('leaves nothing half written behind', () => {
    const [item, data] = [makeItem(), temporaryDirectory()];
    const honest = compile(item, data);
    writeFiles(item.folder, { 'new.md': 'new' });
    refresh(item, data, stale(honest, 1000), later);
    expect(readdirSync(join(data, 'artefacts/new'))).toEqual([]);
  });

  test('because something writes it all the time is refused, or compiled as it was at one moment', async () => {
    const item = makeItem();
    const loop = 'i=0; while :; do i=$((i+1)); printf %0200000d $i > "$0"; done';
    const writer = Bun.spawn(['sh', '-c', loop, join(item.folder, 'busy.txt')]);
    for (let round = 0; round < 20; round++) {
      const data = temporaryDirectory();
      const { edition, problems } = refresh(item, data);
      const file = edition?.files.find(({ path }) => path === 'busy.txt');
      if (file === undefined) expect(['keeps-changing', undefined]).toContain(problems[0]?.code);
      else expect(sha256(readFileRecord(data, edition!, file).content)).toBe(file.sha256);
    }
    writer.kill();
    await writer.exited;
  });
});

describe('an item that changes while it is compiled', () => {
  const CHANGES: readonly [string, (folder: string) => void][] = [
    ['a file is added', (folder) => writeFileSync(join(folder, 'new.md'), 'new')],
    ['a file that was read is written', (folder) => writeFileSync(join(folder, PATH), 'written again')],
    ['a file is removed', (folder) => rmSync(join(folder, 'b.md'), { force: true })],
    ['item.yaml is written', (folder) => writeFileSync(join(folder, 'item.yaml'), yaml('Another title'))],
  ];
  const yaml = (title: string): string => itemYaml({ id: 'heron-id', title });
  const make = () => makeItem({ [PATH]: '# One', 'b.md': '# Two', 'item.yaml': yaml('A title') });

  test.each(CHANGES)('is compiled again when %s', (_, change) => {
    const [item, data] = [make(), temporaryDirectory()];
    let compiles = 0;
    const index = () => {
      if (++compiles === 1) change(item.folder);
      return false;
    };
    const { edition } = refresh(item, data, null, Date.now, { index });
    expect(compiles).toBe(2);
    const again = compile(item, temporaryDirectory());
    expect([edition?.digest, edition?.manifest]).toEqual([again.digest, again.manifest]);
  });

  test.each(CHANGES)('each time when %s is refused', (_, change) => {
    const item = make();
    const index = () => {
      writeFileSync(join(item.folder, 'c.md'), String(Math.random()));
      change(item.folder);
      return false;
    };
    const { edition, problems, isChanging } = refresh(item, temporaryDirectory(), null, Date.now, { index });
    expect([edition, problems.map(({ code }) => code), isChanging]).toEqual([null, ['keeps-changing'], true]);
  });

  test.each([
    ['after the tree had settled', -60_000, true],
    ['before', 60_000, false],
  ])('is refused if it was changed %s', (_, offset, isChanging) => {
    const settledBefore = Date.now() + offset;
    const found = refresh(make(), temporaryDirectory(), null, Date.now, { settledBefore });
    expect([found.isChanging, found.edition === null]).toEqual([isChanging, isChanging]);
  });

  test('is compiled if its files are from the future: the clock was set back', () => {
    const now = (): number => Date.now() - 3_600_000;
    const { edition } = refresh(make(), temporaryDirectory(), null, now, { settledBefore: now() - 2000 });
    expect(edition).not.toBeNull();
  });
});

describe('a chapter order that changes while the files do not', () => {
  const yaml = itemYaml({ id: 'heron-id' });
  const files = { 'item.yaml': yaml, '02.md': '# Two\n\nThe egret fishes at dusk.\n' };

  test('makes a new index alone', () => {
    const [item, data] = [makeItem(files), temporaryDirectory()];
    const before = compile(item, data);
    const made = statSync(artefactFile(data, before.artefacts.tar!)).ino;
    writeFiles(item.folder, { 'item.yaml': `${yaml}chapters: [02.md]\n` });
    const after = compile(item, data, before);
    expect(after.artefacts.index?.name).not.toBe(before.artefacts.index?.name);
    expect({ ...after.artefacts, index: null }).toEqual({ ...before.artefacts, index: null });
    expect(statSync(artefactFile(data, after.artefacts.tar!)).ino).toBe(made);
  });

  test.each<[string, (file: string) => void]>([
    [
      'one letter changed',
      (file) => writeFileSync(file, readFileSync(file, 'latin1').replace('egret', 'eaglt'), 'latin1'),
    ],
    ['cut short', (file) => writeFileSync(file, readFileSync(file).subarray(0, 40))],
    ['emptied', (file) => writeFileSync(file, '')],
    ['removed', (file) => rmSync(file)],
  ])('does not index a file JSON with %s', (_, harm) => {
    const [item, data] = [makeItem(files), temporaryDirectory()];
    const before = compile(item, data);
    harm(artefactFile(data, before.artefacts.files!));
    writeFiles(item.folder, { 'item.yaml': `${yaml}chapters: [02.md]\n` });
    const after = refresh(item, data, before);
    expect(after.problems).toEqual([]);
    const index = readFileSync(artefactFile(data, after.edition!.artefacts.index!)).toString('latin1');
    expect([index.includes('egret'), index.includes('eaglt')]).toEqual([true, false]);
  });
});
