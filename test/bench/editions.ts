// Ten thousand items of five editions against the same items of one: time to /readyz in turns, and memory.
// bun test/bench/editions.ts [DIRECTORY]: a directory that holds both stalls from an earlier run is used again.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { itemYaml, skillMd, writeFiles } from '../helpers/harness.ts';
import { freePort } from './child.ts';
import { median } from './rounds.ts';
import { scratch, startStall } from './stall-process.ts';

const ITEMS = 10_000;
const EDITIONS = 5;
const STARTS = 9;
/** After the sweep of kept bodies, which follows a start by ten seconds. */
const REST = 15_000;

const directory = process.argv[2] ?? scratch('editions');
const content = join(directory, 'content');
const stalls = { five: join(directory, 'five'), one: join(directory, 'one') } as const;

/** Writes an edition of every item: each second one is a book. */
function writeItems(edition: number): void {
  const keys = { version: `"1.${edition}"`, changes: `"${`Corrects line ${edition}. `.repeat(10)}"` };
  const text = `Edition ${edition}: the heron stands on one leg.\n`;
  for (let n = 0; n < ITEMS; n++)
    writeFiles(
      join(content, n % 2 === 0 ? `books/b-${n}` : `skills/s-${n}`),
      n % 2 === 0
        ? { 'item.yaml': itemYaml({ id: `id-${n}`, ...keys }), '01.md': `# Book ${n}\n\n${text}` }
        : { 'item.yaml': itemYaml(keys), 'SKILL.md': skillMd(`s-${n}`, text) },
    );
}

/** Has the content published; gives the seconds it took. */
async function publish(data: string): Promise<number> {
  const stall = await startStall(content, data, freePort());
  await stall.stop();
  return stall.readyMs / 1000;
}

if (!existsSync(stalls.one)) {
  for (let edition = 1; edition <= EDITIONS; edition++) {
    writeItems(edition);
    console.error(`edition ${edition}: ${(await publish(stalls.five)).toFixed(1)} s`);
  }
  await publish(stalls.one);
}

const ready = { five: [] as number[], one: [] as number[] };
for (let n = 0; n <= STARTS; n++)
  for (const name of ['five', 'one'] as const) {
    const stall = await startStall(content, stalls[name], freePort());
    // The first start of each reads everything from the disk.
    if (n > 0) ready[name].push(stall.readyMs);
    await stall.stop();
  }
const memory = { five: '', one: '' };
for (const name of ['five', 'one'] as const) {
  const stall = await startStall(content, stalls[name], freePort());
  await Bun.sleep(REST);
  memory[name] = `${(stall.rss() / 1e6).toFixed(0)} MB, peak ${(stall.peakRss() / 1e6).toFixed(0)} MB`;
  await stall.stop();
}
const [five, one] = [median(ready.five), median(ready.one)];
console.log(
  `start: ${five.toFixed(0)} ms of ${EDITIONS} editions each, ${one.toFixed(0)} ms of one: ${(five / one).toFixed(2)} x`,
);
console.log(`RSS ${REST / 1000} s after the start: ${memory.five} against ${memory.one}`);
