import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { itemYaml, openStall, SHELF, writeFiles } from '../../helpers/harness.ts';

const stall = await openStall();
await stall.reader('reader@example.org');

test('a reader without a grant is told the price and the shop, by the API and by a page that links to it', async () => {
  const checkoutUrl = 'https://shop.example.org/buy?a=1&b=<2>';
  const stall = await openStall({
    files: {
      'books/sold-book/item.yaml': itemYaml({
        id: 'sold-id',
        unitAmountCents: 1900,
        checkoutUrl: JSON.stringify(checkoutUrl),
      }),
      'books/sold-book/01.md': 'Closed.',
    },
  });
  const { headers, email } = await stall.reader('anna@example.org');
  const sentence = (who: string, verb: string) =>
    `Cannot ${verb} "sold-book": ${who} holds no live grant for it; buy it for $19 at ${checkoutUrl}`;
  const answer = await stall.fetch('/api/install/sold-book', { headers });
  expect([answer.status, await answer.json()]).toEqual([
    403,
    { error: sentence("this key's account", 'install'), code: 'ACCESS_DENIED' },
  ]);
  const { Cookie } = await stall.signIn(email);
  const page = await stall.fetch('/books/sold-book/files/01.md', {
    headers: { Cookie, Accept: 'text/html' },
  });
  const html = await page.text();
  const escaped = 'https://shop.example.org/buy?a=1&amp;b=&lt;2>';
  expect(page.status).toBe(403);
  const asked = await stall.fetch('/books/sold-book/ask', { headers: { Cookie, Accept: 'text/html' } });
  expect(await asked.text()).toContain('it is not in your library');
  expect(html).toContain(`buy it for $19 at <a href="${escaped}">${escaped}</a>.`);
});

test('a refusal names the contact that stall.yaml has now', async () => {
  const yaml = (name: string) => ({ 'stall.yaml': `contact: ${name}@example.org\n` });
  const stall = await openStall({ files: { ...SHELF, ...yaml('ann') } });
  const { headers } = await stall.reader('bob@example.org');
  const sentence = async () =>
    ((await (await stall.fetch('/api/install/paid-skill', { headers })).json()) as { error: string }).error;
  expect(await sentence()).toContain('contact ann@example.org');
  writeFiles(stall.content, yaml('cy'));
  await stall.app.publish();
  expect(await sentence()).toContain('contact cy@example.org');
});

test('an unknown address speaks to people on a page, and to programs in JSON', async () => {
  const stall = await openStall({ files: {} });
  const answer = async (accept: string) =>
    (await stall.fetch('/no-such-page', { headers: { Accept: accept } })).text();
  expect(await answer('text/html')).toContain('There is no page at this address.');
  expect(await answer('application/json')).toContain('the Handbook the paths for programs');
  expect(await answer('text/html')).not.toMatch(/endpoint|API/);
});

test('a failure has the menu of its visitor', async () => {
  const cookie = await stall.signIn('reader@example.org');
  const isSignedIn = async (headers: Readonly<Record<string, string>>) =>
    (
      await (await stall.fetch('/no-such-page', { headers: { Accept: 'text/html', ...headers } })).text()
    ).includes('action="/sign-out"');
  expect([await isSignedIn(cookie), await isSignedIn({})]).toEqual([true, false]);
});

test.each(['/books/no-book', '/books/free-book/read/none.md'])(
  'an item or a file that is not there: %s speaks to people without the paths of programs',
  async (path) => {
    const page = await stall.fetch(path, { headers: { Accept: 'text/html' } });
    const html = await page.text();
    expect(page.status).toBe(404);
    expect(html).toMatch(/Cannot find [^.]+/);
    expect(html).not.toMatch(/\/api\//);
  },
);

test('an address that a stranger wrote into a refusal is not a link', async () => {
  const stall = await openStall({ files: {} });
  const page = await stall.fetch('/books/x at https:%2f%2fevil.example', {
    headers: { Accept: 'text/html' },
  });
  expect(page.status).toBe(404);
  expect(await page.text()).not.toContain('href="https:');
});

test('if sessions cannot be read, a browser gets a page that says so, and the log gets a line', async () => {
  const cookie = await stall.signIn('reader@example.org');
  const db = new Database(join(stall.data, 'bookstall.db'));
  db.run('DROP TABLE sessions');
  db.close();
  const response = await stall.fetch('/dashboard', { headers: { ...cookie, Accept: 'text/html' } });
  const page = await response.text();
  expect([response.status, response.headers.get('content-type')]).toEqual([500, 'text/html; charset=utf-8']);
  expect(page).toContain('Internal error: the stall');
  expect(page).not.toContain('no such table');
  expect(stall.log.at(-1)).toMatchObject({ event: 'request', route: '/dashboard', status: 500 });
});
