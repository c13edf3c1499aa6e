// Runs every test and ends with one plain line, which `bun test` itself does not print.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isThere, REMEDY } from './browser/executable.ts';

/** Printed before the tests and again after them: a skipped test is easily mistaken for a passed one. */
const sayNoBrowser = (tests: string): void => {
  const line = '='.repeat(78);
  console.log(`${line}\n${tests} NOT RUN: ${REMEDY}\n${line}`);
};
if (!isThere && process.env['CI'] !== 'true') sayNoBrowser('Browser tests');

const report = join(tmpdir(), `bookstall-junit-${process.pid}.xml`);
const run = Bun.spawn(
  [
    process.execPath,
    'test',
    '--timeout=60000',
    // Half of the time is spent waiting for clocks and programs. Always three: more would miss each other's deadlines.
    '--parallel=3',
    '--reporter=junit',
    `--reporter-outfile=${report}`,
    ...process.argv.slice(2),
  ],
  {
    stdio: ['inherit', 'inherit', 'inherit'],
    env: { ...process.env, NODE_ENV: 'production' },
  },
);
const code = await run.exited;
const results = existsSync(report) ? readFileSync(report, 'utf8') : '';
const totals = /<testsuites[^>]*>/.exec(results)?.[0];
rmSync(report, { force: true });
const count = (name: string): number =>
  Number(new RegExp(`\\b${name}="(\\d+)"`).exec(totals ?? '')?.[1] ?? 0);
const [tests, failures, skipped] = [count('tests'), count('failures'), count('skipped')];
const failed = failures === 0 && code !== 0 ? 1 : failures;
const pages = results.match(/<testcase [^>]*file="test\/browser\/[^>]*[^/]>\s*<skipped/g)?.length ?? 0;
if (pages > 0) sayNoBrowser(`${pages} browser tests`);
console.log(
  `${tests - failures - skipped} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`,
);
process.exit(totals === undefined ? 1 : code);
