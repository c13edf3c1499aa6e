import { expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runs } from '../helpers/runs.ts';
import { type Files, itemYaml, openStall, skillMd, type Stall, until } from '../helpers/harness.ts';

const QUIET = 200;
const BURSTS = runs(30);
/** Two edits farther apart than this are two bursts to the watcher, so what is between them may be served. */
const APART = QUIET / 2;
const FILES = Array.from({ length: 8 }, (_, n) => `${n}.md`);

/** The states of the files in an installed archive: one, unless files of two edits were mixed. */
async function statesOf(stall: Stall): Promise<readonly string[]> {
  const archive = await (await stall.fetch('/api/install/busy')).arrayBuffer();
  const text = Buffer.from(Bun.gunzipSync(archive)).toString('latin1');
  return [...new Set(Array.from(text.matchAll(/state (\d+)\n/g), ([, state = '']) => state))];
}

test('bursts of edits that begin when the tree has just settled are never served in part', async () => {
  const files: Files = {
    'skills/busy/item.yaml': itemYaml(),
    'skills/busy/SKILL.md': skillMd('busy'),
    ...Object.fromEntries(FILES.map((file) => [`skills/busy/${file}`, 'state 0\n'])),
  };
  const stall = await openStall({ files, config: { watch: true }, quiet: QUIET });
  const served = new Map<string, number>();
  let isEditing = true;
  const look = (async (): Promise<void> => {
    while (isEditing) {
      const states = (await statesOf(stall)).join(' and ');
      served.set(states, (served.get(states) ?? 0) + 1);
      await Bun.sleep(3);
    }
  })();
  const paused = new Set<number>();
  let burst = 0;
  // A busy machine pauses within some bursts, which then say nothing; others follow in their place.
  while (burst - paused.size < BURSTS) {
    burst++;
    let edited = performance.now();
    for (const file of FILES) {
      writeFileSync(join(stall.content, 'skills/busy', file), `state ${burst}\n`);
      if (performance.now() - edited > APART) paused.add(burst);
      edited = performance.now();
      await Bun.sleep(10);
    }
    // The next burst begins from shortly before to shortly after the moment at which this one is published.
    await Bun.sleep(QUIET - 25 + (burst % 10) * 5);
  }
  const last = String(burst);
  await until(() => served.has(last));
  isEditing = false;
  await look;
  const isPaused = (states: string): boolean =>
    states.split(' and ').some((state) => paused.has(Number(state)));
  expect([...served.keys()].filter((states) => states.includes(' and ') && !isPaused(states))).toEqual([]);
  expect(served.has(last)).toBe(true);
  await stall.close();
});
