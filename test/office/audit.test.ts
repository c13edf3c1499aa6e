import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import type { Actor, SessionPrincipal } from '../../src/platform/base/principal.ts';
import type { Store } from '../../src/store.ts';
import { createOffice } from '../helpers/office.ts';
import { describeActs, listAudit } from '../../src/platform/store/audit-entry.ts';
import type { AuditDetails } from '../../src/platform/store/audit-log.sql.ts';
import { EMAIL, openSignInServices, ORIGIN } from '../accounts/sign-in-services.ts';
import { refusalOf, TODAY } from '../helpers/admin-services.ts';

async function open() {
  const desk = await openSignInServices();
  const { store, now, accounts, dataDirectory } = desk;
  const owner = await accounts.add('owner@example.org', true);
  const session = { kind: 'account', keyId: null, sessionId: 's', isOwner: true } as const;
  const actor: SessionPrincipal = { ...session, accountId: owner.id, email: owner.email };
  await emptyAuditLog(desk.directory);
  /** A row of any words, as a publish writes those of whoever asked for it. */
  const log = (action: string, subject: string, details: AuditDetails = {}) =>
    store.write.publishItems({
      items: [],
      at: now(),
      audits: [{ ...describeActs(actor, now)('items.reindex', subject, details), action }],
    });
  const by = (one: Actor) => servicesBy(store, dataDirectory, one, now);
  const audit = {
    list: (after: number | null = null, limit?: number) => listAudit({ store, now }, after, limit),
  };
  return { ...desk, actor, audit, log, by, personalData: by(actor).personalData };
}

/** Leaves out the entries of making the test's own accounts. */
async function emptyAuditLog(directory: string): Promise<void> {
  const db = new Database(`${directory}/bookstall.db`);
  db.run('DELETE FROM audit_log');
  db.run("DELETE FROM sqlite_sequence WHERE name = 'audit_log'");
  db.close();
}

describe('the audit log', () => {
  test('lists actions with actor and subject, newest first, in pages', async () => {
    const { audit, actor, log, pass } = await open();
    expect(audit.list()).toEqual({ entries: [], next: null });
    await log('grant.add', EMAIL, { slug: 'heron', until: null, again: false, days: 3 });
    pass(1000);
    for (let n = 0; n < 4; n++) await log('reindex', `the stall ${n}`);
    const page = audit.list(null, 2);
    const next = audit.list(page.next, 2);
    const last = audit.list(next.next, 2);
    const subjects = [page, next, last].map(({ entries }) => entries.map(({ subject }) => subject));
    expect(subjects).toEqual([['the stall 3', 'the stall 2'], ['the stall 1', 'the stall 0'], [EMAIL]]);
    expect(last.next).toBeNull();
    expect(last.entries).toEqual([
      {
        ...{ id: 1, at: TODAY, via: 'page', actorId: actor.accountId, actorEmail: actor.email },
        ...{ action: 'grant.add', subject: EMAIL },
        details: { slug: 'heron', until: null, again: false, days: 3 },
      },
    ]);
  });

  test('belongs to the personal data of both actor and subject', async () => {
    const { actor, log, personalData } = await open();
    await log('account.disable', 'ANNA@example.org');
    await log('account.disable', 'bert@example.org');
    const auditOf = async (email: string) =>
      ((await personalData.export(email)) as { audit?: unknown }).audit;
    expect(await auditOf(EMAIL)).toMatchObject([{ is_actor: 0, action: 'account.disable' }]);
    expect(await auditOf(actor.email)).toMatchObject([
      { is_actor: 1 },
      { is_actor: 1, subject: 'bert@example.org' },
    ]);
  });

  test('forgets the name of a removed account, and keeps the actions', async () => {
    const { audit, actor, accounts, log, personalData, by } = await open();
    await log('account.disable', 'Anna@Example.org', { kept: 'yes' });
    await log('grant.import', 'shop.csv', { email: EMAIL });
    await log('reindex', 'a book on anna@example.org');
    const { id } = accounts.find(EMAIL);
    await personalData.remove(EMAIL);
    const told = audit.list().entries.map(({ action, subject, details }) => [action, subject, details]);
    expect(told).toEqual([
      ['account.remove', id, {}],
      ['reindex', 'a book on anna@example.org', {}],
      ['grant.import', 'shop.csv', {}],
      ['account.disable', 'a removed account', { kept: 'yes' }],
    ]);
    await by('command').personalData.remove(actor.email);
    const actors = audit.list().entries.map(({ actorId, actorEmail }) => [actorId, actorEmail]);
    expect(actors).toEqual(Array.from({ length: 5 }, () => [null, null]));
  });
});

function servicesBy(store: Store, dataDirectory: string, by: Actor, now: () => number) {
  return {
    ...createOffice({ store, now, config: { data: dataDirectory } }, by),
  };
}

type Services = ReturnType<typeof servicesBy>;

/** Every act, what the log says of it, and one of its kind that is refused. */
const LINK = { name: 'link', slugs: ['heron'], reads: false, term: 'never' } as const;

