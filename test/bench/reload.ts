// How long a reload of ten thousand unchanged items holds up others.
import { join } from 'node:path';
import { itemYaml, skillMd, writeFiles } from '../helpers/harness.ts';
import { freePort } from './child.ts';
import { ms, type Row } from './figure.ts';
import { request, runOpenLoop } from './open-loop.ts';
import { quantile, scratch, startStall } from './stall-process.ts';

const ITEMS = 10_000;
const SECONDS = 20;
const MOST_MS = 20;

/** /livez, 200 times a second, while ten thousand items are reloaded. */
export async function measureReload(): Promise<readonly Row[]> {
  const content = scratch('reload');
  for (let n = 0; n < ITEMS; n++)
    writeFiles(content, {
      [`skills/s-${n}/item.yaml`]: itemYaml(),
      [`skills/s-${n}/SKILL.md`]: skillMd(`s-${n}`),
    });
  const port = freePort();
  const stall = await startStall(content, join(scratch('reload-data'), 'data'), port);
  const streams = [{ name: 'probe', rate: 200, requests: [request('/livez')] }] as const;
  const quiet = (await runOpenLoop({ port, seconds: 5, streams })).probe;
  const loaded = runOpenLoop({ port, seconds: SECONDS, streams });
  await Bun.sleep(1000);
  stall.signal('SIGHUP');
  const { probe } = await loaded;
  await stall.stop();
  const most = probe.sorted.at(-1) ?? 0;
  return [
    {
      figure: `/livez while ${ITEMS} unchanged items are reloaded, 200 a second`,
      bound: `max < ${MOST_MS} ms`,
      measured: `p99 ${ms(quantile(probe.sorted, 0.99))}, max ${ms(most)} of ${probe.sorted.length}; before it max ${ms(quiet.sorted.at(-1) ?? 0)}; ${probe.failed} failed`,
      ratio: '',
      isMet: most < MOST_MS && probe.failed === 0,
      command: 'bun run bench reload',
    },
  ];
}
