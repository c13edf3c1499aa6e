import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../src/refusal.ts';
import { DAY, openAdmin, refusalOf, TODAY } from './admin-services.ts';

const EMAIL = 'anna@example.org';
const iso = (days: number) => new Date(TODAY + days * DAY).toISOString();

async function open() {
  const admin = await openAdmin();
  await admin.accounts.add(EMAIL);
  return {
    ...admin,
    rows: async () =>
      (await admin.grants.list(EMAIL)).map(({ slug, source, from, until, revokedAt }) => ({
        slug,
        source,
        from,
        until,
        revokedAt,
      })),
  };
}

describe('a grant', () => {
  test('names a book by id and a skill by slug', async () => {
    const { grants } = await open();
    expect((await grants.add({ email: EMAIL, slug: 'heron' })).itemKey).toBe('heron-id');
    expect((await grants.add({ email: EMAIL, slug: 'tool' })).itemKey).toBe('tool');
  });

  test('added again is still one, and keeps when it was first granted', async () => {
    const { grants, pass } = await open();
    const request = { email: EMAIL, slug: 'heron', from: iso(-9), until: iso(9) };
    await grants.add(request);
    const before = await grants.list(EMAIL);
    pass(DAY);
    await grants.add(request);
    expect(await grants.list(EMAIL)).toEqual(before);
  });

  test('added again takes the new dates, and is live again where it was revoked', async () => {
    const { grants, rows, pass } = await open();
    await grants.add({ email: EMAIL, slug: 'heron', until: iso(1) });
    expect(await grants.revoke(EMAIL, 'heron', null)).toBe(1);
    expect(await grants.revoke(EMAIL, 'heron', null)).toBe(0);
    pass(DAY);
    await grants.add({ email: EMAIL, slug: 'heron', until: iso(5) });
    expect(await rows()).toEqual([
      { slug: 'heron', source: 'manual', from: TODAY + DAY, until: TODAY + 5 * DAY, revokedAt: null },
    ]);
    expect((await grants.list(EMAIL))[0]?.grantedAt).toBe(TODAY + DAY);
  });

  test('of each source is one of its own, and is revoked alone', async () => {
    const { grants, rows } = await open();
    for (const source of ['shop', 'gift']) await grants.add({ email: EMAIL, slug: 'heron', source });
    expect(await grants.revoke(EMAIL, 'heron', 'shop')).toBe(1);
    expect((await rows()).map(({ source, revokedAt }) => [source, revokedAt])).toEqual([
      ['gift', null],
      ['shop', TODAY],
    ]);
    expect(await grants.revoke(EMAIL, 'heron', null)).toBe(1);
  });

  test.each([
    ['2020-01-01', '2021-01-01', null],
    ['2026-11-20', undefined, null],
    ['2026-11-20T14:30:00+02:00', '2026-11-20T12:30:00.001Z', null],
    ['2026-11-20T12:30', '2026-11-20T12:30:00Z', 'it must end after it begins'],
    [undefined, '2026-11-20T12:00:00Z', 'it must end after it begins'],
    ['2026-02-31', undefined, 'Cannot read the time "2026-02-31"'],
    ['tomorrow', undefined, 'Cannot read the time "tomorrow"'],
    ['2026-11-20T25:00', undefined, 'Cannot read the time'],
    ['1e3', undefined, 'Cannot read the time'],
  ])('from %p until %p', async (from, until, fault) => {
    const { grants, rows } = await open();
    const outcome = await refusalOf(grants.add({ email: EMAIL, slug: 'heron', from, until }));
    if (fault === null) expect(outcome).toBe('not refused: null');
    else expect(outcome).toContain(fault);
    expect(await rows()).toHaveLength(fault === null ? 1 : 0);
  });

  test('of an item that was never published is refused; a book may be named by its id', async () => {
    const { grants } = await open();
    expect(await refusalOf(grants.add({ email: EMAIL, slug: 'egret' }))).toStartWith(
      'not-found: Cannot find an item "egret": this stall never published it',
    );
    expect((await grants.add({ email: EMAIL, slug: 'heron-id' })).itemKey).toBe('heron-id');
    expect(await refusalOf(grants.add({ email: 'x@y', slug: 'heron' }))).toStartWith(
      'not-found: Cannot find an account',
    );
  });
});

