import { expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import { createRequestTurns, createSendTurns } from '../../src/http/sender.ts';

const MB = 1024 * 1024;

test('what fits into a turn does not wait, and the rest goes in order, a turn at a time', async () => {
  const take = createSendTurns();
  const done: number[] = [];
  expect([take(MB), take(MB)]).toEqual([undefined, undefined]);
  const waits = [1, 2, 3, 4].map(async (n) => {
    await take(MB);
    done.push(n);
  });
  await Promise.resolve();
  expect(done).toEqual([]);
  await setImmediate();
  expect(done).toEqual([1, 2]);
  await Promise.all(waits);
  expect(done).toEqual([1, 2, 3, 4]);
});

test('more than a turn holds is taken in one, and none is saved up', async () => {
  const take = createSendTurns();
  expect(take(100 * MB)).toBeUndefined();
  await setImmediate();
  await setImmediate();
  expect(take(2 * MB)).toBeUndefined();
  expect(take(1)).toBeInstanceOf(Promise);
});

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
