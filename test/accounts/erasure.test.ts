import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { inflateRawSync } from 'node:zlib';
import { connectAssistant } from '../../src/accounts/connection.ts';
import { until } from '../helpers/harness.ts';
import { createOffice } from '../helpers/office.ts';
import { chosen, openClaimStall, secretOf } from '../selling/claim-stall.ts';

/**
 * Every table with its columns. A star is before a column that leads to a person: by a name, an address, an id of the account, or
 * one that a provider knows them by. Whoever adds a column decides here, and uses the stall below so that the column is filled.
 */
const COLUMNS = `
accounts: *id *email is_owner password_hash created_at disabled_at keeps_places verified_at news_since language mail_language is_editor is_typed
keys: id *account_id hash prefix *name scope created_at last_used_at expires_at revoked_at replaces
known_items: kind item_key slug published_at
grants: id *account_id kind item_key source granted_at starts_at ends_at revoked_at
groups: name created_at
group_members: id group_name *account_id joined_at
group_grants: id group_name kind item_key granted_at starts_at ends_at
sessions: id *account_id secret_hash scope *user_agent created_at last_seen_at expires_at ended_at
second_steps: *account_id secret last_step created_at
recovery_codes: *account_id hash
pending_sign_ins: id *account_id secret_hash expires_at
code_networks: *account_id network first_at
wrong_codes: *account_id kind network at
server_starts: id version started_at stopped_at
downloads: id *account_id key_id kind item_key slug digest door bytes downloaded_at
fetch_logs: id server_start_id *account_id key_id book_id asked_at engine outcome answer_bytes input_tokens output_tokens latency_ms door
audit_log: id at *actor_id *actor_email action *subject *details via
shown_items: kind item_key edition first_shown_at changed_at
download_days: kind item_key day downloads
editions: kind item_key digest slug version first_served_at size added changed removed notes state tar tar_size manifest changed_files was_free installed_at
item_versions: kind item_key version digest slug commit_id commit_body texts
reading_places: *account_id kind item_key path read_at part block marks
device_keys: id *account_id prefix hash *device created_at last_used_at
ebooks: document name item_key digest
device_places: *account_id *document progress percentage *device *device_id received_at
rollbacks: kind item_key digest own_digest at
tokens: id *account_id hash prefix *name items reads created_at last_used_at expires_at revoked_at
connections: id *account_id client_id *name host asks notes created_at last_used_at ended_at ended_by
connection_tokens: hash connection_id kind expires_at redirect challenge resource former superseded_at
publish_keys: id *account_id hash prefix *name slugs sets_terms created_at last_used_at expires_at revoked_at
view_days: kind item_key day views
question_days: book_id day outcome questions
skill_archives: name kind item_key digest sha256 artefact superseded_at
git_commits: kind item_key number digest tree id body at
former_slugs: slug kind item_key is_declared
sale_events: id provider mode event_id origin type at received_at state reason tries next_at *body
sale_facts: id event chain at *fact
sale_keys: provider *key chain
sale_offers: provider product offer
sale_settings: only_row grace mail tells_sales last_without_copies
orders: id chain provider *provider_ref ref state at *email *email_key *account_id attached_by claimed_at bundle products quantity amount tax refunded currency paid_at is_subscription until attention erased_at is_test number
order_items: order_id kind item_key slug product is_kept
order_numbers: only_row last
order_payments: order_id at amount tax refunded refunded_at currency
codes: id hash prefix name is_bundle items order_id note uses until created_at revoked_at is_copies
code_uses: code_id *account_id at
outbox: id kind *subject *address order_id *account_id details state message_id tries created_at next_at sent_at error
sale_comparisons: provider at
links: id purpose *account_id order_id *address outbox_id secret_hash created_at expires_at used_at asker_hash tries
announcements: subject kind item_key title text left_out at
opt_outs: address_hash at
subscribers: address_hash about *address page language asked confirmed
settings: name value set_at actor_id
confirmations: address_hash at
notes: id *account_id book_id edition path start alike placed_in placed_path placed_start created_at updated_at bytes exact prefix suffix *text
reports: id *account_id note_id book_id state mended_in edition path start alike placed_in placed_path placed_start created_at updated_at exact prefix suffix *text *answer
`;

const lines = COLUMNS.trim()
  .split('\n')
  .map((line) => line.split(': ') as [string, string]);
const starred = lines.flatMap(([table, columns]) =>
  columns.split(' ').flatMap((column) => (column.startsWith('*') ? [`${table}.${column.slice(1)}`] : [])),
);

const stall = await openClaimStall();
const { admin } = stall.app;
const opened = () => new Database(join(stall.data, 'bookstall.db'), { readonly: true });

