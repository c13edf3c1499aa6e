// A text over 4 MiB is no chapter but a file like a picture, and chapters hold 32 MiB together.
import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { editionFile } from '../../src/publishing/saved-editions.ts';
import { writeChecksummed } from '../../src/platform/base/checksummed-file.ts';
import { type } from '../platform/cli/type.ts';
import {
  itemYaml,
  openStall,
  readEvents,
  skillMd,
  type Stall,
  until,
  writeFiles,
} from '../helpers/harness.ts';

const MIB = 1024 ** 2;
/** A text of so many bytes; blank lines take no time to read. */
const textOf = (start: string, bytes: number): string => start + '\n'.repeat(bytes - start.length);
const LARGE = textOf('# Two\n\nThe zanzibar heron nests here.\n', 5 * MIB);
const LARGEST = textOf('# Four\n\nThe longest chapter has an ouzel.\n', 4 * MIB);
const FILES = {
  'books/large/item.yaml': itemYaml({ id: 'large', version: '1.0' }),
  'books/large/01.md': '# One\n\nThe marsh heron stands on one leg.\n',
  'books/large/02.md': LARGE,
  'books/large/03.md': '# Three\n\nThe kingfisher dives from a branch.\n',
  'books/large/04.md': LARGEST,
  'books/wide/item.yaml': itemYaml({ id: 'wide' }),
  ...Object.fromEntries(
    Array.from({ length: 10 }, (_, n) => [
      `books/wide/0${n}.md`,
      textOf(`# Part ${n}\n\nThe gannet of part ${n} plunges.\n`, 4 * MIB),
    ]),
  ),
  'skills/big/item.yaml': itemYaml(),
  'skills/big/SKILL.md': skillMd('big'),
  'skills/big/references/data.txt': LARGE,
};
const WARNED = '"02.md" has 5242880 bytes and is no chapter: at most 4194304 are read';

const stall = await openStall({ files: FILES });
const { headers } = await stall.reader('ann@example.org', 'large', 'wide', 'big');

const page = async (path: string, of = stall) =>
  (await of.fetch(path, { headers: { Accept: 'text/html' } })).text();
const chaptersOf = (of: Stall, slug: string) =>
  of.app
    .catalog()
    .bySlug.get(slug)!
    .chapters.map(({ path }) => path);
const said = (of: Stall) => of.log.map(({ message }) => message).join('\n');

