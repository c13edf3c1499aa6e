import { expect, test } from 'bun:test';
import { itemYaml, openStall, SHELF } from '../helpers/harness.ts';

const books = Array.from({ length: 105 }, (_, n) => `book-${String(n).padStart(3, '0')}`);
const many = books.map((slug) => [
  [`books/${slug}/item.yaml`, itemYaml({ id: slug })],
  [`books/${slug}/01.md`, 'x\n'],
]);
const stall = await openStall({ files: { ...SHELF, ...Object.fromEntries(many.flat()) } });

type Page = { items: { slug: string }[]; next: string | null };
const list = async (query: string) => (await (await stall.fetch(`/api/items${query}`)).json()) as Page;
const published = [...books, 'free-book', 'free-skill', 'paid-book', 'paid-skill'].toSorted();

test('the catalog lists published items alone, each with its price and digest', async () => {
  const { items } = await list('?limit=1000');
  expect(items.map(({ slug }) => slug)).toEqual(published);
  const { headers } = await stall.fetch('/api/install/free-skill');
  const [skill] = items.filter(({ slug }) => slug === 'free-skill');
  expect(skill).toEqual({
    kind: 'skill',
    id: null,
    slug: 'free-skill',
    title: 'The free skill',
    description: 'A description',
    publisher: 'A publisher',
    unitAmountCents: 0,
    suggestedAmountCents: null,
    currency: 'usd',
    isFree: true,
    version: null,
    digest: `sha256:${headers.get('etag')?.slice(3, -1)}`,
    status: 'published',
    size: expect.any(Number),
  } as never);
});

test.each(['', '?limit=1', '?limit=7', '?limit=109', '?limit=1000'])(
  'pages%s hold every item once, in order',
  async (query) => {
    const seen: string[] = [];
    let next: string | null = '';
    for (let pages = 0; next !== null && pages < 200; pages++) {
      const page: Page = await list(`${query || '?'}&after=${next}`);
      seen.push(...page.items.map(({ slug }) => slug));
      next = page.next;
    }
    expect(seen).toEqual(published);
  },
);

test('a page holds 100 items by default', async () => {
  const { items, next } = await list('');
  expect(items).toHaveLength(100);
  expect(next).toBe(items.at(-1)?.slug ?? '');
});

test.each(['0', '-1', '1001', 'all', '1e2', '', '%ff'])('limit=%s is refused', async (limit) => {
  const response = await stall.fetch(`/api/items?limit=${limit}`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ code: 'INVALID_REQUEST' });
});

test('a cursor beyond the last item gives an empty last page', async () => {
  expect(await list('?after=zzz')).toEqual({ items: [], next: null });
});

test('the catalog has a strong entity tag, a 304 and a HEAD', async () => {
  const response = await stall.fetch('/api/items');
  const etag = response.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[^"]+"$/);
  expect((await stall.fetch('/api/items', { headers: { 'If-None-Match': `W/${etag}` } })).status).toBe(304);
  expect((await stall.fetch('/api/items?limit=1', { headers: { 'If-None-Match': etag } })).status).toBe(200);
  const head = await stall.fetch('/api/items', { method: 'HEAD' });
  expect(head.headers.get('content-length')).toBe(String((await response.arrayBuffer()).byteLength));
});
