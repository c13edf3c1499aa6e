import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listPage, type Note, readNotes } from '../../src/reading/note.ts';
import { REPORT_STATES } from '../../src/reading/report.sql.ts';
import { itemYaml, openStall, type Stall, takeData, writeFiles } from '../helpers/harness.ts';

const ITEM = { 'books/marsh/item.yaml': itemYaml({ id: 'marsh', title: 'The marsh' }) };
const FIRST = {
  'books/marsh/01.md':
    '# Herons\n\nThe grey heron fishes at dawn.\n\n## Standing\n\nIt stands on one leg. That saves warmth.\n',
  'books/marsh/02.md': '# Frogs\n\nFrogs sing at night. That is all.\n',
};
const NOTES = '/api/books/marsh/notes';

async function openMarsh() {
  const stall = await openStall({ files: { ...ITEM, ...FIRST } });
  const reader = await stall.reader('ann@example.org');
  const json = { ...reader.headers, 'Content-Type': 'application/json' };
  return {
    stall,
    reader,
    async mark(path: keyof typeof FIRST, words: string, text: string | null = null): Promise<Note> {
      const start = FIRST[path].indexOf(words);
      const place = { path: path.slice('books/marsh/'.length), start, end: start + words.length, text };
      const made = await stall.fetch(NOTES, { method: 'POST', headers: json, body: JSON.stringify(place) });
      return (await made.json()) as Note;
    },
    list: async () => notesOf(stall, reader.headers),
    async publish(files: Readonly<Record<string, string>>): Promise<void> {
      writeFiles(stall.content, files);
      await stall.app.publish();
    },
  };
}

async function notesOf(stall: Stall, headers: Readonly<Record<string, string>>): Promise<readonly Note[]> {
  return ((await (await stall.fetch(NOTES, { headers })).json()) as { notes: readonly Note[] }).notes;
}

const states = (notes: readonly Note[]) => notes.map(({ exact, state, path }) => [exact, state, path]);

test('a new edition moves notes with their words, and one that is taken back brings them back', async () => {
  const { stall, mark, list, publish } = await openMarsh();
  await mark('books/marsh/01.md', 'The grey heron fishes at dawn.');
  await mark('books/marsh/01.md', 'It stands on one leg.');
  await mark('books/marsh/01.md', 'That saves warmth.');
  await mark('books/marsh/02.md', 'Frogs sing at night.');
  const before = await list();
  expect(before.every(({ state }) => state === 'here')).toBe(true);
  const old = stall.app.catalog().bySlug.get('marsh')!.digest;
  await publish({
    'books/marsh/01.md': '# Herons\n\nA new beginning.\n\nThe grey heron fishes at dawn.\n\n## Sleeping\n',
    'books/marsh/02.md':
      '# Frogs\n\nFrogs sang at night. That is all.\n\nIt stands on one leg. That saves warmth.\n',
  });
  const after = await list();
  expect(states(after)).toEqual([
    ['The grey heron fishes at dawn.', 'moved', '01.md'],
    ['Frogs sing at night.', 'lost', '02.md'],
    ['It stands on one leg.', 'moved', '02.md'],
    ['That saves warmth.', 'moved', '02.md'],
  ]);
  for (const { path, start, end, exact, state } of after)
    if (state !== 'lost')
      expect(readFileSync(join(stall.content, 'books/marsh', path), 'utf8').slice(start, end)).toBe(exact);
  await stall.app.admin.editions.rollBack('marsh', `sha256:${old}`);
  await stall.app.publish();
  expect(await list()).toEqual(before);
});

test('a note whose chapter is gone is shown with its book, and deleted from there', async () => {
  const { stall, mark, list, publish } = await openMarsh();
  const note = await mark('books/marsh/02.md', 'Frogs sing at night.', 'loudly');
  await publish({ 'books/marsh/02.md': '# Toads\n\nToads are silent.\n' });
  const [lost] = await list();
  expect(lost).toMatchObject({ state: 'lost', url: `${stall.url}/books/marsh/notes#note-${note.id}` });
  const cookie = await stall.signIn('ann@example.org');
  const chapter = await (await stall.fetch('/books/marsh/read/02.md', { headers: cookie })).text();
  expect(chapter).toContain('1 note in this chapter</a>, 1 of them on words that are not here any more');
  expect(chapter).not.toContain(`id="note-${note.id}"`);
  const page = await (await stall.fetch('/books/marsh/notes', { headers: cookie })).text();
  expect(page).toContain(`id="note-${note.id}"`);
  expect(page).toContain('These words are not in the book any more');
  const gone = await stall.fetch(`/books/marsh/notes/${note.id}`, {
    method: 'POST',
    headers: { ...cookie, 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ delete: 'yes', text: 'loudly' }),
    redirect: 'manual',
  });
  expect([gone.status, gone.headers.get('location')]).toEqual([303, '/books/marsh/notes']);
  expect(await list()).toEqual([]);
});

