// Runs every part of the torture in turn: bun run torture [--rounds N] [--operations N] [--seed S] [--only PART]
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { tortureAssistants } from './assistants.ts';
import { createChance } from './chance.ts';
import { tortureEditions } from './editions.ts';
import { tortureByFaults } from './fault.ts';
import { tortureByKilling } from './kill.ts';
import { tortureNews } from './news.ts';
import { torturePushes } from './push.ts';
import { tortureSales } from './sales.ts';
import { tortureSettings } from './settings.ts';
import { tortureSync } from './sync.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '200' },
    operations: { type: 'string', default: '80' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
  },
});
const [rounds, operations, seed] = [values.rounds, values.operations, values.seed].map(Number) as [
  number,
  number,
  number,
];
const say = (text: string): void => console.error(text);

const PARTS = {
  kill: () => tortureByKilling(createChance(seed), rounds, say),
  editions: () => tortureEditions(createChance(seed), rounds, say),
  sales: () => tortureSales(createChance(seed), rounds, say),
  news: () => tortureNews(createChance(seed), rounds, say),
  assistants: () => tortureAssistants(createChance(seed), Math.ceil(rounds / 2), say),
  settings: () => tortureSettings(createChance(seed), Math.ceil(rounds / 2), say),
  push: () =>
    torturePushes(
      createChance(seed),
      {
        kills: Math.ceil(rounds / 2),
        disks: Math.ceil(rounds / 20),
        pairs: Math.ceil(rounds * 0.15),
        starts: Math.ceil(rounds / 4),
      },
      say,
    ),
  sync: () => tortureSync(seed, operations),
  faults: () => tortureByFaults(),
};

say(`Seed ${seed}: bun run torture --rounds ${rounds} --operations ${operations} --seed ${seed}`);
let faults = 0;
for (const [name, part] of Object.entries(PARTS)) {
  if (values.only !== undefined && values.only !== name) continue;
  const startedAt = performance.now();
  const found = await part();
  console.log(
    `\n${name}, ${Math.round((performance.now() - startedAt) / 1000)} s, seed ${seed}, load ${loadavg()[0]?.toFixed(1)}\n\n${found.rows.join('\n')}`,
  );
  for (const fault of found.faults) console.log(`- FAULT: ${fault}`);
  faults += found.faults.length;
}
console.log(faults === 0 ? '\nNo fault was found' : `\n${faults} faults were found`);
process.exit(faults === 0 ? 0 : 1);
