import { expect, test } from 'bun:test';
import { unzipSync, zipSync } from 'fflate';
import { existsSync, readdirSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { listAudit } from '../../src/platform/store/audit-entry.ts';
import { openStall, SHELF, until } from '../helpers/harness.ts';
import { smallEpub } from './manuscript/make-epub.ts';

const stall = await openStall({ files: { ...SHELF, 'stall.yaml': 'defaults: {publisher: Quince Press}\n' } });
await stall.app.admin.accounts.add('owner@example.org', true);
const headers = { ...(await stall.signIn('owner@example.org')), 'Sec-Fetch-Site': 'same-origin' };

type Sent = Readonly<Record<string, string | readonly string[] | File>>;

async function post(path: string, fields: Sent) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields))
    for (const one of Array.isArray(value) ? (value as string[]) : [value as string | File])
      form.append(name, one);
  const answer = await stall.fetch(path, { method: 'POST', headers, body: form, redirect: 'manual' });
  return { status: answer.status, location: answer.headers.get('location'), text: await answer.text() };
}

const page = async (path: string): Promise<string> => (await stall.fetch(path, { headers })).text();
const hashOf = async (slug: string): Promise<string> =>
  /name="hash" value="([0-9a-f]{64})"/.exec(await page(`/admin/items/${slug}/edit`))?.[1] ?? '';
const file = (name: string, content: string | Uint8Array): File => new File([content], name);
const mdBook = (files: Readonly<Record<string, string>>): Uint8Array =>
  zipSync(
    Object.fromEntries(
      Object.entries({ 'book.toml': '[book]\ntitle = "River Notes"\n', ...files }).map(([path, text]) => [
        `river/${path}`,
        new TextEncoder().encode(text),
      ]),
    ),
  );
const RIVER = mdBook({
  'src/SUMMARY.md': '# Summary\n\n- [One](one.md)\n- [Two](two.md)\n',
  'src/one.md': '# One\n\nThe river runs slowly past the old mill and under the bridge.\n',
  'src/two.md': '# Two\n\nReeds.\n',
});
/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==',
  'base64',
);
const staging = () => {
  const folder = join(stall.data, 'pushed/new');
  return existsSync(folder) ? readdirSync(folder) : [];
};

test('an author adds, prices, publishes and replaces a book in the browser', async () => {
  const added = await post('/admin/add', { file: file('river.zip', RIVER), slug: '' });
  expect([added.status, added.location]).toEqual([303, '/admin/add?made']);
  // A reload shows it again, and adds nothing.
  for (const text of [await page('/admin/add?made'), await page('/admin/add?made')]) {
    expect(text).toContain('books/river-notes');
    expect(text).toContain('write one that sells it');
  }
  expect((await stall.fetch('/books/river-notes')).status).toBe(404);
  expect(await page('/books/river-notes')).toContain('This is a draft');
  const words = {
    title: 'River notes',
    description: 'Of *rivers*.',
    publisher: '',
    price: '19.50',
    suggested: '29.50',
    currency: 'eur',
  };
  const picture = file('Cover.PNG', new Uint8Array(PIXEL));
  const saved = await post('/admin/items/river-notes/edit', {
    ...{
      ...words,
      hash: await hashOf('river-notes'),
      status: 'published',
      sample: ['one.md'],
      file: picture,
    },
  });
  expect([saved.status, saved.location]).toEqual([303, '/admin/items/river-notes/edit?said=saved']);
  const { manifest } = stall.app.stall.catalog().bySlug.get('river-notes')!;
  expect(manifest).toMatchObject({
    ...{ title: 'River notes', publisher: 'Quince Press', currency: 'eur' },
    ...{ unitAmountCents: 1950, suggestedAmountCents: 2950 },
    ...{ status: 'published', sample: ['one.md'], cover: 'cover.png' },
  });
  expect(await page('/books/river-notes')).toContain('from €19.50');
  const low = { ...words, suggested: '19', hash: await hashOf('river-notes'), status: 'published' };
  const refused = await post('/admin/items/river-notes/edit', low);
  expect([refused.status, refused.text.includes('beside a price of 1950')]).toEqual([400, true]);
  expect((await stall.fetch('/books/river-notes/read/one.md')).status).toBe(200);
  const next = mdBook({
    'src/SUMMARY.md': '# Summary\n\n- [One](one.md)\n- [Three](three.md)\n',
    'src/one.md': '# One\n\nThe river runs slowly.\n',
    'src/three.md': '# Three\n\nHerons.\n',
  });
  const replaced = await post('/admin/items/river-notes/replace', {
    ...{
      hash: await hashOf('river-notes'),
      file: file('river.zip', next),
      version: '2.0',
      changes: 'A chapter on herons.',
    },
  });
  expect(replaced.status).toBe(303);
  expect(await page(replaced.location ?? '')).toContain('three.md');
  const { editions } = (await (await stall.fetch('/api/items/river-notes/editions')).json()) as {
    editions: unknown[];
  };
  expect(editions[0]).toMatchObject({ version: '2.0', notes: 'A chapter on herons.' });
  expect(stall.app.stall.catalog().bySlug.get('river-notes')?.manifest).toMatchObject({
    cover: 'cover.png',
    unitAmountCents: 1950,
  });
  const zip = await stall.fetch('/admin/items/river-notes/folder.zip', { headers });
  expect(Object.keys(unzipSync(await zip.bytes())).toSorted()).toEqual(
    ['cover.png', 'item.yaml', 'one.md', 'three.md'].map((path) => `river-notes/${path}`),
  );
  expect(listAudit(stall.app.stall).entries.filter(({ action }) => action === 'item.push')).toHaveLength(3);
  expect(staging()).toEqual([]);
});

