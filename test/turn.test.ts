import { expect, test } from 'bun:test';
import { mapInTurns } from '../src/turn.ts';

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
