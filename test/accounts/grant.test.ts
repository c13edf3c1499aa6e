import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { Refusal } from '../../src/platform/base/refusal.ts';
import { DAY, openAdmin, refusalOf, TODAY } from '../helpers/admin-services.ts';
import { countHolders, importGrants, listHolders } from '../../src/accounts/grant.ts';
import { hashSecret } from '../../src/accounts/secret.rule.ts';
import { readCsv } from '../../src/platform/base/csv-rows.ts';
import { linkTable } from '../../src/accounts/one-time-link.ts';
import { listAudit } from '../../src/platform/store/audit-entry.ts';

const EMAIL = 'anna@example.org';
const iso = (days: number) => new Date(TODAY + days * DAY).toISOString();

async function open() {
  const admin = await openAdmin();
  await admin.accounts.add(EMAIL);
  return {
    ...admin,
    rows: async () =>
      admin.grants.list(EMAIL).map(({ slug, source, from, until, revokedAt }) => ({
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
    const before = grants.list(EMAIL);
    pass(DAY);
    await grants.add(request);
    expect(grants.list(EMAIL)).toEqual(before);
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
    expect(grants.list(EMAIL)[0]?.grantedAt).toBe(TODAY + DAY);
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
  const left = grants.list(null).filter(({ revokedAt }) => revokedAt === null);
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

const { store, accounts, grants, now } = await openAdmin();
const stall = { store, now };
for (const email of ['ben@example.org', 'anna@example.org', 'cleo@example.org']) await accounts.add(email);
await grants.add({ email: 'anna@example.org', slug: 'heron', source: 'shop' });
await grants.add({ email: 'ben@example.org', slug: 'heron' });
await grants.add({ email: 'anna@example.org', slug: 'heron', source: 'gift' });
await grants.add({ email: 'cleo@example.org', slug: 'heron' });
await grants.add({ email: 'cleo@example.org', slug: 'tool' });
await grants.revoke('cleo@example.org', 'heron', null);

const item = { kind: 'book', itemKey: 'heron-id' } as const;
const listed = async (email: string | null) =>
  listHolders(stall, 'heron', email).map((holder) => [holder.email, holder.source, holder.revokedAt]);

describe('the holders of an item', () => {
  test('are listed by account and source, ended ones too, and of one account alone', async () => {
    expect(await listed(null)).toEqual([
      ['anna@example.org', 'gift', null],
      ['anna@example.org', 'shop', null],
      ['ben@example.org', 'manual', null],
      ['cleo@example.org', 'manual', TODAY],
    ]);
    expect(await listed('CLEO@example.org')).toEqual([['cleo@example.org', 'manual', TODAY]]);
  });

  test('are counted once for each account whose grant is active', async () => {
    expect(countHolders(stall, item)).toBe(2);
    await accounts.disable('ben@example.org');
    expect(countHolders(stall, item)).toBe(1);
    await accounts.enable('ben@example.org');
    expect(countHolders(stall, item)).toBe(2);
    expect(countHolders(stall, { kind: 'skill', itemKey: 'heron-id' })).toBe(0);
  });

  test('have the last download and question of this item, whatever came after', async () => {
    const { id: accountId } = accounts.find('ben@example.org');
    const row = { id: 'd', accountId, keyId: null, slug: 's', digest: 'd', door: 'zip', bytes: 1 };
    const download = (kind: string, itemKey: string, days: number) => ({
      ...row,
      kind,
      itemKey,
      downloadedAt: TODAY - days * DAY,
    });
    const downloads = [
      download('book', 'heron-id', 5),
      download('skill', 'heron-id', 3),
      download('skill', 'tool', 1),
    ];
    await store.write.addDownloads(JSON.stringify(downloads));
    await store.write.addServerStart({ id: 's', version: '1', startedAt: 0 });
    for (const [id, bookId, days] of [
      ['q1', 'heron-id', 7],
      ['q2', 'other-id', 2],
    ] as const) {
      const question = { id, serverStartId: 's', accountId, keyId: null, bookId, engine: 'extractive' };
      await store.write.openQuestion({ ...question, askedAt: TODAY - days * DAY });
    }
    expect(listHolders(stall, 'heron', 'ben@example.org')).toMatchObject([
      { lastDownload: TODAY - 5 * DAY, lastQuestion: TODAY - 7 * DAY },
    ]);
    expect(listHolders(stall, 'heron', 'anna@example.org')).toMatchObject([
      { lastDownload: null, lastQuestion: null },
      { lastDownload: null, lastQuestion: null },
    ]);
  });

  test('of an unknown item or account are refused', async () => {
    expect(await refusalOf(() => listHolders(stall, 'none', null))).toStartWith(
      'not-found: Cannot find an item "none"',
    );
    expect(await refusalOf(() => listHolders(stall, 'heron', 'nobody@example.org'))).toStartWith(
      'not-found: Cannot find an account "nobody@example.org"',
    );
  });
});

const ORIGIN = 'https://stall.example.org';
const HOUR = 60 * 60 * 1000;
const secretOf = (url: string): string => url.slice(url.indexOf('#') + 1);

describe('an import that makes accounts', () => {
  test('adds missing accounts once each, with a link that sets their first password, and all grants', async () => {
    const { store, accounts, grants, now } = await openAdmin();
    await accounts.add('anna@example.org');
    const csv =
      'email,slug,source\nanna@example.org,heron,shop\nBen@example.org,heron,shop\n ben@EXAMPLE.org ,tool,shop\ncarl@example.org,tool,\n';
    const { added, links } = await grants.importWithAccounts(csv, ORIGIN);
    expect(added).toBe(4);
    expect(links.map(({ email, purpose, expiresAt }) => [email, purpose, expiresAt])).toEqual([
      ['Ben@example.org', 'invite', now() + 72 * HOUR],
      ['carl@example.org', 'invite', now() + 72 * HOUR],
    ]);
    expect(accounts.list().map(({ email, hasPassword }) => [email, hasPassword])).toEqual([
      ['anna@example.org', false],
      ['Ben@example.org', false],
      ['carl@example.org', false],
    ]);
    expect(grants.list(null).map(({ email, slug, source }) => [email, slug, source])).toEqual([
      ['anna@example.org', 'heron', 'shop'],
      ['Ben@example.org', 'heron', 'shop'],
      ['Ben@example.org', 'tool', 'shop'],
      ['carl@example.org', 'tool', 'manual'],
    ]);
    for (const { url, email } of links) {
      expect(url).toStartWith(`${ORIGIN}/invite#`);
      expect(store.findLink(hashSecret(secretOf(url)), now())).toMatchObject({
        email,
        purpose: 'invite',
      });
    }
  });

  test('imported again adds no account and no link', async () => {
    const { accounts, grants } = await openAdmin();
    const csv = 'email,slug\nben@example.org,heron\n';
    await grants.importWithAccounts(csv, ORIGIN);
    expect(await grants.importWithAccounts(csv, ORIGIN)).toEqual({ added: 1, links: [] });
    expect(accounts.list()).toHaveLength(1);
  });

  test('adds nothing if one row is wrong, and names every wrong line', async () => {
    const { store, accounts, grants, now } = await openAdmin();
    const csv = 'email,slug,until\nben@example.org,heron,\nnobody,heron,\ncarl@example.org,gone,\n';
    const lines = (await refusalOf(grants.importWithAccounts(csv, ORIGIN))).split('\n');
    expect(lines.slice(1)).toEqual([
      'line 3: Cannot read "nobody" as an e-mail address: write it as name@example.org',
      expect.stringContaining('line 4: Cannot find an item "gone"'),
    ]);
    expect([accounts.list(), grants.list(null), store.listLinks(now())]).toEqual([[], [], []]);
  });

  test('adds nothing if an address gets an account in the meantime', async () => {
    const { store, directory, grants, now } = await openAdmin();
    const other = new Database(`${directory}/bookstall.db`);
    const find = store.findAccount;
    // Another process adds the account after this one has looked for it.
    const late = {
      ...store,
      findAccount: (email: string) => {
        const found = find(email);
        other.run("INSERT OR IGNORE INTO accounts (id, email, is_owner, created_at) VALUES ('x', ?, 0, 0)", [
          email,
        ]);
        return found;
      },
    };
    const csv = 'email,slug\nben@example.org,heron\n';
    expect(await refusalOf(importGrants({ store: late, now }, 'command', csv, ORIGIN))).toContain(
      '"ben@example.org" has got an account in the meantime; import again',
    );
    expect([grants.list(null), store.listLinks(now())]).toEqual([[], []]);
    other.close();
  });

  test('is in the audit log: each account, each link and the import, without a secret', async () => {
    const { store, now, grants } = await openAdmin();
    const { links } = await grants.importWithAccounts('email,slug\nben@example.org,heron\n', ORIGIN);
    const { entries } = listAudit({ store, now });
    expect(entries.map(({ via, action, subject, details }) => [via, action, subject, details])).toEqual([
      ['command', 'grants.import', 'grants', { added: 1, accounts: 1 }],
      ['command', 'account.link', 'ben@example.org', { purpose: 'invite' }],
      ['command', 'account.add', 'ben@example.org', {}],
    ]);
    expect(JSON.stringify(entries)).not.toContain(secretOf(links[0]?.url ?? ''));
  });

  test('gives its links as a table that a spreadsheet does not run', () => {
    const times = { expiresAt: 0, validFor: '72 hours' };
    const link = { url: `${ORIGIN}/invite#x`, purpose: 'invite', email: '=1+1@x', ...times } as const;
    expect(linkTable([link])).toBe(
      `email,link,expires\r\n'=1+1@x,${ORIGIN}/invite#x,1970-01-01T00:00:00.000Z\r\n`,
    );
  });
});

/** Counts the turns of the event loop while something runs. */
async function turnsDuring(run: () => Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const turn = (): void => void (isDone || (turns++, setImmediate(turn)));
  turn();
  await run();
  isDone = true;
  return turns;
}

describe('a CSV text of 15,000 lines', () => {
  const lines = Array.from({ length: 15_000 }, (_, n) => `anna@example.org,heron,shop ${n}`);
  const csv = ['email,slug,source', ...lines].join('\n');

  test('is prepared in turns, and reads the grants of an account and item once', async () => {
    const { store, accounts, now } = await openAdmin();
    await accounts.add('anna@example.org');
    let reads = 0;
    const counted = {
      ...store,
      findGrants: (...words: Parameters<typeof store.findGrants>) => (reads++, store.findGrants(...words)),
    };
    expect(await turnsDuring(() => importGrants({ store: counted, now }, 'command', csv))).toBeGreaterThan(
      15_000 / 50,
    );
    expect(reads).toBe(1);
  });

  test('whose lines are all wrong names a hundred of them and the number of the others', async () => {
    const { grants } = await openAdmin();
    const sentences = (await refusalOf(grants.import(csv))).split('\n');
    expect([sentences.length, sentences.at(-1)]).toEqual([102, 'and 14900 more lines']);
  });
});

test('a multi-byte character on the edge of a slice stays whole', async () => {
  for (const padding of [0, 1, 2, 3]) {
    const source = `${'x'.repeat(8 * 1024 - 50 - padding)}${'é🦉'.repeat(40)}`;
    const { rows } = await readCsv(`email,slug,source\nanna@example.org,heron,${source}\n`, 'grants');
    expect(rows[0]?.record[2]).toBe(source);
  }
});