test('an EPUB, a Markdown file and a folder of skills become drafts, each under the slug that was asked for or its own', async () => {
  const skill = (name: string) =>
    new TextEncoder().encode(`---\nname: ${name}\ndescription: Use it to test.\n---\nDo it.\n`);
  for (const [sent, slug, path] of [
    [file('marsh.epub', smallEpub('<h1>One</h1><p>Text.</p>')), 'marsh', '/books/marsh'],
    [file('note.md', '# Note\n\nA text.\n'), '', '/books/note'],
    [file('kit.zip', zipSync({ 'a/SKILL.md': skill('a'), 'b/SKILL.md': skill('b') })), '', '/skills/b'],
  ] as const) {
    const { status } = await post('/admin/add', { file: sent, slug });
    expect([path, status, (await stall.fetch(path, { headers })).status]).toEqual([path, 303, 200]);
  }
});

test('what an import left out is told', async () => {
  const summary = '# Summary\n\n- [One](one.md)\n- [Elsewhere](https://example.org/)\n';
  const zip = mdBook({ 'src/SUMMARY.md': summary, 'src/one.md': '# One\n\nA text.\n' });
  await post('/admin/add', { file: file('links.zip', zip), slug: 'links' });
  expect(await page('/admin/add?made')).toContain('Links of SUMMARY.md to other sites');
});

test.each([
  ['no file', {}, 'choose a file'],
  ['a file that is no manuscript', { file: file('a.pdf', '%PDF-') }, 'a PDF has lines and no chapters'],
  ['a zip that is none', { file: file('a.zip', 'PK') }, 'it is damaged, or no zip'],
  [
    'a zip that leads out',
    { file: file('a.zip', zipSync({ '../../x.md': new Uint8Array(9) })) },
    'leads out of the folder',
  ],
  [
    'a zip that fills disks',
    { file: file('a.zip', zipSync({ 'a.md': new Uint8Array(90_000_000) })) },
    'unpacks to more than',
  ],
  ['a name that leads out', { file: file('../../evil/..', '# A\n') }, 'Cannot import'],
  ['a slug that is none', { file: file('a.md', '# A\n\nText.\n'), slug: 'No Slug' }, 'Slug'],
  [
    'a slug of the content directory',
    { file: file('a.md', '# A\n\nText.\n'), slug: 'free-book' },
    'content directory',
  ],
  [
    'a secret key',
    { slug: 'leaky', file: file('a.md', `# A\n\n-----BEGIN OPENSSH PRIVATE KEY-----\n${'A'.repeat(70)}\n`) },
    'private key',
  ],
] as const)('%s is refused in the form, and leaves nothing', async (_, fields, sentence) => {
  const before = [...stall.app.stall.catalog().bySlug.keys()];
  const { status, text } = await post('/admin/add', { slug: '', ...fields });
  expect([status >= 400 && status < 500, text.includes('Add as a draft')]).toEqual([true, true]);
  expect(text.replaceAll('&quot;', '"')).toContain(sentence);
  expect(text).toContain('Choose your file again');
  expect([[...stall.app.stall.catalog().bySlug.keys()], staging()]).toEqual([before, []]);
});

