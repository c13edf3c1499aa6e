import { expect, test } from 'bun:test';
import { chosen, openClaimStall, secretOf } from './claim-stall.ts';

const stall = await openClaimStall();

/** A browser with an account whose address was only typed, beside a code for another item. */
async function join(email: string) {
  const request = {
    slug: 'paid-skill',
    bundles: [],
    count: 1,
    uses: 1,
    until: null,
    note: '',
    orderId: null,
  };
  const { codes } = await stall.app.admin.codes.create(request);
  const browser = stall.browser();
  await browser.post('/redeem/account', { code: codes[0] ?? '', email, ...chosen() });
  return browser;
}

/** The refusal of a paid book that an account does not hold, at each door, without its own address. */
async function toldAt(browser: Awaited<ReturnType<typeof join>>, email: string): Promise<readonly string[]> {
  const { key } = await stall.app.admin.keys.create(email, 'a key', 'never');
  const headers = { Authorization: `Bearer ${key}` };
  const pages = ['/books/paid-book', '/books/paid-book/read/01.md', '/dashboard'];
  const shown = await Promise.all(pages.map(async (path) => (await browser.open(path)).text));
  const install = await (await stall.fetch('/api/install/paid-book', { headers })).text();
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: READ };
  const json = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' };
  const body = JSON.stringify(call);
  const mcp = await stall.fetch('/mcp', { method: 'POST', headers: { ...headers, ...json }, body });
  return [...shown, install, await mcp.text()].map((text) =>
    text.replaceAll(email, 'EMAIL').replaceAll(/\s+/g, ' '),
  );
}

const READ = { name: 'read_chapter', arguments: { item: 'paid-book', path: '01.md' } };
const SAYS = /until (you confirm this address|that address is confirmed)/;

test('an account whose address was only typed hears that a purchase may wait, whether or not one does', async () => {
  const [ada, bob] = [await join('ada@example.org'), await join('bob@example.org')];
  await stall.buy('heron0001', 'ada@example.org');
  const { text: mail } = await stall.server.waitFor('ada@example.org');
  const told = await toldAt(ada, 'ada@example.org');
  expect(told.map((text) => SAYS.test(text))).toEqual([true, true, true, true, true]);
  // Who typed somebody else's address must not learn what that address bought.
  expect(await toldAt(bob, 'bob@example.org')).toEqual(told);

  await stall.reader('carl@example.org');
  const carl = stall.browser();
  carl.cookies.set('bookstall', (await stall.signIn('carl@example.org')).Cookie.slice('bookstall='.length));
  const proven = await toldAt(carl, 'carl@example.org');
  expect(proven.map((text) => SAYS.test(text))).toEqual([false, false, false, false, false]);

  expect((await ada.open('/claim?mail')).html).toContain('value="ada@example.org"');
  expect((await ada.post('/claim', { code: secretOf(mail) })).status).toBe(303);
  const [page = '', chapter = ''] = await toldAt(ada, 'ada@example.org');
  expect([SAYS.test(page), SAYS.test(chapter)]).toEqual([false, false]);
});
