// `bun run mutation:random [COUNT] [--seed N]`: changes one token of `src` at a time in a copy of the project, at random and only
// where the types let it through, and runs the tests that cover the changed line, the nearest first. Without words for
// readers and the browser's script, and without the tests that need a browser or an agent. An hour and more for a hundred.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import timings from '../suite/timings.json';
import { copyProject } from './copy.ts';
import { findPlaces, type Place, withChange } from './token-changes.ts';

/** The longest that one run of tests may take, in milliseconds; a mutant that makes them hang is killed by it. */
const LONGEST = 400_000;
/** A test file that takes longer is not tried, in milliseconds. */
const LONGEST_FILE = 60_000;
/** How many files are tried for a mutant: the nearest first, then more, and no others. */
const [NEAREST, NEAR, MOST] = [5, 20, 60];
/** How many mutants the types check together. */
const BATCH = 60;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { seed: { type: 'string', default: '1' } },
});
const [wanted, seed] = [Number(positionals[0] ?? 100), BigInt(values.seed)];
const { copy, run } = copyProject(LONGEST);
const read = (file: string): string => readFileSync(join(copy, file), 'utf8');
const write = (file: string, text: string): void => writeFileSync(join(copy, file), text);

const mutants = await findMutants();
await run(['run', 'build']);
const coverage = await readCoverage();
const lived: Place[] = [];
for (const [n, mutant] of mutants.entries()) {
  const killer = await tryOut(mutant);
  if (killer === null) lived.push(mutant);
  const { file, line, found, change } = mutant;
  console.log(`${n + 1} ${killer ?? 'LIVED'} ${file}:${line + 1} ${found} -> ${change}`);
}
console.log(`${mutants.length - lived.length} killed, ${lived.length} lived`);

/** Chooses places at random, one in a line, and leaves out those whose change the types refuse. */
async function findMutants(): Promise<readonly Place[]> {
  const sources = [...new Bun.Glob('src/**/*.{ts,tsx}').scanSync(copy)]
    .filter((file) => !/\.d\.ts$|\/words\/|\/site\/browser\//.test(file))
    .toSorted();
  const places = shuffled(sources.flatMap((file) => findPlaces(file, read(file))));
  const kept: Place[] = [];
  while (kept.length < wanted && places.length > 0) {
    const batch = new Map<string, Place>();
    while (batch.size < BATCH && places.length > 0) {
      const place = places.pop()!;
      const isNew = kept.every(({ file, line }) => file !== place.file || line !== place.line);
      if (isNew && !batch.has(place.file)) batch.set(place.file, place);
    }
    kept.push(...(await listAccepted([...batch.values()])));
  }
  return kept.slice(0, wanted);
}

/** Lists the changes, each of another file, that the types let through. */
async function listAccepted(places: readonly Place[]): Promise<readonly Place[]> {
  const sources = places.map((place) => [place, read(place.file)] as const);
  for (const [place, source] of sources) write(place.file, withChange(source, place));
  const { code, said } = await run(['run', 'check']);
  for (const [{ file }, source] of sources) write(file, source);
  if (code === 0) return places;
  // One that cannot be parsed hides what is wrong with the others, so that those are asked about again.
  const others = places.filter(({ file }) => !said.includes(file));
  if (others.length < places.length) return listAccepted(others);
  // Another type of a constant is wrong where the constant is used.
  if (places.length < 2) return [];
  const half = Math.ceil(places.length / 2);
  return [...(await listAccepted(places.slice(0, half))), ...(await listAccepted(places.slice(half)))];
}

/** The lines of each source that run in each test file, from 0. A file that fails without a mutant proves nothing. */
async function readCoverage() {
  const found = new Map<string, Map<string, ReadonlySet<number>>>();
  const report = join(copy, 'coverage/lcov.info');
  for (const [test, time] of Object.entries(timings.files)) {
    if (time > LONGEST_FILE || /^test\/(browser|clients)\//.test(test) || !existsSync(join(copy, test)))
      continue;
    const options = ['--timeout=60000', '--coverage', '--coverage-reporter=lcov', '--coverage-dir=coverage'];
    rmSync(report, { force: true });
    const { code } = await run(['test', ...options, `./${test}`]);
    if (code !== 0 || !existsSync(report)) continue;
    for (const record of readFileSync(report, 'utf8').split('end_of_record')) {
      const file = /^SF:(.+)$/m.exec(record)?.[1] ?? '';
      const lines = [...record.matchAll(/^DA:(\d+),[1-9]/gm)].map(([, line]) => Number(line) - 1);
      found.getOrInsertComputed(file, () => new Map()).set(test, new Set(lines));
    }
  }
  return found;
}

/** Returns what killed a mutant; null if all tests that were tried passed. */
async function tryOut(mutant: Place): Promise<string | null> {
  const { file } = mutant;
  const [source, tests] = [read(file), testsOf(mutant)];
  write(file, withChange(source, mutant));
  try {
    for (const part of [tests.slice(0, NEAREST), tests.slice(NEAREST, NEAR), tests.slice(NEAR, MOST)]) {
      if (part.length === 0) break;
      const { code, said } = await run([
        'test',
        '--timeout=60000',
        '--bail',
        '--parallel=1',
        ...part.map((test) => `./${test}`),
      ]);
      if (code !== 0) return /\(fail\) .*/.exec(said)?.[0] ?? 'killed without a failed test:';
    }
    return null;
  } finally {
    write(file, source);
  }
}

/** The tests in which a mutant's line runs, the nearest first: those that run much of its file in little time. */
function testsOf({ file, line }: Place): readonly string[] {
  const covering = coverage.get(file) ?? new Map<string, ReadonlySet<number>>();
  const least = Math.min(...[...covering.values()].map((lines) => lines.size));
  const stem = basename(file).split('.')[0]!;
  const rank = (test: string): number => {
    const near = (basename(test).includes(stem) ? 60 : 0) + (test.includes(basename(dirname(file))) ? 5 : 0);
    const time = (timings.files as Readonly<Record<string, number>>)[test] ?? 0;
    return (covering.get(test)!.size - least + near) / Math.sqrt(2 + time / 1000);
  };
  // The first line of a statement over several lines may be the one that counts.
  const isRun = (lines: ReadonlySet<number>): boolean =>
    [line, line - 1, line + 1].some((one) => lines.has(one));
  const names = [...covering].filter(([, lines]) => isRun(lines)).map(([test]) => test);
  return names.toSorted((a, b) => rank(b) - rank(a));
}

/** Shuffles by hashes with the seed, so that a run can be made again. */
function shuffled(places: readonly Place[]): Place[] {
  const hashed = places.map((place) => [Bun.hash.wyhash(JSON.stringify(place), seed), place] as const);
  return hashed.sort(([a], [b]) => (a < b ? -1 : Number(a > b))).map(([, place]) => place);
}
