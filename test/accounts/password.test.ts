import { describe, expect, spyOn, test } from 'bun:test';
import { EMAIL, HERE, openSignInServices, PASSWORD } from './sign-in-services.ts';
import { refusalOf } from '../helpers/admin-services.ts';
import { createPasswordTurns, type Party } from '../../src/accounts/password.ts';

const SOMEBODY = { key: HERE, isFamiliar: false };
const desk = await openSignInServices();
const { passwords, store, accounts } = desk;
const hashOf = async (email: string) => store.findCredentials(email)?.passwordHash ?? '';

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

test('a sign-in without an account or a password verifies a hash of the same parameters', async () => {
  await accounts.add('none@example.org');
  const verify = spyOn(Bun.password, 'verify');
  for (const email of [EMAIL, 'nobody@example.org', 'none@example.org'])
    await passwords.verify('wrong heron wades', (await hashOf(email)) || null, SOMEBODY);
  const parameters = verify.mock.calls.map(([, hash]) => String(hash).split('$').slice(0, 4).join('$'));
  verify.mockRestore();
  expect(parameters).toEqual(Array(3).fill('$argon2id$v=19$m=19456,t=2,p=1'));
});

test('two are hashed at a time, 32 wait, and the next is told to come back; then all go on', async () => {
  // Services of its own: earlier hashes use up the pace.
  const { passwords } = await openSignInServices();
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