/** The columns that hold what tells of a person, with bodies of events as they came. */
function placesOf(person: RegExp): readonly string[] {
  const db = opened();
  const read = (value: unknown): string =>
    value instanceof Uint8Array
      ? `${Buffer.from(value).toString('latin1')}${inflated(value)}`
      : String(value);
  const tables = db
    .query<{ name: string }, []>("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all();
  const found = new Set<string>();
  for (const { name } of tables)
    for (const row of db.query<Record<string, unknown>, []>(`SELECT * FROM "${name}"`).all())
      for (const [column, value] of Object.entries(row))
        if (person.test(read(value))) found.add(`${name}.${column}`);
  db.close();
  return [...found].sort();
}

function inflated(bytes: Uint8Array): string {
  try {
    return Buffer.from(Bun.gunzipSync(bytes as Uint8Array<ArrayBuffer>)).toString();
  } catch {
    try {
      return inflateRawSync(bytes).toString();
    } catch {
      return '';
    }
  }
}

/** The secret of the newest mail to an address whose text holds these words. */
async function mailed(address: string, words: string): Promise<string> {
  const find = () =>
    stall.server.received.findLast(({ to, text }) => to.includes(address) && text.includes(words));
  await until(() => find() !== undefined);
  return secretOf(find()?.text);
}

/** Somebody who uses the stall in each way that leaves a trace. */
async function useEverything(name: string) {
  const [email, other] = [`${name}@example.org`, `${name}.new@example.org`];
  await stall.buy(`${name}1`, email);
  const browser = stall.browser();
  await browser.post('/claim', { code: await mailed(email, '/claim#') });
  await browser.post('/dashboard/account/password', chosen());
  const { id } = admin.accounts.find(email);
  const { key } = await admin.keys.create(email, `${name}'s laptop`, 'never');
  await admin.tokens.create(email, { name: `${name}'s link`, slugs: [], reads: true, term: 'never' });
  await connectAssistant(
    stall.app.stall,
    { kind: 'account', accountId: id, email, keyId: null, sessionId: '', isOwner: false },
    {
      ...{ clientId: 'client', name: `${name}'s assistant`, asks: true, notes: false },
      ...{ host: 'a.example', redirect: 'https://a.example/cb', challenge: 'c', resource: 'r' },
    },
  );
  const keyed = { accountId: id, createdAt: Date.now(), expiresAt: null, slugs: null, setsTerms: true };
  const publishKey = { ...keyed, name: `${name}'s job`, prefix: 'svp_abcd', hash: randomBytes(32) };
  await stall.app.stall.store.write.addPublishKey(publishKey);
  if (admin.groups.list().length === 1) await admin.groups.add('readers');
  await admin.groups.join('readers', [email]);
  // As an owner's session does: an owner may leave, too.
  await createOffice(stall.app.stall, {
    kind: 'account',
    accountId: id,
    email,
    keyId: null,
    sessionId: 'an owner',
    isOwner: true,
  }).grants.add({ email, slug: 'paid-skill' });
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' };
  await (await stall.fetch('/api/install/paid-book', { headers })).arrayBuffer();
  await stall
    .fetch('/api/agent/fetch', {
      method: 'POST',
      headers,
      body: JSON.stringify({ book_id: 'paid-id', query: 'heron' }),
    })
    .then((response) => response.text());
  await stall.fetch('/api/books/paid-id/notes', {
    method: 'POST',
    headers,
    body: JSON.stringify({ path: '01.md', start: 2, end: 11, text: `${name} was here` }),
  });
  await browser.post('/books/paid-book/reports', { question: `Where does ${name} fish?` });
  const [report] = stall.store.listOwnReports(id);
  const answered = { id: report?.id ?? '', state: 'open', answer: `Everywhere, dear ${name}` } as const;
  await stall.store.write.setReportState({ ...answered, at: stall.now(), isMailed: false });
  await browser.open('/books/paid-book/read/01.md');
  const device = { prefix: 'abcd', hash: randomBytes(32), at: Date.now() };
  await stall.store.write.addDeviceKey({ ...device, accountId: id });
  await stall.store.write.putDevicePlace({
    ...{ accountId: id, keyId: stall.store.listDeviceKeys(id)[0]?.id ?? 0, receivedAt: Date.now() },
    ...{ document: name, progress: '/body', percentage: 0.5, device: `${name}'s Kobo`, deviceId: name },
  });
  await until(() => placesOf(new RegExp(id)).includes('reading_places.account_id'));
  await stall.fetch('/sign-in', {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin', 'User-Agent': `${name}'s phone` },
    body: new URLSearchParams({ email, ...chosen() }),
    redirect: 'manual',
  });
  const [code = ''] = (
    await admin.codes.create({
      slug: 'paid-skill',
      bundles: [],
      count: 1,
      uses: 1,
      until: null,
      note: '',
      orderId: null,
    })
  ).codes;
  await browser.post('/redeem', { code });
  await browser.post('/dashboard/account/email', { email: other, current: chosen().password });
  await mailed(other, '/email#');
  await browser.post('/news', { email });
  await mailed(email, '/news/confirm#');
  const once =
    /name="once" value="([^"]+)"/.exec((await browser.open('/dashboard/api-keys')).html)?.[1] ?? '';
  const made = await browser.post('/dashboard/api-keys/create', {
    once,
    name: `${name}'s phone`,
    expires: '90',
  });
  expect(made.status).toBe(200);
  // As an owner's, and last, since it ends the sessions: a second step, a sign-in that waits for its code, and a wrong code.
  const { changeSecondStep } = stall.app.stall.store.write;
  const tried = { accountId: id, network: '198.51.100.0/24', recovery: null, at: stall.now() };
  await changeSecondStep({ ...tried, step: 1, secret: 'S', hashes: [randomBytes(32)], sessionId: '' });
  await stall.browser().post('/sign-in', { email, ...chosen() });
  await changeSecondStep({ ...tried, step: null, secret: null, hashes: null, sessionId: '' });
  return { email, id, person: new RegExp(`${name}|${id}`, 'i') };
}

test('the table names every column of the database', () => {
  const db = opened();
  const tables = db
    .query<{ name: string }, []>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid",
    )
    .all()
    .map(({ name }) => {
      const columns = db.query<{ name: string }, []>(`SELECT name FROM pragma_table_info('${name}')`).all();
      return [name, columns.map((column) => column.name).join(' ')];
    });
  db.close();
  expect(Object.fromEntries(tables)).toEqual(
    Object.fromEntries(lines.map(([table, columns]) => [table, columns.replaceAll('*', '')])),
  );
});

