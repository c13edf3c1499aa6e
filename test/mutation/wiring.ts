// `bun run mutation:wiring [--only N,…]`: makes one mistake of wiring at a time in a copy of the project, and runs the tests nearest to it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { copyProject } from './copy.ts';
import { MUTANTS, type Mutant } from './wiring-mutants.ts';

/** The longest that the tests of one mutant may take, in milliseconds; a mutant that makes them hang is killed by it. */
const LONGEST = 240_000;

// A busy machine is slow, and no mistake.
const TEST = ['test', '--timeout=60000'];

const { values } = parseArgs({ options: { only: { type: 'string' } } });
const only = values.only?.split(',').map(Number);
const chosen = [...MUTANTS.entries()].filter(([n]) => only === undefined || only.includes(n + 1));

const { copy, run } = copyProject(LONGEST);

const stale = chosen.filter(([, mutant]) => mutate(mutant) === null);
for (const [n, { file, find }] of stale)
  console.log(`${n + 1} is stale: not once in ${file}:\n${find.slice(0, 120)}`);
if (stale.length > 0) process.exit(1);

// All at once, since they are apart: one that the types refuse is no mistake that anybody can make.
const originals = new Map(chosen.map(([, { file }]) => [file, readFileSync(join(copy, file), 'utf8')]));
for (const [, mutant] of chosen) writeFileSync(join(copy, mutant.file), mutate(mutant) ?? '');
const checked = await run(['run', 'check']);
if (checked.code !== 0) {
  console.log(checked.said);
  process.exit(1);
}
for (const [file, source] of originals) writeFileSync(join(copy, file), source);

// Some tests need the program of readers.
await passes(['run', 'build']);
const sound = new Map<string, Promise<boolean>>();
const results: Awaited<ReturnType<typeof tryOut>>[] = [];
for (const [n, mutant] of chosen) {
  const result = await tryOut(mutant);
  results.push(result);
  console.log(`${String(n + 1).padStart(2)} ${result.padEnd(6)} ${mutant.mistake} (${mutant.file})`);
}
const count = (wanted: (typeof results)[number]): number =>
  results.filter((result) => result === wanted).length;
console.log(
  `${count('killed')} killed, ${count('LIVED')} lived, ${count('broken')} with tests that fail anyway`,
);
process.exit(count('killed') === results.length ? 0 : 1);

/** `broken` if its tests fail without it too. */
async function tryOut(mutant: Mutant): Promise<'killed' | 'LIVED' | 'broken'> {
  for (const tests of mutant.tests) if (!(await isSound(tests))) return 'broken';
  writeFileSync(join(copy, mutant.file), mutate(mutant) ?? '');
  try {
    for (const tests of mutant.tests) if (!(await passes([...TEST, '--bail', `./${tests}`]))) return 'killed';
    return 'LIVED';
  } finally {
    writeFileSync(join(copy, mutant.file), originals.get(mutant.file) ?? '');
  }
}

/** Whether tests pass without a mistake; asked once. */
function isSound(tests: string): Promise<boolean> {
  const asked = sound.get(tests) ?? passes([...TEST, `./${tests}`]);
  sound.set(tests, asked);
  return asked;
}

/** The file with the mistake in it; null if its place is not there just once. */
function mutate({ file, find, replace }: Mutant): string | null {
  const parts = readFileSync(join(copy, file), 'utf8').split(find);
  return parts.length === 2 ? parts.join(replace) : null;
}

async function passes(words: readonly string[]): Promise<boolean> {
  return (await run(words)).code === 0;
}
