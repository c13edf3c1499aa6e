import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import {
  type Files,
  itemYaml,
  openStall,
  SHELF,
  type Stall,
  temporaryDirectory,
  until,
  writeFiles,
} from '../helpers/harness.ts';

const AT = Date.UTC(2026, 10, 22, 9, 30, 15, 678);
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

const BOOK: Files = {
  'books/marsh/item.yaml': itemYaml({
    id: 'bk_marsh',
    title: 'The "marsh" & <b>its</b> birds',
    authors: '[Ada, Grace]',
    publisher: 'Marsh Press',
    description: 'About **herons**',
    language: 'en-GB',
    license: 'CC-BY-4.0',
    tags: '[birds]',
    version: '1.0.0',
    chapters:
      '[{part: Basics}, one.md, {path: two.md, level: 2, title: "Two & more"}, {part: More}, three.txt]',
  }),
  'books/marsh/one.md':
    '# One\n\nSee [two](two.md#deep), [itself](#one), [nowhere](two.md#none), [code](run.js), [out](https://example.org/?a=1&b=2).\n\n![A heron](art/heron.png)\n![Gone](art/gone.png)\n![A wave](art/wave.webp)\n',
  'books/marsh/two.md': '# Two\n\n## Deep\n\nWords[^1].\n\n[^1]: A note.\n\n```js\nconst a = 1;\n```\n',
  'books/marsh/three.txt': 'Three\n\na line\n  & another\n',
  'books/marsh/run.js': 'run();\n',
  'books/marsh/art/heron.png': PNG,
  'books/marsh/art/wave.webp': await new Bun.Image(PNG).webp().bytes(),
};

const get = async (stall: Stall, path: string, init: RequestInit = {}) => {
  const answer = await stall.fetch(path, init);
  return { answer, bytes: Buffer.from(await answer.arrayBuffer()) };
};
const partsOf = (epub: Uint8Array): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(unzipSync(epub)).map(([path, bytes]) => [path, Buffer.from(bytes).toString()]),
  );

const stall = await openStall({ files: { ...SHELF, ...BOOK }, now: () => AT });
const PATH = '/api/books/bk_marsh/epub';
const { answer, bytes: epub } = await get(stall, PATH);
const parts = partsOf(epub);

test('an EPUB has the headers of an archive; its tag is the hash of its bytes', () => {
  const { date: _, ...headers } = Object.fromEntries(answer.headers);
  expect(headers).toEqual({
    'content-type': 'application/epub+zip',
    'content-disposition': 'attachment; filename="marsh.epub"',
    'content-length': String(epub.length),
    'cache-control': 'private, no-cache',
    vary: 'Authorization, Cookie',
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    etag: `"${createHash('sha256').update(epub).digest('hex')}"`,
  });
});

test('the first entry is "mimetype" as it is, at the place where programs look for it', () => {
  expect(epub.subarray(30, 58).toString()).toBe('mimetypeapplication/epub+zip');
  expect(epub.readUInt16LE(8)).toBe(0);
  expect(epub.readUInt16LE(28)).toBe(0);
});

test('the package names the book, and when its edition was first served', () => {
  const opf = parts['EPUB/package.opf']!;
  for (const line of [
    '<dc:title>The &quot;marsh&quot; &amp; &lt;b&gt;its&lt;/b&gt; birds</dc:title>',
    '<dc:creator>Ada</dc:creator>',
    '<dc:creator>Grace</dc:creator>',
    '<dc:publisher>Marsh Press</dc:publisher>',
    '<dc:description>About herons</dc:description>',
    '<dc:language>en-GB</dc:language>',
    '<dc:subject>birds</dc:subject>',
    '<dc:rights>CC-BY-4.0</dc:rights>',
    '<meta property="dcterms:modified">2026-11-22T09:30:15Z</meta>',
    'href="cover.svg" media-type="image/svg+xml" properties="cover-image"',
    'href="picture-0002.png" media-type="image/png"',
  ])
    expect(opf).toContain(line);
  expect(opf).toMatch(/urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}</);
});

