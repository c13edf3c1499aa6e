import { expect, test } from 'bun:test';
import { openAdmin, refusalOf, TODAY } from '../helpers/admin-services.ts';

const { accounts, pass } = await openAdmin();

test('an account is found by its e-mail address in any case, with white space around', async () => {
  const account = await accounts.add('Anna@Example.org');
  expect(accounts.find(' anna@example.ORG ')).toEqual(account);
  expect(account).toMatchObject({
    email: 'Anna@Example.org',
    isOwner: false,
    createdAt: TODAY,
    disabledAt: null,
  });
});

test('a second account of one address is refused', async () => {
  await accounts.add('ben@example.org');
  expect(await refusalOf(accounts.add('BEN@example.org'))).toBe(
    'invalid-request: Cannot add "BEN@example.org": it has an account already',
  );
});

test.each(['', 'anna', '@b', 'a@', 'a b@c', 'a@b@c', 'a\n@b', 'a@b\u0000', `${'a'.repeat(250)}@b.org`])(
  '%j is no e-mail address',
  async (email) => {
    expect(await refusalOf(accounts.add(email))).toStartWith('invalid-request: Cannot read "');
    expect(accounts.list().map((account) => account.email)).not.toContain(email);
  },
);

test.each(["'; DROP TABLE accounts; --@x", 'jürgen@exämple.org', 'a+b@c', '"@x'])(
  '%s is kept as it is',
  async (email) => {
    await accounts.add(email.replaceAll(' ', '_'));
    expect(accounts.list().map((account) => account.email)).toContain(email.replaceAll(' ', '_'));
  },
);

test('disabling keeps its first time, enabling ends it, and both may be repeated', async () => {
  await accounts.add('cleo@example.org');
  await accounts.disable('cleo@example.org');
  pass(1000);
  expect((await accounts.disable('cleo@example.org')).disabledAt).toBe(TODAY);
  expect(accounts.find('cleo@example.org').disabledAt).toBe(TODAY);
  for (let n = 0; n < 2; n++) expect((await accounts.enable('cleo@example.org')).disabledAt).toBeNull();
});

test('an account nobody has is refused with where to look', async () => {
  for (const act of [accounts.find, accounts.disable, accounts.enable])
    expect(await refusalOf(() => act('nobody@example.org'))).toBe(
      'not-found: Cannot find an account "nobody@example.org": "bookstall account list" shows them all',
    );
});
