import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../helpers/harness.ts';
import { buildProgram, run, type Served, serve, stallDirectory } from './program.ts';

await buildProgram();

const KEY = /svc_[0-9A-Za-z]{38}/;

async function demoLines({ out }: Served): Promise<readonly string[]> {
  const printed = await out.until('/api/agent/fetch\n');
  return printed.split('\n').filter((line) => line !== '');
}

test('--demo prints at least four lines that work in order in an empty directory', async () => {
  const stall = await serve(stallDirectory(), ['--demo']);
  const lines = await demoLines(stall);
  expect(lines.length).toBeGreaterThanOrEqual(4);
  const directory = temporaryDirectory();
  const answers: string[] = [];
  for (const line of lines) {
    expect(line).toStartWith('curl ');
    const { code, out, err } = await run(['-o', 'pipefail', '-c', line], {
      cwd: directory,
      program: ['bash'],
    });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    answers.push(out);
  }
  expect(existsSync(join(directory, 'free-book/.svc-install'))).toBeTrue();
  expect(existsSync(join(directory, 'paid-skill/scripts/run.sh'))).toBeTrue();
  expect(answers.join('\n')).toContain('"subscriberId"');
  expect(answers.at(-1)).toMatch(/event: done\ndata: .*"outcome":"(quoted|not_covered)"/);
});

test('a restart renews the demo key and revokes the earlier one; no log line holds it', async () => {
  const directory = stallDirectory();
  const status = async ({ fetch }: Served, key: string) =>
    (await fetch('/api/cli/library', { headers: { Authorization: `Bearer ${key}` } })).status;
  const keyOf = async (stall: Served) => KEY.exec((await demoLines(stall)).join('\n'))?.[0] ?? '';

  const first = await serve(directory, ['--demo']);
  const earlier = await keyOf(first);
  expect(await status(first, earlier)).toBe(200);
  expect(await first.stop()).toBe(0);

  const second = await serve(directory, ['--demo']);
  const renewed = await keyOf(second);
  expect(await status(second, earlier)).toBe(401);
  expect(await status(second, renewed)).toBe(200);
  expect(await second.stop()).toBe(0);
  for (const { err } of [first, second]) expect(err.text()).not.toMatch(KEY);

  const keys = await run(['key', 'list', 'demo@bookstall.invalid', '--json'], { cwd: directory });
  const [newest] = (
    JSON.parse(keys.out) as { expires: string; created: string; revoked: string | null }[]
  ).filter(({ revoked }) => revoked === null);
  expect(Date.parse(newest?.expires ?? '') - Date.parse(newest?.created ?? '')).toBe(86_400_000);
});

test('a pretended sale is whole after kill -9, and gone with its grant at a start without --demo', async () => {
  const directory = stallDirectory();
  const orders = async ({ command }: Served) =>
    (JSON.parse(await command('orders', 'list', '--json')) as { state: string; email: string }[]).map(
      ({ state, email }) => [state, email],
    );
  const first = await serve(directory, ['--demo']);
  await first.command('account', 'add', 'ada@example.org');
  const paid = await first.fetch('/demo/buy/paid-book', {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ email: 'ada@example.org' }),
  });
  expect(paid.headers.get('location')).toMatch(/^\/claim\/demo\?id=demo_[0-9a-f]{32}$/);
  // Another buyer is let in, and the program is killed as soon as the browser has its cookie.
  const returned = await first.fetch('/demo/buy/paid-book', {
    method: 'POST',
    redirect: 'manual',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ email: 'reader@example.com' }),
  });
  const kept = await first.fetch(returned.headers.get('location') ?? '', { redirect: 'manual' });
  const [claim = ''] = kept.headers.get('set-cookie')?.split(';') ?? [];
  const opened = await first.fetch('/claim', { redirect: 'manual', headers: { Cookie: claim } });
  const [Cookie = ''] = opened.headers.get('set-cookie')?.split(';') ?? [];
  first.kill('SIGKILL');
  await first.exited;

  const second = await serve(directory, ['--demo']);
  expect(await orders(second)).toEqual(
    expect.arrayContaining([
      ['paid', 'ada@example.org'],
      ['paid', 'reader@example.com'],
    ]),
  );
  const page = await second.fetch(opened.headers.get('location') ?? '', { headers: { Cookie } });
  expect([page.status, opened.headers.get('location')]).toEqual([200, expect.stringContaining('?bought=')]);
  expect(await second.command('grant', 'list', 'ada@example.org')).toContain('paid-book');
  second.kill('SIGKILL');
  await second.exited;

  const third = await serve(directory);
  expect(await orders(third)).toEqual([]);
  expect(await third.command('grant', 'list', 'ada@example.org')).not.toContain('paid-book');
  expect(await third.command('account', 'list')).not.toContain('demo@bookstall.invalid');
  await third.stop();
});