test('a cover that a chapter shows too stands in the package once', async () => {
  const files = {
    ...BOOK,
    'books/marsh/item.yaml': `${String(BOOK['books/marsh/item.yaml'])}cover: art/heron.png\n`,
  };
  const its = await openStall({ files });
  const { bytes } = await get(its, PATH);
  const opf = partsOf(bytes)['EPUB/package.opf']!;
  expect(opf.match(/href="picture-0001\.png"[^>]*/g)).toEqual([
    expect.stringContaining('properties="cover-image"'),
  ]);
});

test('contents have parts and levels', () => {
  const nav = parts['EPUB/nav.xhtml']!.replace(/\n/g, '');
  expect(nav).toContain(
    '<ol><li><span>Basics</span><ol><li><a href="chapter-0001.xhtml">One</a><ol><li>' +
      '<a href="chapter-0002.xhtml">Two &amp; more</a></li></ol></li></ol></li><li><span>More</span>' +
      '<ol><li><a href="chapter-0003.xhtml">Three</a></li></ol></li></ol>',
  );
});

test('links lead to chapters, out, or nowhere; pictures that no program shows become PNG', () => {
  const one = parts['EPUB/chapter-0001.xhtml']!;
  expect(one).toContain(
    'See <a href="chapter-0002.xhtml#deep">two</a>, <a href="#one">itself</a>, <a href="chapter-0002.xhtml">nowhere</a>, ' +
      '<span>code</span>, <a href="https://example.org/?a=1&amp;b=2">out</a>.',
  );
  expect(one).toContain('<img src="picture-0001.png" alt="A heron"/>');
  expect(one).toContain('<img src="picture-0002.png" alt="A wave"/>');
  expect(one).toMatch(/\nGone\n/);
  expect(unzipSync(epub)['EPUB/picture-0001.png']).toEqual(new Uint8Array(PNG));
});

test('notes have their types, code its classes, plain text its lines', () => {
  expect(parts['EPUB/chapter-0002.xhtml']).toMatch(
    /<a href="#i\d+" id="i\d+" class="note" epub:type="noteref" role="doc-noteref">1<\/a>/,
  );
  expect(parts['EPUB/chapter-0002.xhtml']).toContain('<span class="hljs-keyword">const</span>');
  expect(parts['EPUB/chapter-0003.xhtml']).toContain('<p class="lines">a line\n  &amp; another</p>');
});

test('everybody gets the same bytes, with nothing of the reader or the address', async () => {
  const { headers, key, email } = await stall.reader('heron@example.org');
  expect((await get(stall, PATH, { headers })).bytes).toEqual(epub);
  const all = Object.values(parts).join('\n');
  for (const trace of [key, email, stall.url, '127.0.0.1', stall.directory]) expect(all).not.toContain(trace);
});

test('another stall makes the same bytes of the same edition, first served at the same time', async () => {
  const other = await openStall({ files: BOOK, now: () => AT });
  expect((await get(other, PATH)).bytes).toEqual(epub);
});

