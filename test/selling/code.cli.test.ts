import { expect, test } from 'bun:test';
import { keyVariable } from '../../src/catalog/marketplace.rule.ts';
import { openStall, SHELF } from '../helpers/harness.ts';
import { type } from '../platform/cli/type.ts';

const stall = await openStall({
  files: {
    ...SHELF,
    'stall.yaml':
      'bundles:\n  - slug: both\n    title: Both\n    items: [paid-book, paid-skill]\n    unitAmountCents: 2900\n',
  },
});
const run = (words: string, environment = {}) =>
  type(words.split(' '), { BOOKSTALL_DATA: stall.data, BOOKSTALL_CONTENT: stall.content, ...environment });

test('codes are made, redeemed, listed and revoked on the command line', async () => {
  const made = await run('code create both --count 2 --uses 1 --until 2030-01-31');
  expect(made.code).toBe(0);
  const [code = '', other = ''] = made.out.trim().split('\n');
  expect([code, other]).toEqual([expect.stringMatching(/^svg_/), expect.stringMatching(/^svg_/)]);
  const { headers } = await stall.reader('ada@example.org');
  const key = headers.Authorization.replace('Bearer ', '');
  const redeemed = await run(`redeem ${code} --url ${stall.url}`, { [keyVariable(stall.url)]: key });
  expect(redeemed).toMatchObject({
    code: 0,
    out: 'Yours: paid-book paid-skill. Install with "bookstall install paid-book paid-skill"\n',
  });
  const wrong = await run(`redeem svg_NONE --url ${stall.url}`, { [keyVariable(stall.url)]: key });
  expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining('this stall knows no such code')]);
  const listed = JSON.parse((await run('code list --json')).out);
  expect(listed).toMatchObject([
    { name: 'both', used: 0, uses: 1, state: 'open' },
    { name: 'both', used: 1, uses: 1, until: '2030-01-31T00:00:00.000Z', state: 'used' },
  ]);
  expect(JSON.stringify(listed)).not.toContain(code);
  expect((await run(`code revoke ${listed[0].id}`)).out).toContain(`Revoked code ${listed[0].id}`);
  expect((await run(`code revoke ${listed[0].id}`)).err).toContain('it was revoked before');
  expect((await run('code revoke x')).code).toBe(2);
  expect((await run('code create nothing')).err).toContain('Cannot find an item "nothing"');
});

test('a link for an account chooses a password, with --reset another one, and with --to its address', async () => {
  await stall.app.admin.accounts.add('eve@example.org');
  const link = async (words: string) => (await run(`account link eve@example.org ${words}`)).out;
  expect(await link(`--base-url ${stall.url}`)).toStartWith(`${stall.url}/invite#`);
  await stall.signIn('eve@example.org');
  expect(await link(`--reset --base-url ${stall.url}`)).toStartWith(`${stall.url}/reset#`);
  const moved = await run(`account link eve@example.org --to new@example.org --base-url ${stall.url} --json`);
  expect(moved.err).toContain('Send this link to new@example.org alone');
  expect(JSON.parse(moved.out)).toMatchObject({ email: 'new@example.org', purpose: 'email' });
  expect((await run('account link eve@example.org --to EVE@example.org')).err).toContain(
    'has an account already',
  );
});

test('the log of downloads begins when it is asked to', async () => {
  await stall.reader('log@example.org');
  await (await stall.fetch('/api/install/free-skill')).bytes();
  await stall.app.stall.downloads.flush();
  const since = async (day: string) => (await run(`logs --kind download --since ${day} --json`)).out;
  expect(await since('2020-01-01')).toContain('free-skill');
  expect(await since('2100-01-01')).toBe('');
});