async function mcp(method: string, params: object) {
  const response = await stall.fetch('/mcp', {
    method: 'POST',
    headers: {
      ...headers,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
      'MCP-Protocol-Version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  return response.text();
}

async function ask(query: string, of = stall) {
  const response = await of.fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify({ book_id: 'large', query }),
  });
  return JSON.stringify(await readEvents(response));
}

test('check warns of a large text, and refuses a book of more than 32 MiB of chapters', async () => {
  const { code, out, err } = await type(['check', '--content', stall.content]);
  expect(out).not.toContain('not served');
  expect(err).toBe('3 items, all can be served\n');
  expect(out).toContain(`warning  02.md: ${WARNED}. Split it`);
  expect(out).toContain(
    'error  08.md: The chapters end before "08.md" and 1 text after it: they hold 33554432 bytes together at most',
  );
  expect(out).not.toContain('Not chapters');
  expect(code).toBe(1);
});

test('a server serves the other chapters, and warns', () => {
  expect(chaptersOf(stall, 'large')).toEqual(['01.md', '03.md', '04.md']);
  expect(chaptersOf(stall, 'wide')).toHaveLength(8);
  expect(said(stall)).toContain(WARNED);
  expect(said(stall)).toContain('The chapters end before "08.md"');
  expect(stall.publications.every(({ edition }) => edition !== null)).toBeTrue();
});

test('a book whose chapters name large texts alone has no others in their place', async () => {
  const other = await openStall({
    files: {
      ...{ 'books/large/item.yaml': itemYaml({ id: 'large', chapters: '[02.md]' }) },
      ...{ 'books/large/01.md': 'One.\n', 'books/large/02.md': LARGE },
    },
  });
  expect(chaptersOf(other, 'large')).toEqual([]);
  expect((await other.fetch('/api/books/large/epub')).status).toBe(404);
  expect(await page('/books/large', other)).not.toContain('/books/large/read"');
  expect((await other.fetch('/books/large/read/01.md')).status).toBe(200);
});

describe('a large text is a file like a picture', () => {
  test('with a reading page that names its size and offers the file', async () => {
    for (const [item, path] of [
      ['books/large', '02.md'],
      ['skills/big', 'references/data.txt'],
    ] as const) {
      const html = await page(`/${item}/read/${path}`);
      expect(html).toContain('This text has 5.2 MB');
      expect(html).toContain(`href="/${item}/files/${path}"`);
      expect(html).not.toContain('zanzibar');
      const file = await stall.fetch(`/${item}/files/${path}`);
      expect(await file.text()).toBe(LARGE);
    }
    expect(await page('/books/large')).toContain('/books/large/read/03.md');
    expect(await page('/books/large')).not.toContain('>Two<');
    expect((await stall.fetch('/books/large/read/02.md?part=3')).status).toBe(200);
    expect(await page('/books/large/read/04.md?part=4')).toContain('Part 3 of');
  });

  test('that archives, files JSON and git have', async () => {
    const listed = await stall.fetch('/api/books/large/files?path=02.md', { headers });
    expect(((await listed.json()) as { files: { content: string }[] }).files[0]?.content).toBe(LARGE);
    const tar = Bun.gunzipSync(await (await stall.fetch('/api/install/large')).arrayBuffer());
    expect(Buffer.from(tar).includes('zanzibar')).toBeTrue();
    expect((await stall.fetch('/git/large.git/info/refs?service=git-upload-pack')).status).toBe(200);
  });

  test('that no tool, search, question or EPUB reads', async () => {
    const read = (item: string, path: string) =>
      mcp('tools/call', { name: 'read_chapter', arguments: { item, path } });
    expect(await read('large', '02.md')).toContain('it has 5242880 bytes, over 4194304; install the book');
    expect(await read('big', 'references/data.txt')).toContain('install the skill to have it');
    expect(await read('large', '04.md')).toContain('ouzel');
    const resources = await mcp('resources/list', {});
    expect(resources).toContain('book://large/03.md');
    expect(resources).not.toContain('book://large/02.md');
    expect(resources).not.toContain('data.txt');
    const resource = await mcp('resources/read', { uri: 'book://large/02.md' });
    expect(resource).not.toContain('zanzibar');
    expect(resource).not.toContain('in parts');
    expect(await page('/books/large/search?q=zanzibar')).not.toContain('<mark>');
    expect(await ask('Where does the kingfisher dive from?')).toContain('03.md');
    expect(await ask('Where does the zanzibar nest?')).not.toContain('02.md');
    const epub = await stall.fetch('/api/books/large/epub');
    const names = Buffer.from(await epub.bytes()).toString('latin1');
    expect([names.includes('chapter-0003.xhtml'), names.includes('chapter-0004.xhtml')]).toEqual([
      true,
      false,
    ]);
  });

  test('and that no note is made on', async () => {
    const note = { path: '02.md', start: 7, end: 12, text: 'x' };
    const made = await stall.fetch('/api/books/large/notes', {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(note),
    });
    expect([made.status, await made.text()]).toEqual([400, expect.stringContaining('Cannot find a text')]);
  });
});

/** Saves an edition as 0.3.0 did, which knew chapters of any size. */
async function saveAsBefore(of: Stall, slug: string): Promise<void> {
  const edition = of.app.catalog().bySlug.get(slug)!;
  const chapter = { path: '02.md', title: 'Two', level: 1, part: null };
  const [first, ...others] = edition.chapters;
  await writeChecksummed(editionFile(of.data, 'book', slug), {
    ...{ format: 1, ...edition, inputsHash: 'of 0.3.0', warnings: [] },
    chapters: [first, chapter, ...others],
  });
}

test('an edition that 0.3.0 saved is served without its large chapters, and its notes there are lost', async () => {
  const files = Object.fromEntries(Object.entries(FILES).filter(([path]) => path.startsWith('books/large')));
  const first = await openStall({ files });
  const { headers: own, account } = await first.reader('ann@example.org', 'large');
  const made = await first.fetch('/api/books/large/notes', {
    method: 'POST',
    headers: { ...own, 'Content-Type': 'application/json' },
    body: JSON.stringify({ path: '01.md', start: 7, end: 12, text: 'kept' }),
  });
  expect(made.status).toBe(201);
  await first.close();
  await saveAsBefore(first, 'large');
  const db = new Database(join(first.data, 'bookstall.db'));
  db.run(`CREATE TEMP TABLE old AS SELECT * FROM notes`);
  db.run(`UPDATE old SET id = 'old', path = '02.md', placed_path = '02.md'`);
  db.run(`INSERT INTO notes SELECT * FROM old`);
  db.close();
  expect(account).toBeDefined();
  const second = await openStall({ files: {}, directory: first.directory });
  expect(chaptersOf(second, 'large')).toEqual(['01.md', '03.md', '04.md']);
  const notes = (await (await second.fetch('/api/books/large/notes', { headers: own })).json()) as {
    notes: { path: string; state: string }[];
  };
  expect(Object.fromEntries(notes.notes.map(({ path, state }) => [path, state]))).toEqual({
    '01.md': 'here',
    '02.md': 'lost',
  });
  // Compiled again behind the start.
  await until(() => said(second).includes(WARNED));
  await until(() => second.app.catalog().bySlug.get('large')?.artefacts.index !== undefined);
  expect(await page('/books/large/search?q=kingfisher', second)).toContain('/books/large/read/03.md');
});

test('a kept edition that has a large chapter is rolled back to without it', async () => {
  const files = {
    'books/large/item.yaml': itemYaml({ id: 'large', version: '1.0', chapters: '[01.md, 02.md]' }),
    ...{ 'books/large/01.md': '# One\n\nThe first.\n', 'books/large/02.md': LARGE },
  };
  const own = await openStall({ files, grace: 20 });
  writeFiles(own.content, {
    'books/large/item.yaml': itemYaml({ id: 'large', version: '1.1' }),
    'books/large/02.md': '# Two\n\nShort.\n',
  });
  await own.app.publish();
  expect(chaptersOf(own, 'large')).toEqual(['01.md', '02.md']);
  const kept = await own.fetch('/api/books/large/epub?edition=1.0');
  const names = Buffer.from(await kept.bytes()).toString('latin1');
  expect([names.includes('chapter-0001.xhtml'), names.includes('chapter-0002.xhtml')]).toEqual([true, false]);
  await own.app.admin.editions.rollBack('large', '1.0');
  await own.app.publish();
  expect(chaptersOf(own, 'large')).toEqual(['01.md']);
  expect(await page('/books/large/read/02.md', own)).toContain('This text has 5.2 MB');
});
