import { expect, test } from 'bun:test';
import { createQueue, mapInTurns, nextTurn } from '../../../src/platform/base/turn.ts';

test('mapInTurns keeps the order, and others have their turn while it maps', async () => {
  const list = Array.from({ length: 5000 }, (_, n) => n);
  let [turns, isOver] = [0, false];
  const count = (): void => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  const mapped = await mapInTurns(list, (n) => {
    for (const end = performance.now() + 0.02; performance.now() < end;);
    return n % 2 === 0 ? n : Promise.resolve(n);
  });
  isOver = true;
  expect(mapped).toEqual(list);
  expect(turns).toBeGreaterThan(10);
});

test('a queue ends a turn of the event loop after a long task, though none of them waits', async () => {
  const inTurn = createQueue();
  const order: string[] = [];
  const ask = (name: string, n: number) =>
    inTurn(name, async () => {
      for (const end = performance.now() + 6; performance.now() < end;);
      order.push(`${name}${n}`);
    });
  const crowd = [ask('a', 1), ask('a', 2), ask('a', 3), ask('b', 1)];
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const seen: number[] = [];
  for (const _ of crowd) {
    await turn();
    seen.push(order.length);
  }
  await Promise.all(crowd);
  expect(seen).toEqual([1, 2, 3, 4]);
  // Those who wait take turns by name.
  expect(order).toEqual(['a1', 'a2', 'b1', 'a3']);
});

test('nextTurn lets one in each turn of the event loop, and names take turns', async () => {
  const order: string[] = [];
  const ask = (name: string) => nextTurn(name).then(() => order.push(name));
  const crowd = ['a', 'a', 'a', 'b'].map(ask);
  const seen: number[] = [];
  for (const _ of crowd) {
    await new Promise((resolve) => setImmediate(resolve));
    seen.push(order.length);
  }
  await Promise.all(crowd);
  expect(seen).toEqual([1, 2, 3, 4]);
  expect(order).toEqual(['a', 'b', 'a', 'a']);
});
