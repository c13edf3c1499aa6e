import { afterAll, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeDatabase } from '../platform/store/database-file.ts';
import { SCHEMA } from '../../src/platform/store/database.ts';
import { backedUp, json } from './backed-up.ts';
import { addReader, buildProgram, PROGRAM, run, serve, stallDirectory } from './program.ts';

await buildProgram();

describe('beside a running server', () => {
  const directory = stallDirectory();

  test('a stall is backed up, lost, restored and served: keys and grants work as they did', async () => {
    const stall = await serve(directory);
    const reader = await addReader(stall, 'ann@example.org', 'paid-book');
    const said = await stall.command('backup', 'one.db');
    expect(said).toMatch(
      /^Backed up to .*one\.db\n {2}\d+ bytes, rows: accounts 1, .*keys 1.*\n {2}read again and sound; sha256 \w{64}/,
    );
    await addReader(stall, 'late@example.org');
    await stall.command('key', 'revoke', reader.id);
    const refused = await run(['restore', 'one.db', '--replace'], { cwd: directory });
    expect([refused.code, refused.err]).toEqual([
      1,
      'Cannot restore into "data": a server works in it; stop the server first\n',
    ]);
    expect(await stall.stop()).toBe(0);

    const unasked = await run(['restore', 'one.db'], { cwd: directory });
    expect([unasked.code, unasked.out]).toEqual([1, '']);
    const { code, out, err } = await run(['restore', 'one.db', '--replace'], { cwd: directory });
    expect(code).toBe(0);
    expect(out).toContain('its checksum matches\n  the database before is kept as data/bookstall-replaced-');
    expect(err).toContain('keys and grants that were revoked since are valid again');

    const again = await serve(directory);
    const { headers } = reader;
    expect((await again.fetch('/api/install/paid-book', { headers })).status).toBe(200);
    expect(await again.command('account', 'list')).not.toContain('late@example.org');
    expect(await again.stop()).toBe(0);
  });

  test('each of four backups amid grants holds those of the commands before, in their order', async () => {
    const stall = await serve(directory);
    await stall.command('account', 'add', 'shop@example.org');
    let isGranting = true;
    let granted = 0;
    const granting = (async () => {
      for (; isGranting; granted++) {
        const source = `order-${String(granted).padStart(4, '0')}`;
        await stall.command('grant', 'add', 'shop@example.org', 'paid-book', '--source', source);
      }
    })();
    for (let n = 0; n < 4; n++) {
      const before = granted;
      await json(directory, 'backup', `amid-${n}.db`);
      const after = granted;
      await run(['restore', `amid-${n}.db`, '--data', `data-${n}`], { cwd: directory });
      const held = (await json(
        directory,
        'grant',
        'list',
        'shop@example.org',
        '--data',
        `data-${n}`,
      )) as unknown as { source: string }[];
      expect(held.map(({ source }) => source)).toEqual(
        held.map((_, index) => `order-${String(index).padStart(4, '0')}`),
      );
      expect(held.length).toBeWithin(before, after + 2);
    }
    isGranting = false;
    await granting;
    expect(granted).toBeGreaterThan(5);
    expect(await stall.stop()).toBe(0);
  });
});

