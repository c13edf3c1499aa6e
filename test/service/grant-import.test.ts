import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { hashSecret } from '../../src/access/session.ts';
import { readCsvRows } from '../../src/service/csv-rows.ts';
import { importGrants } from '../../src/service/grants.ts';
import { linkTable } from '../../src/service/links.ts';
import { listAudit } from '../../src/service/audit-entry.ts';
import { openAdmin, refusalOf } from './admin-services.ts';

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
    expect((await accounts.list()).map(({ email, hasPassword }) => [email, hasPassword])).toEqual([
      ['anna@example.org', false],
      ['Ben@example.org', false],
      ['carl@example.org', false],
    ]);
    expect((await grants.list(null)).map(({ email, slug, source }) => [email, slug, source])).toEqual([
      ['anna@example.org', 'heron', 'shop'],
      ['Ben@example.org', 'heron', 'shop'],
      ['Ben@example.org', 'tool', 'shop'],
      ['carl@example.org', 'tool', 'manual'],
    ]);
    for (const { url, email } of links) {
      expect(url).toStartWith(`${ORIGIN}/invite#`);
      expect(await store.findLink(hashSecret(secretOf(url)), now())).toMatchObject({
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
    expect(await accounts.list()).toHaveLength(1);
  });

  test('adds nothing if one row is wrong, and names every wrong line', async () => {
    const { store, accounts, grants, now } = await openAdmin();
    const csv = 'email,slug,until\nben@example.org,heron,\nnobody,heron,\ncarl@example.org,gone,\n';
    const lines = (await refusalOf(grants.importWithAccounts(csv, ORIGIN))).split('\n');
    expect(lines.slice(1)).toEqual([
      'line 3: Cannot read "nobody" as an e-mail address: write it as name@example.org',
      expect.stringContaining('line 4: Cannot find an item "gone"'),
    ]);
    expect([await accounts.list(), await grants.list(null), await store.listLinks(now())]).toEqual([
      [],
      [],
      [],
    ]);
  });

  test('adds nothing if an address gets an account in the meantime', async () => {
    const { store, directory, grants, now } = await openAdmin();
    const other = new Database(`${directory}/bookstall.db`);
    const find = store.findAccount;
    // Another process adds the account after this one has looked for it.
    const late = {
      ...store,
      findAccount: async (email: string) => {
        const found = await find(email);
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
    expect([await grants.list(null), await store.listLinks(now())]).toEqual([[], []]);
    other.close();
  });

  test('is in the audit log: each account, each link and the import, without a secret', async () => {
    const { store, now, grants } = await openAdmin();
    const { links } = await grants.importWithAccounts('email,slug\nben@example.org,heron\n', ORIGIN);
    const { entries } = await listAudit({ store, now });
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
    const table = { name: 'grants', columns: ['email', 'slug', 'source'], required: 2 };
    const rows = await readCsvRows(`email,slug,source\nanna@example.org,heron,${source}\n`, table);
    expect(rows[0]?.field('source')).toBe(source);
  }
});
