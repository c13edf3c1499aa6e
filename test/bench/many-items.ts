// Ten thousand items of one small file each: time to /readyz, cold and after a restart, and memory.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { itemYaml, skillMd, writeFiles } from '../helpers/harness.ts';
import { scratch, startStall } from './stall-process.ts';

const ITEMS = 10_000;

const content = scratch('many');
for (let n = 0; n < ITEMS; n++) {
  const [folder, files] =
    n % 2 === 0
      ? [
          `books/b-${n}`,
          { 'item.yaml': itemYaml({ id: `id-${n}` }), '01.md': `# Book ${n}\n\nThe heron stands.\n` },
        ]
      : [`skills/s-${n}`, { 'item.yaml': itemYaml(), 'SKILL.md': skillMd(`s-${n}`) }];
  writeFiles(join(content, folder), files);
}
const data = join(scratch('many-data'), 'data');
for (const start of ['cold', 'again', 'restart']) {
  const stall = await startStall(content, data, 7192);
  const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${stall.pid}/status`, 'utf8'))?.[1]) / 1024;
  const rss = stall.rss() / 2 ** 20;
  console.log(
    `${start}: ready after ${(stall.readyMs / 1000).toFixed(1)} s, RSS ${rss.toFixed(0)} MiB, peak ${peak.toFixed(0)} MiB`,
  );
  await stall.stop();
}
