import { beforeAll, expect, test } from 'bun:test';
import { createChance } from '../torture/chance.ts';
import { torturePushes } from '../torture/push.ts';
import { buildProgram } from './program.ts';

beforeAll(buildProgram, 300_000);

test('a push is whole or not there, through kills, full disks and two at once', async () => {
  const said: string[] = [];
  const rounds = { kills: 4, disks: 2, pairs: 2, starts: 3 };
  const { faults } = await torturePushes(createChance(Date.now() % 1_000_000), rounds, (one) =>
    said.push(one),
  );
  expect([...said, ...faults]).toEqual([]);
}, 120_000);
