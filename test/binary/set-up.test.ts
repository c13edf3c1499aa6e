import { describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { buildProgram, run, type Served, serve, stallDirectory } from './program.ts';

await buildProgram();

const LINK = /^(http:\/\/\S+)\/set-up#([A-Za-z0-9_-]{43})$/m;

async function secretOf({ err }: Served, after = 'account add EMAIL --owner'): Promise<string> {
  return LINK.exec(await err.until(after))?.[2] ?? '';
}

/** Whether a text stands in any file of a directory, the database and its log among them. */
function isStored(directory: string, text: string): boolean {
  const files = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.some(({ parentPath, name }) => readFileSync(join(parentPath, name)).includes(text));
}

describe('a stall without an owner', () => {
  test.each([[[]], [['--demo']]])(
    'started with %j says the set-up link once, in no line of the log, and in a file for its user alone',
    async (flags) => {
      const directory = stallDirectory();
      const stall = await serve(directory, flags);
      const secret = await secretOf(stall, flags.length > 0 ? 'from a shell' : undefined);
      expect(secret).toHaveLength(43);
      const said = stall.err
        .text()
        .split('\n')
        .filter((line) => line.includes(secret));
      expect(said).toEqual([`${stall.url}/set-up#${secret}`]);
      expect(stall.out.text()).not.toContain(secret);
      const file = join(directory, 'data/setup-url');
      expect(readFileSync(file, 'utf8')).toBe(`${said[0]}\n`);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      const stored = readdirSync(join(directory, 'data')).filter((name) => name.startsWith('bookstall.db'));
      for (const name of stored)
        expect(readFileSync(join(directory, 'data', name)).includes(secret)).toBe(false);
      await stall.stop();
    },
  );

  test('says another at each start, and none once there is an owner', async () => {
    const directory = stallDirectory();
    const first = await serve(directory);
    const earlier = await secretOf(first);
    await first.stop();
    const second = await serve(directory);
    const later = await secretOf(second);
    expect(later).not.toBe(earlier);
    await second.command('account', 'add', 'owner@example.org', '--owner');
    await second.stop();
    const third = await serve(directory);
    await third.stop();
    expect(third.err.text()).not.toContain('set-up');
    expect(existsSync(join(directory, 'data/setup-url'))).toBe(false);
    expect([isStored(directory, earlier), isStored(directory, later)]).toEqual([false, false]);
  });
});

describe('account link', () => {
  test('prints a link to the running server, its secret nowhere else', async () => {
    const stall = await serve(stallDirectory());
    const added = await stall.command('account', 'add', 'ann@example.org');
    expect(added).toContain('Next: bookstall account link ann@example.org');
    const url = (await stall.command('account', 'link', 'ann@example.org')).trim();
    expect(url).toMatch(new RegExp(`^${stall.url}/invite#[A-Za-z0-9_-]{43}$`));
    const reset = JSON.parse(
      await stall.command('account', 'link', 'ann@example.org', '--reset', '--json'),
    ) as Record<string, string>;
    expect(reset).toMatchObject({ email: 'ann@example.org', purpose: 'reset' });
    expect(reset['url']).toStartWith(`${stall.url}/reset#`);
    const inThreeDays = Date.now() + 72 * 3_600_000;
    expect(Math.abs(Date.parse(reset['expires'] ?? '') - inThreeDays)).toBeLessThan(60_000);
    const exported = await stall.command('account', 'export', 'ann@example.org');
    for (const secret of [url, reset['url'] ?? ''].map((text) => text.slice(-43)))
      expect([stall.err.text().includes(secret), exported.includes(secret)]).toEqual([false, false]);
    await stall.stop();
  });

  test.each<[string, readonly string[], Readonly<Record<string, string>>, string]>([
    [
      'the flag',
      ['--base-url', 'https://shop.example.org/'],
      { BOOKSTALL_BASE_URL: 'https://env.example.org' },
      'https://shop.example.org',
    ],
    ['the environment', [], { BOOKSTALL_BASE_URL: 'https://env.example.org' }, 'https://env.example.org'],
    ['nothing, without a server', [], {}, 'http://127.0.0.1:7070'],
    ['the port it would have', [], { BOOKSTALL_PORT: '8080', BOOKSTALL_HOST: '::1' }, 'http://[::1]:8080'],
  ])('names the stall by %s', async (_, flags, env, origin) => {
    const directory = stallDirectory();
    await (await serve(directory)).stop();
    await run(['account', 'add', 'ann@example.org'], { cwd: directory });
    const { code, out } = await run(['account', 'link', 'ann@example.org', ...flags], {
      cwd: directory,
      env,
    });
    expect([code, out.split('#')[0]]).toEqual([0, `${origin}/invite`]);
  });

  test('names a running stall by its base URL', async () => {
    const stall = await serve(stallDirectory(), ['--base-url', 'https://shop.example.org']);
    await stall.command('account', 'add', 'ann@example.org');
    expect(await stall.command('account', 'link', 'ann@example.org')).toStartWith(
      'https://shop.example.org/invite#',
    );
    await stall.stop();
  });

  test.each([
    [
      'a base URL with a path',
      ['ann@example.org', '--base-url', 'https://a.example.org/shop'],
      2,
      'Cannot use "https://a.example.org/shop" as the base URL',
    ],
    ['nobody', ['nobody@example.org'], 1, 'Cannot find an account "nobody@example.org"'],
  ])('refuses %s', async (_, words, expected, sentence) => {
    const directory = stallDirectory();
    await (await serve(directory)).stop();
    const { code, out, err } = await run(['account', 'link', ...words], { cwd: directory });
    expect([code, out]).toEqual([expected, '']);
    expect(err).toContain(sentence);
  });
});
