import { bearerVariable, curlLines } from '../../src/catalog/connect.rule.ts';
import { describe, expect, test } from 'bun:test';
import { itemYaml, openStall, SHELF, writeFiles } from '../helpers/harness.ts';
import { createVisitor } from '../platform/site/visitor.ts';

const HOSTILE = '<script>alert(1)</script>';
const NOW = Date.parse('2026-11-20T12:00:00Z');
const DAY = 24 * 60 * 60 * 1000;

let time = NOW;
const stall = await openStall({
  now: () => time,
  files: {
    ...SHELF,
    'books/odd-book/item.yaml': itemYaml({
      id: 'odd-id',
      title: JSON.stringify(HOSTILE),
      publisher: JSON.stringify(HOSTILE),
      unitAmountCents: 900,
    }),
    'books/odd-book/01.md': 'odd',
  },
});
const { accounts, grants, keys } = stall.app.admin;

async function visit(email: string, ...slugs: string[]) {
  if (!accounts.list().some((account) => account.email === email)) await accounts.add(email);
  for (const slug of slugs) await grants.add({ email, slug });
  const visitor = createVisitor(stall, await stall.signIn(email));
  return { ...(await visitor.open('/dashboard')), open: visitor.open };
}

describe('the library', () => {
  test('shows each item, and one install command for an agent, which contains no key', async () => {
    await accounts.add('anna@example.org');
    const { key } = await keys.create('anna@example.org', 'laptop', 'never');
    const page = await visit('anna@example.org', 'paid-book', 'paid-skill');
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store']);
    expect(page.text).toContain('1 book and 1 skill');
    expect(page.text).toContain(
      'Yours since 20 Nov 2026 The paid book A publisher Read The paid bookAsk The paid bookEPUB The paid bookSearch The paid book',
    );
    expect(page.text).toContain('The paid skill A publisher Read The paid skill');
    expect(page.html).toContain('href="/books/paid-book"');
    expect(page.html).toContain('href="/skills/paid-skill"');
    const [, cover = ''] = /<img class="cover" src="(\/covers\/paid-book-[^"]+)"/.exec(page.html) ?? [];
    expect((await stall.fetch(cover)).headers.get('content-type')).toBe('image/svg+xml');
    const line = curlLines.install(stall.url, bearerVariable(stall.url), 'paid-book');
    expect(page.text).toContain(line);
    expect(page.html.match(/curl /g)).toHaveLength(1);
    expect(page.html).not.toContain(key.slice(0, 8));
  });

  test('leads to reading each item, and to asking each book', async () => {
    const { html } = await visit('ask@example.org', 'paid-book', 'paid-skill');
    for (const path of ['/books/paid-book/read', '/skills/paid-skill/read', '/books/paid-book/ask'])
      expect(html).toContain(`href="${path}"`);
    expect(html).not.toContain('href="/skills/paid-skill/ask"');
  });

  test('shows when an item’s last grant ends, unless a grant has no end', async () => {
    await accounts.add('ben@example.org');
    const grant = (slug: string, source: string, until?: string) =>
      grants.add({ email: 'ben@example.org', slug, source, until });
    await grant('paid-book', 'a', '2026-12-24T18:00:00Z');
    await grant('paid-book', 'b', '2026-12-31T18:00:00Z');
    await grant('paid-skill', 'a', '2026-12-24T18:00:00Z');
    await grant('paid-skill', 'b');
    const page = await visit('ben@example.org');
    expect(page.text.match(/Yours until [^R]*UTC/g)).toEqual(['Yours until 31 Dec 2026, 18:00 UTC']);
  });

  test('drops an ended grant with the next request', async () => {
    await accounts.add('carl@example.org');
    await grants.add({ email: 'carl@example.org', slug: 'paid-book', until: '2026-11-21T12:00:00Z' });
    const page = await visit('carl@example.org');
    expect(page.text).toContain('The paid book');
    time += DAY;
    const later = await page.open('/dashboard');
    time -= DAY;
    expect([later.status, later.text.includes('The paid book')]).toEqual([200, false]);
    time += DAY / 4;
    await grants.revoke('carl@example.org', 'paid-book', null);
    expect((await page.open('/dashboard')).text).toContain('Nothing here yet.');
    time -= DAY / 4;
  });

  test('leaves out free and draft items, and says where free items are', async () => {
    const page = await visit('dora@example.org', 'free-book', 'free-skill', 'draft-book');
    expect(page.text).toContain('Nothing here yet.');
    expect(page.html).toContain('href="/?price=free"');
    expect(page.html).not.toMatch(/(free|draft)-(book|skill)/);
  });

  test('says of archived items that they are no longer sold', async () => {
    const page = await visit('fred@example.org', 'archived-book', 'paid-book');
    expect(page.text.match(/No longer sold/g)).toHaveLength(1);
    expect(page.html).toContain('href="/books/archived-book/read"');
  });

  test('shows each reader their own place and end in the same items', async () => {
    const slugs = ['paid-book', 'paid-skill', 'archived-book'];
    const plain = await visit('hana@example.org', ...slugs);
    await accounts.add('ivan@example.org');
    for (const slug of slugs) await grants.add({ email: 'ivan@example.org', slug, until: '2026-12-24' });
    expect((await visit('ivan@example.org')).text.match(/Yours until 24 Dec/g)).toHaveLength(3);
    const reading = await visit('june@example.org', ...slugs);
    for (const path of ['books/paid-book/read/01.md', 'skills/paid-skill/read/SKILL.md']) {
      time += 1;
      await reading.open(`/${path}`);
    }
    expect((await reading.open('/dashboard')).text).toContain('A publisher Continue The paid bookAsk');
    const again = await plain.open('/dashboard');
    expect(again.html).toBe(plain.html);
    expect(again.text).not.toMatch(/Continue|Yours until/);
  });

  test('begins with what was read last, where it stopped, and says that it is newer since', async () => {
    const page = await visit('gwen@example.org', 'archived-book', 'paid-book');
    await page.open('/books/paid-book/read/01.md');
    const read = await page.open('/dashboard');
    expect(read.html).toContain('class="continue"><a href="/books/paid-book/read"');
    expect(read.text).toContain('Continue reading · 20 Nov 2026 The paid book');
    expect(read.text).toContain('Continue with');
    expect(read.text).not.toContain('Updated since');
    time += 1000;
    writeFiles(stall.content, { 'books/paid-book/02-more.md': '# More\n\nMore.\n' });
    await stall.app.publish();
    time += 1000;
    expect((await page.open('/dashboard')).text).toContain('Updated since you read it, 20 Nov 2026.');
  });

  test('links to the keys if there is no active key', async () => {
    const before = await visit('emil@example.org', 'paid-book');
    expect(before.html).toContain('<a href="/dashboard/api-keys">Make a key</a>');
    await keys.create('emil@example.org', 'old', { days: -1 });
    expect((await before.open('/dashboard')).text).toContain('Make a key');
    await keys.create('emil@example.org', 'laptop', { days: 1 });
    expect((await before.open('/dashboard')).text).toContain('Your keys');
  });

  test('shows hostile titles as text', async () => {
    const page = await visit('fred@example.org', 'odd-book');
    expect(page.text).toContain(`${HOSTILE} ${HOSTILE} Read`);
    expect(page.html).not.toContain('<script>');
  });

  test('needs a session', async () => {
    const page = await createVisitor(stall, { Cookie: '' }).open('/dashboard');
    expect([page.status, page.headers.get('location')]).toEqual([303, '/sign-in?next=%2Fdashboard']);
  });
});
