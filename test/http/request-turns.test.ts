import { expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import { createRequestTurns } from '../../src/http/sender.ts';

test('requests that come once a turn is used up are let in one a turn, a client after the other', async () => {
  const take = createRequestTurns();
  expect(take('burst')).toBeUndefined();
  for (const end = performance.now() + 20; performance.now() < end;);
  const letIn: string[] = [];
  const waits = ['burst', 'burst', 'burst', 'another', 'burst'].map(async (client) => {
    await take(client);
    letIn.push(client);
  });
  const seen: number[] = [];
  while (letIn.length < 5) {
    seen.push(letIn.length);
    await setImmediate();
  }
  await Promise.all(waits);
  expect(letIn).toEqual(['burst', 'another', 'burst', 'burst', 'burst']);
  expect(seen).toEqual([0, 1, 2, 3, 4]);
});
