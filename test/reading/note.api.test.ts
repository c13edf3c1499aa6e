import { Database } from 'bun:sqlite';
import { describe, expect, spyOn, test } from 'bun:test';
import { join } from 'node:path';
import MarkdownIt from 'markdown-it';
import type { Note } from '../../src/reading/note.ts';
import { openStall, SHELF, takeData, writeFiles } from '../helpers/harness.ts';

const CHAPTER = '# The heron\n\nThe grey heron stands on one leg. Cold water chills both. 👩‍👩‍👧 e\u0301\n';
const book = (chapter: string, more = '') => ({
  'books/paid-book/01.md': chapter,
  'books/paid-book/02.md': `# The pond\n\nFrogs live here.\n${more}`,
});
const stall = await openStall({ files: { ...SHELF, ...book(CHAPTER) } });
const { admin } = stall.app;
const ann = await stall.reader('ann@example.org', 'paid-book');
const ben = await stall.reader('ben@example.org', 'paid-book');
const NOTES = '/api/books/paid-id/notes';

type Fields = Readonly<Record<string, unknown>>;

async function call(method: string, path: string, body?: unknown, headers: Fields = ann.headers) {
  const response = await stall.fetch(path, {
    method,
    headers: { ...(headers as Record<string, string>), 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true && text !== '';
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null };
}

/** Marks words of a chapter. */
async function mark(words: string, text: string | null = null, { path = '01.md', source = CHAPTER } = {}) {
  const start = source.indexOf(words);
  const made = await call('POST', NOTES, { path, start, end: start + words.length, text });
  expect(made.status).toBe(201);
  return made.json as Note;
}

const list = async (headers: Fields = ann.headers): Promise<readonly Note[]> =>
  (await call('GET', NOTES, undefined, headers)).json.notes;

test('a note has its words with what stands around them, as the book has them', async () => {
  const note = await mark('stands on one leg', ' It sleeps.\r\nSo do I. ');
  const { digest } = stall.app.catalog().bySlug.get('paid-book')!;
  expect(note).toEqual({
    id: expect.stringMatching(/^[0-9a-f-]{36}$/),
    book: 'paid-book',
    path: '01.md',
    start: 28,
    end: 45,
    exact: 'stands on one leg',
    prefix: '# The heron\n\nThe grey heron ',
    suffix: '. Cold water chills both. 👩‍👩‍👧 e\u0301\n',
    text: 'It sleeps.\nSo do I.',
    edition: `sha256:${digest}`,
    state: 'here',
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: note.createdAt,
    url: `${stall.url}/books/paid-book/read/01.md#note-${note.id}`,
  });
  const changed = await call('PATCH', `${NOTES}/${note.id}`, { text: null });
  expect([changed.status, changed.json.text]).toEqual([200, null]);
  expect((await call('DELETE', `${NOTES}/${note.id}`)).status).toBe(204);
  expect(await list()).toEqual([]);
});

test('notes come in reading order, as JSON, as Markdown and as CSV', async () => {
  const pond = await mark('Frogs', null, { path: '02.md', source: book('')['books/paid-book/02.md'] });
  const late = await mark('Cold', 'Brr <b>');
  const early = await mark('grey');
  expect((await list()).map(({ id }) => id)).toEqual([early.id, late.id, pond.id]);
  const markdown = await call('GET', `${NOTES}?format=markdown`);
  expect(markdown.text).toBe(
    `# The paid book: notes\n\n## The heron\n\n> grey\n\n[${early.createdAt.slice(0, 10)}](${early.url})\n\n> Cold\n\n- Brr <b>\n\n[${late.createdAt.slice(0, 10)}](${late.url})\n\n## The pond\n\n> Frogs\n\n[${pond.createdAt.slice(0, 10)}](${pond.url})\n\n`,
  );
  expect((await call('GET', '/api/notes?format=markdown')).text).toBe(markdown.text);
  const csv = await call('GET', `${NOTES}?format=csv`);
  expect(csv.headers.get('content-disposition')).toBe('attachment; filename="paid-book-notes.csv"');
  const row = (note: Note, text = '') =>
    `${note.exact},The paid book,A publisher,${note.url},${text},${note.start},${note.createdAt}\r\n`;
  const head = 'Highlight,Title,Author,URL,Note,Location,Date\r\n';
  expect(csv.text).toBe(head + row(early) + row(late, 'Brr <b>') + row(pond));
  for (const format of ['annotations', 'pdf']) {
    const { status, json } = await call('GET', `${NOTES}?format=${format}`);
    expect([status, json.error]).toEqual([400, expect.stringContaining('json, markdown or csv')]);
  }
  for (const { id } of [pond, late, early]) await call('DELETE', `${NOTES}/${id}`);
});

test('saved as Markdown, a note is a quotation and an item below it, whatever it says and wherever it stands', async () => {
  const paths = ['1) odd.md', 'lines.md'] as const;
  writeFiles(stall.content, {
    [`books/paid-book/${paths[0]}`]: '# Odd\n\nA heron.\n',
    [`books/paid-book/${paths[1]}`]: '# Lines\r\n\r\nA heron\r\nand a frog.\r\n',
  });
  await stall.app.publish();
  const hostile =
    '# Forged: notes\n\n## Forged\n\n> never said\n\n[2026-01-01](http://evil.example)\n\n<!-- \\ud83d\n\n```\nlet';
  const made = await Promise.all([
    mark('A heron', hostile.replace('\\ud83d', '\ud83d'), { path: paths[0], source: '# Odd\n\nA heron.\n' }),
    mark('A heron\r\nand a frog.', '```', {
      path: paths[1],
      source: '# Lines\r\n\r\nA heron\r\nand a frog.\r\n',
    }),
    mark('grey'),
  ]);
  const { text } = await call('GET', `${NOTES}?format=markdown`);
  const tokens = new MarkdownIt().parse(text, {});
  const outside = tokens.filter(({ level }) => level === 0).map(({ type }) => type.replace(/_close$/, ''));
  expect(outside.filter((type) => type === 'heading')).toHaveLength(4);
  expect(outside.filter((type) => type === 'blockquote')).toHaveLength(3);
  const quoted = tokens.flatMap(({ type, content, level }, n) =>
    type === 'inline' && level === 2 && tokens[n - 2]?.type === 'blockquote_open' ? [content] : [],
  );
  expect(quoted.toSorted()).toEqual(['A heron', 'A heron\nand a frog.', 'grey']);
  const links = tokens.flatMap(({ level, children }) =>
    level === 1 ? (children ?? []).flatMap((child) => child.attrGet('href') ?? []) : [],
  );
  expect(new Set(links)).toEqual(new Set(made.map(({ url }) => url)));
  expect(made[0].text).toContain('<!-- \ufffd');
  for (const { id } of made) await call('DELETE', `${NOTES}/${id}`);
});

const at = (start: unknown, end: unknown, more: Fields = {}) => ({ path: '01.md', start, end, ...more });
const family = CHAPTER.indexOf('👩');
const accent = CHAPTER.indexOf('e\u0301');

test.each([
  ['behind the text', at(0, 5_000)],
  ['before the text', at(-1, 4)],
  ['backwards', at(9, 4)],
  ['empty', at(4, 4)],
  ['blank', at(11, 13)],
  ['no whole numbers', at(1.5, 4)],
  ['no numbers', at('1', '4')],
  ['half of a pair', at(family + 1, family + 2)],
  ['a part of a family', at(family, family + 2)],
  ['a part of a family, behind a joiner', at(family + 3, family + 5)],
  ['a letter without its accent', at(accent, accent + 1)],
  ['an accent alone', at(accent + 1, accent + 2)],
  ['no text of the book', { ...at(0, 4), path: 'item.yaml' }],
  ['no file', { ...at(0, 4), path: '../01.md' }],
  ['with a text that is none', at(0, 4, { text: 7 })],
  ['with 4,001 characters of text', at(0, 4, { text: '😀'.repeat(4_001) })],
  ['nothing', null],
  ['a list', [1, 2]],
])('a slice is refused: %s', async (_, body) => {
  const { status, json } = await call('POST', NOTES, body);
  expect([status, json.code]).toEqual([400, 'INVALID_REQUEST']);
  expect(await list()).toEqual([]);
});

test('2,000 characters are kept, and 4,000 of text whatever they are; one more is refused', async () => {
  const long = 'x'.repeat(2_001);
  writeFiles(stall.content, book(CHAPTER, long));
  await stall.app.publish();
  const start = `# The pond\n\nFrogs live here.\n`.length;
  const keep = (end: number) => call('POST', NOTES, { path: '02.md', start, end, text: '😀'.repeat(4_000) });
  expect((await keep(start + 2_001)).status).toBe(400);
  const { status, json } = await keep(start + 2_000);
  expect(status).toBe(201);
  expect((await call('PATCH', `${NOTES}/${json.id}`, { text: 'y'.repeat(4_001) })).status).toBe(400);
  await call('DELETE', `${NOTES}/${json.id}`);
});

test('a note is its account’s alone', async () => {
  const note = await mark('grey', 'mine');
  const path = `${NOTES}/${note.id}`;
  for (const [method, body] of [['PATCH', { text: 'yours' }] as const, ['DELETE'] as const]) {
    const refused = await call(method, path, body, ben.headers);
    expect([refused.status, refused.json.code]).toEqual([404, 'NOT_FOUND']);
    // Nor by the way of another book.
    expect((await call(method, path.replace('paid-id', 'free-id'), body)).status).toBe(404);
  }
  expect(await list(ben.headers)).toEqual([]);
  expect(await list()).toMatchObject([{ id: note.id, text: 'mine' }]);
  await call('DELETE', path);
});

test('when a grant ends, notes are closed as the book is, and open again with it', async () => {
  const cleo = await stall.reader('cleo@example.org', 'paid-book');
  const made = await call('POST', NOTES, { path: '01.md', start: 2, end: 11 }, cleo.headers);
  const path = `${NOTES}/${made.json.id}`;
  await admin.grants.revoke(cleo.email, 'paid-book', null);
  const answers = [
    await call('GET', NOTES, undefined, cleo.headers),
    await call('GET', `${NOTES}?format=markdown`, undefined, cleo.headers),
    await call('POST', NOTES, { path: '01.md', start: 2, end: 11 }, cleo.headers),
    await call('PATCH', path, { text: 'x' }, cleo.headers),
    await call('DELETE', path, undefined, cleo.headers),
  ];
  expect(answers.map(({ status, json }) => [status, json.code])).toEqual(
    answers.map(() => [403, 'ACCESS_DENIED']),
  );
  expect((await call('GET', '/api/notes', undefined, cleo.headers)).json).toEqual({ notes: [], next: null });
  await admin.grants.add({ email: cleo.email, slug: 'paid-book' });
  expect(await list(cleo.headers)).toMatchObject([{ id: made.json.id, text: null }]);
});

describe('a session', () => {
  test.each([
    ['POST', NOTES, 201],
    ['PATCH', `${NOTES}/none`, 404],
    ['DELETE', `${NOTES}/none`, 404],
  ])('that sends %s %s must say that it is from this stall', async (method, path, status) => {
    const session = await stall.signIn(ann.email);
    const body = { path: '01.md', start: 2, end: 11, text: 'x' };
    for (const from of [{}, { 'Sec-Fetch-Site': 'cross-site' }, { Origin: 'https://evil.example' }])
      expect((await call(method, path, body, { ...session, ...from })).status).toBe(403);
    for (const from of [{ 'Sec-Fetch-Site': 'same-origin' }, { Origin: stall.url }])
      expect((await call(method, path, body, { ...session, ...from })).status).toBe(status);
    for (const { id } of await list()) await call('DELETE', `${NOTES}/${id}`);
  });
});

test('words of a citation are kept by a form, of the edition that was cited', async () => {
  const session = { ...(await stall.signIn(ann.email)), 'Sec-Fetch-Site': 'same-origin' };
  const send = async (fields: Record<string, string>) => {
    const body = new URLSearchParams({ path: '01.md', start: '2', end: '11', ...fields });
    const answer = await stall.fetch('/books/paid-book/notes', {
      ...{ method: 'POST', headers: session, body, redirect: 'manual' },
    });
    return [answer.status, answer.headers.get('location')];
  };
  const { digest } = stall.app.catalog().bySlug.get('paid-book')!;
  const [status, location] = await send({ edition: digest.slice(0, 12) });
  const [note] = await list();
  expect([status, location]).toEqual([303, `/books/paid-book/read/01.md#note-${note!.id}`]);
  expect(note!.exact).toBe('The heron');
  expect(await send({ edition: '0123456789ab' })).toEqual([400, null]);
  // Words that were marked in an earlier edition, without a network, are looked for in this one.
  expect((await send({ edition: '0123456789ab', exact: 'The heron' }))[0]).toBe(303);
  const late = (await list()).find(({ id }) => id !== note!.id)!;
  expect([late.exact, late.state, late.start]).toEqual(['The heron', 'moved', 2]);
  await call('DELETE', `${NOTES}/${late.id}`);
  for (const [from, count, part] of ['0 0 1', '9999999 1 1', '0 9999999 1', '0 1 7', '-1 1 1', 'x y z'].map(
    (all) => all.split(' '),
  ))
    expect(await send({ start: '', end: '', from: from!, count: count!, part: part! })).toEqual([400, null]);
  expect(await list()).toHaveLength(1);
  await call('DELETE', `${NOTES}/${note!.id}`);
});

test.each([true, false])('no install token opens notes; one that reads: %p', async (reads) => {
  const { token } = await admin.tokens.create(ann.email, { name: 'x', slugs: [], reads, term: 'never' });
  for (const headers of [
    { Authorization: `Bearer ${token}` },
    { Authorization: `Basic ${btoa(`any:${token}`)}` },
  ])
    for (const [method, path] of [
      ['GET', NOTES] as const,
      ['GET', '/api/notes'] as const,
      ['POST', NOTES] as const,
    ])
      expect((await call(method, path, method === 'POST' ? at(2, 11) : undefined, headers)).status).toBe(401);
});

/** Copies a note by the way of the database, so many units further each. */
function copyNote(id: string, count: number, by = 0): void {
  const db = new Database(join(stall.data, 'bookstall.db'));
  const same =
    'account_id, book_id, edition, path, alike, placed_in, placed_path, created_at, updated_at, exact, prefix, suffix, text, bytes';
  db.query(
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?1)
     INSERT INTO notes (${same}, id, start, placed_start)
     SELECT ${same}, id || i, start + i * ?2, start + i * ?2 FROM notes, n WHERE id = ?3`,
  ).run(count, by, id);
  db.close();
}

test('a list comes a hundred at a time, of one book or of all, for programs and in the browser', async () => {
  const eve = await stall.reader('eve@example.org', 'paid-book');
  const post = async (id: string) =>
    (await call('POST', `/api/books/${id}/notes`, at(2, 11), eve.headers)).json as Note;
  copyNote((await post('free-id')).id, 120, 1);
  copyNote((await post('paid-id')).id, 128, 1);
  const get = async (path: string) => (await call('GET', path, undefined, eve.headers)).json;
  for (const [path, counts] of [
    ['/api/notes', [100, 100, 50]],
    [NOTES, [100, 29]],
  ] as const) {
    const ids: string[] = [];
    const pages: number[] = [];
    for (let after = ''; ;) {
      const { notes, next } = await get(`${path}?after=${after}`.replace(/\?after=$/, ''));
      pages.push(notes.length);
      ids.push(...notes.map(({ id }: Note) => id));
      if (next === null) break;
      expect(next).toBe(ids.at(-1)!);
      after = next;
    }
    expect(pages).toEqual([...counts]);
    expect(new Set(ids).size).toBe(ids.length);
    const { text } = await call('GET', `${path}?format=markdown`, undefined, eve.headers);
    expect([...text.matchAll(/#note-([0-9a-f-]+)\)/g)].map(([, id]) => id!)).toEqual(ids);
  }
  const cookie = await stall.signIn(eve.email);
  const shown: number[] = [];
  for (let path: string | undefined = '/dashboard/notes'; path !== undefined;) {
    const html = await (await stall.fetch(path, { headers: cookie })).text();
    shown.push(html.match(/<li id="note-/g)!.length);
    path = /<a rel="next" href="([^"]+)"/.exec(html)?.[1];
  }
  expect(shown).toEqual([100, 100, 50]);
  const [foreign] = (await call('GET', '/api/notes')).json.notes as Note[];
  for (const after of [crypto.randomUUID(), foreign?.id ?? '', '%00'])
    expect((await call('GET', `/api/notes?after=${after}`, undefined, eve.headers)).status).toBe(400);
});

test('a page marks the first 500 notes of a text and says that there are more', async () => {
  const fay = await stall.reader('fay@example.org', 'paid-book');
  copyNote((await call('POST', NOTES, at(2, 5), fay.headers)).json.id, 599);
  const page = await stall.fetch('/books/paid-book/read/01.md', { headers: fay.headers });
  const html = await page.text();
  expect(html.match(/id="note-/g)).toHaveLength(500);
  expect(html).toContain('600 notes in this chapter</a>; the first 500 are marked here');
});

test('what can be refused is refused before the text is read, and texts are read one at a time', async () => {
  const gil = await stall.reader('gil@example.org', 'paid-book');
  const { artefacts } = stall.app.stall;
  const original = artefacts.read;
  let [open, most] = [0, 0];
  const read = spyOn(artefacts, 'read').mockImplementation(async (edition, path) => {
    most = Math.max(most, ++open);
    await Bun.sleep(1);
    return original(edition, path).finally(() => open--);
  });
  const send = (body: unknown, headers: Fields = gil.headers) => call('POST', NOTES, body, headers);
  const { headers: stranger } = await stall.reader('hal@example.org');
  const statuses = [
    await send(at(0, 2_001)),
    await send(at(0, 999_999)),
    await send(at(4, 4)),
    await send(at(2, 11, { text: 'y'.repeat(4_001) })),
    await send({ ...at(2, 11), path: 'none.md' }),
    await send(at(2, 11), stranger),
  ].map(({ status }) => status);
  expect(statuses).toEqual([400, 400, 400, 400, 400, 403]);
  expect(read).not.toHaveBeenCalled();
  const made = await Promise.all(Array.from({ length: 20 }, () => send(at(2, 11))));
  expect(new Set(made.map(({ status }) => status))).toEqual(new Set([201]));
  expect([read.mock.calls.length, most]).toEqual([20, 1]);
  copyNote(made[0]!.json.id, 4_980);
  expect((await send(at(2, 11))).status).toBe(409);
  expect(read).toHaveBeenCalledTimes(20);
  read.mockRestore();
});

test('notes are listed for one request in a turn of the event loop', async () => {
  const ida = await stall.reader('ida@example.org', 'paid-book');
  const cookie = await stall.signIn('ida@example.org');
  await call('POST', NOTES, at(2, 11), ida.headers);
  const { store } = stall.app.stall;
  const original = store.listNotePlaces;
  let [inTurn, most] = [0, 0];
  const places = spyOn(store, 'listNotePlaces').mockImplementation((...of) => {
    if (inTurn === 0) setImmediate(() => (inTurn = 0));
    most = Math.max(most, ++inTurn);
    // As long as thousands of notes take.
    for (const end = performance.now() + 6; performance.now() < end;);
    return original(...of);
  });
  const paths = ['/api/notes', NOTES, '/api/notes?format=markdown', '/dashboard/notes'];
  for (const path of [...paths, '/dashboard/account/data']) {
    const headers = path.startsWith('/api') ? ida.headers : cookie;
    const asked = path.endsWith('/data') ? takeData(cookie) : { headers };
    most = 0;
    places.mockClear();
    await Promise.all(Array.from({ length: 8 }, async () => (await stall.fetch(path, asked)).arrayBuffer()));
    expect([path, places.mock.calls.length, most]).toEqual([path, 8, 1]);
  }
  places.mockRestore();
});

test('no more than 5,000 notes of a book are kept, and no more than 5 MB of an account', async () => {
  const dora = await stall.reader('dora@example.org', 'paid-book');
  const made = (await call('POST', NOTES, at(2, 11, { text: 'a' }), dora.headers)).json as Note;
  const db = new Database(join(stall.data, 'bookstall.db'));
  const copy = (count: number, bookId: string, text: string) =>
    db
      .query(
        `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
         INSERT INTO notes (id, account_id, book_id, edition, path, start, alike, placed_in, placed_path, placed_start,
           created_at, updated_at, exact, prefix, suffix, text, bytes)
         SELECT id || i, account_id, ?, edition, path, start, alike, placed_in, placed_path, placed_start,
           created_at, updated_at, exact, prefix, suffix, ?, ? FROM notes, n WHERE id = ?`,
      )
      .run(count, bookId, text, text.length, made.id);
  copy(4_998, 'paid-id', 'b');
  expect((await call('POST', NOTES, at(2, 11), dora.headers)).status).toBe(201);
  const many = await call('POST', NOTES, at(2, 11), dora.headers);
  expect([many.status, many.json.code]).toEqual([409, 'CONFLICT']);
  expect(many.json.error).toContain('5000 notes of one book');
  db.run('DELETE FROM notes WHERE id <> ?', [made.id]);
  copy(5, 'other-id', 'c'.repeat(2 ** 20));
  const full = await call('POST', NOTES, at(2, 11), dora.headers);
  expect([full.status, full.json.code]).toEqual([409, 'CONFLICT']);
  expect(full.json.error).toContain('5 MB of notes');
  const edit = (text: string) => call('PATCH', `${NOTES}/${made.id}`, { text }, dora.headers);
  expect([(await edit('longer')).status, (await edit('z')).status]).toEqual([409, 200]);
  db.close();
});

test('a note with an id of its sender’s is kept once; with other words both are kept', async () => {
  const noa = await stall.reader('noa@example.org', 'paid-book');
  const id = crypto.randomUUID();
  const send = async (text: string, { headers } = noa) =>
    (await call('POST', NOTES, { path: '01.md', start: 2, end: 11, text, id }, headers)).json as Note;
  const first = await send('one');
  expect(first.id).toBe(id);
  expect(await send('one')).toEqual(first);
  const second = await send('two');
  expect(second.id).not.toBe(id);
  expect(await send('two')).toEqual(second);
  expect(await list(noa.headers)).toEqual([first, second].toSorted((a, b) => (a.id < b.id ? -1 : 1)));
  // Whoever sends the id of somebody else's note keeps their own.
  const other = await send('one', ben);
  expect([other.id === id, other.text]).toEqual([false, 'one']);
  expect(await list(noa.headers)).toHaveLength(2);
  const bad = await call('POST', NOTES, { path: '01.md', start: 2, end: 11, id: '../1' }, noa.headers);
  expect(bad.status).toBe(400);
});
