import { expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CI_ONLY, CI_ONLY_FILES, CI_ONLY_ROWS } from './ci-only.ts';
import { type Files, temporaryDirectory, until, writeFiles } from '../harness.ts';

const root = temporaryDirectory();
const RUN = join(import.meta.dir, '../run.ts');

/** A test file; `body` may use `first`, which is true when the file runs for the first time. */
const file = (body: string): string => `
import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, writeFileSync } from 'node:fs';
const marker = import.meta.path + '.ran';
const first = !existsSync(marker);
writeFileSync(marker, '');
${body}
`;

const GOOD = file(`test('good', () => {});`);
const ALWAYS = file(`test('is wrong', () => expect(1).toBe(2)); test('beside it', () => {});`);
const ONCE = file(`
describe('a "group" & more', () => test('is late > once', () => expect(first, 'too late').toBe(false)));
test('beside it', () => {});
test.skip('skipped', () => {});`);
const CRASH = file(`test('before', () => {}); test('dies', () => { process.kill(process.pid, 'SIGKILL') });`);
const CRASH_ONCE = file(`test('dies once', () => { if (first) process.exit(3) });`);
const IMPORT = file(`throw new Error('cannot be imported');`);
const IMPORT_ONCE = file(`if (first) throw new Error('cannot be imported'); test('now it can', () => {});`);
const HOOK_ONCE = file(
  `test('good', () => {}); afterAll(() => { if (first) throw new Error('afterwards') });`,
);
const OTHER = file(
  `test('one', () => expect(first).toBe(false)); test('two', () => expect(first).toBe(true));`,
);

const UNSTEADY = 'UNSTEADY (failed beside other tests, passed alone):';

/** What the program says of a folder of test files: the lines at its end from the first of an unsteady test, and its exit code. */
async function runAll(files: Files, ci = 'true') {
  const directory = mkdtempSync(join(root, 'run-'));
  writeFiles(join(directory, 'test'), files);
  const run = Bun.spawn([process.execPath, RUN], {
    cwd: directory,
    stdout: 'pipe',
    stderr: 'pipe',
    env: { ...process.env, CI: ci },
  });
  const [out, log, code] = await Promise.all([run.stdout.text(), run.stderr.text(), run.exited]);
  const lines = out.trimEnd().split('\n');
  const unsteady = lines.filter((line) => line.startsWith('UNSTEADY'));
  return { last: lines.at(-1), unsteady, code, out, log, end: lines.slice(-1 - unsteady.length, -1) };
}

test.each<[string, Files, string, readonly string[], number]>([
  ['that passes', { 'a.test.ts': GOOD, 'b.test.ts': GOOD }, '2 passed, 0 failed', [], 0],
  ['that is empty', { 'a.ts': GOOD }, '0 passed, 1 failed', [], 1],
  ['with a wrong test', { 'a.test.ts': ALWAYS, 'b.test.ts': GOOD }, '2 passed, 1 failed', [], 1],
  [
    'with a test that fails once',
    { 'a.test.ts': ONCE, 'b.test.ts': GOOD },
    '3 passed, 0 failed, 1 skipped',
    ['test/a.test.ts > a "group" & more > is late > once'],
    0,
  ],
  [
    'with a test that fails once and a wrong one',
    { 'a.test.ts': ONCE, 'b.test.ts': ALWAYS },
    '3 passed, 1 failed, 1 skipped',
    ['test/a.test.ts > a "group" & more > is late > once'],
    1,
  ],
  ['with a file that dies', { 'a.test.ts': CRASH, 'b.test.ts': GOOD }, '2 passed, 1 failed', [], 1],
  [
    'with a file that dies once',
    { 'a.test.ts': CRASH_ONCE, 'b.test.ts': GOOD },
    '2 passed, 0 failed',
    ['test/a.test.ts > (worker crashed)'],
    0,
  ],
  [
    'with a file that cannot be imported',
    { 'a.test.ts': IMPORT, 'b.test.ts': GOOD },
    '1 passed, 1 failed',
    [],
    1,
  ],
  [
    'with a file that cannot be imported once',
    { 'a.test.ts': IMPORT_ONCE, 'b.test.ts': GOOD },
    '2 passed, 0 failed',
    ['test/a.test.ts > (no test of it ran)'],
    0,
  ],
  [
    'with a hook that fails once',
    { 'a.test.ts': HOOK_ONCE, 'b.test.ts': GOOD },
    '2 passed, 0 failed',
    ['test/a.test.ts > (unnamed)'],
    0,
  ],
  [
    'with a file that fails in another test when alone',
    { 'a.test.ts': OTHER, 'b.test.ts': GOOD },
    '2 passed, 1 failed',
    ['test/a.test.ts > one'],
    1,
  ],
])('a suite %s ends with its true counts', async (_, files, last, unsteady, code) => {
  const run = await runAll(files);
  const lines = unsteady.map((name) => `${UNSTEADY} ${name}`);
  expect(run).toMatchObject({ last, unsteady: lines, end: lines, code });
});

