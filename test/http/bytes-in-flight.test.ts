import { expect, test } from 'bun:test';
import { createBytesInFlight, type Holding } from '../../src/http/bytes-in-flight.ts';

const BOUNDS = { perAddress: 100, total: 400 };
const piece = (address: string, more: Partial<Holding> = {}): Holding => ({
  address,
  own: 10,
  shared: null,
  isOver: null,
  ...more,
});

test('an address is admitted up to its bound, and again once something of it ends', () => {
  const { hold } = createBytesInFlight(BOUNDS);
  const ends = Array.from({ length: 10 }, () => hold(piece('a'), 'pieces'));
  expect(ends).not.toContain(null);
  expect(hold(piece('a'), 'pieces')).toBeNull();
  expect(hold(piece('b'), 'pieces')).not.toBeNull();
  ends[3]!();
  ends[3]!();
  expect(hold(piece('a'), 'pieces')).not.toBeNull();
  expect(hold(piece('a'), 'pieces')).toBeNull();
});

test('shared memory counts once for an address and once for all, until the last answer with it ends', () => {
  const { hold, held } = createBytesInFlight(BOUNDS);
  const shared = { memory: {}, bytes: 60 };
  const ends = ['a', 'a', 'b'].map((address) => hold(piece(address, { shared }), 'pieces'));
  expect(held()).toBe(90);
  ends[0]!();
  ends[2]!();
  expect(held()).toBe(70);
  expect(hold(piece('a', { shared: { memory: {}, bytes: 60 } }), 'pieces')).toBeNull();
  ends[1]!();
  expect(held()).toBe(0);
});

test('copies fill a quarter of the bounds at most', () => {
  const { hold } = createBytesInFlight(BOUNDS);
  expect(hold(piece('a', { own: 26 }), 'copy')).toBeNull();
  expect(hold(piece('a', { own: 25 }), 'copy')).not.toBeNull();
  expect(hold(piece('a', { own: 1 }), 'copy')).toBeNull();
  expect(hold(piece('a', { own: 75 }), 'pieces')).not.toBeNull();
});

test('however many addresses hold all they may, the next one is admitted, until too little is left', () => {
  const { hold, held } = createBytesInFlight(BOUNDS);
  const fill = (address: string): number => {
    const before = held();
    while (hold(piece(address, { own: 1 }), 'pieces') !== null);
    return held() - before;
  };
  expect(Array.from('abcdefg', fill)).toEqual([100, 100, 100, 50, 25, 12, 6]);
  expect(held()).toBeLessThan(BOUNDS.total);
});

test('an answer that does not say when it ends is asked, at the latest when there is no room', () => {
  const { hold, held } = createBytesInFlight(BOUNDS);
  let isOver = false;
  const end = hold(piece('a', { own: 100, isOver: () => isOver }), 'pieces');
  expect(hold(piece('a'), 'pieces')).toBeNull();
  isOver = true;
  expect(hold(piece('a'), 'pieces')).not.toBeNull();
  end!();
  expect(held()).toBe(10);
});

test('an answer that has ended is forgotten without a next one', async () => {
  const { hold, held } = createBytesInFlight(BOUNDS);
  hold(piece('a', { isOver: () => true }), 'pieces');
  while (held() > 0) await Bun.sleep(20);
});
