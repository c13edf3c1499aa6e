import { expect, test } from 'bun:test';
import { PASSWORD } from '../helpers/harness.ts';
import { openAdmin, wordsOf } from '../office/visit.ts';

const { stall, open, send } = await openAdmin();
const { accounts } = stall.app.admin;
const anna = await accounts.add('anna@example.org');

/** Creates an invite link in the office, and returns its secret. */
async function invite(): Promise<string> {
  const { html } = await send(`/admin/accounts/${anna.id}/link`);
  return /\/invite#([A-Za-z0-9_-]{43})</.exec(html)?.[1] ?? '';
}

const idsIn = (html: string): readonly string[] =>
  [...html.matchAll(/href="\/admin\/links\/(\d+)\/revoke"/g)].map(([, id = '']) => id);

test('without open links the list says where they are created', async () => {
  const { html } = await open('/admin/links');
  expect(wordsOf(html)).toContain('No open links. An account’s page creates invite and reset links.');
});

test('an invite sent to the wrong address is revoked: it no longer sets a password', async () => {
  const secret = await invite();
  const other = await invite();
  const listed = await open('/admin/links');
  expect(wordsOf(listed.html)).toContain('anna@example.org invite link');
  expect(listed.html).not.toContain(secret);
  const [newest = '', oldest = ''] = idsIn(listed.html);
  const path = `/admin/links/${oldest}/revoke`;
  expect(wordsOf((await open(path)).html)).toContain('Revoke the invite link for anna@example.org?');
  // Nothing is revoked before the form is sent.
  expect(idsIn((await open('/admin/links')).html)).toEqual([newest, oldest]);
  expect((await send(path)).location).toBe('/admin/links?said=link-revoked');
  expect(idsIn((await open('/admin/links')).html)).toEqual([newest]);
  const use = { code: secret, password: PASSWORD, again: PASSWORD };
  expect((await send('/invite', use)).status).toBe(404);
  expect(accounts.find(anna.email).hasPassword).toBe(false);
  expect((await send('/invite', { ...use, code: other })).status).toBe(303);
  expect(wordsOf((await open('/admin/audit')).html)).toContain(
    'Revoked a link anna@example.org purpose: invite',
  );
});

test.each(['0', '1', '-1', '1e3', 'constructor', '%3Cscript%3E'])(
  'the link %s, which is used up or unknown, is not found and nothing is revoked',
  async (id) => {
    expect((await open(`/admin/links/${id}/revoke`)).status).toBe(404);
    expect((await send(`/admin/links/${id}/revoke`)).status).toBe(404);
  },
);
