import { beforeAll, describe, expect, setSystemTime, test } from 'bun:test';
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { workerFiles } from '../.ci/build.ts';
import { bundledPackages, licenseText, thirdPartyLicenses } from '../.ci/release/licenses.ts';
import { type PackedFile, packTarGz, packZip } from '../.ci/release/pack.ts';
import { TARGETS } from '../.ci/release/target.ts';
import lock from '../bun.lock';
import { dependencies } from '../package.json';
import { temporaryDirectory } from './helpers/harness.ts';

const PROJECT = join(import.meta.dir, '..');

/** Builds the program for this machine; gives its bytes and the packages that went into it. */
async function build() {
  const directory = temporaryDirectory();
  const [outfile, metafile] = [join(directory, 'bookstall'), join(directory, 'meta.json')];
  const command = [process.execPath, 'run', 'build', `--outfile=${outfile}`, `--metafile=${metafile}`];
  const child = Bun.spawn(command, { cwd: PROJECT, stdout: 'ignore', stderr: 'pipe' });
  if ((await child.exited) !== 0) throw new Error(await child.stderr.text());
  return {
    bytes: readFileSync(outfile),
    packages: bundledPackages(JSON.parse(readFileSync(metafile, 'utf8'))),
  };
}

let first: Awaited<ReturnType<typeof build>>;
beforeAll(async () => {
  first = await build();
});

test('the build finds every Worker that a source starts, once, and no other', () => {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'store'));
  writeFileSync(
    join(directory, 'app.ts'),
    "new Worker(workerUrl('compiler')); new Worker(workerUrl('store/a'));",
  );
  writeFileSync(join(directory, 'store/open.tsx'), "new Worker(\n  workerUrl('compiler'),\n);");
  writeFileSync(join(directory, 'worker.ts'), 'export function workerUrl(path: string): URL {}');
  expect(workerFiles(directory)).toEqual(['compiler.ts', 'store/a.ts']);
});

test('two builds of one commit are the same bytes', async () => {
  const second = await build();
  expect(Bun.SHA256.hash(second.bytes, 'hex')).toBe(Bun.SHA256.hash(first.bytes, 'hex'));
});

describe('the third-party licenses', () => {
  test('hold the text of every bundled package, each dependency among them', () => {
    const text = thirdPartyLicenses(first.packages);
    expect(first.packages).toEqual(expect.arrayContaining(Object.keys(dependencies)));
    for (const name of first.packages) expect(text).toContain(licenseText(name));
  });

  test.each([
    ['of MIT and its kin', /permission (is hereby granted|to use, copy, modify)/i],
    ['of the fonts', /SIL OPEN FONT LICENSE/i],
    ['of Bun', /Bun itself is MIT-licensed/],
    ['of SQLite', /sqlite.*public domain/],
    ['of JavaScriptCore', /JavaScriptCore.*LGPL-2/],
  ])('hold the words %s', (_, words) => {
    expect(thirdPartyLicenses(first.packages)).toMatch(words);
  });

  test('refuse a package that brings none', () => {
    expect(() => licenseText('bun')).toThrow('Cannot find the licence text of "bun"');
  });
});

test('every target has a runtime of its own, with a hash, in bun.lock', () => {
  const runtimes = TARGETS.map(({ runtime }) => lock.packages[runtime] as readonly unknown[]);
  expect(new Set(runtimes.map(([id]) => id)).size).toBe(TARGETS.length);
  for (const [, , , integrity] of runtimes) expect(integrity).toMatch(/^sha512-[A-Za-z0-9+/]{86}==$/);
});

describe('an archive', () => {
  const files: readonly PackedFile[] = [
    { path: 'bookstall', bytes: crypto.getRandomValues(new Uint8Array(60_000)), executable: true },
    { path: 'LICENSE', bytes: Buffer.from('MIT\n'), executable: false },
  ];

  test.each([
    ['tar.gz', packTarGz, ['tar', '-xzf']],
    ['zip', packZip, ['unzip', '-q']],
  ] as const)('%s unpacks into one folder, whole and with its modes', async (ending, pack, unpack) => {
    const directory = temporaryDirectory();
    const archive = join(directory, `a.${ending}`);
    writeFileSync(archive, pack('bookstall-1', files));
    mkdirSync(join(directory, 'out'));
    const child = Bun.spawn([...unpack, archive], { cwd: join(directory, 'out') });
    expect(await child.exited).toBe(0);
    for (const { path, bytes, executable } of files) {
      const unpacked = join(directory, 'out/bookstall-1', path);
      expect(Buffer.from(bytes).equals(readFileSync(unpacked))).toBeTrue();
      expect((statSync(unpacked).mode & 0o111) !== 0).toBe(executable);
    }
  });

  test.each([
    ['tar.gz', packTarGz],
    ['zip', packZip],
  ] as const)('%s is the same bytes at another time', (_, pack) => {
    const before = pack('bookstall-1', files);
    setSystemTime(new Date('2031-05-05T05:05:05Z'));
    const after = pack('bookstall-1', files);
    setSystemTime();
    expect(Buffer.from(before).equals(after)).toBeTrue();
  });
});
