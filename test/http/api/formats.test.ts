import { expect, test } from 'bun:test';
import { itemYaml, openStall, skillMd, until } from '../../harness.ts';

const PDF = '%PDF-1.7\n\u0000';
const stall = await openStall({
  files: {
    'books/paid/item.yaml': itemYaml({
      id: 'paid',
      unitAmountCents: 900,
      formats: '[out/book.pdf, book.EPUB]',
    }),
    'books/paid/01.md': '# One\n',
    'books/paid/out/book.pdf': PDF,
    'books/paid/book.EPUB': Buffer.from([0x50, 0x4b, 0, 255]),
    'books/paid/other.pdf': PDF,
    'skills/free/item.yaml': itemYaml({ formats: '[free.pdf]' }),
    'skills/free/SKILL.md': skillMd('free'),
    'skills/free/free.pdf': PDF,
  },
});
const { headers } = await stall.reader('reader@example.org', 'paid');
const other = await stall.reader('other@example.org');

test.each([
  ['/books/paid/files/out/book.pdf', 'application/pdf', 'book.pdf'],
  ['/books/paid/files/book.EPUB', 'application/epub+zip', 'book.EPUB'],
  ['/books/paid/files/other.pdf', 'application/octet-stream', 'other.pdf'],
  ['/skills/free/files/free.pdf', 'application/pdf', 'free.pdf'],
])('%s is sent as %s to be saved', async (path, type, name) => {
  const answer = await stall.fetch(path, { headers });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe(type);
  expect(answer.headers.get('content-disposition')).toStartWith(`attachment; filename="${name}"`);
});

test.each([
  ['nobody', {}, 401],
  ['a stranger', other.headers, 403],
])('a paid format is refused to %s', async (_, sent, status) => {
  expect((await stall.fetch('/books/paid/files/out/book.pdf', { headers: sent })).status).toBe(status);
});

test('each format that is sent is a download, and no other file is', async () => {
  const reader = await stall.reader('counted@example.org', 'paid');
  const paths = ['/books/paid/files/other.pdf', '/books/paid/files/01.md', '/books/paid/files/out/book.pdf'];
  for (const path of paths) await (await stall.fetch(path, { headers: reader.headers })).arrayBuffer();
  await stall.fetch('/books/paid/files/out/book.pdf', { method: 'HEAD', headers: reader.headers });
  await (await stall.fetch('/api/install/paid', { headers: reader.headers })).arrayBuffer();
  const rows = () => stall.app.admin.logs.downloads('counted@example.org', null);
  await until(async () => rows().some(({ door }) => door === 'install'));
  expect(rows().filter(({ door }) => door === 'file')).toMatchObject([
    { itemKey: 'paid', slug: 'paid', bytes: Buffer.byteLength(PDF), keyId: reader.keyId },
  ]);
});