describe('an import', () => {
  test.each([
    ['plain rows', 'email,slug\nanna@example.org,heron\nANNA@example.org,tool\n'],
    ['a BOM and CRLF', '\ufeffemail,slug\r\nanna@example.org,heron\r\nanna@example.org,tool\r\n'],
    [
      'quotes, columns in another order and white space',
      '"slug", "email"\n"heron", "anna@example.org"\ntool,anna@example.org',
    ],
    ['blank lines', '\nemail,slug\n\nanna@example.org,heron\n\n\nanna@example.org,tool\n\n'],
  ])('reads %s', async (_, csv) => {
    const { grants, rows } = await open();
    expect(await grants.import(csv)).toBe(2);
    expect((await rows()).map(({ slug }) => slug)).toEqual(['heron', 'tool']);
    expect(await grants.import(csv)).toBe(2);
    expect(await rows()).toHaveLength(2);
  });

  test('reads dates and sources, blank ones as none', async () => {
    const { grants, rows } = await open();
    await grants.import(
      'email,slug,from,until,source\nanna@example.org,heron,2026-01-01,2027-01-01,"shop, ""old"""\nanna@example.org,tool,,,\n',
    );
    expect(await rows()).toEqual([
      {
        slug: 'heron',
        source: 'shop, "old"',
        from: Date.UTC(2026, 0),
        until: Date.UTC(2027, 0),
        revokedAt: null,
      },
      { slug: 'tool', source: 'manual', from: TODAY, until: null, revokedAt: null },
    ]);
  });

  test('adds none where one row is wrong, and names every wrong line', async () => {
    const { grants, rows } = await open();
    const csv =
      'email,slug,source\nanna@example.org,heron,\n\nx@y,heron,\nanna@example.org,tool,"two\nlines"\nanna@example.org,gone,\n';
    const lines = (await refusalOf(grants.import(csv))).split('\n');
    expect(lines.map((line) => line.slice(0, 40))).toEqual([
      'invalid-request: Cannot import the grants, none was added:'.slice(0, 40),
      'line 4: Cannot find an account "x@y": ad',
      'line 7: Cannot find an item "gone": this',
    ]);
    expect(await rows()).toEqual([]);
  });

  test.each([
    ['no header', 'anna@example.org,heron\n', 'the first line must be'],
    ['an unknown column', 'email,slug,price\na,b,c\n', 'the first line must be'],
    ['nothing', '', 'the first line must be'],
    ['a row that is too long', 'email,slug\nanna@example.org,heron\na,b,c\n', 'line 3'],
    ['an open quote', 'email,slug\n"anna@example.org,heron\n', 'Quote'],
  ])('refuses %s', async (_, csv, said) => {
    const { grants, rows } = await open();
    const outcome = await refusalOf(grants.import(csv));
    expect(outcome).toStartWith('invalid-request: Cannot import the grants');
    expect(outcome).toContain(said);
    expect(await rows()).toEqual([]);
  });
});

test.each(['shop', undefined])(
  "adding a grant of source %p again without dates keeps its own, and no other source's",
  async (source) => {
    const { accounts, grants, pass } = await openAdmin();
    await accounts.add('anna@example.org');
    const named = { email: 'anna@example.org', slug: 'heron' };
    await grants.add({ ...named, source: 'other', from: '2026-01-01', until: '2026-02-01' });
    const first = await grants.add({ ...named, source, from: '2026-03-01', until: '2026-12-01' });
    pass(1000);
    const again = await grants.add({ ...named, source });
    expect([again.from, again.until]).toEqual([first.from, first.until]);
    await grants.revoke(named.email, named.slug, source ?? 'manual');
    const renewed = await grants.add({ ...named, source });
    expect([renewed.from, renewed.until]).toEqual([TODAY + 1000, null]);
  },
);

test('an import that meets a fault of the database fails with it, and blames no line', async () => {
  const { directory, accounts, grants } = await openAdmin();
  await accounts.add('anna@example.org');
  const db = new Database(`${directory}/bookstall.db`);
  db.run('ALTER TABLE known_items RENAME TO lost_items');
  db.close();
  const error = await grants.import('email,slug\nanna@example.org,heron\n').catch((cause: unknown) => cause);
  expect(error).toBeInstanceOf(Error);
  expect(error).not.toBeInstanceOf(Refusal);
});

test('one grant is revoked by the key of its item, also where another item has its slug by now', async () => {
  const { store, accounts, grants } = await openAdmin();
  const { id: accountId } = await accounts.add('anna@example.org');
  await grants.add({ email: 'anna@example.org', slug: 'heron', source: 'shop' });
  const other = { kind: 'book', itemKey: 'other-id', slug: 'heron', edition: null } as const;
  await store.write.publishItems({ items: [other], at: TODAY + 1 });
  await grants.add({ email: 'anna@example.org', slug: 'heron', source: 'shop' });
  const names = { email: 'anna@example.org', slug: 'heron' };
  const old = { ...names, accountId, kind: 'book', itemKey: 'heron-id', source: 'shop' } as const;
  await grants.revokeOne(old);
  const left = (await grants.list(null)).filter(({ revokedAt }) => revokedAt === null);
  expect(left.map(({ itemKey }) => itemKey)).toEqual(['other-id']);
  expect(await refusalOf(grants.revokeOne(old))).toStartWith('not-found: Cannot revoke this grant');
  expect(await refusalOf(grants.revokeOne({ ...old, source: 'elsewhere' }))).toStartWith('not-found');
});

test('a long file is looked through in turns, so that others are answered meanwhile', async () => {
  const { accounts, grants } = await openAdmin();
  await accounts.add('anna@example.org');
  const lines = Array.from({ length: 2000 }, (_, n) => `anna@example.org,heron,shop ${n}`);
  let turns = 0;
  let isDone = false;
  const turn = (): void => void (isDone || (turns++, setImmediate(turn)));
  turn();
  const csv = ['email,slug,source', ...lines, 'nobody,heron,'].join('\n');
  expect(await refusalOf(grants.import(csv))).toContain('line 2002: Cannot find an account "nobody"');
  isDone = true;
  expect(turns).toBeGreaterThan(20);
});