const made = (data: string): string[] =>
  readdirSync(join(data, 'ebooks/artefacts'), { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.epub'),
  );

test('it is kept over a restart, and made again only if it is damaged', async () => {
  const directory = temporaryDirectory();
  const first = await openStall({ files: BOOK, directory, now: () => AT });
  expect((await get(first, PATH)).bytes).toEqual(epub);
  await first.close();
  const file = join(first.data, 'ebooks/artefacts', made(first.data)[0]!);
  const { ino } = statSync(file);
  const again = await openStall({ files: {}, directory, now: () => AT + 1e6 });
  expect((await get(again, PATH)).bytes).toEqual(epub);
  expect(statSync(file).ino).toBe(ino);
  await again.close();
  writeFileSync(file, epub.subarray(0, 1000));
  const damaged = await openStall({ files: {}, directory, now: () => AT + 2e6 });
  expect((await get(damaged, PATH)).bytes).toEqual(epub);
});

test('an EPUB that cannot be put in its place leaves nothing half written', async () => {
  const [place = ''] = readdirSync(join(stall.data, 'ebooks/artefacts')).filter((name) => name !== 'new');
  const its = await openStall({ files: BOOK, now: () => AT });
  const artefacts = join(its.data, 'ebooks/artefacts');
  writeFiles(artefacts, { [place]: 'no folder' });
  expect((await get(its, PATH)).answer.status).toBe(500);
  expect(readdirSync(join(artefacts, 'new'))).toEqual([]);
  rmSync(join(artefacts, place));
  expect((await get(its, PATH)).bytes).toEqual(epub);
});

test('a renamed book has the same EPUB; another edition another, and the former one can be had', async () => {
  const its = await openStall({ files: BOOK, now: () => AT });
  await get(its, PATH);
  renameSync(join(its.content, 'books/marsh'), join(its.content, 'books/fen'));
  await its.app.publish();
  const renamed = await get(its, PATH);
  expect(renamed.bytes).toEqual(epub);
  expect(renamed.answer.headers.get('content-disposition')).toContain('fen.epub');
  writeFiles(its.content, {
    'books/fen/item.yaml': String(BOOK['books/marsh/item.yaml']).replace('1.0.0', '1.1.0'),
    'books/fen/one.md': '# One\n\nAnother text.\n',
  });
  await its.app.publish();
  const next = await get(its, PATH);
  expect(partsOf(next.bytes)['EPUB/chapter-0001.xhtml']).toContain('Another text.');
  await until(() => made(its.data).length === 1);
  const former = await get(its, `${PATH}?edition=1.0.0`);
  expect(former.bytes).toEqual(epub);
  expect((await get(its, `${PATH}?edition=1.1.0`)).bytes).toEqual(next.bytes);
  expect((await its.fetch(`${PATH}?edition=7`)).status).toBe(404);
  const { headers } = await its.reader('fen@example.org');
  await get(its, PATH, { headers });
  const rows = async () => its.app.admin.logs.downloads('fen@example.org', null).at(-1);
  await until(async () => (await rows()) !== undefined);
  expect(await rows()).toMatchObject({
    door: 'epub',
    slug: 'fen',
    itemKey: 'bk_marsh',
    bytes: next.bytes.length,
  });
});

test('a withdrawn edition has none', async () => {
  const its = await openStall({ files: BOOK, now: () => AT });
  await get(its, PATH);
  writeFiles(its.content, { 'books/marsh/one.md': '# One\n\nAnother text.\n' });
  await its.app.publish();
  const [, former] = its.app.admin.editions.list('marsh') as unknown as { digest: string }[];
  expect((await its.fetch(`${PATH}?edition=sha256:${former!.digest}`)).status).toBe(200);
  await its.app.admin.editions.withdraw('marsh', `sha256:${former!.digest}`);
  await its.app.publish();
  expect((await its.fetch(`${PATH}?edition=sha256:${former!.digest}`)).status).toBe(410);
});

test('the publisher’s own EPUB is sent as it is; a book without chapters has none', async () => {
  const own = Buffer.concat([epub, Buffer.from('!')]);
  const its = await openStall({
    files: {
      'books/own/item.yaml': itemYaml({ id: 'own', formats: '[own.pdf, out/own.epub]' }),
      'books/own/own.pdf': '%PDF-1.7\n',
      'books/own/out/own.epub': own,
      'books/bare/item.yaml': itemYaml({ id: 'bare' }),
      'books/bare/a.png': PNG,
    },
  });
  expect((await get(its, '/api/books/own/epub')).bytes).toEqual(own);
  const refused = await its.fetch('/api/books/bare/epub');
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([404, 'NO_CONTENT']);
});

test.each([
  ['whole', {}, 200, 1],
  ['from the first byte', { Range: 'bytes=0-9' }, 206, 1],
  ['from a later byte', { Range: 'bytes=5-9' }, 206, 0],
  ['unchanged', { 'If-None-Match': answer.headers.get('etag')! }, 304, 0],
] as const)('an EPUB that is sent %s writes its row', async (name, sent, status, count) => {
  const email = `${name.replaceAll(' ', '-')}@example.org`;
  const { headers } = await stall.reader(email);
  expect((await get(stall, PATH, { headers: { ...headers, ...sent } })).answer.status).toBe(status);
  await get(stall, '/api/install/marsh', { headers });
  const rows = () => stall.app.admin.logs.downloads(email, null);
  await until(async () => rows().some(({ door }) => door === 'install'));
  expect(rows().filter(({ door }) => door === 'epub')).toHaveLength(count);
});
