import { expect, test } from 'bun:test';
import { createBytesInFlight, type Holding } from '../../src/http/bytes-in-flight.ts';

const BOUNDS = { perClient: 100, anonymous: 400, total: 500, shared: 60 };
const piece = (key: string, more: Partial<Holding> = {}): Holding => ({
  client: { key, isAccount: false },
  own: 10,
  shared: null,
  isOver: null,
  hurry: () => {},
  ...more,
});
const ofAccount = (key: string) => ({ client: { key, isAccount: true } });

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

test('shared memory counts once, whoever shares it, until the last answer with it ends', () => {
  const { hold, held } = createBytesInFlight(BOUNDS);
  const shared = { memory: {}, bytes: 60 };
  const ends = ['a', 'a', 'b'].map((address) => hold(piece(address, { shared }), 'pieces'));
  expect(held()).toBe(90);
  ends[0]!();
  ends[2]!();
  expect(held()).toBe(70);
  expect(hold(piece('c', { shared: { memory: {}, bytes: 1 } }), 'pieces')).toBeNull();
  expect(hold(piece('c'), 'pieces')).not.toBeNull();
  ends[1]!();
  expect(held()).toBe(10);
});

test('copies fill a quarter of the bounds at most', () => {
  const { hold } = createBytesInFlight(BOUNDS);
  expect(hold(piece('a', { own: 26 }), 'copy')).toBeNull();
  expect(hold(piece('a', { own: 25 }), 'copy')).not.toBeNull();
  expect(hold(piece('a', { own: 1 }), 'copy')).toBeNull();
  expect(hold(piece('a', { own: 75 }), 'pieces')).not.toBeNull();
});

const fillOf =
  ({ hold, held }: ReturnType<typeof createBytesInFlight>) =>
  (key: string, more: Partial<Holding> = {}) => {
    const before = held();
    while (hold(piece(key, { own: 1, ...more }), 'pieces') !== null);
    return held() - before;
  };

test('however many addresses hold all they may, the next one is admitted, until too little is left', () => {
  const inFlight = createBytesInFlight(BOUNDS);
  const fill = fillOf(inFlight);
  expect(Array.from('abcdefg', (key) => fill(key))).toEqual([100, 100, 100, 50, 25, 12, 6]);
  expect(inFlight.held()).toBeLessThan(BOUNDS.anonymous);
});

test('a share is kept for accounts, and no account can take all of it', () => {
  const inFlight = createBytesInFlight(BOUNDS);
  const fill = fillOf(inFlight);
  for (const key of 'abcdefghijklmnop') fill(key);
  expect(inFlight.hold(piece('next', { own: 4 }), 'pieces')).toBeNull();
  expect(Array.from('123', (key) => fill(key, ofAccount(key)))).toEqual([50, 25, 13]);
});

test('nearly full, answers are hurried once, of clients that hold more than half an even share', async () => {
  const { hold } = createBytesInFlight(BOUNDS);
  const hurried: string[] = [];
  const ask = (key: string, own: number) =>
    hold(piece(key, { own, hurry: () => hurried.push(key) }), 'pieces');
  ask('small', 10);
  ask('a', 100);
  ask('b', 100);
  await Bun.sleep(1500);
  expect(hurried).toEqual([]);
  ask('c', 90);
  while (hurried.length < 3) await Bun.sleep(20);
  await Bun.sleep(1500);
  expect(hurried).toEqual(['a', 'b', 'c']);
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
