import { expect, test } from 'bun:test';
import { itemYaml, openStall, SHELF } from '../helpers/harness.ts';

let clock = Date.parse('2026-03-01T12:00:00.123Z');
const stall = await openStall({
  files: {
    ...SHELF,
    'books/paid-book/item.yaml': itemYaml({
      id: 'paid-id',
      title: 'B',
      unitAmountCents: 500,
      suggestedAmountCents: 900,
      currency: 'jpy',
      version: '1.10',
    }),
    'skills/paid-skill/item.yaml': itemYaml({ title: 'A', unitAmountCents: 1900 }),
    'books/a-twin/item.yaml': itemYaml({ id: 'twin', title: 'A', unitAmountCents: 1 }),
    'books/a-twin/01.md': 'x\n',
  },
  now: () => clock,
});
const every = ['paid-book', 'paid-skill', 'a-twin', 'free-book', 'free-skill', 'archived-book', 'draft-book'];
const reader = await stall.reader('Reader@Example.org', ...every);

const read = async (init: RequestInit = { headers: reader.headers }) => {
  const response = await stall.fetch('/api/cli/library', init);
  return {
    response,
    library: (await response.json()) as { account: object; items: { slug: string; grantedAt: string }[] },
  };
};

test('library is the account and its paid, published items by title and slug', async () => {
  const { library } = await read();
  const shared = {
    description: 'A description',
    isFree: false,
    publisher: 'A publisher',
    digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    updatedAt: '2026-03-01T12:00:00.123Z',
    grantedAt: '2026-03-01T12:00:00.123Z',
  };
  expect(library).toEqual({
    account: { email: 'Reader@Example.org', subscriberId: reader.account.id },
    items: [
      {
        kind: 'book',
        slug: 'a-twin',
        id: 'twin',
        title: 'A',
        unitAmountCents: 1,
        suggestedAmountCents: null,
        currency: 'usd',
        version: null,
        ...shared,
      },
      {
        kind: 'skill',
        slug: 'paid-skill',
        title: 'A',
        unitAmountCents: 1900,
        suggestedAmountCents: null,
        currency: 'usd',
        version: null,
        ...shared,
      },
      {
        kind: 'book',
        slug: 'paid-book',
        id: 'paid-id',
        title: 'B',
        unitAmountCents: 500,
        suggestedAmountCents: 900,
        currency: 'jpy',
        version: '1.10',
        ...shared,
      },
    ],
  } as never);
});

test('library shows nothing of what others hold', async () => {
  const other = await stall.reader('neighbour@example.org', 'paid-skill');
  const { library } = await read({ headers: other.headers });
  expect(library.account).toEqual({ email: 'neighbour@example.org', subscriberId: other.account.id });
  expect(library.items.map(({ slug }) => slug)).toEqual(['paid-skill']);
});

test('library answers with exactly the headers the contract lists', async () => {
  const { response } = await read();
  const { date: _, etag, 'content-length': length, ...rest } = Object.fromEntries(response.headers);
  expect(rest).toEqual({
    'content-type': 'application/json',
    'cache-control': 'private, no-cache',
    vary: 'Authorization',
    'x-content-type-options': 'nosniff',
  });
  expect(etag).toMatch(/^"[^"]+"$/);
  const head = await stall.fetch('/api/cli/library', { method: 'HEAD', headers: reader.headers });
  expect(head.headers.get('content-length')).toBe(String(length));
  expect(await head.text()).toBe('');
});

test('the entity tag of a library stays the same until a grant changes it', async () => {
  const { response } = await read();
  const headers = { ...reader.headers, 'If-None-Match': response.headers.get('etag') ?? '' };
  const unchanged = await stall.fetch('/api/cli/library', { headers });
  expect(unchanged.status).toBe(304);
  expect(unchanged.headers.get('vary')).toBe('Authorization');
  await stall.app.admin.grants.revoke(reader.email, 'a-twin', null);
  expect((await stall.fetch('/api/cli/library', { headers })).status).toBe(200);
});

test('an item held through several grants shows once, with the earliest live one', async () => {
  const other = await stall.reader('other@example.org');
  const { grants } = stall.app.admin;
  const add = async (at: string, source: string, until?: string) => {
    clock = Date.parse(at);
    await grants.add({
      email: other.email,
      slug: 'paid-book',
      source,
      ...(until === undefined ? {} : { until }),
    });
  };
  await add('2026-01-01T00:00:00Z', 'trial', '2026-02-01T00:00:00Z');
  await add('2026-01-20T00:00:00Z', 'gift');
  await add('2026-03-01T00:00:00Z', 'shop');
  const { library } = await read({ headers: other.headers });
  expect(library.items.map(({ slug, grantedAt }) => [slug, grantedAt])).toEqual([
    ['paid-book', '2026-01-20T00:00:00.000Z'],
  ]);
  await grants.revoke(other.email, 'paid-book', 'gift');
  expect((await read({ headers: other.headers })).library.items[0]?.grantedAt).toBe(
    '2026-03-01T00:00:00.000Z',
  );
});

test('a grant ends at its instant, and its item leaves the library', async () => {
  clock = Date.parse('2026-03-01T12:00:00Z');
  const guest = await stall.reader('guest@example.org');
  await stall.app.admin.grants.add({ email: guest.email, slug: 'paid-book', until: '2026-03-01T13:00:00Z' });
  clock = Date.parse('2026-03-01T12:59:59.999Z');
  expect((await read({ headers: guest.headers })).library.items).toHaveLength(1);
  clock = Date.parse('2026-03-01T13:00:00Z');
  expect((await read({ headers: guest.headers })).library.items).toEqual([]);
});