test('an account that is removed is in no column, and another stays in each', async () => {
  const [gone, stays] = [await useEverything('zuleika'), await useEverything('xanthippe')];
  const before = placesOf(stays.person);
  for (const { person } of [gone, stays]) expect(placesOf(person)).toEqual(starred.toSorted());
  await admin.personalData.remove(gone.email);
  expect(placesOf(/zuleika/i)).toEqual([]);
  // The id leads nowhere now.
  expect(placesOf(gone.person)).toEqual(['audit_log.subject', 'outbox.subject']);
  expect(placesOf(stays.person)).toEqual(before);
});

test('an order that is erased leaves nothing of a buyer who never claimed it, and its link opens nothing', async () => {
  const order = await stall.buy('berenice1', 'berenice@example.org');
  const code = await mailed('berenice@example.org', '/claim#');
  expect(placesOf(/berenice/)).toContain('links.address');
  await admin.orders.erase(order);
  expect(placesOf(/berenice/)).toEqual([]);
  const [logged] = stall.store.listAuditEntries(1e9, 1);
  expect(logged).toMatchObject({ action: 'order.erase', subject: `order ${order}`, details: {} });
  const claim = await stall.browser().post('/claim', { code, email: 'berenice@example.org', ...chosen() });
  expect([claim.status, placesOf(/berenice/)]).toEqual([404, []]);
});

/** The tables that the export has under other names. */
const TOLD_AS: Readonly<Record<string, string>> = {
  assistants: 'connections',
  audit: 'audit_log',
  codes: 'code_uses',
  groups: 'group_members',
  mails: 'outbox',
  questions: 'fetch_logs',
  reading: 'reading_places',
  second_step: 'second_steps',
  subscriptions: 'subscribers',
};

/**
 * The columns that the export leaves out, or has under another name. Whoever adds a column to a person's table names it in
 * `queriesOf`, or here.
 */
const LEFT_OUT: Readonly<Record<string, string>> = {
  audit_log: 'id actor_id actor_email',
  code_uses: 'at',
  connections: 'client_id',
  device_keys: 'hash',
  fetch_logs: 'server_start_id',
  grants: 'id',
  group_members: 'id',
  keys: 'hash',
  links: 'id order_id outbox_id secret_hash asker_hash tries',
  orders: 'chain at email_key products is_subscription until attention erased_at is_test',
  outbox: 'id order_id details message_id tries next_at error',
  publish_keys: 'hash',
  reports: 'mended_in edition start alike placed_in placed_path placed_start updated_at exact prefix suffix',
  second_steps: 'secret last_step',
  sessions: 'id secret_hash',
  subscribers: 'address_hash address asked confirmed',
  tokens: 'hash',
  wrong_codes: 'at',
};

test("a person's export has every column of their tables, but those that are left out", async () => {
  const { email } = await useEverything('wilhelmina');
  const left = Object.entries(await admin.personalData.export(email)).flatMap(([name, rows]) => {
    const table = TOLD_AS[name] ?? name;
    const [, columns] = lines.find(([one]) => one === table) ?? [];
    if (!Array.isArray(rows) || columns === undefined) return [];
    const isLeft = (column: string) => column !== 'account_id' && !(column in (rows[0] as object));
    const missing = columns.replaceAll('*', '').split(' ').filter(isLeft).join(' ');
    return missing === '' ? [] : [[table, missing]];
  });
  expect(Object.fromEntries(left)).toEqual(LEFT_OUT);
});
