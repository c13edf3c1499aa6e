import { describe, expect, test } from 'bun:test';
import { parse } from 'csv-parse/sync';
import { openStall, takeData } from '../helpers/harness.ts';
import { addLogRows } from './log-rows.ts';
import { type } from '../platform/cli/type.ts';
import { messageOf, post } from '../agents/mcp/raw-message.ts';
import { createVisitor, pagesBeside } from '../platform/site/visitor.ts';

const HOSTILE = '<script>alert(1)</script>';
const FORMULA = '=HYPERLINK("https://evil.example","x")';
const NOON = Date.parse('2026-11-20T12:00:00Z');
const HOUR = 60 * 60 * 1000;

const stall = await openStall();
const anna = await stall.reader('anna@example.org', 'paid-book');
const ben = await stall.reader('ben@example.org');
const odd = await stall.app.admin.keys.create(anna.email, FORMULA, 'never');
const cora = await stall.reader('cora@example.org');
const visitor = createVisitor(stall, await stall.signIn(anna.email));
const other = createVisitor(stall, await stall.signIn(ben.email));
const nobody = createVisitor(stall, { Cookie: '' });

/** 120 rows of Anna's, an hour apart back from noon, each third of a book long gone; and one of Ben's, one of nobody's. */
addLogRows(stall, [
  ...Array.from({ length: 120 }, (_, n) => ({
    account: anna.account.id,
    key: n % 2 === 0 ? anna.keyId : odd.id,
    item: n % 3 === 0 ? 'gone-id' : 'paid-id',
    outcome: n % 4 === 0 ? 'not_covered' : 'quoted',
    door: n % 4 === 0 ? 'zip' : 'install',
    at: NOON - n * HOUR,
  })),
  { account: ben.account.id, key: ben.keyId, item: 'bens-secret-id', at: NOON },
  { account: null, item: 'nobodys-id', at: NOON },
  ...['free-id', 'archived-id', 'draft-id', '<b>'].map((item) => ({
    account: cora.account.id,
    item,
    at: NOON,
  })),
]);

const LOGS = [
  ['/dashboard/logs', 'q', 'outcome=not_covered'],
  ['/dashboard/downloads', 'd', 'door=zip'],
] as const;

const rowsOf = (html: string): number => html.match(/<tr role="row">/g)?.slice(1).length ?? 0;
const read = (csv: string) => parse<Record<string, string>>(csv, { columns: true });

/** The numbers of the rows in a log's CSV. */
async function numbersIn(path: string, filter: string): Promise<number[]> {
  const { status, html } = await visitor.open(`${path}.csv?${filter}`);
  expect(status).toBe(200);
  return read(html).map(({ id = '' }) => Number(id.slice(1)));
}

const numbers = (keep: (n: number) => boolean) => Array.from({ length: 120 }, (_, n) => n).filter(keep);

