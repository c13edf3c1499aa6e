import { expect, test } from 'bun:test';
import { itemYaml, openStall, writeFiles } from '../helpers/harness.ts';

const DAY = 24 * 60 * 60 * 1000;
const EVERY = ['free', 'paid', 'draft', 'archived'].flatMap((price) => [`${price}-book`, `${price}-skill`]);

type Holding = Readonly<Record<string, unknown>> & { readonly slug: string; readonly status: string };
type Stall = Awaited<ReturnType<typeof openStall>>;

async function list(stall: Stall, headers: Readonly<Record<string, string>>): Promise<readonly Holding[]> {
  const response = await stall.fetch('/api/holdings', { headers });
  return ((await response.json()) as { items: readonly Holding[] }).items;
}

const named = (items: readonly Holding[]): readonly string[] =>
  items.map(({ slug, status }) => `${slug} ${status}`);

test('holdings are all items with a live grant, archived and free ones too, by title', async () => {
  const stall = await openStall();
  const reader = await stall.reader('ann@example.org', ...EVERY);
  expect(named(await list(stall, reader.headers))).toEqual([
    'archived-book archived',
    'archived-skill archived',
    'free-book published',
    'free-skill published',
    'paid-book published',
    'paid-skill published',
  ]);
  const [first] = await list(stall, reader.headers);
  expect(first).toEqual({
    kind: 'book',
    slug: 'archived-book',
    id: 'archived-id',
    title: 'The archived book',
    description: 'A description',
    unitAmountCents: 500,
    suggestedAmountCents: null,
    currency: 'usd',
    isFree: false,
    publisher: 'A publisher',
    version: null,
    digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    updatedAt: null,
    grantedAt: expect.any(String),
    status: 'archived',
    until: null,
  });
  await stall.close();
});

test('holdings follow grants, dates, accounts and the catalog at the next request', async () => {
  let time = Date.now();
  const stall = await openStall({ now: () => time });
  const { grants } = stall.app.admin;
  const { email, headers } = await stall.reader('ann@example.org', 'paid-book');
  const until = new Date(time + 2 * DAY).toISOString();
  await grants.add({ email, slug: 'archived-skill', until });
  expect(await list(stall, headers)).toMatchObject([
    { slug: 'archived-skill', until },
    { slug: 'paid-book', until: null },
  ]);
  time += 3 * DAY;
  expect(named(await list(stall, headers))).toEqual(['paid-book published']);
  writeFiles(stall.content, {
    'books/paid-book/item.yaml': itemYaml({ id: 'paid-id', unitAmountCents: 1900, status: 'archived' }),
  });
  await stall.app.publish();
  expect(named(await list(stall, headers))).toEqual(['paid-book archived']);
  const library = await (await stall.fetch('/api/cli/library', { headers })).json();
  expect(library).toMatchObject({ items: [] });
  await grants.revoke(email, 'paid-book', null);
  expect(await list(stall, headers)).toEqual([]);
  await stall.app.admin.accounts.disable(email);
  expect((await stall.fetch('/api/holdings', { headers })).status).toBe(401);
  await stall.close();
});

test('holdings have a strong entity tag, and the dashboard shows what is no longer sold', async () => {
  const stall = await openStall();
  const { headers, email } = await stall.reader('ann@example.org', 'archived-book', 'free-book', 'paid-book');
  const first = await stall.fetch('/api/holdings', { headers });
  const etag = first.headers.get('etag') ?? '';
  expect(etag).toMatch(/^"/);
  const again = await stall.fetch('/api/holdings', { headers: { ...headers, 'If-None-Match': etag } });
  expect(again.status).toBe(304);
  const page = await (await stall.fetch('/dashboard', { headers: await stall.signIn(email) })).text();
  expect(page.match(/No longer sold/g)).toHaveLength(1);
  expect(page).toContain('The archived book');
  expect(page).toContain('2 books');
  await stall.close();
});
