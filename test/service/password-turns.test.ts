import { describe, expect, test } from 'bun:test';
import { createPasswordTurns, type Party } from '../../src/service/passwords.ts';
import { refusalOf } from './admin-services.ts';

/** Turns with a clock that never lets the pace wait, unless it is told to stand still. */
function open({ isPaced = false } = {}) {
  let time = 0;
  const inTurn = createPasswordTurns(() => (isPaced ? performance.now() : (time += 1000)));
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const attempts: Promise<string>[] = [];
  /** A piece of work that ends when the test says so. */
  const work = (key: string, isFamiliar = false): Promise<string> => {
    const done = inTurn({ key, isFamiliar }, async () => {
      begun.push(key);
      await new Promise<void>((resolve) => ends.push(resolve));
    });
    const attempt = refusalOf(done);
    attempts.push(attempt);
    return attempt;
  };
  const finish = async (): Promise<void> => {
    for (let quiet = 0; quiet < 3; quiet++) {
      await Bun.sleep(0);
      for (const end of ends.splice(0)) {
        quiet = 0;
        end();
      }
    }
  };
  return { inTurn, begun, work, finish, attempts };
}

const TOO_MANY = 'rate-limited: Cannot check the password: too many wait; try again in a second';

test('two work at a time', async () => {
  const { work, begun, finish, attempts } = open();
  for (const key of ['a', 'b', 'c']) void work(key);
  await Bun.sleep(0);
  expect(begun).toEqual(['a', 'b']);
  await finish();
  expect(begun).toEqual(['a', 'b', 'c']);
  await Promise.all(attempts);
});

test('however many one party has waiting, another waits for one of them at most', async () => {
  const { work, begun, finish, attempts } = open();
  for (let n = 0; n < 30; n++) void work('storm');
  void work('other');
  void work('third');
  await finish();
  expect(begun.slice(0, 6)).toEqual(['storm', 'storm', 'storm', 'other', 'third', 'storm']);
  expect(begun).toHaveLength(32);
  expect(new Set(await Promise.all(attempts))).toEqual(new Set(['not refused: null']));
});

test('a familiar party waits for one stranger at most, and strangers go on', async () => {
  const { work, begun, finish } = open();
  for (let n = 0; n < 100; n++) void work(`bot${n}`);
  for (let n = 0; n < 5; n++) void work('home', true);
  await finish();
  expect(begun.slice(2, 12).filter((key) => key === 'home')).toHaveLength(5);
  expect(begun.filter((key) => key.startsWith('bot'))).toHaveLength(100);
});

test('32 of a party wait, and its next is told to come back', async () => {
  const { work, finish, attempts } = open();
  for (let n = 0; n < 40; n++) void work('storm');
  await finish();
  const said = await Promise.all(attempts);
  expect(said.filter((text) => text === TOO_MANY)).toHaveLength(6);
  expect(said.slice(34)).toEqual(Array.from({ length: 6 }, () => TOO_MANY));
});

describe('where 200 wait in all', () => {
  test('a newcomer takes the place of a party that has several', async () => {
    const { work, finish, attempts } = open();
    for (let party = 0; party < 7; party++) for (let n = 0; n < 32; n++) void work(`storm${party}`);
    const late = work('late');
    await finish();
    expect(await late).toBe('not refused: null');
    const said = await Promise.all(attempts);
    expect(said.filter((text) => text !== TOO_MANY)).toHaveLength(202);
  });

  test('each of them another stranger, a familiar party takes the place of one', async () => {
    const { work, begun, finish, attempts } = open();
    for (let n = 0; n < 202; n++) void work(`stranger ${n}`);
    await Bun.sleep(0);
    void work('ann', true);
    await finish();
    const answers = await Promise.all(attempts);
    expect(answers.filter((answer) => answer === TOO_MANY)).toHaveLength(1);
    expect(answers.at(-1)).not.toBe(TOO_MANY);
    expect(begun.slice(0, 4)).toContain('ann');
  });

  test('each of them another party, a newcomer is told to come back', async () => {
    const { work, finish, attempts } = open();
    for (let n = 0; n < 203; n++) void work(`p${n}`);
    await finish();
    const said = await Promise.all(attempts);
    expect(said.map((text) => text === TOO_MANY).lastIndexOf(true)).toBe(202);
    expect(said.filter((text) => text === TOO_MANY)).toHaveLength(1);
  });
});

test('twenty begin at once, the others one in 50 ms', async () => {
  const { inTurn } = open({ isPaced: true });
  const begun: number[] = [];
  const party: Party = { key: 'a', isFamiliar: false };
  const from = performance.now();
  const all = Array.from({ length: 30 }, () =>
    inTurn(party, async () => void begun.push(performance.now() - from)),
  );
  await Promise.all(all);
  // Never faster; how much slower is the machine's affair.
  for (const [n, at] of begun.entries()) expect(at).toBeGreaterThanOrEqual(Math.max(0, n - 19) * 50 - 2);
});

test('work that fails gives its turn to the next', async () => {
  const { inTurn } = open();
  const party: Party = { key: 'a', isFamiliar: false };
  for (let n = 0; n < 5; n++)
    expect(await refusalOf(inTurn(party, () => Promise.reject(new Error('disk'))))).toContain('disk');
  expect(await inTurn(party, async () => 'done')).toBe('done');
});

test('familiar parties and strangers alternate while both wait', async () => {
  const { work, begun, finish, attempts } = open();
  for (const party of ['first', 'second']) void work(party);
  for (let n = 0; n < 4; n++) {
    void work('bot');
    void work('home', true);
  }
  await finish();
  const turns = begun.slice(2);
  expect(turns.slice(0, 6).filter((key) => key === 'bot')).toHaveLength(3);
  await Promise.all(attempts);
});
