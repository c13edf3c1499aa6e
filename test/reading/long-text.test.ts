import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { itemYaml, openStall } from '../helpers/harness.ts';

/** More than a page shows: lines with escapes and characters of two UTF-16 units. */
const LINES = Array.from({ length: 60_000 }, (_, n) => `line ${n}: "a heron \\n 🦩" & <reeds>`);
const TEXT = LINES.join('\n');
const MARKDOWN = Array.from(
  { length: 30_000 },
  (_, n) => `## Section ${n}\n\nHerons *stand* on one leg in ${n} ponds.`,
).join('\n\n');
/** One line, as a file without line ends is. */
const UNBROKEN = '狐'.repeat(800_000);

const stall = await openStall({
  files: {
    'books/long/item.yaml': itemYaml({ id: 'long', title: 'Long' }),
    'books/long/a.txt': TEXT,
    'books/long/b.md': MARKDOWN,
    'books/long/c.txt': UNBROKEN,
  },
});

const open = async (address: string) => {
  const response = await stall.fetch(address, { headers: { Accept: 'text/html' } });
  return { status: response.status, html: await response.text() };
};

async function openAll(path: string): Promise<readonly string[]> {
  const pages = [];
  for (let address: string | undefined = path; address !== undefined;) {
    const { status, html } = await open(address);
    expect(status).toBe(200);
    expect(html.length).toBeLessThan(4_000_000);
    pages.push(html);
    address = /rel="next" href="([^"]*\?part=\d+)"/.exec(html)?.[1];
  }
  return pages;
}

test('a text of more than 1 MB is shown in parts, with every line once', async () => {
  const pages = await openAll('/books/long/read/a.txt');
  expect(pages.length).toBeGreaterThan(2);
  const shown = pages.flatMap((html) => [...html.matchAll(/line (\d+): /g)].map(([, n]) => Number(n)));
  expect(shown).toEqual(LINES.map((_, n) => n));
  expect(pages[1]).toContain(`href="/books/long/read/a.txt?part=3"`);
  expect(pages[1]).toContain(`href="/books/long/read/a.txt"`);
});

test('so is one of Markdown, each part rendered, and one without line ends', async () => {
  const sections = (await openAll('/books/long/read/b.md')).flatMap((html) => [
    ...html.matchAll(/in (\d+) ponds/g),
  ]);
  expect(sections.map(([, n]) => Number(n))).toEqual(Array.from({ length: 30_000 }, (_, n) => n));
  const signs = (await openAll('/books/long/read/c.txt')).map((html) => html.split('狐').length - 1);
  expect(signs.reduce((sum, count) => sum + count)).toBe(800_000);
});

test.each([5, 30_000, 59_999])('a mark in line %d is shown in the part that has the line', async (n) => {
  const start = TEXT.indexOf(`line ${n}: `);
  const of = createHash('sha256').update(TEXT).digest('hex').slice(0, 12);
  const { html } = await open(`/books/long/read/a.txt?mark=${start}-${start + LINES[n]!.length}&of=${of}`);
  expect(/<mark id="mark">([^<]*)</.exec(html)?.[1]).toStartWith(`line ${n}: `);
});

test.each(['99', '0', '-1', 'x'])('of a part %s there is the first or none', async (part) => {
  const { status, html } = await open(`/books/long/read/a.txt?part=${part}`);
  expect(status).toBe(part === '99' ? 404 : 200);
  if (status === 200) expect(html).toContain('line 0: ');
});
