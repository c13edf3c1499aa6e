import { expect, test } from 'bun:test';
import { SHELF, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { openMailServer } from '../mailing/mail-server.ts';
import { openAdmin } from './visit.ts';

const MARKUP = `</title></script>]]>--><script>alert(1)</script><img src=x onerror=a>"'&amp;`;
const server = await openMailServer();
const { stall, send, open, cookie } = await openAdmin({
  files: {
    ...SHELF,
    'books/plain-book/item.yaml': 'id: plain-id\ntitle: Plain\ndescription: Words\nunitAmountCents: 0\n',
    'books/plain-book/01.md': '# Plain\n',
  },
});
const set = async (setting: string, value: string) =>
  (await send('/admin/settings', { setting, value })).status;
const MAIL = { setting: 'server', host: 'localhost', port: String(server.port), encryption: 'starttls' };
const setSender = async (from: string) => (await send('/admin/settings/mail', { ...MAIL, from })).status;
await setSender('stall@example.org');
await set('defaults.publisher', 'Quince Press');

/** All pages, feeds and lists of the stall whose address has no parameter, and those of items; none that tells what was asked. */
const PATHS = stall.app.server.routes
  .filter(({ method, path }) => method === 'GET' && !/[:*]|logs|audit|downloads/.test(path))
  .map(({ path }) => path)
  .concat(['', '/read', '/read/01.md', '/print', '/ask', '/llms.txt'].map((end) => `/books/plain-book${end}`))
  .concat('/opds/books/plain-book.epub', '/skills/free-skill', '/none');

/** The elements of a page in order, with the names of their attributes; those of all files of an EPUB. */
async function readShape(path: string) {
  const answer = await stall.fetch(path, { headers: cookie, redirect: 'manual' });
  const type = answer.headers.get('content-type') ?? '';
  const text = path.endsWith('.epub') ? unzip(await answer.bytes()) : await answer.text();
  const shape: string[] = [];
  const element = ({ tagName, attributes }: HTMLRewriterTypes.Element) =>
    void shape.push([tagName, ...[...attributes].map(([name]) => name)].join(' '));
  if (/html|xml|epub/.test(type)) new HTMLRewriter().on('*', { element }).transform(text);
  const headers = [...answer.headers].filter(([, value]) => value.includes('alert'));
  return { path, shape, headers, isRaw: /html|xml|epub/.test(type) && text.includes('<script>alert') };
}

function unzip(bytes: Uint8Array): string {
  const folder = temporaryDirectory();
  writeFiles(folder, { 'book.epub': bytes });
  return Bun.spawnSync(['unzip', '-p', `${folder}/book.epub`, '*.xhtml', '*.opf', '*.ncx']).stdout.toString();
}

test.each([
  ['name', 80],
  ['taxLine', 200],
  ['postalAddress', 400],
  ['defaults.publisher', 200],
  ['defaults.license', 200],
  ['defaults.guarantee', 200],
  ['defaults.contact', 200],
])('the text of %s is no markup on any page, in any feed or in an EPUB', async (key, most) => {
  expect(await set(key, 'Harmless')).toBe(303);
  const harmless = await Promise.all(PATHS.map(readShape));
  expect(await set(key, MARKUP.slice(0, most))).toBe(303);
  expect(await Promise.all(PATHS.map(readShape))).toEqual(harmless);
});

test.each(['intro', 'terms', 'privacy', 'imprint'])(
  'Markdown of %s runs nothing and has no style',
  async (key) => {
    const markdown = [
      MARKUP,
      '<svg onload=alert(1)>',
      '[x](JaVaScRiPt:alert(1)) ![x](javascript:alert(1)) [x](data:text/html,x)',
      '<style>*{color:red}</style>',
      '<div style="position:fixed" onclick=x>',
      '<a href="javascript:x">y</a> <https://a.example/"onmouseover=x>',
      '<iframe src=//x></iframe><base href=//x><meta http-equiv=refresh content=0;//x>',
      '<form action=//x><input name=password></form>',
    ].join('\n\n');
    expect(await set(key, markdown)).toBe(303);
    const { html } = await open(key === 'intro' ? '/' : `/${key}`);
    const bad: string[] = [];
    const element = ({ tagName, attributes }: HTMLRewriterTypes.Element) => {
      if (['iframe', 'base', 'style', 'svg', 'script', 'form'].includes(tagName)) bad.push(tagName);
      for (const [name, value] of attributes)
        if (/^(on|style)/.test(name) || /^(javascript|data):/i.test(value)) bad.push(`${name}=${value}`);
    };
    new HTMLRewriter().on('.reading *', { element }).transform(html);
    expect(bad).toEqual([]);
    await set(key, '');
  },
);

test.each(['red', '#7a1f2b;background:url(//x)', '#7a1f2b"', 'var(--x)', '#7a1f2b\n}', 'url(//x)'])(
  'the colour %j is refused',
  async (value) => expect(await set('awning', value)).toBe(400),
);

test('a logo with a script is shown as an image that may run nothing', async () => {
  const body = new FormData();
  body.set('setting', 'logo');
  body.set(
    'file',
    new File(['<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'], 'a.svg'),
  );
  const headers = { ...cookie, 'Sec-Fetch-Site': 'same-origin' };
  await stall.fetch('/admin/settings', { method: 'POST', headers, body, redirect: 'manual' });
  const [source = ''] = /\/assets\/[^"]+\.svg(?="[^>]*alt)/.exec((await open('/')).html) ?? [];
  const answer = await stall.fetch(source);
  expect(answer.headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

test.each(['Q\r\nBcc: eve@example.org', 'Q\u0000', 'Q\u001b[31m', 'Q\u0085Bcc: eve@example.org', 'Q\u2028Q'])(
  'the name %j is refused',
  async (name) => expect(await set('name', name)).toBe(400),
);

test.each([
  ['"Eve" <eve@example.org>, Bob'],
  ['=?utf-8?q?=0D=0ABcc:_eve=40example.org?='],
  ['\u202emoc.elttocs\u202c <eve@example.org>'],
  ['{{link}}'],
  ['x'.repeat(80)],
  ['鷺'.repeat(80)],
])('mail of a stall named %j has one recipient, one sender and short lines', async (name) => {
  expect(await set('name', name)).toBe(303);
  await set('postalAddress', '.\r\nMAIL FROM:<eve@example.org>\r\n.\r\n{{link}}');
  await send('/admin/settings/mail/test', { mail: 'claim' });
  const mail = server.received.at(-1)!;
  const [head = ''] = mail.source.split('\r\n\r\n');
  const names = head
    .split('\r\n')
    .filter((line) => /^\S/.test(line))
    .map((line) => line.split(':')[0]);
  expect(new Set(names).size).toBe(names.length);
  expect(names).not.toContain('Bcc');
  expect([mail.from, mail.to]).toEqual(['stall@example.org', ['owner@example.org']]);
  expect(mail.header('From')).toEndWith('<stall@example.org>');
  expect(Math.max(...head.split('\r\n').map((line) => line.length))).toBeLessThan(100);
  expect(mail.text).toContain('\n\n.\nMAIL FROM:<eve@example.org>\n.\n{{link}}\n');
});

test.each([
  'a@example.org\r\nBcc: e@example.org',
  '"a b"@example.org',
  'a@example.org>',
  'a,b@example.org',
  'a@b@c.org',
])('the sender %j is refused', async (from) => expect(await setSender(from)).toBe(400));

test.each(['m\u001b[31m', 'm\u009b31m', 'm\r\nm', 'm\0'])(
  'the model %j, which doctor shows in a terminal, is refused',
  async (name) => {
    const model = {
      BOOKSTALL_ENGINE: 'compat',
      BOOKSTALL_MODEL_URL: 'http://127.0.0.1:9',
      BOOKSTALL_MODEL: name,
    };
    expect((await send('/admin/settings/answers', { setting: 'model', ...model })).status).toBe(400);
  },
);