test('a note in one part of a long text is drawn there and in no other part', async () => {
  const text = `# Long\n\n${'A line of the marsh, where nothing happens.\n\n'.repeat(30_000)}The end.\n`;
  const stall = await openStall({ files: { ...ITEM, 'books/marsh/01.md': text } });
  const { headers } = await stall.reader('ann@example.org');
  const json = { ...headers, 'Content-Type': 'application/json' };
  for (const start of [10, text.indexOf('The end')]) {
    const body = JSON.stringify({ path: '01.md', start, end: start + 7 });
    expect((await stall.fetch(NOTES, { method: 'POST', headers: json, body })).status).toBe(201);
  }
  const drawn = async (query: string) => {
    const page = await stall.fetch(`/books/marsh/read/01.md${query}`, { headers });
    return [page.status, (await page.text()).match(/data-note="/g)?.length ?? 0];
  };
  const [first, last] = await notesOf(stall, headers);
  expect(await drawn('?part=1')).toEqual([200, 1]);
  expect(await drawn('?part=2')).toEqual([200, 1]);
  expect(first!.url).toContain('?at=10#note-');
  expect(await drawn(new URL(last!.url).search)).toEqual([200, 1]);
  // An offset that is none shows the first part, or the last.
  for (const at of ['-1', '1e9', '99999999999999999999', 'x', '%00', '1.5', '', '999999999', '0', '<b>']) {
    const [status] = await drawn(`?at=${encodeURIComponent(at)}`);
    expect([at, status]).toEqual([at, 200]);
  }
});

test('words that read the same as lost ones are not taken for them', async () => {
  const { mark, list, publish } = await openMarsh();
  await mark('books/marsh/02.md', 'That is all.');
  await publish({
    'books/marsh/02.md': '# Frogs\n\nNothing follows.\n\nOne more thing. That is all. Good night.\n',
  });
  expect(states(await list())).toEqual([['That is all.', 'lost', '02.md']]);
});

test('two tabs that look at once after a new edition see the same', async () => {
  const { stall, reader, mark, publish } = await openMarsh();
  await mark('books/marsh/01.md', 'The grey heron fishes at dawn.');
  await publish({ 'books/marsh/01.md': `# Herons\n\nNew.\n\n${FIRST['books/marsh/01.md']}` });
  const seen = await Promise.all(Array.from({ length: 8 }, () => notesOf(stall, reader.headers)));
  expect(new Set(seen.map((notes) => JSON.stringify(notes))).size).toBe(1);
  expect(seen[0]).toMatchObject([{ state: 'moved' }]);
});

test('nobody but the reader sees what they wrote: no page, log, audit row, figure or command of the owner', async () => {
  const SECRET = 'zanzibar-umbrella';
  const { stall, mark } = await openMarsh();
  await mark('books/marsh/01.md', 'The grey heron fishes at dawn.', SECRET);
  const { admin } = stall.app;
  await admin.accounts.add('owner@example.org', true);
  const owner = await stall.signIn('owner@example.org');
  const seen = new Set<string>();
  const wait = [
    '/',
    '/admin',
    '/books/marsh',
    '/books/marsh/notes',
    '/dashboard/notes',
    '/books/marsh/read/01.md',
  ];
  while (wait.length > 0) {
    const path = wait.pop()!;
    if (seen.has(path) || seen.size > 150) continue;
    seen.add(path);
    const response = await stall.fetch(path, { headers: { ...owner, Accept: 'text/html' } });
    const text = await response.text();
    expect([path, text.includes(SECRET), text.includes('data-note=')]).toEqual([path, false, false]);
    for (const [, href = ''] of text.matchAll(/ href="(\/(?:admin|books|dashboard)[^"#]*)"/g))
      wait.push(href.replaceAll('&amp;', '&'));
  }
  expect(seen.size).toBeGreaterThan(30);
  const document = await admin.personalData.export('ann@example.org');
  expect(document).toMatchObject({ notes: 1 });
  const logged = JSON.stringify([
    document,
    stall.log,
    admin.logs.fetches(null, null),
    admin.logs.downloads(null, null),
  ]);
  expect(logged).not.toContain(SECRET);
  expect(logged).not.toContain('grey heron');
});

test('a note that is sent to the author is a report, which follows its words and tells its sender what became of it', async () => {
  const { stall, mark, publish } = await openMarsh();
  const [mistake, other] = [
    await mark('books/marsh/01.md', 'It stands on one leg.', 'At dawn on two.'),
    await mark('books/marsh/01.md', 'The grey heron fishes at dawn.'),
  ];
  await stall.app.admin.accounts.add('owner@example.org', true);
  const [ann, owner] = [await stall.signIn('ann@example.org'), await stall.signIn('owner@example.org')];
  const open = async (path: string, headers: Readonly<Record<string, string>>) =>
    (await (await stall.fetch(path, { headers })).text()).replaceAll('&amp;', '&');
  const post = async (
    path: string,
    cookie: Readonly<Record<string, string>>,
    form: Record<string, string>,
  ) => {
    const headers = { ...cookie, 'Sec-Fetch-Site': 'same-origin' };
    const body = new URLSearchParams(form);
    const { status, headers: has } = await stall.fetch(path, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
    });
    return [status, has.get('location')];
  };
  const page = `/books/marsh/notes/${mistake.id}`;
  expect(await open(page, ann)).toContain('those who run this stall read these words of the book');
  expect(await open('/admin/reports', owner)).not.toContain('on two');
  const text = 'At dawn on two legs.';
  expect(await post(page, ann, { text, send: 'yes' })).toEqual([303, `${page}?said=note-sent`]);
  expect(await open(`${page}?said=note-sent`, ann)).toContain(
    'Sent to the author. An answer will appear here.',
  );
  await post(page, ann, { text, send: 'yes' });
  const sent = await open(page, ann);
  expect([sent.includes('You sent this to the author: open.'), sent.includes('name="send"')]).toEqual([
    true,
    false,
  ]);
  await post(`/books/marsh/notes/${other.id}`, ann, { text: '', send: 'yes' });
  const office = async (state = 'open') =>
    [...(await open(`/admin/reports?state=${state}`, owner)).matchAll(/<tr role="row"><th[^]*?<\/tr>/g)]
      .slice(1)
      .map(([row]) => row);
  const [second = '', first = '', ...none] = await office();
  expect(none).toEqual([]);
  for (const part of [
    'It stands on one leg.',
    text,
    'ann<wbr/>@example.org',
    '01.md',
    mistake.edition.slice(7, 19),
  ])
    expect(first).toContain(part);
  expect(second).not.toContain('mended');
  // The first is mended, and the second moves.
  const old = stall.app.catalog().bySlug.get('marsh')!.digest;
  await publish({
    'books/marsh/item.yaml': `${ITEM['books/marsh/item.yaml']}version: 2.0.0\n`,
    'books/marsh/01.md': FIRST['books/marsh/01.md']
      .replace('one leg', 'two')
      .replace('The grey', 'New.\n\nThe grey'),
  });
  const [moved = '', mended = ''] = await office();
  expect([mended.includes('mended in 2.0.0'), mended.includes('<a href="/books/marsh')]).toEqual([
    true,
    false,
  ]);
  const [, address = ''] = /<a href="(\/books\/marsh\/read\/01[^"]+)"/.exec(moved) ?? [];
  expect(await open(address, owner)).toContain('<mark id="mark">The grey heron fishes at dawn.');
  const id = /reports\/([^"]+)"/.exec(mended)?.[1] ?? '';
  // A CHECK of the table lists the states, too.
  for (const state of [...Object.keys(REPORT_STATES), 'done']) {
    const set = await post(`/admin/reports/${id}`, owner, { state });
    expect([...set, (await office(state)).some((row) => row.includes(id))]).toEqual([
      303,
      '/admin/reports?said=report-set',
      true,
    ]);
  }
  expect([(await office()).length, (await office('done')).length]).toEqual([1, 1]);
  const own = await open('/dashboard/notes', ann);
  expect(own.slice(own.indexOf('id="sent"'))).toMatch(
    /fishes at dawn\.[^]*open[^]*It stands on one leg\.[^]*done/,
  );
  // Taken back, the words are there again.
  await stall.app.admin.editions.rollBack('marsh', `sha256:${old}`);
  await stall.app.publish();
  expect((await office('done')).join()).not.toContain('mended');
  // Without the book the sender has the state and what they wrote.
  await publish({ 'books/marsh/item.yaml': itemYaml({ id: 'marsh', status: 'draft' }) });
  const closed = await open('/dashboard/notes', ann);
  expect([closed.includes(text), closed.includes('It stands on one leg')]).toEqual([true, false]);
  expect(await stall.app.admin.personalData.remove('ann@example.org')).toMatchObject({ notes: 2 });
  const [left = ''] = await office('done');
  expect([left.includes('a removed account'), left.includes('on one leg'), left.includes(text)]).toEqual([
    true,
    true,
    false,
  ]);
});

test('the reader’s own download has their notes, and the words of books that they may read', async () => {
  const { stall, mark } = await openMarsh();
  await mark('books/marsh/01.md', 'The grey heron fishes at dawn.', 'mine');
  const cookie = await stall.signIn('ann@example.org');
  const download = async () => {
    const data = await stall.fetch('/dashboard/account/data', takeData(cookie));
    return ((await data.json()) as { notes: object[] }).notes;
  };
  const own = { book_id: 'marsh', path: '01.md', text: 'mine' };
  expect(await download()).toEqual([
    {
      ...own,
      created_at: expect.stringMatching(/Z$/),
      updated_at: expect.stringMatching(/Z$/),
      exact: 'The grey heron fishes at dawn.',
    },
  ]);
  writeFiles(stall.content, {
    'books/marsh/item.yaml': itemYaml({ id: 'marsh', title: 'The marsh', unitAmountCents: 900 }),
  });
  await stall.app.publish();
  const [closed] = await download();
  expect(closed).toMatchObject(own);
  expect(closed).not.toHaveProperty('exact');
  const page = await (await stall.fetch('/dashboard/notes', { headers: cookie })).text();
  expect(page).toContain('There are notes on 1 book that you cannot open now.');
  expect(page).not.toContain('mine');
});

test('the removal of an account deletes its notes for good, and says how many', async () => {
  const { stall, mark } = await openMarsh();
  await mark('books/marsh/01.md', 'The grey heron fishes at dawn.', 'quagmire-remark');
  await mark('books/marsh/02.md', 'Frogs sing');
  const { email, notes } = await stall.app.admin.personalData.remove('ann@example.org');
  expect({ email, notes }).toEqual({ email: 'ann@example.org', notes: 2 });
  await stall.close();
  for (const name of readdirSync(stall.data).filter((one) => one.includes('.db')))
    expect(readFileSync(join(stall.data, name)).includes('quagmire-remark')).toBe(false);
});

test('a request that began in another edition does not lend its places to this one', async () => {
  const { stall, reader, mark, publish, list } = await openMarsh();
  await mark('books/marsh/01.md', 'The grey heron fishes at dawn.');
  const { stall: service, catalog } = stall.app;
  const old = catalog().bySlug.get('marsh')!;
  await publish({ 'books/marsh/01.md': `# Herons\n\nNew.\n\n${FIRST['books/marsh/01.md']}` });
  const moved = await list();
  const { account, email, keyId } = reader;
  const principal = { kind: 'account', accountId: account.id, email, keyId } as const;
  const served = catalog().bySlug.get('marsh')!;
  const { page } = await listPage(service, { principal, editions: [served] });
  // Places it in the old edition.
  await listPage(service, { principal, editions: [old] });
  const read = await Array.fromAsync(readNotes(service, principal, page));
  expect(read.map(({ note }) => note)).toMatchObject([{ state: 'lost' }]);
  expect(await list()).toEqual(moved);
  expect(moved).toMatchObject([{ state: 'moved' }]);
});
