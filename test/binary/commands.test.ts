import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../../src/platform/base/replace-file.ts';
import { temporaryDirectory, until, writeFiles } from '../helpers/harness.ts';
import { openStripeAccount } from '../selling/providers/stripe-account.ts';
import { isRoot, ownDirectory, program } from './ordinary-user.ts';
import { addReader, buildProgram, PROGRAM, run, serve, stallDirectory } from './program.ts';

await buildProgram();
const directory = stallDirectory();
const stall = await serve(directory);
const status = async (path: string, headers: Record<string, string>): Promise<number> =>
  (await stall.fetch(path, { headers })).status;

describe('a change by a command counts from the next request of the running server', () => {
  test('a key that is created and revoked', async () => {
    const { id, headers } = await addReader(stall, 'key@example.org');
    expect(await status('/api/cli/library', headers)).toBe(200);
    await stall.command('key', 'revoke', id);
    expect(await status('/api/cli/library', headers)).toBe(401);
  });

  test('a key that is rotated', async () => {
    const { id, headers } = await addReader(stall, 'rotate@example.org');
    expect(await status('/api/cli/library', headers)).toBe(200);
    const { key } = JSON.parse(await stall.command('key', 'rotate', id, '--json')) as { key: string };
    expect(await status('/api/cli/library', headers)).toBe(401);
    expect(await status('/api/cli/library', { Authorization: `Bearer ${key}` })).toBe(200);
  });

  test('an account that is disabled and enabled', async () => {
    const { headers } = await addReader(stall, 'account@example.org', 'paid-book');
    expect(await status('/api/install/paid-book', headers)).toBe(200);
    await stall.command('account', 'disable', 'account@example.org');
    expect(await status('/api/install/paid-book', headers)).toBe(401);
    expect(await status('/api/cli/library', headers)).toBe(401);
    await stall.command('account', 'enable', 'account@example.org');
    expect(await status('/api/install/paid-book', headers)).toBe(200);
  });

  test('a group that is joined, left and removed', async () => {
    const { headers } = await addReader(stall, 'member@example.org');
    const download = () => status('/api/skills/paid-skill/download', headers);
    await stall.command('group', 'add', 'readers');
    expect(await stall.command('grant', 'add', '@readers', 'paid-skill', 'paid-book')).toBe(
      'Granted paid-skill to @readers for good\nGranted paid-book to @readers for good\n',
    );
    expect(await download()).toBe(403);
    await stall.command('group', 'join', 'readers', 'member@example.org');
    expect(await download()).toBe(200);
    const revoked = await run([
      'grant',
      'revoke',
      'member@example.org',
      'paid-skill',
      '--data',
      join(directory, 'data'),
    ]);
    expect([revoked.code, revoked.out]).toEqual([1, expect.stringContaining('@readers gives it')]);
    const asked = await run(['group', 'remove', 'readers', '--data', join(directory, 'data')]);
    expect([asked.code, asked.err]).toEqual([1, expect.stringContaining('member@example.org')]);
    expect(await download()).toBe(200);
    await stall.command('group', 'leave', 'readers', 'member@example.org');
    expect(await download()).toBe(403);
    writeFiles(directory, { 'members.csv': 'email,slug,groups\nmember@example.org,,readers\n' });
    await stall.command('grant', 'import', join(directory, 'members.csv'));
    expect(await download()).toBe(200);
    await stall.command('group', 'remove', 'readers', '--yes');
    expect(await download()).toBe(403);
    await stall.command('account', 'add', 'new@example.org');
    for (const wrong of [
      ['group', 'join', 'everyone', 'new@example.org'],
      ['group', 'add', 'No Good'],
      ['grant', 'add', '@nobody', 'paid-book'],
    ])
      expect((await run([...wrong, '--data', join(directory, 'data')])).code).toBe(1);
  });

  test('a grant that is added, ended, revoked and imported', async () => {
    const { headers } = await addReader(stall, 'grant@example.org');
    const download = () => status('/api/skills/paid-skill/download', headers);
    expect(await download()).toBe(403);
    await stall.command('grant', 'add', 'grant@example.org', 'paid-skill');
    expect(await download()).toBe(200);
    const past = ['--from', '2020-01-01T00:00:00Z', '--until', '2020-02-01T00:00:00Z'];
    await stall.command('grant', 'add', 'grant@example.org', 'paid-skill', ...past);
    expect(await download()).toBe(403);
    await stall.command('grant', 'add', 'grant@example.org', 'paid-skill', '--source', 'gift');
    expect(await download()).toBe(200);
    await stall.command('grant', 'revoke', 'grant@example.org', 'paid-skill');
    expect(await download()).toBe(403);
    writeFiles(directory, { 'grants.csv': 'email,slug,source\ngrant@example.org,paid-skill,shop\n' });
    await stall.command('grant', 'import', join(directory, 'grants.csv'));
    expect(await download()).toBe(200);
  });
});