test('the same file sent twice is one item, and a form made before a change changes nothing', async () => {
  const twice = await Promise.all(
    [1, 2].map(() => post('/admin/add', { file: file('twice.md', '# Twice\n\nText.\n'), slug: 'twice' })),
  );
  expect(twice.filter(({ status }) => status === 303)).toHaveLength(1);
  const hash = await hashOf('twice');
  const edit = (title: string) =>
    post('/admin/items/twice/edit', { hash, title, description: 'Of two.', status: 'draft' });
  expect((await edit('First')).status).toBe(303);
  const late = await edit('Second');
  expect([late.status, late.text.includes('value="Second"')]).toEqual([412, true]);
  expect(late.text).toContain(`value="${await hashOf('twice')}"`);
  expect(await page('/admin/items/twice/edit')).toContain('value="First"');
});

test('a file of megabytes is taken, and one that is no picture is no cover', async () => {
  const long = `# Long\n\n${'A line of a long text.\n\n'.repeat(100_000)}`;
  expect((await post('/admin/add', { file: file('long.md', long), slug: 'long' })).status).toBe(303);
  const words = { title: 'Long', description: 'Of length.', currency: 'eur', status: 'draft' };
  const fake = await post('/admin/items/long/edit', {
    ...{ ...words, hash: await hashOf('long'), file: file('a.png', 'no picture') },
  });
  expect([fake.status, fake.text.includes('as a cover: send')]).toEqual([400, true]);
  const { status } = await stall.fetch('/admin/codes', {
    ...{ method: 'POST', headers, body: new URLSearchParams({ note: 'x'.repeat(2_000_000) }) },
  });
  expect(status).toBe(413);
  expect(await page('/admin/items')).toContain('href="/admin/items/long/edit"');
});

test('findings stand beside their fields, and what was typed stays', async () => {
  await post('/admin/add', { file: file('plain.md', '# Plain\n\nText.\n'), slug: 'plain' });
  const { status, text } = await post('/admin/items/plain/edit', {
    ...{
      hash: await hashOf('plain'),
      title: 'Plain',
      description: '',
      price: '',
      currency: 'eur',
      status: 'published',
    },
  });
  expect([status, text.match(/It is needed before the item is published/g)?.length]).toEqual([400, 2]);
  const wrong = await post('/admin/items/plain/edit', {
    hash: await hashOf('plain'),
    title: 'Typed',
    price: 'a lot',
    currency: 'eur',
  });
  expect([wrong.status, wrong.text.includes('value="Typed"')]).toEqual([400, true]);
});

test('a price that is likely meant higher is warned of beside its field', async () => {
  await post('/admin/add', { file: file('cheap.md', '# Cheap\n\nText.\n'), slug: 'cheap' });
  const warningFor = async (price: string) => {
    const { status } = await post('/admin/items/cheap/edit', {
      ...{
        hash: await hashOf('cheap'),
        title: 'Cheap',
        description: 'Of little.',
        price,
        currency: 'usd',
        status: 'draft',
      },
    });
    return [status, /[^>]* is very little/.exec(await page('/admin/items/cheap/edit'))?.[0]];
  };
  expect(await warningFor('0.30')).toEqual([303, '$0.30 is very little']);
  expect(await warningFor('3')).toEqual([303, undefined]);
});