describe.each(LOGS)('%s', (path, _, word) => {
  test('shows the newest first, in pages, there and back', async () => {
    const first = await visitor.open(path);
    expect([first.status, rowsOf(first.html)]).toEqual([200, 50]);
    expect(first.text).toContain('20 Nov 2026, 12:00 UTC');
    expect(pagesBeside(first.html).newer).toBeNull();
    const second = await visitor.open(pagesBeside(first.html).older ?? '');
    const third = await visitor.open(pagesBeside(second.html).older ?? '');
    expect([rowsOf(second.html), rowsOf(third.html), pagesBeside(third.html).older]).toEqual([50, 20, null]);
    const back = await visitor.open(pagesBeside(third.html).newer ?? '');
    expect(back.html.replaceAll(/(older|newer)=[\d-]+/g, '')).toBe(
      second.html.replaceAll(/(older|newer)=[\d-]+/g, ''),
    );
  });

  test('keeps its filter from page to page and into the file', async () => {
    const filter = `item=paid-book&key=${odd.id}`;
    const first = await visitor.open(`${path}?${filter}`);
    expect(rowsOf(first.html)).toBe(40);
    expect(first.html).toContain(`href="${path}.csv?item=paid-book&amp;key=${odd.id}"`);
    const long = await visitor.open(`${path}?from=2026-11-01`);
    expect(pagesBeside(long.html).older).toStartWith(`${path}?from=2026-11-01&older=`);
  });

  test.each([
    ['', () => true],
    ['item=paid-book', (n: number) => n % 3 !== 0],
    ['item=paid-id', (n: number) => n % 3 !== 0],
    ['item=gone-id', (n: number) => n % 3 === 0],
    [word, (n: number) => n % 4 === 0],
    [`key=${odd.id}`, (n: number) => n % 2 === 1],
    [`key=${ben.keyId}`, () => false],
    ['item=bens-secret-id', () => false],
    ['account=ben%40example.org', () => true],
    ['from=2026-11-20', (n: number) => n <= 12],
    ['until=2026-11-19', (n: number) => n > 12],
    ['from=2026-11-19&until=2026-11-19', (n: number) => n > 12 && n <= 36],
    ['from=2026-11-20T10:00:00Z&until=2026-11-20T12:00:00Z', (n: number) => n === 1 || n === 2],
    [`item=paid-book&${word}&key=${anna.keyId}`, (n: number) => n % 3 !== 0 && n % 4 === 0],
  ] as const)('filtered by "%s" shows those rows of the account, and no other', async (filter, keep) => {
    expect(await numbersIn(path, filter)).toEqual(numbers(keep));
    const page = await visitor.open(`${path}?${filter}`);
    expect(rowsOf(page.html)).toBe(Math.min(50, numbers(keep).length));
    expect(page.text).not.toMatch(/nobodys|bens-secret-id (?!Outcome|Format)/);
  });

  test.each([
    ['from=yesterday', 'Cannot read the time "yesterday"', 'yesterday'],
    ['until=2026-02-31', 'Cannot read the time "2026-02-31"', '2026-02-31'],
    [`key=${encodeURIComponent(HOSTILE)}`, `Cannot filter by the key "${HOSTILE}"`, HOSTILE],
  ])('refuses %s with a sentence, and keeps the typed value', async (filter, sentence, typed) => {
    const page = await visitor.open(`${path}?item=paid-book&${filter}`);
    expect(page.status).toBe(400);
    expect(page.text).toContain(sentence);
    expect(page.html).toContain(`value="${typed.replaceAll('<', '&lt;')}"`);
    expect(page.html).toContain('<option value="paid-book" selected');
    expect(page.html).not.toContain('<script>');
    expect((await visitor.open(`${path}.csv?${filter}`)).status).toBe(400);
  });

  test.each(['toString', 'constructor', '__proto__', 'hasOwnProperty', 'valueOf'])(
    'reads "%s" in its filter as a value without rows',
    async (name) => {
      for (const filter of [`outcome=${name}`, `door=${name}`, `item=${name}`]) {
        const isOwn = filter.startsWith('item') || word.startsWith(filter.slice(0, 4));
        const page = await visitor.open(`${path}?${filter}`);
        expect([page.status, rowsOf(page.html) === 0]).toEqual([200, isOwn]);
        expect((await visitor.open(`${path}.csv?${filter}`)).status).toBe(200);
      }
    },
  );

  test.each([
    'older=x',
    'older=1',
    'newer=-1--1',
    `older=${HOSTILE}`,
    'older=999999999999999-1',
    'newer=0-0',
    'older=1-1',
  ])('reads the place %s as one in the log, or as none', async (place) => {
    const page = await visitor.open(`${path}?${place}`);
    expect([page.status, rowsOf(page.html)]).toEqual([200, 50]);
  });

  test('shows unknown filter values as text', async () => {
    const page = await visitor.open(`${path}?item=${HOSTILE}&outcome=${HOSTILE}&door=${HOSTILE}`);
    expect([page.status, rowsOf(page.html)]).toEqual([200, 0]);
    expect(page.text).toContain('No entries match this filter.');
    expect(page.html).not.toContain('<script>');
  });

  test('names an item as the catalog does, and links to its page if anyone may see it', async () => {
    const page = await createVisitor(stall, await stall.signIn(cora.email)).open(path);
    const cells = [...page.html.matchAll(/data-column="Item">(.*?)<\/td>/g)].map(([, cell]) => cell);
    expect(cells).toEqual([
      `<code>&lt;b></code>`,
      `<code>${path.endsWith('logs') ? 'draft-id' : 'draft-book'}</code>`,
      '<bdi dir="auto">The archived book</bdi>',
      '<a href="/books/free-book"><bdi dir="auto">The free book</bdi></a>',
    ]);
  });

  test('without rows says which rows will appear', async () => {
    const fresh = await stall.app.admin.accounts.add(`new-${path.length}@example.org`);
    const page = await createVisitor(stall, await stall.signIn(fresh.email)).open(path);
    expect([page.status, rowsOf(page.html)]).toEqual([200, 0]);
    expect(page.text).toContain('are listed here');
  });

  test('needs a session', async () => {
    const page = await nobody.open(path);
    expect([page.status, page.headers.get('location')]).toEqual([
      303,
      `/sign-in?next=${encodeURIComponent(path)}`,
    ]);
    expect(rowsOf((await other.open(path)).html)).toBe(1);
  });
});

describe.each(LOGS)('%s as a file', (path, letter, _) => {
  test('is a download in RFC 4180, in which no cell is a formula', async () => {
    const { headers, html: csv } = await visitor.open(`${path}.csv`);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(headers.get('content-disposition')).toMatch(/^attachment; filename="bookstall-\w+\.csv"$/);
    const [first, second] = read(csv);
    expect(first).toMatchObject({
      id: `${letter}0`,
      time: '2026-11-20T12:00:00.000Z',
      account: anna.email,
      key: String(anna.keyId),
      key_name: 'test',
    });
    expect(second?.['key_name']).toBe(`'${FORMULA}`);
    expect(csv.split('\r\n')).toHaveLength(122);
  });

  test('answers HEAD without a body', async () => {
    const response = await stall.fetch(`${path}.csv`, { method: 'HEAD', headers: visitor.cookie });
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      200,
      'text/csv; charset=utf-8',
      '',
    ]);
  });

  test('is logged by the server after its last byte', async () => {
    const { html } = await visitor.open(`${path}.csv`);
    const lines = () => stall.log.filter((line) => 'route' in line && line['route'] === `${path}.csv`);
    while (lines().at(-1)?.['bytes'] !== Buffer.byteLength(html)) await Bun.sleep(2);
    expect(lines().at(-1)).toMatchObject({ status: 200, account: anna.account.id });
  });
});