const WRITES = file(`
import { tmpdir } from 'node:os';
test('writes', async () => {
  writeFileSync(tmpdir() + '/left', '');
  writeFileSync(import.meta.dir + '/scratch', tmpdir());
  if (first) await new Promise(() => setInterval(() => {}, 1000));
});`);

test.each(['SIGINT', 'SIGTERM'] as const)(
  'a run takes away what its tests wrote, also when it ends by %s',
  async (signal) => {
    const directory = mkdtempSync(join(root, 'run-'));
    writeFiles(join(directory, 'test'), { 'a.test.ts': WRITES, 'b.test.ts': GOOD });
    const scratch = join(directory, 'test/scratch');
    const start = () =>
      Bun.spawn([process.execPath, RUN], { cwd: directory, stdout: 'ignore', stderr: 'ignore' });
    const interrupted = start();
    await until(() => existsSync(scratch) && readFileSync(scratch, 'utf8') !== '');
    const first = readFileSync(scratch, 'utf8');
    expect(existsSync(join(first, 'left'))).toBeTrue();
    interrupted.kill(signal);
    expect([await interrupted.exited, existsSync(first)]).toEqual([1, false]);
    expect(await start().exited).toBe(0);
    const second = readFileSync(scratch, 'utf8');
    expect([second === first, existsSync(second)]).toEqual([false, false]);
  },
);

test('five files get a second try, and the message of the first stays in the log', async () => {
  const files = (count: number): Files =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`${n}.test.ts`, ONCE]));
  const [five, six] = [await runAll(files(5)), await runAll(files(6))];
  expect([five.last, five.unsteady.length, five.code]).toEqual(['10 passed, 0 failed, 5 skipped', 5, 0]);
  expect(five.log.match(/^error: too late$/gm)?.length).toBe(5);
  expect([six.last, six.unsteady.length, six.code]).toEqual(['6 passed, 6 failed, 6 skipped', 0, 1]);
});

test('a file that runs in CI only is there, and runs elsewhere when it is named', async () => {
  for (const file of CI_ONLY_FILES) expect(existsSync(join(import.meta.dir, '../..', file))).toBeTrue();
  const [left] = CI_ONLY_FILES;
  const directory = mkdtempSync(join(root, 'run-'));
  writeFiles(directory, { [left]: GOOD, 'test/a.test.ts': GOOD, 'test/b.test.ts': GOOD });
  const last = async (ci: string, ...named: string[]) => {
    const env = { ...process.env, CI: ci };
    const run = Bun.spawn([process.execPath, RUN, ...named], { cwd: directory, stderr: 'ignore', env });
    return (await run.stdout.text()).trimEnd().split('\n').at(-1);
  };
  expect(await last('true')).toBe('3 passed, 0 failed');
  expect(await last('false')).toBe('2 passed, 0 failed');
  expect(await last('false', left)).toBe('1 passed, 0 failed');
});

test('a test that runs in CI only is named elsewhere, and is there', async () => {
  const suite = join(import.meta.dir, '..');
  const sources = [...new Bun.Glob('**/*.test.{ts,tsx}').scanSync(suite)].map((path) =>
    readFileSync(join(suite, path), 'utf8'),
  );
  const uses = CI_ONLY.map(
    (name) => sources.filter((text) => text.includes('testInCi(') && text.includes(`'${name}'`)).length,
  );
  expect(uses).toEqual(CI_ONLY.map(() => 1));
  const files = { 'a.test.ts': GOOD, 'b.test.ts': GOOD };
  const [here, inCi] = [await runAll(files, 'false'), await runAll(files)];
  expect(here.out).toContain(`These files and tests run in CI only:\n  ${CI_ONLY_FILES[0]}\n`);
  for (const name of [...CI_ONLY_FILES, ...CI_ONLY]) expect(here.out).toContain(`  ${name}\n`);
  for (const [file, words] of Object.entries(CI_ONLY_ROWS)) {
    expect(here.out).toContain(`  ${file}: ${words}\n`);
    expect(readFileSync(join(suite, '..', file), 'utf8')).toContain('rowsHere(');
  }
  expect(inCi.out).not.toContain('run in CI only');
});
