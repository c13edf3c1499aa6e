import { describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { Refusal } from '../../src/platform/base/refusal.ts';
import { createThrottle } from '../../src/accounts/throttle.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A throttle with a clock that the test moves. `wrong` and `right` give 0 for an attempt that was admitted, else the seconds told. */
function open() {
  let time = 1e6;
  const throttle = createThrottle(() => time);
  const attempt = async (isRight: boolean, prefix: string, email: string): Promise<number> => {
    let isAsked = false;
    try {
      await throttle.attempt(prefix, email, async () => {
        isAsked = true;
        return isRight;
      });
      return 0;
    } catch (error) {
      expect(isAsked).toBe(false);
      if (!(error instanceof Refusal) || error.kind !== 'rate-limited') throw error;
      return error.retryAfter ?? -1;
    }
  };
  return {
    throttle,
    wrong: (prefix: string, email: string) => attempt(false, prefix, email),
    right: (prefix: string, email: string) => attempt(true, prefix, email),
    pass: (milliseconds: number) => void (time += milliseconds),
    time: () => time,
  };
}

describe('one account from one prefix', () => {
  test('is closed for 1, 2, 4 … 60 seconds after each failure, and told how long', async () => {
    const { wrong, pass } = open();
    const told = [];
    for (let n = 0; n < 9; n++) {
      expect(await wrong('p', 'a')).toBe(0);
      const wait = await wrong('p', 'a');
      told.push(wait);
      pass(wait * SECOND - 1);
      expect(await wrong('p', 'a')).toBe(1);
      pass(1);
    }
    expect(told).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });

  test('is open to the right password as soon as the delay is over, and then begins again', async () => {
    const { wrong, right, pass } = open();
    for (const wait of [1, 2, 4]) {
      await wrong('p', 'a');
      pass(wait * SECOND - 1);
      expect(await right('p', 'a')).toBe(1);
      pass(1);
    }
    expect(await right('p', 'a')).toBe(0);
    await wrong('p', 'a');
    expect(await wrong('p', 'a')).toBe(1);
  });

  test('is open to every other prefix, and the prefix to every other account', async () => {
    const { wrong } = open();
    expect(await wrong('p', 'a')).toBe(0);
    expect([await wrong('p', 'a'), await wrong('q', 'a'), await wrong('p', 'b')]).toEqual([1, 0, 0]);
  });

  test.each(['A@EXAMPLE.ORG', ' a@example.org', 'a@Example.org\t'])('is the same as %j', async (spelling) => {
    const { wrong } = open();
    await wrong('p', 'a@example.org');
    expect(await wrong('p', spelling)).toBe(1);
  });

  test('forgets a failure after an hour', async () => {
    const { wrong, pass } = open();
    for (const wait of [1, 2, 4, 8]) {
      await wrong('p', 'a');
      pass(wait * SECOND);
    }
    pass(HOUR);
    await wrong('p', 'a');
    expect(await wrong('p', 'a')).toBe(1);
  });
});

describe('a prefix', () => {
  test('has ten failures, then one a minute, whatever accounts it names', async () => {
    const { wrong, pass } = open();
    for (let n = 0; n < 10; n++) expect(await wrong('p', `a${n}`)).toBe(0);
    expect(await wrong('p', 'b')).toBe(60);
    pass(MINUTE - 1);
    expect(await wrong('p', 'b')).toBe(1);
    pass(1);
    expect([await wrong('p', 'b'), await wrong('p', 'c')]).toEqual([0, 60]);
  });

  test('loses nothing by right passwords, nor by what could not be verified', async () => {
    const { throttle, right, wrong, pass } = open();
    for (let n = 0; n < 50; n++) {
      expect(await right('p', `a${n}`)).toBe(0);
      pass(SECOND);
      const broken = throttle.attempt('p', 'a', () => Promise.reject(new Error('disk')));
      expect(await broken.catch((error: Error) => error.message)).toBe('disk');
    }
    for (let n = 0; n < 10; n++) {
      pass(SECOND);
      expect(await wrong('p', `b${n}`)).toBe(0);
    }
  });

  test('has no more than ten attempts at once', async () => {
    const { throttle } = open();
    const { promise, resolve } = Promise.withResolvers<boolean>();
    let asked = 0;
    const attempts = Array.from({ length: 20 }, () =>
      throttle.attempt('p', 'a', () => (asked++, promise)).catch(() => false),
    );
    expect(asked).toBe(10);
    resolve(false);
    await Promise.all(attempts);
  });
});

/** Attackers with so many prefixes guess at `a` as fast as they are let, for so long; gives how many guesses they had. */
async function besiege({ wrong, pass }: ReturnType<typeof open>, prefixes: number, duration: number) {
  let guesses = 0;
  for (let passed = 0; passed < duration; passed += 50, pass(50))
    for (let n = 0; n < 4; n++)
      if ((await wrong(`bot${Math.floor(Math.random() * prefixes)}`, 'a')) === 0) guesses++;
  return guesses;
}

/** Not a whole second, or the checks would fall on the moments at which an account's next attempt is due. */
const UNEVEN = 1350;

describe('an account that many prefixes attack', () => {
  test('opens at once to the right password from a prefix that did not fail yet', async () => {
    const stall = open();
    await besiege(stall, 200, 5 * MINUTE);
    for (let n = 0; n < 20; n++) {
      await besiege(stall, 200, UNEVEN);
      expect(await stall.right(`home${n}`, 'a')).toBe(0);
    }
  });

  test('opens where it was signed in to before, also after mistyping, in the midst of it', async () => {
    const stall = open();
    await stall.right('home', 'a');
    await besiege(stall, 5000, 2 * MINUTE);
    for (let n = 0; n < 8; n++) {
      expect(await stall.wrong('home', 'a')).toBe(0);
      expect(await stall.right('home', 'a')).toBe(1);
      await besiege(stall, 5000, UNEVEN);
      expect(await stall.right('home', 'a')).toBe(0);
    }
  });

  test('is guessed at about once a second in the end, not twenty times', async () => {
    const stall = open();
    // Each prefix has had its first guess by then.
    await besiege(stall, 200, 5 * MINUTE);
    const guesses = await besiege(stall, 200, 5 * MINUTE);
    expect(guesses).toBeLessThanOrEqual(301);
  });
});

describe('whatever happens', () => {
  const event = fc.record({
    gap: fc.oneof(fc.nat(20), fc.nat(5000), fc.nat(10 * MINUTE)),
    prefix: fc.nat(3).map((n) => `p${n}`),
    email: fc.nat(3).map((n) => `a${n}@example.org`),
    isRight: fc.boolean(),
  });
  const events = fc.array(event, { maxLength: 200 });

  test('no window holds more failures of a prefix than ten and one a minute', async () => {
    await fc.assert(
      fc.asyncProperty(events, async (list) => {
        const stall = open();
        const attempts: { at: number; prefix: string; isRight: boolean }[] = [];
        for (const { gap, prefix, email, isRight } of list) {
          stall.pass(gap);
          const told = await (isRight ? stall.right : stall.wrong)(prefix, email);
          if (told === 0) attempts.push({ at: stall.time(), prefix, isRight });
        }
        for (const [n, { at, prefix }] of attempts.entries()) {
          const window = (last: number) => last - at;
          const later = attempts.slice(n);
          const failures = later.filter((attempt) => attempt.prefix === prefix && !attempt.isRight);
          for (const [count, { at: last }] of failures.entries())
            expect(count + 1).toBeLessThanOrEqual(10 + window(last) / MINUTE);
        }
      }),
    );
  });

  test('who waits as long as told is let in', async () => {
    await fc.assert(
      fc.asyncProperty(events, async (list) => {
        const stall = open();
        for (const { gap, prefix, email, isRight } of list) {
          stall.pass(gap);
          await (isRight ? stall.right : stall.wrong)(prefix, email);
        }
        const wait = await stall.right('p0', 'a0@example.org');
        expect(wait).toBeLessThanOrEqual(60);
        stall.pass(wait * SECOND);
        expect(await stall.right('p0', 'a0@example.org')).toBe(0);
      }),
    );
  });
});

test('right passwords cost an account nothing, however many prefixes they come from', async () => {
  const { wrong, right, pass } = open();
  for (let n = 0; n < 150; n++) expect(await right(`p${n}`, 'a')).toBe(0);
  for (let n = 0; n < 2; n++, pass(SECOND))
    for (const prefix of ['x', 'y', 'z']) expect(await wrong(prefix, 'a')).toBe(0);
});

test('ten thousand familiar prefixes are remembered, and no more', async () => {
  const { throttle, right, pass } = open();
  for (let n = 0; n < 10_100; n++) await right(`p${n}`, `a${n}`);
  pass(HOUR);
  await right('p', 'a');
  expect(throttle.size()).toBeLessThanOrEqual(10_002);
  const isFamiliar = async (n: number) => {
    let familiar = false;
    await throttle.attempt(`p${n}`, `a${n}`, async (is) => ((familiar = is), true));
    return familiar;
  };
  expect([await isFamiliar(10_099), await isFamiliar(0)]).toEqual([true, false]);
});

test('memory is bounded in the fastest attack there can be, and free an hour after it', async () => {
  const { throttle, wrong, pass } = open();
  let [largest, refused] = [0, 0];
  for (let n = 0; n < 1.2 * 20 * 3600; n++, pass(50)) {
    if ((await wrong(`p${n}`, `a${n}`)) > 0) refused++;
    if (n % 100 === 0) largest = Math.max(largest, throttle.size());
  }
  expect(refused).toBe(0);
  // Pairs live an hour, prefixes a minute, accounts a second; each a minute more until it is swept.
  expect(largest).toBeGreaterThan(20 * 3600);
  expect(largest).toBeLessThan(20 * (3600 + 60) + 2 * 20 * 120);
  pass(HOUR + MINUTE);
  await wrong('p', 'a');
  expect(throttle.size()).toBeLessThanOrEqual(3);
});

test('the first failures of new prefixes do not make an attacked account wait longer', async () => {
  const { wrong, pass } = open();
  for (let n = 0; n < 300; n++) await wrong(`p${n}`, 'a');
  pass(2 * SECOND);
  expect(await wrong('p0', 'a')).toBe(0);
});

test('of ten thousand familiar prefixes the one that signed in longest ago is forgotten', async () => {
  const { throttle, right } = open();
  const isFamiliar = async (prefix: string): Promise<boolean> => {
    let seen = false;
    await throttle.attempt(prefix, 'a', async (is) => {
      seen = is;
      return true;
    });
    return seen;
  };
  for (let n = 0; n < 10_000; n++) await right(`p${n}`, 'a');
  await right('p0', 'a');
  await right('new', 'a');
  expect([await isFamiliar('p0'), await isFamiliar('p1')]).toEqual([true, false]);
});
