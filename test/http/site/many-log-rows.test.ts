import { expect, test } from 'bun:test';
import { openStall } from '../../harness.ts';
import { addLogRows } from './log-rows.ts';
import { createVisitor, pagesBeside } from './visitor.ts';

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
  const path = '/dashboard/account/data.json';
  const text = stall.fetch(path, { headers: visitor.cookie }).then((response) => response.text());
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
