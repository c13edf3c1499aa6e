import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openAdmin, refusalOf, TODAY } from '../helpers/admin-services.ts';
import { openSaleDatabase } from './sale-database.ts';

const { store, accounts, keys, grants, logs, personalData } = await openAdmin();
await store.write.addServerStart({ id: 'start', version: '1', startedAt: TODAY });

/** A reader with a key, a grant, a question and a download. */
async function addReader(email: string) {
  const { id: accountId } = await accounts.add(email);
  const { id: keyId, key } = await keys.create(email, 'laptop', { days: 1 });
  await grants.add({ email, slug: 'heron', source: 'shop' });
  await ask(accountId, keyId);
  await take(accountId, keyId);
  return { accountId, keyId, key };
}

async function ask(accountId: string, keyId: number): Promise<void> {
  const row = { id: crypto.randomUUID(), accountId, keyId, bookId: 'heron-id', askedAt: TODAY };
  await store.write.openQuestion({ ...row, serverStartId: 'start', engine: 'extractive' });
}

async function take(accountId: string | null, keyId: number | null): Promise<void> {
  const item = { kind: 'book', itemKey: 'heron-id', slug: 'heron', digest: 'd', door: 'install', bytes: 7 };
  const row = { id: crypto.randomUUID(), accountId, keyId, ...item, downloadedAt: TODAY };
  await store.write.addDownloads(JSON.stringify([row]));
}

const who = ({
  accountId,
  keyId,
  email,
}: {
  accountId: string | null;
  keyId: number | null;
  email: string | null;
}) => ({
  accountId,
  keyId,
  email,
});

test('an export is everything that is held, with ISO times, and no secret nor its hash', async () => {
  const { accountId, keyId, key } = await addReader('ann@example.org');
  await store.write.setNews({ accountId, at: TODAY });
  const document = await personalData.export('ann@example.org');
  const at = new Date(TODAY).toISOString();
  expect(document).toMatchObject({
    account: {
      id: accountId,
      email: 'ann@example.org',
      is_owner: false,
      created_at: at,
      disabled_at: null,
      news_asked_at: at,
    },
    keys: [{ id: keyId, name: 'laptop', created_at: at, revoked_at: null }],
    grants: [{ kind: 'book', slug: 'heron', source: 'shop', granted_at: at, starts_at: at, ends_at: null }],
    sessions: [],
    links: [],
    questions: [{ key_id: keyId, book_id: 'heron-id', asked_at: at, outcome: null }],
    downloads: [{ key_id: keyId, slug: 'heron', door: 'install', bytes: 7, downloaded_at: at }],
  });
  const text = JSON.stringify(document);
  expect(text).not.toContain(key);
  expect(text).not.toMatch(/hash|secret|password/);
});

test('an export tells of nobody else', async () => {
  await addReader('ben@example.org');
  expect(JSON.stringify(await personalData.export('ann@example.org'))).not.toContain('ben@example.org');
});

test('a removed account is gone with its keys and grants; its log rows stay, and name nobody', async () => {
  const reader = await addReader('cleo@example.org');
  const before = [logs.fetches(null, null), logs.downloads(null, null)];
  expect(await personalData.remove('Cleo@example.org')).toMatchObject({
    email: 'cleo@example.org',
    keys: 1,
    grants: 1,
    sessions: 0,
    questions: 1,
    downloads: 1,
  });
  expect(await refusalOf(() => accounts.find('cleo@example.org'))).toStartWith('not-found');
  expect(store.findKeyHolderById('key', reader.keyId)).toBeNull();
  expect(store.findAccountGrants(reader.accountId)).toEqual([]);
  const after = [logs.fetches(null, null), logs.downloads(null, null)];
  expect(after.map((rows) => rows.length)).toEqual(before.map((rows) => rows.length));
  for (const rows of after) {
    expect(who(rows.at(-1)!)).toEqual({ accountId: null, keyId: null, email: null });
    expect(rows.slice(0, -1).every(({ accountId }) => accountId !== null)).toBe(true);
  }
});

test('what a removed account was still doing names nobody either', async () => {
  const { accountId, keyId } = await addReader('dora@example.org');
  await personalData.remove('dora@example.org');
  await ask(accountId, keyId);
  await take(accountId, keyId);
  expect(who(logs.fetches(null, null).at(-1)!)).toEqual({
    accountId: null,
    keyId: null,
    email: null,
  });
  expect(who(logs.downloads(null, null).at(-1)!)).toEqual({
    accountId: null,
    keyId: null,
    email: null,
  });
});

test('the address can be added again, as somebody new', async () => {
  await accounts.add('cleo@example.org');
  expect(await personalData.export('cleo@example.org')).toMatchObject({
    keys: [],
    grants: [],
    questions: [],
    downloads: [],
  });
});

test('an account that is not there is refused', async () => {
  for (const act of [personalData.remove, personalData.export])
    expect(await refusalOf(act('nobody@example.org'))).toStartWith('not-found: Cannot find an account');
});

/** The columns of a person's rows that are not exported: secrets, what only the program needs, and other people's. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  keys: 'hash',
  tokens: 'hash',
  connections: 'client_id',
  publish_keys: 'hash',
  sessions: 'secret_hash',
  second_steps: 'secret last_step',
  links: 'order_id outbox_id secret_hash asker_hash tries',
  fetch_logs: 'server_start_id',
  orders: 'chain email_key products is_subscription attention erased_at is_test',
  outbox: 'order_id details message_id tries next_at error',
  subscribers: 'address_hash',
  reports: 'mended_in edition start alike placed_in placed_path placed_start updated_at exact prefix suffix',
  device_keys: 'hash',
  audit_log: 'actor_email',
};

/** The tables with an account whose rows are exported by another name, in another way, or hold secrets alone. */
const OTHER_TABLES = ['grants', 'notes', 'pending_sign_ins', 'recovery_codes'];

test('an export has every column of a person, but for those that are named here', () => {
  const { db } = openSaleDatabase();
  const columnsOf = (table: string) =>
    db
      .query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${table}')`)
      .all()
      .map(({ name }) => name);
  const source = readFileSync(join(import.meta.dir, '../../src/selling/personal-data.sql.ts'), 'utf8');
  const queries = [...source.matchAll(/^ {2}\w+: sql`([^]*?)`,\n/gm)].map(([, query = '']) => query);
  const tables = new Map(
    queries.map((query) => [[...query.matchAll(/FROM (\w+)/g)].at(-1)?.[1] ?? '', query]),
  );
  const missing = [...tables].flatMap(([table, query]) => {
    const names = columnsOf(table).filter((name) => !new RegExp(`\\b${name}\\b`).test(query));
    return names.length === 0 ? [] : [[table, names.join(' ')] as const];
  });
  expect(Object.fromEntries(missing)).toEqual(LEFT_OUT);
  const all = db.query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  const others = all.filter(({ name }) => columnsOf(name).includes('account_id') && !tables.has(name));
  expect(others.map(({ name }) => name).toSorted()).toEqual(OTHER_TABLES);
});
