import { describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SHELF, temporaryDirectory, writeFiles } from '../helpers/harness.ts';
import { buildProgram, run, serve, stallDirectory } from './program.ts';

await buildProgram();

/** One sentence that says what cannot be done and what to do instead; no stack, no second line. */
const SENTENCE = /^Cannot [^\n]+[^.\n]\n$/;

describe('a second serve', () => {
  test('on the same data directory is refused, and the first goes on', async () => {
    const directory = stallDirectory();
    const stall = await serve(directory);
    const second = await run(['serve', '--port', '0'], { cwd: directory });
    expect([second.code, second.out]).toEqual([1, '']);
    expect(second.err).toMatch(SENTENCE);
    expect(second.err).toContain('another bookstall serves from it');
    expect((await stall.fetch('/api/install/free-book')).status).toBe(200);
  });

  test('on the same port is refused, leaves its data directory free, and the first answers every request', async () => {
    const stall = await serve(stallDirectory());
    const other = stallDirectory();
    const second = await run(['serve', '--port', new URL(stall.url).port], { cwd: other });
    expect([second.code, second.out]).toEqual([1, '']);
    expect(second.err).toMatch(SENTENCE);
    expect(second.err).toContain('choose another --port');
    for (let n = 0; n < 20; n++) expect((await stall.fetch('/livez')).status).toBe(200);
    expect(await (await serve(other)).stop()).toBe(0);
  });

  test('is welcome once the first was killed', async () => {
    const directory = stallDirectory();
    const first = await serve(directory);
    first.kill('SIGKILL');
    await first.exited;
    expect((await (await serve(directory)).fetch('/readyz')).status).toBe(200);
  });
});

test('the program holds its fonts', async () => {
  const stall = await serve(stallDirectory());
  const page = await (await stall.fetch('/')).text();
  for (const [, url = ''] of page.matchAll(/rel="preload" href="([^"]+)"/g)) {
    const font = await stall.fetch(url);
    expect(Buffer.from((await font.bytes()).subarray(0, 4)).toString()).toBe('wOF2');
  }
});

describe('serve says', () => {
  test('where it listens, and where readers reach it if that is elsewhere', async () => {
    const plain = await serve(stallDirectory());
    expect(plain.err.text()).toMatch(
      /"message":"Bookstall listens on http:\/\/127\.0\.0\.1:\d+","origin":"[^"]+"}/,
    );
    const fronted = await serve(stallDirectory(), ['--base-url', 'https://stall.example.org']);
    expect(fronted.err.text()).toMatch(
      /"message":"Bookstall listens on http:\/\/127\.0\.0\.1:\d+; readers reach it at https:\/\/stall\.example\.org"/,
    );
    expect(fronted.err.text()).toMatch(/"origin":"https:\/\/stall\.example\.org","address":"http:[^"]+:\d+"/);
  });
});

describe('what a stall keeps is for its user alone', () => {
  test.each(['that it makes', 'that is there and empty'])('in a data directory %s', async (which) => {
    const directory = stallDirectory({ ...SHELF, 'stall.yaml': 'name: The Heron Stall\n' });
    const data = join(directory, 'data');
    if (which === 'that is there and empty') mkdirSync(data, { mode: 0o755 });
    await serve(directory);
    const modeOf = (path: string) => statSync(join(data, path)).mode & 0o777;
    expect(
      [
        '',
        'bookstall.db',
        'publication.json',
        'stall.json',
        'serve.json',
        'serve.pid',
        'serve.lock',
        'bookstall.lock',
      ].map(modeOf),
    ).toEqual([0o700, 0o600, 0o600, 0o600, 0o600, 0o600, 0o600, 0o600]);
  });
});

describe('serve refuses', () => {
  test.each([
    ['a port that is none', 2, ['--port', '70000'], 'port "70000"'],
    ['a base URL with a path', 2, ['--base-url', 'https://stall.example/shop'], 'an origin without a path'],
    ['a budget that is none', 2, ['--budget', '60'], 'budget'],
    ['an address it does not have', 1, ['--host', '192.0.2.1', '--port', '0'], '192.0.2.1'],
    ['the demo for others', 1, ['--demo', '--host', '0.0.0.0'], 'leave --host at 127.0.0.1'],
    ['the demo for all of IPv6', 1, ['--demo', '--host', '::'], 'leave --host at 127.0.0.1'],
    ['the demo behind https', 1, ['--demo', '--base-url', 'https://stall.example'], 'leave --base-url out'],
    ['the demo at another name', 1, ['--demo', '--base-url', 'http://stall.example'], 'leave --base-url out'],
  ])('%s', async (_, expected, args, reason) => {
    const { code, out, err } = await run(['serve', ...args], { cwd: stallDirectory() });
    expect({ code, out }).toEqual({ code: expected, out: '' });
    expect(err).toContain(reason);
    expect(err).not.toMatch(/Internal error|\$bunfs|svc_/);
  });

  test('an engine it does not have', async () => {
    const surroundings = { cwd: stallDirectory(), env: { BOOKSTALL_ENGINE: 'oracle' } };
    const { code, err } = await run(['serve', '--port', '0'], surroundings);
    expect(code).toBe(2);
    expect(err).toContain('Cannot answer with engine "oracle"');
  });

  test('a database that is none, and leaves it as it is', async () => {
    const directory = stallDirectory();
    writeFiles(directory, { 'data/bookstall.db': 'A shopping list\n'.repeat(400) });
    const { code, err } = await run(['serve', '--port', '0'], { cwd: directory });
    expect(code).toBe(1);
    expect(err).toMatch(SENTENCE);
    expect(readFileSync(join(directory, 'data/bookstall.db'), 'utf8')).toStartWith('A shopping list\n');
  });
});

// 192.0.2.1 is nobody's address (RFC 5737), so that the test opens no port to others.
test.each([
  ['says so', [], true],
  ['says so behind a base URL without TLS', ['--base-url', 'http://stall.example'], true],
  ['says nothing behind an https base URL', ['--base-url', 'https://stall.example'], false],
] as const)('serve for others without TLS %s', async (_, args, isSaid) => {
  const { err } = await run(['serve', '--host', '192.0.2.1', ...args], { cwd: stallDirectory() });
  expect(err).toContain('Cannot listen on 192.0.2.1');
  expect(err.includes('"event":"plain-http","message":"Listening on')).toBe(isSaid);
});

describe('a command on a data directory that is not there', () => {
  test.each(
    [
      'account add a@example.org',
      'account list',
      'account disable a@example.org',
      'account enable a@example.org',
      'key create a@example.org',
      'key list a@example.org',
      'key revoke 1',
      'key rotate 1',
      'token create a@example.org',
      'token list a@example.org',
      'token revoke 1',
      'grant add a@example.org free-book',
      'grant list',
      'grant revoke a@example.org free-book',
      'grant import grants.csv',
      'logs',
    ].map((words) => [words]),
  )('%s says where it looked, and makes nothing', async (words) => {
    const directory = temporaryDirectory();
    const { code, out, err } = await run([...words.split(' '), '--data', 'elsewhere'], { cwd: directory });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(SENTENCE);
    expect(err).toContain('"elsewhere"');
    expect(existsSync(join(directory, 'elsewhere'))).toBeFalse();
  });

  test('makes nothing in an empty one either', async () => {
    const directory = temporaryDirectory();
    mkdirSync(join(directory, 'data'));
    expect((await run(['account', 'list'], { cwd: directory })).code).toBe(1);
    expect([...new Bun.Glob('**').scanSync({ cwd: join(directory, 'data'), dot: true })]).toEqual([]);
  });
});