describe('serve --backup-every', () => {
  test('backs up at once where there is none, and not again after a restart', async () => {
    const directory = stallDirectory();
    for (const round of [1, 2]) {
      const stall = await serve(directory, ['--backup-every', '1h', '--backup-keep', '3']);
      if (round === 1) await stall.err.until('"event":"backup"');
      await Bun.sleep(round === 1 ? 0 : 500);
      expect(await stall.stop()).toBe(0);
      expect(
        readdirSync(join(directory, 'data/backups')).filter((name) => name.endsWith('.db')),
      ).toHaveLength(1);
    }
    const name = readdirSync(join(directory, 'data/backups')).find((found) => found.endsWith('.db')) ?? '';
    expect(
      (await run(['restore', join('data/backups', name), '--data', 'other'], { cwd: directory })).code,
    ).toBe(0);
  });

  test('one that fails is a line with a remedy, and serving goes on', async () => {
    const directory = stallDirectory();
    const env = { BOOKSTALL_BACKUP_EVERY: '1h', BOOKSTALL_BACKUP_DIR: 'not/there' };
    const stall = await serve(directory, [], { env });
    const line = (await stall.err.until('"event":"backup-failed"'))
      .split('\n')
      .find((text) => text.includes('backup-failed'));
    expect(JSON.parse(line ?? '').message).toMatch(
      /^Cannot back up to ".*": ENOENT: no such file or directory; make that folder first\. It is tried again in 15 minutes$/,
    );
    expect((await stall.fetch('/api/items')).status).toBe(200);
    expect(await stall.stop()).toBe(0);
  });

  test('a stop does not wait for one that runs; the next start is rid of what it left', async () => {
    const directory = stallDirectory();
    mkdirSync(join(directory, 'data'));
    writeDatabase(join(directory, 'data/bookstall.db'), 300_000);
    const backups = (): readonly string[] => readdirSync(join(directory, 'data/backups'));
    // Not until it is ready: by then a fast disk has the backup.
    const words = [PROGRAM, 'serve', '--port', '0', '--backup-every', '1h'];
    const stall = Bun.spawn(words, { cwd: directory, stdout: 'ignore', stderr: 'ignore' });
    afterAll(() => stall.kill('SIGKILL'));
    while (!existsSync(join(directory, 'data/backups')) || backups().length === 0) await Bun.sleep(1);
    expect(backups()[0]).toContain('.unfinished-');
    stall.kill('SIGTERM');
    expect(await stall.exited).toBe(0);
    expect(backups().filter((name) => name.endsWith('.db'))).toEqual([]);
    const next = await serve(directory, ['--backup-every', '1h']);
    await next.err.until('"event":"backup"');
    expect(backups().filter((name) => name.includes('unfinished'))).toEqual([]);
    expect(await next.stop()).toBe(0);
  });
});

test.each([
  ['--backup-every 1x', 'write it as 90s, 30m, 24h or 7d, of at least 1m'],
  ['--backup-every 10s', 'of at least 1m'],
  ['--backup-every 24h --backup-keep 0', 'Cannot keep "0" backups: give a number from 1'],
  ['--keep-logs 6m', 'of at least 1d'],
])('serve %s is a usage error', async (flags, sentence) => {
  const { code, err } = await run(['serve', ...flags.split(' ')], { cwd: stallDirectory() });
  expect([code, err]).toEqual([2, expect.stringContaining(sentence)]);
});

test('serve --keep-logs deletes older rows at its start, and tells how many', async () => {
  const directory = stallDirectory();
  const first = await serve(directory);
  await (await first.fetch('/api/install/free-book')).bytes();
  expect(await first.stop()).toBe(0);
  const age =
    "import { Database } from 'bun:sqlite'; new Database('data/bookstall.db').run('UPDATE downloads SET downloaded_at = downloaded_at - 86400000 * 3');";
  await Bun.spawn([process.execPath, '-e', age], { cwd: directory }).exited;
  const stall = await serve(directory, ['--keep-logs', '2d']);
  const line = (await stall.err.until('"event":"retention"'))
    .split('\n')
    .find((text) => text.includes('"retention"'));
  expect(JSON.parse(line ?? '')).toMatchObject({
    message: 'Deleted the log rows older than 2 days',
    questions: 0,
    downloads: 1,
  });
  expect(await stall.command('logs', '--kind', 'download', '--json')).toBe('');
  expect(await stall.stop()).toBe(0);
});

test('a backup of a data directory that is none says where it looked', async () => {
  const { code, err } = await run(['backup', 'one.db', '--data', 'nowhere'], { cwd: stallDirectory() });
  expect([code, err]).toEqual([1, expect.stringContaining('in "nowhere"')]);
});

test('--json prints one value: what was proven', async () => {
  const directory = await backedUp(3);
  const backup = await json(directory, 'backup', 'copies', '--keep', '2');
  expect(backup).toMatchObject({
    schema: SCHEMA,
    tables: { accounts: 3 },
    removed: [],
  });
  const restored = await json(directory, 'restore', 'one.db', '--data', 'other');
  expect(restored).toMatchObject({ schema: SCHEMA, tables: { accounts: 3 }, hasChecksum: true, kept: null });
  expect(readFileSync(join(directory, 'data/backup.json'), 'utf8')).toContain(String(backup['sha256']));
});