test('grants are imported with new accounts, whose links are printed as CSV', async () => {
  writeFiles(directory, { 'sales.csv': 'email,slug\nsold@example.org,paid-book\n' });
  const table = await stall.command('grant', 'import', join(directory, 'sales.csv'), '--make-accounts');
  const [header, row = ''] = table.split('\r\n');
  expect(header).toBe('email,link,expires');
  expect(row).toMatch(/^sold@example\.org,http:\/\/127\.0\.0\.1:\d+\/invite#[\w-]{43},20\d\d-.*Z$/);
  const again = ['grant', 'import', join(directory, 'sales.csv'), '--make-accounts', '--json'] as const;
  expect(JSON.parse(await stall.command(...again))).toEqual({ added: 1, accounts: [] });
});

describe('--json', () => {
  test.each([
    ['account add json@example.org', { email: 'json@example.org', owner: false }],
    ['account list', expect.arrayContaining([expect.objectContaining({ email: 'json@example.org' })])],
    [
      'key create json@example.org --name laptop',
      { id: expect.any(String), key: expect.stringMatching(/^svc_\w{38}$/) },
    ],
    ['key list json@example.org', [{ name: 'laptop', revoked: null }]],
    ['grant add json@example.org paid-book', { slug: 'paid-book', kind: 'book', itemKey: 'paid-id' }],
    ['grant list json@example.org', [{ email: 'json@example.org', slug: 'paid-book', revoked: null }]],
    [
      'grant list --item paid-book json@example.org',
      [{ email: 'json@example.org', slug: 'paid-book', lastDownload: null, lastQuestion: null }],
    ],
    ['grant revoke json@example.org paid-book', { revoked: 1 }],
    ['account disable json@example.org', { disabled: expect.any(String) }],
    ['account enable json@example.org', { disabled: null }],
  ])('%s prints one JSON value', async (words, expected) => {
    const out = await stall.command(...words.split(' '), '--json');
    expect(JSON.parse(out)).toMatchObject(expected);
    expect(out.trimEnd()).not.toContain('\n');
  });

  test('logs prints JSON Lines, and a revoked key nowhere', async () => {
    const { headers } = await addReader(stall, 'lines@example.org', 'paid-book');
    for (let n = 0; n < 2; n++) await (await stall.fetch('/api/install/paid-book', { headers })).bytes();
    const words = ['logs', '--kind', 'download', '--account', 'lines@example.org', '--json'];
    const read = async () => (await stall.command(...words)).trim().split('\n');
    await until(async () => (await read()).length === 2);
    const lines = await read();
    expect(lines.map((line) => JSON.parse(line).slug)).toEqual(['paid-book', 'paid-book']);
  });
});

test.each([
  ['0: done', ['account', 'list'], 0],
  ['0: a table without rows', ['logs'], 0],
  ['1: refused', ['account', 'disable', 'nobody@example.org'], 1],
  ['1: nothing to revoke', ['key', 'revoke', '999999'], 1],
  ['2: no such command', ['accounts'], 2],
  ['2: half a command', ['account'], 2],
  ['2: a word too few', ['key', 'create'], 2],
  ['2: a word too many', ['account', 'list', 'all'], 2],
  ['2: no such flag', ['account', 'list', '--all'], 2],
])('exit code %s', async (_, words, code) => {
  expect((await run(words, { cwd: directory })).code).toBe(code);
});

test('a command waits neither for a reader nor for a writer of the database when it ends', async () => {
  const other = new Database(join(directory, 'data/bookstall.db'));
  try {
    for (const held of ['BEGIN; SELECT count(*) FROM accounts', 'ROLLBACK; BEGIN IMMEDIATE']) {
      other.run(held);
      // A busy machine may delay one command; one that waits for the database is late every time.
      let least = Infinity;
      for (let tries = 0; tries < 10 && least >= 3000; tries++) {
        const begun = performance.now();
        await stall.command('logs', '--json');
        least = Math.min(least, performance.now() - begun);
      }
      expect(least).toBeLessThan(3000);
    }
  } finally {
    other.close();
  }
});

test.skipIf(!isRoot)("root's commands and server on the data of another user run as that user", async () => {
  const own = ownDirectory();
  const { uid } = statSync(own);
  const first = await serve(own, [], { program });
  await addReader(first, 'root@example.org', 'paid-book');
  expect(await first.stop()).toBe(0);
  for (const words of [
    ['reindex', '--content', 'content'],
    ['backup', 'data/copy.db'],
    ['restore', 'data/copy.db', '--replace'],
  ])
    expect((await run(words, { cwd: own })).code).toBe(0);
  const second = await serve(own);
  expect(await second.stop()).toBe(0);
  const owners = readdirSync(join(own, 'data'), { recursive: true }).map(
    (path) => statSync(join(own, 'data', String(path))).uid,
  );
  expect(owners.length).toBeGreaterThan(5);
  expect(owners.filter((owner) => owner !== uid)).toEqual([]);
});

describe.skipIf(!isRoot)('a link that the owner of the data planted leads root nowhere', () => {
  const setup = 'sell setup stripe --base-url https://stall.example.org';
  test.each([
    ['sell check', 'data/bookstall.lock'],
    ['sell setup stripe', 'data/serve.lock'],
    [setup, 'data/.#stripe-webhook-secret.new'],
    [setup, 'content/books/paid-book/.#item.yaml.new'],
  ])('in %s, from %s', async (line, link) => {
    const own = ownDirectory();
    const account = await openStripeAccount();
    expect(await (await serve(own, [], { program })).stop()).toBe(0);
    const victim = join(temporaryDirectory(), 'victim');
    writeFileSync(victim, 'of root', { mode: 0o640 });
    rmSync(join(own, link), { force: true });
    symlinkSync(victim, join(own, link));
    const env = { BOOKSTALL_STRIPE_SETUP_KEY: 'rk_live_hush', BOOKSTALL_STRIPE_API_URL: account.url };
    await run(line.split(' '), { cwd: own, env });
    const { uid, mode } = statSync(victim);
    expect([uid, mode & 0o777, readFileSync(victim, 'utf8')]).toEqual([0, 0o640, 'of root']);
  });
});

test.skipIf(!isRoot).each(['<people.csv', '< <(cat people.csv)'])(
  'root hands a file of its own to a command with %s',
  async (redirection) => {
    const own = ownDirectory();
    expect(await (await serve(own, [], { program })).stop()).toBe(0);
    writeFileSync(join(own, 'people.csv'), 'email,slug\nann@example.org,paid-book\n', { mode: 0o600 });
    const words = 'grant import /dev/stdin --make-accounts --base-url http://127.0.0.1';
    const shell = ['bash', '-c', `"$@" ${redirection}`, 'bash', PROGRAM];
    const { code, err } = await run(words.split(' '), { cwd: own, program: shell });
    expect([code, err]).toEqual([0, 'Added 1 grant; new accounts: 1\n']);
  },
);

test.skipIf(!isRoot)('root hears that the owner of the data may not read a backup', async () => {
  const closed = join(temporaryDirectory(), 'backup.db');
  writeFileSync(closed, '', { mode: 0o600 });
  const { code, err } = await run(['restore', closed], {
    cwd: ownDirectory({}),
    env: { BOOKSTALL_DATA: '.' },
  });
  expect([code, err]).toEqual([
    1,
    `Cannot restore "${closed}": permission denied; let the owner of the data read it, and enter its folder\n`,
  ]);
});

test.skipIf(!isRoot)('a file that root replaces belongs to the owner of its folder', async () => {
  const own = ownDirectory();
  await replaceFile(join(own, 'secret'), 'hush');
  expect(statSync(join(own, 'secret')).uid).toBe(statSync(own).uid);
});
