// Runs every test and ends with one plain line, which `bun test` itself does not print.
import { join } from 'node:path';
import { isThere, REMEDY } from './browser/executable.ts';
import { runBunTest } from './suite/bun-test.ts';
import { CI_ONLY_FILES, isCi } from './suite/ci-only.ts';
import type { Outcome } from './suite/report.ts';
import { tryAgain } from './suite/second-try.ts';

const LINE = '='.repeat(78);

/** The longest files start first, so that none is left alone at the end; `--update-timings` measures them again. */
const TIMINGS = `--timings=${join(import.meta.dir, 'suite/timings.json')}`;
const IGNORED = CI_ONLY_FILES.map((file) => `--path-ignore-patterns=${file}`);

/** Printed before the tests and again after them: a skipped test is easily mistaken for a passed one. */
const sayNoBrowser = (tests: string): void => console.log(`${LINE}\n${tests} NOT RUN: ${REMEDY}\n${LINE}`);
if (!isThere && !isCi) sayNoBrowser('Browser tests');

const words = process.argv.slice(2);
const isPart = !isCi && words.every((word) => word.startsWith('-'));
// Half of the time is spent waiting for clocks and programs. Always three: more would miss each other's deadlines.
const first = (await runBunTest(['--parallel=3', TIMINGS, ...(isPart ? IGNORED : []), ...words])) ?? [];
const { results, unsteady } = await tryAgain(first, (file) => {
  console.error(`${LINE}\n${file} failed beside other tests, and runs once more, alone\n${LINE}`);
  return runBunTest([`./${file}`]);
});

const count = (outcome: Outcome): number => results.filter((result) => result.outcome === outcome).length;
const skipped = count('skipped');
const pages = results.filter(
  ({ file, outcome }) => file.startsWith('test/browser/') && outcome === 'skipped',
).length;
if (pages > 0) sayNoBrowser(`${pages} browser tests`);
if (isPart)
  console.log(`The ${CI_ONLY_FILES.length} longest files run in CI only, and with: CI=true npm test`);
for (const { file, name } of unsteady)
  console.log(`UNSTEADY (failed beside other tests, passed alone): ${file} > ${name}`);
// A run that found no test proves nothing.
const failed = results.length === 0 ? 1 : count('failed');
console.log(`${count('passed')} passed, ${failed} failed${skipped === 0 ? '' : `, ${skipped} skipped`}`);
process.exitCode = failed === 0 ? 0 : 1;
