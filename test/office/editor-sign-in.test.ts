import { expect, test } from 'bun:test';
import { totpOf } from '../../src/accounts/totp.rule.ts';
import { DAY, MINUTE } from '../../src/platform/base/duration.ts';
import { chosen, openBrowser, openClaimStall, PASSWORD, secretOf } from '../selling/claim-stall.ts';
import { visitAs } from './visit.ts';

const [HELPERS, STEP, ITEMS] = ['/admin/settings/helpers', '/admin/second-step', '/admin/items'];
const stall = await openClaimStall();
await stall.app.admin.accounts.add('owner@example.org', true);
const owner = visitAs(stall, await stall.signIn('owner@example.org'));
type Browser = ReturnType<typeof openBrowser>;
const isEditor = async (browser: Browser) => (await browser.open(ITEMS)).status === 200;

/** Invites an address, and gives the mail with the secret of its link. */
async function invite(email: string) {
  const before = stall.server.received.filter(({ to }) => to.includes(email)).length;
  expect(await owner.send(HELPERS, { email })).toMatchObject({ status: 303 });
  await stall.settle();
  const mail = await stall.server.waitFor(email, before + 1);
  return {
    mail,
    code: secretOf(/https?:\S+#\S+/.exec(mail.text)?.[0] ?? ''),
    path: /\/(invite|reset)#/.exec(mail.text)?.[1],
  };
}
const end = (email: string) => owner.send(`${HELPERS}/${stall.store.findAccount(email)!.id}/end`);

test('an invitation says what it is for', async () => {
  const { mail } = await invite('ida@example.org');
  expect(mail.header('Subject')).toBe('Help at The Heron Stall');
  expect(mail.text).toContain('invites you to add and edit its books');
  expect(mail.text).toContain('/admin/items');
});

test('an editor’s own second step is asked for at the sign-in and before a change, and ends with the role', async () => {
  const { code, path } = await invite('eve@example.org');
  const [eve, thief, later] = [1, 2, 3].map(() => openBrowser(stall.fetch)) as [Browser, Browser, Browser];
  await eve.post(`/${path}`, { code, ...chosen() });
  const secret = /name="secret" value="([A-Z2-7]{32})"/.exec((await eve.open(STEP)).html)?.[1] ?? '';
  const codeNow = () => totpOf(secret, Math.floor(stall.now() / 30_000));
  await eve.post(STEP, { act: 'on', secret, password: PASSWORD, code: codeNow() });
  stall.pass(MINUTE);
  const signIn = { email: 'eve@example.org', password: PASSWORD, next: ITEMS };
  await thief.post('/sign-in', signIn);
  expect(await isEditor(thief)).toBe(false);
  expect((await thief.post('/sign-in', { code: '000000', next: ITEMS })).status).toBe(401);
  await later.post('/sign-in', signIn);
  expect((await later.post('/sign-in', { code: codeNow(), next: ITEMS })).status).toBe(303);
  expect(await isEditor(later)).toBe(true);
  stall.pass(16 * MINUTE);
  expect((await later.open('/admin/add')).html).toContain('Of your second step');
  await end('eve@example.org');
  // Without the role nobody can open the page that turns it off.
  expect((await later.open(STEP)).status).toBe(404);
  expect((await thief.post('/sign-in', { ...signIn, next: '/dashboard' })).status).toBe(303);
  expect((await thief.open('/dashboard')).status).toBe(200);
  await stall.settle();
  expect(stall.server.received.at(-1)?.header('Subject')).toContain('second step');
});

test('only an editor’s second step ends so, not the owner’s', async () => {
  expect((await end('owner@example.org')).status).toBe(404);
});

test('of two browsers that open an invitation at once, one is the editor, and nobody later', async () => {
  const { code } = await invite('ben@example.org');
  const browsers = [1, 2, 3].map(() => openBrowser(stall.fetch));
  const [first, second, third] = browsers as [Browser, Browser, Browser];
  const answers = await Promise.all([first, second].map((one) => one.post('/invite', { code, ...chosen() })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([303, 404]));
  expect((await third.post('/invite', { code, ...chosen() })).status).toBe(404);
  expect((await Promise.all(browsers.map(isEditor))).filter(Boolean)).toHaveLength(1);
});

test('an invitation that was ended makes no editor, and one that is too old opens nothing until the next', async () => {
  const [cleo, dan] = [openBrowser(stall.fetch), openBrowser(stall.fetch)];
  const [ended, old] = [await invite('cleo@example.org'), await invite('dan@example.org')];
  await end('cleo@example.org');
  await cleo.post('/invite', { code: ended.code, ...chosen() });
  expect(await isEditor(cleo)).toBe(false);
  stall.pass(30 * DAY);
  expect((await dan.post('/invite', { code: old.code, ...chosen() })).status).toBe(404);
});
