// Runs every test and ends with one plain line, which `bun test` itself does not print.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const report = join(tmpdir(), `bookstall-junit-${process.pid}.xml`);
const run = Bun.spawn(
  [
    process.execPath,
    'test',
    '--timeout=60000',
    // Half of the time is waited for clocks and programs. Two, whatever the machine: more would starve each other's deadlines.
    '--parallel=2',
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
const totals = existsSync(report) ? /<testsuites[^>]*>/.exec(readFileSync(report, 'utf8'))?.[0] : undefined;
rmSync(report, { force: true });
const count = (name: string): number =>
  Number(new RegExp(`\\b${name}="(\\d+)"`).exec(totals ?? '')?.[1] ?? 0);
const [tests, failures, skipped] = [count('tests'), count('failures'), count('skipped')];
const failed = failures === 0 && code !== 0 ? 1 : failures;
console.log(
  `${tests - failures - skipped} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`,
);
process.exit(totals === undefined ? 1 : code);