test('a question shows where it was asked: on the page, in its file, to the command and in the export', async () => {
  const dora = await stall.reader('dora@example.org', 'paid-book');
  const page = createVisitor(stall, await stall.signIn(dora.email));
  const question = { book: 'paid-book', question: 'Where does the heron stand?' };
  const call = messageOf('2025-11-25', 'tools/call', { name: 'ask_book', arguments: question });
  await (await post(`${stall.url}/mcp`, call, { headers: dora.headers })).text();
  const asked = await stall.fetch('/api/agent/fetch', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...dora.headers },
    body: JSON.stringify({ book_id: 'paid-id', query: question.question }),
  });
  await asked.text();
  const file = read((await page.open('/dashboard/logs.csv')).html);
  expect(new Set(file.map(({ door }) => door))).toEqual(new Set(['api', 'mcp']));
  const { text } = await page.open('/dashboard/logs');
  expect([text.includes('API'), text.includes('MCP')]).toEqual([true, true]);
  const { out } = await type([
    'logs',
    '--kind',
    'fetch',
    '--account',
    dora.email,
    '--json',
    '--data',
    stall.data,
  ]);
  expect(out.match(/"door":"\w+"/g)).toEqual(['"door":"mcp"', '"door":"api"']);
  const { out: exported } = await type(['account', 'export', dora.email, '--json', '--data', stall.data]);
  expect(exported.match(/"door":"(mcp|api)"/g)).toHaveLength(2);
});

describe('many log rows', async () => {
  const ROWS = 100_000;
  const END = Date.parse('2026-11-20T12:00:00Z');
  const MINUTE = 60_000;

  const stall = await openStall();
  const anna = await stall.reader('anna@example.org', 'paid-book');
  const visitor = createVisitor(stall, await stall.signIn(anna.email));
  addLogRows(
    stall,
    Array.from({ length: ROWS }, (_, n) => ({
      account: anna.account.id,
      key: anna.keyId,
      item: n % 1000 === 0 ? 'gone-id' : 'paid-id',
      at: END - Math.floor(n / 3) * MINUTE,
    })),
  );
  const middle = `older=${END - Math.floor(ROWS / 6) * MINUTE}-${ROWS / 2}`;
  const oldest = `newer=${END - Math.floor(ROWS / 3) * MINUTE}-1`;

  const FILTERS = ['', middle, oldest, 'item=paid-book', 'from=2026-11-01&until=2026-11-02'];

  test.each(
    ['/dashboard/logs', '/dashboard/downloads'].flatMap((path) =>
      FILTERS.map((filter) => [path, filter] as const),
    ),
  )('%s?%s shows 50 rows of 100,000', async (path, filter) => {
    const { status, html } = await visitor.open(`${path}?${filter}`);
    expect([status, html.match(/<tr role="row">/g)?.length]).toEqual([200, 51]);
  });

  test.each(['/dashboard/logs', '/dashboard/downloads'])(
    'the last pages of %s lead to the end',
    async (path) => {
      let next: string | null = `${path}?older=${END - Math.floor((ROWS - 170) / 3) * MINUTE}-1`;
      const lengths: number[] = [];
      for (; next !== null;) {
        const { html } = await visitor.open(next);
        lengths.push((html.match(/<tr role="row">/g)?.length ?? 1) - 1);
        next = pagesBeside(html).older;
      }
      expect(lengths.slice(0, -1).every((length) => length === 50)).toBe(true);
      expect(lengths.length).toBeGreaterThan(3);
    },
  );

  test('the whole file comes in steps, between which others are answered', async () => {
    const started = await stall.fetch('/dashboard/logs.csv', { headers: visitor.cookie });
    const text = started.text();
    let others = 0;
    let isRead = false;
    void text.then(() => (isRead = true));
    for (; !isRead; others++) await stall.fetch('/livez');
    expect((await text).split('\r\n')).toHaveLength(ROWS + 2);
    expect(others).toBeGreaterThan(10);
  });

  test('all that is kept of an account comes in steps too, and whole', async () => {
    const began = performance.now();
    const text = stall
      .fetch('/dashboard/account/data', takeData(visitor.cookie))
      .then((response) => response.text());
    let isRead = false;
    void text.then(() => (isRead = true));
    let longest = 0;
    while (!isRead) {
      const start = performance.now();
      await (await stall.fetch('/livez')).text();
      longest = Math.max(longest, performance.now() - start);
    }
    const whole = performance.now() - began;
    const document = JSON.parse(await text);
    expect([document.questions.length, document.downloads.length]).toEqual([ROWS, ROWS]);
    expect(new Set(document.downloads.map(({ id }: { id: string }) => id)).size).toBe(ROWS);
    expect(longest).toBeLessThan(whole / 2);
  });
});
