import { expect, test } from 'bun:test';
import { itemYaml, SHELF } from '../helpers/harness.ts';
import { openAdmin, wordsOf } from './visit.ts';

const SCRIPT = '<script>alert(1)</script>';
const IMAGE = '"><img/src=x/onerror=alert(2)>';

const { stall, open, send } = await openAdmin({
  files: {
    ...SHELF,
    'stall.yaml': `name: ${JSON.stringify(SCRIPT)}\n`,
    'books/odd-book/item.yaml': itemYaml({
      id: 'odd-id',
      title: JSON.stringify(`${SCRIPT}${IMAGE}`),
      version: JSON.stringify(IMAGE),
      [`"${SCRIPT}"`]: 1,
    }),
    'books/other-book/item.yaml': itemYaml({
      id: 'other-id',
      title: JSON.stringify(`${SCRIPT}${IMAGE}`),
      version: JSON.stringify(IMAGE),
    }),
    'books/other-book/01.md': SCRIPT,
  },
});
const email = `${SCRIPT}${IMAGE}@example.org`;
await send('/admin/accounts/add', { email });
const { id } = stall.app.admin.accounts.find(email);
const page = `/admin/accounts/${id}`;
const key = await stall.app.admin.keys.create(email, `${SCRIPT}${IMAGE}`.slice(0, 80), 'never');
const grant = { kind: 'book', item: 'other-id', source: `${SCRIPT}${IMAGE}` };
await send(`${page}/grants/add`, { slug: 'other-book', source: grant.source });
await stall.signIn(email);

test.each([
  ['/admin', []],
  ['/admin/items', [SCRIPT, IMAGE]],
  [`/admin/items?q=${encodeURIComponent(SCRIPT)}`, [SCRIPT]],
  ['/admin/accounts', [email]],
  [`/admin/accounts?q=${encodeURIComponent(IMAGE)}`, [email]],
  [page, [email, grant.source]],
  [`${page}/disable`, [email]],
  [`${page}/keys/${key.id}/revoke`, [email, SCRIPT]],
  [`${page}/grants/revoke?${new URLSearchParams(grant)}`, [email, grant.source]],
  ['/admin/audit', [email, grant.source]],
])('%s shows hostile words as text', async (path, shown) => {
  const { status, html } = await open(path);
  expect(status).toBe(200);
  expect(html).not.toMatch(/<script>|<img|style=|javascript:/i);
  for (const text of shown) expect(wordsOf(html)).toContain(text);
});

test.each([
  ['/admin/accounts/add', { email: `${IMAGE} @` }],
  [`${page}/grants/add`, { slug: SCRIPT, from: IMAGE, until: SCRIPT, source: IMAGE }],
  ['/admin/orders/import', { csv: `ref,email,slug\n1,${SCRIPT},${IMAGE.replaceAll('"', '')}` }],
  ['/admin/orders/import', { csv: `ref,email,slug\n1,</textarea>${SCRIPT},x` }],
])('the refused form %s shows hostile values as text', async (path, fields) => {
  const { status, html } = await send(path, fields);
  expect(status).toBeOneOf([400, 404]);
  expect(html).not.toMatch(/<script>|<img/i);
  expect(html).toMatch(/&lt;(script|img|\/textarea)/);
});

test('the pages of fifty list all accounts', async () => {
  for (let n = 0; n < 104; n++) await stall.app.admin.accounts.add(`reader-${n}@example.org`);
  const seen = new Set<string>();
  let path: string | undefined = '/admin/accounts?q=reader-';
  let pages = 0;
  for (; path !== undefined; pages++) {
    const { html } = await open(path.replaceAll('&amp;', '&'));
    for (const [, found = ''] of html.matchAll(/>(reader-\d+@example\.org)</g)) seen.add(found);
    path = /rel="next" href="([^"]+)"/.exec(html)?.[1];
  }
  expect([seen.size, pages]).toEqual([104, 3]);
});
