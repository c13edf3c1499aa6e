import { describe, expect, test } from 'bun:test';
import { chmodSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { artefactFile } from '../../src/catalog/artefact.ts';
import type { Edition } from '../../src/catalog/catalog.ts';
import type { RefreshJob } from '../../src/catalog/compile-job.ts';
import { compareWithSaved } from '../../src/publishing/scan.ts';
import { defaultLimits } from '../../src/platform/base/item-limits.ts';
import { itemYaml, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { compile, makeItem } from './item-folder.ts';

/** A compiled item as a later start meets it: all its files had come to rest when they were hashed. */
function makeJob(change: Partial<RefreshJob> = {}): RefreshJob {
  const item = makeItem({ 'notes/a.md': 'a', '.bookstallignore': '*.tmp\n' });
  const dataDirectory = temporaryDirectory();
  const previous = rested(compile(item, dataDirectory));
  return {
    item,
    previous,
    dataDirectory,
    limits: defaultLimits,
    rebuild: false,
    settledBefore: null,
    ...change,
  };
}

function rested(edition: Edition): Edition {
  const rest = (ctime: string): number => Number(BigInt(ctime) / 1_000_000n) + 3000;
  const files = edition.files.map((file) => ({
    ...file,
    stamp: { ...file.stamp, hashedAt: rest(file.stamp.ctime) },
  }));
  return { ...edition, files };
}

async function isStanding(job: RefreshJob): Promise<boolean> {
  return (await compareWithSaved([job], () => Date.now() + 10_000)).unchanged.has(job);
}

describe('an edition is up to date', () => {
  test('if nothing has changed', async () => {
    expect(await isStanding(makeJob())).toBeTrue();
  });

  test('if a file was added that is left out', async () => {
    const job = makeJob();
    writeFiles(job.item.folder, { 'draft.tmp': 'x' });
    expect(await isStanding(job)).toBeTrue();
  });

  test('if its book has no text and no index', async () => {
    const item = makeItem({ '01.md': Buffer.from([0xff, 0xfe, 0x80]) });
    const dataDirectory = temporaryDirectory();
    const previous = rested(compile(item, dataDirectory));
    expect(previous.artefacts.index).toBeUndefined();
    expect(await isStanding(makeJob({ item, previous, dataDirectory }))).toBeTrue();
  });
});

describe('an edition is not up to date if', () => {
  test.each<[string, (folder: string) => void]>([
    ['a file was written again', (folder) => writeFileSync(join(folder, '01.md'), 'new')],
    ['a file has another time', (folder) => utimesSync(join(folder, '01.md'), 1, 1)],
    ['a file became executable', (folder) => chmodSync(join(folder, '01.md'), 0o755)],
    ['a file came', (folder) => writeFiles(folder, { 'notes/b.md': 'b' })],
    ['a file left', (folder) => rmSync(join(folder, 'notes/a.md'))],
    ['a file has another name', (folder) => renameSync(join(folder, '01.md'), join(folder, '02.md'))],
    ['a link came', (folder) => symlinkSync('01.md', join(folder, 'link.md'))],
    [
      'the price is another',
      (folder) => writeFiles(folder, { 'item.yaml': itemYaml({ unitAmountCents: 1 }) }),
    ],
    ['item.yaml is gone', (folder) => rmSync(join(folder, 'item.yaml'))],
    ['other files are left out', (folder) => writeFiles(folder, { '.bookstallignore': '*.tmp\n*.bak\n' })],
    ['the folder is gone', (folder) => rmSync(folder, { recursive: true })],
    [
      'the folder became a link to itself elsewhere',
      (folder) => {
        renameSync(folder, `${folder}-moved`);
        symlinkSync(`${folder}-moved`, folder);
      },
    ],
  ])('%s', async (_, change) => {
    const job = makeJob();
    change(job.item.folder);
    expect(await isStanding(job)).toBeFalse();
  });

  test('an artefact is missing', async () => {
    const job = makeJob();
    rmSync(artefactFile(job.dataDirectory, job.previous!.artefacts.zip!));
    expect(await isStanding(job)).toBeFalse();
  });

  test('the limits are others', async () => {
    expect(await isStanding(makeJob({ limits: { ...defaultLimits, files: 1 } }))).toBeFalse();
  });

  test('it was judged by another program', async () => {
    const job = makeJob();
    const previous = { ...job.previous!, inputsHash: 'f'.repeat(64) };
    expect(await isStanding({ ...job, previous })).toBeFalse();
  });

  test('its files had not come to rest', async () => {
    const job = makeJob();
    const files = job.previous!.files.map((file) => ({
      ...file,
      stamp: { ...file.stamp, hashedAt: Date.now() },
    }));
    expect(await isStanding({ ...job, previous: { ...job.previous!, files } })).toBeFalse();
  });

  test('there is no edition', async () => {
    expect(await isStanding(makeJob({ previous: null }))).toBeFalse();
  });
});

describe('an edition of another version of the program', () => {
  const isOutdated = async (job: RefreshJob): Promise<boolean> =>
    (await compareWithSaved([job], () => Date.now() + 10_000)).outdated.has(job);
  const makeOld = (): RefreshJob => {
    const job = makeJob();
    return { ...job, previous: { ...job.previous!, inputsHash: 'of another program' } };
  };

  test('is outdated, not unchanged', async () => {
    const job = makeOld();
    expect(await isOutdated(job)).toBeTrue();
    expect(await isStanding(job)).toBeFalse();
  });

  test('is outdated if it lacks a key that item.yaml has by now', async () => {
    const job = makeOld();
    const { tags: _, ...manifest } = job.previous!.manifest;
    const previous = { ...job.previous!, manifest: manifest as Edition['manifest'] };
    expect(await isOutdated({ ...job, previous })).toBeTrue();
  });

  test.each<[string, (folder: string) => void]>([
    ['a file was written again', (folder) => writeFileSync(join(folder, '01.md'), 'new')],
    [
      'the price is another',
      (folder) => writeFiles(folder, { 'item.yaml': itemYaml({ unitAmountCents: 1 }) }),
    ],
    ['it became a draft', (folder) => writeFiles(folder, { 'item.yaml': itemYaml({ status: 'draft' }) })],
    ['item.yaml cannot be read', (folder) => writeFiles(folder, { 'item.yaml': 'no: [such' })],
  ])('is not served if %s', async (_, change) => {
    const job = makeOld();
    change(job.item.folder);
    expect(await isOutdated(job)).toBeFalse();
  });
});
