import { expect, test } from 'bun:test';
import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diagnose, expectFindings, freePort, healthyStall, serveStall } from './examined-stall.ts';
import { isRoot, program } from './ordinary-user.ts';
import { PROGRAM, run, serve } from './program.ts';

/** Every file below a directory with its bytes, mode, owner and time; a WAL's index is touched by whoever reads. */
function listFiles(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true })
    .map((path) => join(directory, String(path)))
    .sort()
    .map((path) => {
      const { mode, uid, mtimeMs, size } = statSync(path);
      if (path.endsWith('-shm') || statSync(path).isDirectory()) return `${path} ${mode} ${uid}`;
      const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
      return `${path} ${mode} ${uid} ${mtimeMs} ${size} ${hash}`;
    });
}

test('a healthy stall that is stopped has no finding, and every check is good', async () => {
  const diagnosis = await diagnose(healthyStall());
  expectFindings(diagnosis, []);
  expect(diagnosis.err).toBe(`${diagnosis.lines.length} checks: ${diagnosis.lines.length} good\n`);
  for (const { remedy } of diagnosis.lines) expect(remedy).toBeNull();
});

test('a healthy stall that is served has no finding, and the doctor needs none of the flags of its server', async () => {
  const directory = healthyStall();
  const { url, stop } = await serveStall(directory, ['--content', 'content', '--max-files', '20']);
  // Another directory, and an environment that is not the server's.
  const env = { BOOKSTALL_CONTENT: 'elsewhere', BOOKSTALL_MAX_FILES: '1' };
  const { code, out, err } = await run(['doctor', '--json', '--data', join(directory, 'data')], {
    program,
    env,
  });
  const lines = JSON.parse(out) as { check: string; status: string; sentence: string }[];
  expect(lines.filter(({ status }) => status !== 'ok')).toEqual([]);
  expect([code, err]).toEqual([0, `${lines.length} checks: ${lines.length} good\n`]);
  const said = (name: string) => lines.find(({ check }) => check === name)?.sentence;
  expect(said('server')).toMatch(
    new RegExp(`^Version \\S+, process \\d+, ready at ${new URL(url).origin} since \\d{4}-`),
  );
  expect(await stop()).toBe(0);
});

test('a flag beats what the running server says of itself', async () => {
  const directory = healthyStall();
  const { stop } = await serveStall(directory);
  const { lines } = await diagnose(directory, ['--content', 'elsewhere']);
  expect(lines.find(({ check }) => check === 'content')?.sentence).toContain('"elsewhere"');
  expect(await stop()).toBe(0);
});

test.each([
  ['stopped', false],
  ['stopped, and its database closed without a trace of a WAL', true],
])('it changes nothing: %s', async (_, withoutWal) => {
  const directory = healthyStall();
  if (withoutWal)
    for (const end of ['wal', 'shm']) rmSync(join(directory, `data/bookstall.db-${end}`), { force: true });
  const before = listFiles(directory);
  expectFindings(await diagnose(directory), []);
  expect(listFiles(directory)).toEqual(before);
});

test('it changes nothing where there is nothing', async () => {
  const directory = healthyStall();
  for (const name of ['data', 'content']) rmSync(join(directory, name), { recursive: true });
  const before = readdirSync(directory);
  expect((await diagnose(directory)).code).toBe(1);
  expect(readdirSync(directory)).toEqual(before);
});

test('one failing check hides none of the others', async () => {
  const directory = healthyStall();
  writeFileSync(join(directory, 'data/bookstall.db'), 'no database at all'.repeat(500));
  rmSync(join(directory, 'content'), { recursive: true });
  rmSync(join(directory, 'data/backup.json'));
  chmodSync(join(directory, 'data'), 0o777);
  expectFindings(
    await diagnose(directory, ['--base-url', 'https://stall.invalid']),
    [
      ['data directory', 'fail', /may change/, /chmod 700/],
      ['database', 'fail', /is not a database/, /restore a backup/],
      ['content', 'fail', /^Cannot find the content directory "content"$/, /^Name another with --content/],
      ['backup', 'warn', /^No backup is recorded$/, /bookstall backup FILE/],
      ['proxy', 'warn', /https:\/\/stall\.invalid means that a proxy is in front/, /--trusted-proxies/],
    ],
    ['kept editions', 'repositories', 'mail'],
  );
});

test('the page has a line a check, and the remedy in the next line', async () => {
  const directory = healthyStall();
  rmSync(join(directory, 'data/backup.json'));
  const { code, out, err } = await run(['doctor', '--port', String(freePort())], { cwd: directory, program });
  expect([code, err]).toEqual([0, '18 checks: 17 good, 1 warning\n']);
  expect(out).toContain('ok    data directory  "data" can be used, and is closed to others\n');
  expect(out).toContain(
    `warn  backup          No backup is recorded\n${' '.repeat(22)}Make one in the office`,
  );
  expect(out.split('\n')).toHaveLength(18 + 1 + 1);
  expect(out).not.toContain('\u001b');
});

test.skipIf(process.platform !== 'linux').each([
  ['xterm', '', true],
  ['xterm', '1', false],
])('a terminal %s with NO_COLOR=%j has colours: %p', async (TERM, NO_COLOR, isColoured) => {
  const line = `'${PROGRAM}' doctor --port ${freePort()}`;
  const { out } = await run(['-qec', line, '/dev/null'], {
    cwd: healthyStall(),
    program: ['script'],
    env: { TERM, NO_COLOR },
  });
  expect(out.includes('\u001b[32mok  \u001b[0m  data directory')).toBe(isColoured);
  expect(out).toContain('data directory');
});

test('a setting that cannot be read ends with 2, as it would for serve', async () => {
  const directory = healthyStall();
  const { code, out, err } = await run(['doctor', '--trusted-proxies', 'proxy'], { cwd: directory, program });
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain('--trusted-proxies: Cannot parse the trusted proxies "proxy"');
});

test.skipIf(!isRoot)('root sees what the user of the stall sees', async () => {
  const { code, lines } = await diagnose(healthyStall(), [], { program: [PROGRAM] });
  expect([code, lines[0]?.sentence]).toEqual([0, 'The stall runs as user 65534']);
});

test.skipIf(!isRoot)('a stall that root runs is warned of, served and stopped', async () => {
  const directory = healthyStall();
  Bun.spawnSync(['chown', '-R', '0:0', directory]);
  const warned = async () => (await diagnose(directory, [], { program: [PROGRAM] })).lines[0];
  expect(await warned()).toMatchObject({ status: 'warn', sentence: 'The stall belongs to root' });
  const server = await serve(directory);
  expect(await warned()).toMatchObject({ status: 'warn', sentence: 'The server runs as root' });
  expect((await warned())?.remedy).toContain('a user of its own');
  expect(await server.stop()).toBe(0);
});