const ACTS: readonly (readonly [
  action: string,
  act: (admin: Services) => Promise<unknown>,
  row: readonly [subject: string, details: unknown],
  refused: ((admin: Services) => Promise<unknown>) | null,
])[] = [
  [
    'account.add',
    ({ accounts }) => accounts.add('new@example.org'),
    ['new@example.org', {}],
    ({ accounts }) => accounts.add(EMAIL),
  ],
  ['account.disable', ({ accounts }) => accounts.disable('ANNA@example.org'), [EMAIL, {}], null],
  ['account.enable', ({ accounts }) => accounts.enable(EMAIL), [EMAIL, {}], null],
  [
    'account.link',
    ({ links }) => links.create(EMAIL, 'reset', ORIGIN),
    [EMAIL, { purpose: 'reset' }],
    ({ links }) => links.create(EMAIL, 'invite', ORIGIN),
  ],
  [
    'link.revoke',
    async ({ links }) => links.revoke((await links.create(EMAIL, 'reset', ORIGIN)).id),
    [EMAIL, { purpose: 'reset' }],
    ({ links }) => links.revoke(999),
  ],
  [
    'grant.add',
    ({ grants }) => grants.add({ email: EMAIL, slug: 'heron', source: 'shop' }),
    [EMAIL, { item: 'heron', source: 'shop', from: TODAY, until: null }],
    ({ grants }) => grants.add({ email: EMAIL, slug: 'unknown' }),
  ],
  [
    'grants.import',
    ({ grants }) => grants.import(`email,slug\n${EMAIL},heron\n${EMAIL},tool\n`),
    ['grants', { added: 2 }],
    ({ grants }) => grants.import(`email,slug\n${EMAIL},heron\n${EMAIL},unknown\n`),
  ],
  [
    'grant.revoke',
    async ({ grants }) => {
      await grants.add({ email: EMAIL, slug: 'heron' });
      await grants.revoke(EMAIL, 'heron', null);
    },
    [EMAIL, { item: 'heron', source: 'every source' }],
    async ({ grants }) => {
      if ((await grants.revoke(EMAIL, 'heron', null)) === 0) throw new Error('nothing to revoke');
    },
  ],
  [
    'key.create',
    ({ keys }) => keys.create(EMAIL, 'laptop', 'never'),
    [EMAIL, { name: 'laptop', prefix: expect.stringMatching(/^svc_.{4}$/) }],
    ({ keys }) => keys.create(EMAIL, '', 'never'),
  ],
  [
    'key.rotate',
    async ({ keys }) => keys.rotate(String((await keys.create(EMAIL, 'laptop', 'never')).id), '1h'),
    [EMAIL, { name: 'laptop', prefix: expect.any(String), overlap: '1h' }],
    ({ keys }) => keys.rotate('999'),
  ],
  [
    'key.revoke',
    async ({ keys }) => keys.revoke(String((await keys.create(EMAIL, 'laptop', 'never')).id)),
    [EMAIL, { name: 'laptop', prefix: expect.any(String) }],
    ({ keys }) => keys.revoke('999'),
  ],
  [
    'token.create',
    ({ tokens }) => tokens.create(EMAIL, LINK),
    [EMAIL, { name: 'link', prefix: expect.stringMatching(/^svi_.{4}$/) }],
    ({ tokens }) => tokens.create(EMAIL, { ...LINK, slugs: ['unknown'] }),
  ],
  [
    'token.revoke',
    async ({ tokens }) => tokens.revoke(String((await tokens.create(EMAIL, LINK)).id)),
    [EMAIL, { name: 'link', prefix: expect.any(String) }],
    ({ tokens }) => tokens.revoke('999'),
  ],
  [
    'account.remove',
    ({ personalData }) => personalData.remove(EMAIL),
    [expect.stringMatching(/^[0-9a-f-]{36}$/), {}],
    ({ personalData }) => personalData.remove('nobody@example.org'),
  ],
];

describe.each(ACTS)('%s', (action, act, [subject, details], refused) => {
  test('leaves a row that says it came by a command', async () => {
    const { audit, by } = await open();
    await act(by('command'));
    const [row] = audit.list().entries;
    const nobody = { via: 'command', actorId: null, actorEmail: null };
    expect(row).toMatchObject({ ...nobody, action, subject, details });
  });

  test('leaves none where it is refused, nor without its row', async () => {
    const { audit, directory, by } = await open();
    if (refused !== null) expect(await refused(by('command')).catch(() => 'refused')).toBe('refused');
    expect(audit.list().entries).toEqual([]);
    const db = new Database(`${directory}/bookstall.db`);
    const tables = ['accounts', 'keys', 'tokens', 'grants', 'links'];
    const count = () => tables.map((table) => db.query(`SELECT * FROM ${table}`).all());
    db.run(`CREATE TRIGGER no_row BEFORE INSERT ON audit_log WHEN NEW.action = '${action}'
      BEGIN SELECT raise(ABORT, 'no audit row'); END`);
    const prepared = action.includes('.revoke') || action === 'key.rotate';
    const before = count();
    expect(await refusalOf(act(by('command')))).toContain('no audit row');
    if (!prepared) expect(count()).toEqual(before);
    db.close();
  });
});

test("a reader's own acts are not the stall's", async () => {
  const { audit, accounts, ownKeys } = await open();
  const { id } = accounts.find(EMAIL);
  const key = await ownKeys.create(id, 'mine', 'never');
  const next = await ownKeys.rotate(id, String(key.id), 'now');
  await ownKeys.revoke(id, String(next.id));
  expect(audit.list().entries).toEqual([]);
});
