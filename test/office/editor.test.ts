import { expect, test } from 'bun:test';
import { itemYaml, PASSWORD, SHELF } from '../helpers/harness.ts';
import { openBrowser } from '../selling/claim-stall.ts';
import { openAdmin, visitAs, wordsOf } from './visit.ts';

const HELPERS = '/admin/settings/helpers';
const { stall, send, open, cookie } = await openAdmin({
  files: {
    ...SHELF,
    'books/hidden-draft/item.yaml': itemYaml({ id: 'bk_taken', status: 'draft' }),
    'books/hidden-draft/01.md': '# Hidden\n',
    'stall.yaml': 'defaults: {publisher: Quince Press}\n',
  },
});
await send(HELPERS, { email: 'eve@example.org' });
const editorCookie = await stall.signIn('eve@example.org');
const editor = visitAs(stall, editorCookie);
const idOf = (email: string): string => stall.app.stall.store.findAccount(email)!.id;

/** Sends a form with a file, as a browser does. */
async function upload(path: string, fields: Readonly<Record<string, string | File>>, as = editorCookie) {
  const body = new FormData();
  for (const [name, value] of Object.entries(fields)) body.set(name, value);
  const headers = { ...as, 'Sec-Fetch-Site': 'same-origin' };
  const answer = await stall.fetch(path, { method: 'POST', headers, body, redirect: 'manual' });
  return { status: answer.status, html: await answer.text() };
}
const hashOf = async (slug: string): Promise<string> =>
  /name="hash" value="([0-9a-f]{64})"/.exec((await open(`/admin/items/${slug}/edit`)).html)?.[1] ?? '';
const EDIT = '/admin/items/egrets/edit';
const WORDS = { title: 'Egrets', description: 'White birds', publisher: 'Quince Press', currency: 'usd' };

/** The routes of the office that an editor may use; all others are paths that do not exist for them. */
const OF_EDITORS = new Set([
  'GET /admin/second-step',
  'POST /admin/second-step',
  'GET /admin/items',
  'GET /admin/add',
  'POST /admin/add',
  'GET /admin/items/:slug/edit',
  'POST /admin/items/:slug/edit',
  'GET /admin/items/:slug/text',
  'POST /admin/items/:slug/text',
  'POST /admin/items/:slug/files',
  'POST /admin/items/:slug/replace',
  'GET /admin/items/:slug/folder.zip',
  'GET /admin/reports',
  'POST /admin/reports/:id',
]);
const ROUTES = stall.app.server.routes
  .filter(({ path }) => path.startsWith('/admin'))
  .map(({ method, path }) => [method, path] as const);

test.each(ROUTES)('%s %s is there for an editor only if it is on the list', async (method, path) => {
  const asked = path.replaceAll(/:\w+/g, 'paid-book');
  const { status } = await (method === 'GET' ? editor.open(asked) : editor.send(asked));
  if (!OF_EDITORS.has(`${method} ${path}`)) return expect(status).toBe(404);
  expect(method === 'GET' && !path.includes(':') ? status : 200).toBe(200);
});

test('the empty library of an editor leads to the items, where their work is', async () => {
  const { html } = await editor.open('/dashboard');
  expect(/class="empty".*?href="([^"]+)"/s.exec(html)?.[1]).toBe('/admin/items');
});

test('an editor adds a draft, edits its words and files, and looks at it', async () => {
  await upload('/admin/add', {
    file: new File(['# Egrets\n\nWhite birds stand in the marsh.\n'], 'egrets.md'),
  });
  expect(wordsOf((await editor.open('/admin/items')).html)).toContain('Egrets (book) draft');
  await upload(EDIT, { ...WORDS, price: '15', status: 'draft', hash: await hashOf('egrets') }, cookie);
  const words = { ...WORDS, description: 'White birds of the marsh' };
  const saved = await upload(EDIT, { ...words, price: '15', status: 'draft', hash: await hashOf('egrets') });
  expect(saved.status).toBe(303);
  expect((await editor.open('/books/egrets')).html).toContain('White birds');
  expect((await editor.open('/books/egrets/read')).status).not.toBe(404);
  const log = (await open('/admin/audit')).html;
  expect(wordsOf(log)).toMatch(/eve@example.org[^@]*Pushed an item egrets/);
});

test.each([
  ['price', { price: '9', status: 'draft' }],
  ['status', { price: '15', status: 'published' }],
  ['sample', { price: '15', status: 'draft', sample: 'egrets.md' }],
])('an editor cannot change the %s', async (_, terms) => {
  const { status, html } = await upload(EDIT, { ...WORDS, ...terms, hash: await hashOf('egrets') });
  expect([status, wordsOf(html)]).toEqual([403, expect.stringContaining('Cannot')]);
  expect((await stall.fetch('/books/egrets')).status).toBe(404);
});

test('an editor cannot change a term as text, and sees no field for one', async () => {
  expect((await editor.open('/admin/items/egrets/text')).html).toContain('title: Egrets');
  const text = 'id: bk_egrets\ntitle: Egrets\ndescription: Birds\nunitAmountCents: 900\nstatus: draft\n';
  const { status, html: refused } = await editor.send('/admin/items/egrets/text', {
    hash: await hashOf('egrets'),
    yaml: text,
  });
  expect([status, wordsOf(refused)]).toEqual([
    403,
    expect.stringContaining('Cannot change "unitAmountCents" of "egrets": that is the owner’s'),
  ]);
  const form = (await editor.open(EDIT)).html;
  for (const name of ['price', 'status', 'stripe', 'checkoutUrl', 'sample'])
    expect(form).not.toContain(`name="${name}"`);
});

