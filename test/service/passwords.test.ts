import { describe, expect, test } from 'bun:test';
import { EMAIL, HERE, openSignInServices, PASSWORD } from './sign-in-services.ts';
import { refusalOf } from './admin-services.ts';

const SOMEBODY = { key: HERE, isFamiliar: false };
const desk = await openSignInServices();
const { passwords, store, accounts } = desk;
const hashOf = async (email: string) => (await store.findCredentials(email))?.passwordHash ?? '';

test('a password is kept as argon2id of 19 MiB, two passes, one lane, with a salt of its own', async () => {
  const [one, other] = [await passwords.hash(PASSWORD, EMAIL), await passwords.hash(PASSWORD, EMAIL)];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22,}\$[A-Za-z0-9+/]{43}$/);
  expect(one).not.toBe(other);
  expect(one).not.toContain(PASSWORD);
});

describe('a password', () => {
  test.each([
    ['as it was set', 'grüne Heron im Moor', true],
    ['typed with combining marks', 'gru\u0308ne Heron im Moor', true],
    ['with white space after it', 'grüne Heron im Moor ', false],
    ['in another case', 'Grüne Heron im Moor', false],
    ['cut off', 'grüne Heron im Moo', false],
    ['empty', '', false],
  ])('%s is right: %p %p', async (_, typed, expected) => {
    expect(await passwords.verify(typed, await passwords.hash('grüne Heron im Moor', EMAIL), SOMEBODY)).toBe(
      expected,
    );
  });

  test('longer than 72 bytes counts to its end', async () => {
    const long = 'heron '.repeat(40);
    expect(await passwords.verify(`${long}x`, await passwords.hash(`${long}y`, EMAIL), SOMEBODY)).toBe(false);
  });

  test.each([
    ['one of the commonest', 'password123'],
    ['one of the commonest in capitals', 'PASSWORD123'],
    ["the account's own e-mail address", 'Anna@Example.org'],
    ["the stall's name", 'the heron stall'],
    ["the stall's name with a space after it", 'The Heron Stall '],
  ])('that is %s is refused, and not repeated', async (_, text) => {
    const refusal = await refusalOf(passwords.hash(text, EMAIL));
    expect(refusal).toStartWith('invalid-request: Cannot use this password: it is ');
    expect(refusal).not.toContain(text);
  });

  test('that merely holds a common one is taken', async () => {
    expect(await passwords.hash('password123 and a heron', EMAIL)).toStartWith('$argon2id$');
  });
});

test('nobody has a password where none is set', async () => {
  for (const text of ['', PASSWORD, 'null']) expect(await passwords.verify(text, null, SOMEBODY)).toBe(false);
});

test('the dummy is a hash of the same parameters: a sign-in without an account takes as long', async () => {
  await accounts.add('none@example.org');
  const timeOf = async (email: string): Promise<number> => {
    const from = performance.now();
    await passwords.verify(
      'wrong heron wades',
      (await store.findCredentials(email))?.passwordHash ?? null,
      SOMEBODY,
    );
    return performance.now() - from;
  };
  // In turns, and the least of each: other work on the machine only adds.
  const least = { [EMAIL]: Infinity, 'nobody@example.org': Infinity, 'none@example.org': Infinity };
  for (let round = 0; round < 9; round++)
    for (const email of Object.keys(least) as (keyof typeof least)[])
      least[email] = Math.min(least[email] ?? Infinity, await timeOf(email));
  for (const email of ['nobody@example.org', 'none@example.org'] as const) {
    const ratio = least[email] / (least[EMAIL] ?? 0);
    expect(ratio).toBeGreaterThan(1 / 3);
    expect(ratio).toBeLessThan(3);
  }
});

test('two are hashed at a time, 32 wait, and the next is told to come back; then all go on', async () => {
  const hash = await passwords.hash(PASSWORD, EMAIL);
  const checks = Array.from({ length: 40 }, () => refusalOf(passwords.verify(PASSWORD, hash, SOMEBODY)));
  const refusals = await Promise.all(checks);
  expect(refusals.slice(0, 34).every((text) => text === 'not refused: null')).toBe(true);
  expect(new Set(refusals.slice(34))).toEqual(
    new Set(['rate-limited: Cannot check the password: too many wait; try again in a second']),
  );
  expect(await passwords.verify(PASSWORD, hash, SOMEBODY)).toBe(true);
});

describe('a hash of other parameters', () => {
  const older = { algorithm: 'argon2id', memoryCost: 8192, timeCost: 1 } as const;
  const weaken = async (): Promise<string> => {
    const weak = await Bun.password.hash(PASSWORD, older);
    const change = { accountId: desk.first.account.id, from: await hashOf(EMAIL), to: weak };
    expect(await store.write.rehashPassword(change)).toBe(true);
    return weak;
  };

  test('is hashed again by a sign-in, and stays where the password was wrong', async () => {
    const weak = await weaken();
    await refusalOf(desk.signIn('wrong heron'));
    expect(await hashOf(EMAIL)).toBe(weak);
    desk.pass(1000);
    await desk.signIn();
    const renewed = await hashOf(EMAIL);
    expect(renewed).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$');
    await desk.signIn();
    expect(await hashOf(EMAIL)).toBe(renewed);
  });

  test('takes the place of no password that was set meanwhile', async () => {
    const set = await hashOf(EMAIL);
    await passwords.renew(PASSWORD, desk.first.account.id, await Bun.password.hash(PASSWORD, older));
    expect(await hashOf(EMAIL)).toBe(set);
  });
});
