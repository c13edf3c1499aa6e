import { expect, test } from 'bun:test';
import { EMAIL, HERE, openFrontDesk, PASSWORD } from './front-desk.ts';
import { refusalOf } from './office.ts';

test('smoke', async () => {
  const { sessions, signIn } = await openFrontDesk();
  const { cookie, account } = await signIn();
  const who = await sessions.byCookie(cookie);
  expect(who).toMatchObject({
    kind: 'account',
    email: EMAIL,
    accountId: account.id,
    keyId: null,
    isOwner: false,
  });
  expect(await refusalOf(signIn('wrong password'))).toStartWith('unauthenticated: Cannot sign in');
  if (who === null) throw new Error();
  expect(
    await refusalOf(sessions.changePassword(who, PASSWORD, 'another heron wades', '198.51.100.1')),
  ).toContain('not refused');
  expect(await sessions.byCookie(cookie)).toBeNull();
  expect(HERE).toBeString();
});