test('an editor sees no draft of the content directory, no paid text of it, and does not edit it', async () => {
  for (const path of ['/books/draft-book', '/books/draft-book/read', '/admin/items/paid-book/edit'])
    expect([path, (await editor.open(path)).status]).toEqual([path, 404]);
  expect((await editor.open('/books/paid-book/read/01.md')).html).not.toContain('The grey heron of paid');
});

test('an editor learns no slug of a draft of the content directory whose id a file would take', async () => {
  const { status, html } = await upload('/admin/add', { file: new File(['# Taken\n\nText.\n'], 'taken.md') });
  expect([status, wordsOf(html)]).toEqual([400, expect.stringContaining('"bk_taken"')]);
  expect(html).not.toContain('hidden-draft');
});

test('an editor handles reports of kept books without their senders, and no others', async () => {
  await upload(EDIT, { ...WORDS, price: '0', status: 'published', hash: await hashOf('egrets') }, cookie);
  await stall.reader('ada@example.org', 'paid-book');
  const ada = visitAs(stall, await stall.signIn('ada@example.org'));
  for (const slug of ['egrets', 'paid-book'])
    await ada.send(`/books/${slug}/reports`, { question: `A slip in ${slug}` });
  const reports = stall.app.stall.store.listReports('open');
  expect(reports).toHaveLength(2);
  const { html } = await editor.open('/admin/reports');
  expect(html).not.toContain('ada@example.org');
  expect(html).not.toContain('A slip in paid-book');
  const [kept, other] = ['egrets', 'paid-book'].map((slug) =>
    reports.find(({ text }) => text?.includes(slug) === true),
  );
  if (kept !== undefined) expect(html).toContain('A slip in egrets');
  if (other !== undefined)
    expect((await editor.send(`/admin/reports/${other.id}`, { state: 'done' })).status).toBe(404);
});

test('an editor sees the reports of kept books, however many came of others since', async () => {
  for (let n = 0; n < 6; n++) {
    await stall.reader(`reader-${n}@example.org`, 'paid-book');
    const { send: tell } = visitAs(stall, await stall.signIn(`reader-${n}@example.org`));
    const all = Array.from({ length: 17 }, (_, one) =>
      tell('/books/paid-book/reports', { question: `Slip ${n} ${one}` }),
    );
    expect(new Set((await Promise.all(all)).map(({ status }) => status))).toEqual(new Set([303]));
  }
  const { html } = await editor.open('/admin/reports');
  expect([html.includes('A slip in egrets'), html.includes('Slip 0 0')]).toEqual([true, false]);
});

test('an editor has the office in the menu, and an API key of theirs has no more than a reader’s', async () => {
  expect((await editor.open('/')).html).toContain('href="/admin/items"');
  const { key } = await stall.app.admin.keys.create('eve@example.org', 'test', { days: 90 });
  const headers = { Authorization: `Bearer ${key}` };
  expect((await stall.fetch('/api/items/draft-book', { headers })).status).toBe(404);
});

/** Somebody who made an account with a code, in which they typed the address of another. */
async function impostor(email: string) {
  const request = { slug: 'paid-book', bundles: [], uses: 1, until: null, note: '', orderId: null };
  const { codes } = await stall.app.admin.codes.create({ ...request, count: 1 });
  const browser = openBrowser(stall.fetch);
  await browser.post('/redeem/account', { code: codes[0]!, email });
  await browser.post('/dashboard/account/password', { password: PASSWORD });
  return browser;
}

const codeIn = ({ html }: { readonly html: string }): string =>
  /\/(?:reset|email)#([\w-]+)/.exec(html)?.[1] ?? '';

test('whoever typed the address of an editor with a code is none, and loses the account to the link', async () => {
  const [mallory, fay] = [await impostor('fay@example.org'), openBrowser(stall.fetch)];
  const invited = await send(HELPERS, { email: 'fay@example.org' });
  expect((await mallory.open('/admin/items')).status).toBe(404);
  expect(wordsOf((await open(HELPERS)).html)).toContain('who has not opened their link yet');
  await fay.post('/reset', { code: codeIn(invited), password: PASSWORD });
  expect((await fay.open('/admin/items')).status).toBe(200);
  expect((await mallory.open('/dashboard')).headers.get('location')).toStartWith('/sign-in');
});

test('nor are they an editor after they moved the account to an address of their own', async () => {
  const mallory = await impostor('gus@example.org');
  await send(HELPERS, { email: 'gus@example.org' });
  const moved = await send(`/admin/accounts/${idOf('gus@example.org')}/email`, { email: 'mal@example.org' });
  expect((await mallory.post('/email', { code: codeIn(moved), password: PASSWORD })).status).toBe(303);
  expect(idOf('mal@example.org')).toBeString();
  expect((await mallory.open('/admin/items')).status).toBe(404);
});

test('the owner and a disabled account cannot be editors', async () => {
  await stall.app.admin.accounts.add('off@example.org');
  await stall.app.admin.accounts.disable('off@example.org');
  for (const [email, sentence] of [
    ['owner@example.org', 'Cannot make yourself an editor'],
    ['off@example.org', 'the account is disabled'],
    ['nobody', 'nobody'],
  ] as const) {
    const { status, html } = await send(HELPERS, { email });
    expect([status, wordsOf(html)]).toEqual([400, expect.stringContaining(sentence)]);
  }
});

test('what an editor may do ends with their next request', async () => {
  expect((await editor.open('/admin/items')).status).toBe(200);
  await send(`${HELPERS}/${idOf('eve@example.org')}/end`);
  expect((await editor.open('/admin/items')).status).toBe(404);
  expect((await editor.open('/dashboard')).status).toBe(200);
});
