// A real nginx with a shared cache in front, and the lines of the Handbook that mask links in its log and Caddy's.
import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStall, temporaryDirectory, until } from '../helpers/harness.ts';
import { caddyLogLines, freePort, isUp, startCachingNginx } from './caching-nginx.ts';

const testNginx = Bun.which('nginx') === null ? test.skip : test;
const testCaddy = Bun.which('caddy') === null ? test.skip : test;

describe('behind a shared cache', () => {
  testNginx("no account is shown another's answer, and a log holds no link", async () => {
    const stall = await openStall();
    const { url, log } = await startCachingNginx(stall.url);
    const holder = await stall.reader('a@example.org', 'paid-book', 'paid-skill');
    const stranger = await stall.reader('b@example.org');
    const { token } = await stall.app.admin.tokens.create(holder.email, {
      name: 'x',
      slugs: [],
      reads: false,
      term: 'never',
    });
    const paths = [
      '/books/paid-book/.well-known/skills/index.json',
      '/books/paid-book/.well-known/skills/paid-book/SKILL.md',
      '/skills/paid-skill/.well-known/agent-skills/paid-skill/SKILL.md',
      '/books/paid-book/llms.txt',
      '/api/books/paid-id/skill',
      '/api/books/paid-id/epub',
      '/marketplace.json',
    ];
    const ask = async (path: string, headers: Record<string, string> = {}) => {
      const answer = await fetch(`${url}${path}`, { headers });
      return { status: answer.status, text: await answer.text(), cache: answer.headers.get('x-cache') };
    };
    for (const path of paths) {
      const first = await ask(path, holder.headers);
      expect([path, first.status]).toEqual([path, 200]);
      for (const headers of [{}, stranger.headers]) {
        const other = await ask(path, headers);
        expect([path, other.cache]).not.toEqual([path, 'HIT']);
        expect(other.text).not.toMatch(/heron of paid|references\/01|Do it well|sha256:/);
        if (path !== '/marketplace.json') expect(other.status).toBeGreaterThanOrEqual(401);
        else expect(other.text).not.toContain('paid-book');
      }
      expect((await ask(path, holder.headers)).status).toBe(200);
    }
    const link = `/i/${token}/.well-known/skills/index.json`;
    expect((await ask(link)).status).toBe(200);
    await stall.app.admin.tokens.revoke('1');
    expect(await ask(link)).toMatchObject({ status: 404, cache: 'MISS' });
    for (const path of [`/i/${token}`, `//i/${token}/x?y=1`]) await ask(path);
    await until(() => readFileSync(log, 'utf8').includes('/i/***/x?y=1'));
    expect(readFileSync(log, 'utf8')).toContain('"GET /i/***/.well-known/skills/index.json" 200');
    expect(readFileSync(log, 'utf8')).not.toContain(token.slice(8));
  });
});

testCaddy("Caddy's log holds no link", async () => {
  const stall = await openStall();
  const folder = temporaryDirectory();
  const port = await freePort();
  const log = join(folder, 'access.log');
  const file = join(folder, 'Caddyfile');
  const block = caddyLogLines.replace('log {\n', `log {\n    output file ${log}\n`);
  writeFileSync(
    file,
    `{\n    admin off\n    auto_https off\n}\nhttp://127.0.0.1:${port} {\n${block}\n    reverse_proxy ${stall.url.slice(7)}\n}\n`,
  );
  const caddy = Bun.spawn(['caddy', 'run', '--config', file, '--adapter', 'caddyfile'], {
    stdout: 'ignore',
    stderr: 'ignore',
    env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
  });
  afterAll(async () => {
    caddy.kill('SIGTERM');
    await caddy.exited;
  });
  const url = `http://127.0.0.1:${port}`;
  await until(() => isUp(url));
  const secret = `svi_${'a'.repeat(38)}`;
  for (const path of [`/i/${secret}/.well-known/skills/index.json`, `//i/${secret}?x=1`])
    await (await fetch(`${url}${path}`, { headers: { Referer: `${url}/i/${secret}` } })).text();
  await until(() => readFileSync(log, 'utf8').includes('/i/***/.well-known'));
  await Bun.sleep(100);
  expect(readFileSync(log, 'utf8')).not.toContain(secret);
});