test.each([
  ['0.30', 'jpy', 'Cannot read "0.30" as a price in JPY: write it as 1900'],
  ['19.999', 'usd', 'Cannot read "19.999" as a price in USD: write it as 19.00'],
  ['12,50', 'Euro', 'Cannot use "euro" as a currency: write its code, such as eur'],
  ['9999999999', 'usd', 'Cannot take "9999999999" as a price: it may have nine digits, cents included'],
])('the price %p in %s is refused with a remedy in its currency', async (price, currency, sentence) => {
  await post('/admin/add', { file: file('priced.md', '# Priced\n\nText.\n'), slug: 'priced' });
  const { status, text } = await post('/admin/items/priced/edit', {
    ...{
      hash: await hashOf('priced'),
      title: 'Priced',
      description: 'Of a price.',
      price,
      currency,
      status: 'draft',
    },
  });
  expect([status, text.replaceAll('&quot;', '"')]).toEqual([400, expect.stringContaining(sentence)]);
});

test.each([
  '/admin/add',
  ...['edit', 'files', 'replace', 'text'].map((act) => `/admin/items/twice/${act}`),
  '/admin/settings',
])('a form to %s whose connection is lost in the middle changes nothing', async (path) => {
  const before = [await hashOf('twice'), stall.app.stall.settings.version()];
  const { port, hostname } = new URL(stall.url);
  const socket = connect(Number(port), hostname);
  const part = (name: string, text: string) =>
    `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;
  const fields = {
    hash: before[0],
    title: 'Cut',
    setting: 'name',
    value: 'Cut',
    yaml: 'title: Cut\n',
    version: '9',
  };
  const form = Object.entries(fields).map(([name, value]) => part(name, String(value)));
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${headers.Cookie}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 90000\r\n\r\n${form.join('')}${part('file"; filename="cut.md', '# Cut')}`,
  );
  const isStaged = !/text|settings/.test(path);
  await until(() => staging().length === (isStaged ? 1 : 0));
  await Bun.sleep(50);
  socket.destroy();
  await until(() => staging().length === 0);
  await Bun.sleep(50);
  expect([await hashOf('twice'), stall.app.stall.settings.version()]).toEqual(before);
  expect((await stall.fetch('/books/cut', { headers })).status).toBe(404);
});

test.each([
  ['a boundary of 5,000 characters', `multipart/form-data; boundary=${'x'.repeat(5000)}`],
  ['no boundary', 'multipart/form-data'],
  ['a boundary within another parameter', 'multipart/form-data; a="; boundary=y"; boundary=x'],
  ['two boundaries', 'multipart/form-data; boundary=y; boundary=x'],
])('a form with %s is refused', async (_, type) => {
  const sent = { method: 'POST', headers: { ...headers, 'Content-Type': type }, body: '--x--' };
  for (const path of ['/admin/add', '/admin/orders/import'])
    expect([path, (await stall.fetch(path, sent)).status]).toEqual([path, 415]);
});

test('items of the content directory show their values and the lines to write', async () => {
  expect(await page('/admin/items/free-book')).toContain('It is edited in its files');
  const shown = await page('/admin/items/paid-book/edit');
  expect(shown).not.toContain('name="hash"');
  for (const words of [
    'books/paid-book/item.yaml',
    '<dt>Title</dt>',
    'price: 19.00\ncurrency: usd\ncheckoutUrl: ',
  ])
    expect(shown).toContain(words);
  expect((await stall.fetch('/admin/items/free-book/folder.zip', { headers })).status).toBe(404);
  const sent = await post('/admin/items/free-book/edit', { title: 'Mine', hash: 'x' });
  expect([sent.status, stall.app.stall.catalog().bySlug.get('free-book')?.manifest.title]).not.toEqual([
    303,
    'Mine',
  ]);
});
