import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { addReader, buildProgram, PROGRAM, run, serve, stallDirectory } from './binary/program.ts';
import { createGitClient } from './installing/git/git-client.ts';
import { parseEvents, writeFiles } from './helpers/harness.ts';

await buildProgram();

const JSON_TYPE = { 'Content-Type': 'application/json' };

const stall = await serve(stallDirectory());
const { headers } = await addReader(stall, 'ann@example.org', 'paid-book', 'paid-skill');

describe('the compiled program answers a keyed route of each kind', () => {
  test('install gives the archive of a paid item', async () => {
    const response = await stall.fetch('/api/install/paid-book', { headers });
    expect(response.status).toBe(200);
    const tar = Bun.gunzipSync(await response.arrayBuffer());
    expect(new TextDecoder().decode(tar)).toContain('The grey heron of paid marsh');
  });

  test('library lists the grants', async () => {
    const library = (await (await stall.fetch('/api/cli/library', { headers })).json()) as {
      items: { slug: string }[];
    };
    expect(library.items.map(({ slug }) => slug)).toEqual(['paid-book', 'paid-skill']);
  });

  test('files reads its parameter and its query', async () => {
    const all = (await (await stall.fetch('/api/books/paid-id/files', { headers })).json()) as {
      files: object[];
    };
    expect(all.files).toHaveLength(1);
    const one = await stall.fetch('/api/skills/paid-skill/files?path=scripts/run.sh', { headers });
    expect(await one.text()).toContain('echo run');
    const bare = await stall.fetch('/api/skills/paid-skill/files?content=false', { headers });
    expect(await bare.text()).not.toContain('echo run');
  });

  test('zip gives the range asked for', async () => {
    const response = await stall.fetch('/api/skills/paid-skill/download', {
      headers: { ...headers, Range: 'bytes=0-3' },
    });
    expect(response.status).toBe(206);
    expect(await response.text()).toBe('PK\x03\x04');
  });

  test('items reads its query', async () => {
    const page = (await (await stall.fetch('/api/items?limit=1', { headers })).json()) as {
      items: object[];
      next: unknown;
    };
    expect(page.items).toHaveLength(1);
    expect(page.next).toBeString();
  });

  test('git clones a paid item and the shelf', async () => {
    const client = createGitClient(headers.Authorization.slice('Bearer '.length));
    for (const path of ['git/paid-book.git', 'shelf.git']) {
      const cloned = await client.run('.', 'clone', '-q', `${stall.url}/${path}`);
      expect(cloned).toEqual({ code: 0, out: '', err: '' });
    }
    expect((await client.run('paid-book', 'ls-files')).out).toContain('skills/paid-book/references/01.md');
    expect((await client.run('shelf', 'show', 'HEAD:.claude-plugin/marketplace.json')).out).toContain(
      `"url": "${stall.url}/git/paid-skill.git"`,
    );
  });

  test('ask reads its body and streams to one done', async () => {
    const body = JSON.stringify({ book_id: 'paid-id', query: 'Why does the heron stand on one leg?' });
    const response = await stall.fetch('/api/agent/fetch', {
      method: 'POST',
      headers: { ...headers, ...JSON_TYPE },
      body,
    });
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const events = parseEvents(await response.text());
    expect(events.at(-1)).toMatchObject({ event: 'done', data: { outcome: 'quoted', engine: 'extractive' } });
    expect(events.filter(({ event }) => event === 'done')).toHaveLength(1);
  });
});

describe('what lies around the program', () => {
  test('is ignored: .env and the preload of a bunfig.toml', async () => {
    const directory = stallDirectory();
    writeFiles(directory, {
      '.env': 'BOOKSTALL_BUDGET=nonsense\nBOOKSTALL_CONTENT=elsewhere\n',
      'bunfig.toml': 'preload = ["./preload.ts"]\n[run]\npreload = ["./preload.ts"]\n',
      'preload.ts': "require('node:fs').writeFileSync('preloaded', '');\n",
      'package.json': '{"name": 7',
      'tsconfig.json': '{',
    });
    const stall = await serve(directory);
    expect((await stall.fetch('/api/install/free-book')).headers.get('RateLimit-Policy')).toBe(
      '"ip";q=60;w=60',
    );
    expect(existsSync(join(directory, 'preloaded'))).toBeFalse();
    expect(await stall.stop()).toBe(0);
  });

  test('is read where it is the environment; a flag beats it', async () => {
    const env = { BOOKSTALL_BUDGET: '7/30', BOOKSTALL_CONTENT: 'elsewhere' };
    const stall = await serve(stallDirectory(), ['--content', 'content'], { env });
    expect((await stall.fetch('/api/install/free-book')).headers.get('RateLimit-Policy')).toBe(
      '"ip";q=7;w=30',
    );
  });
});

test('NODE_ENV=development gives nothing of the inside away', async () => {
  const directory = stallDirectory();
  const stall = await serve(directory, [], { env: { NODE_ENV: 'development' } });
  const { headers } = await addReader(stall, 'ann@example.org');
  const db = new Database(join(directory, 'data/bookstall.db'));
  db.run('ALTER TABLE keys RENAME TO lost_keys');
  db.close();
  const failed = await stall.fetch('/api/cli/library', { headers });
  expect(failed.status).toBe(500);
  expect(await failed.json()).toEqual({ error: expect.stringMatching(/^Internal error/), code: 'INTERNAL' });
  expect(await stall.err.until('"event":"internal-error"')).toContain('keys');
  const wrong = { method: 'POST', headers: JSON_TYPE, body: '{"book_id":' };
  for (const [path, init] of [
    ['/nowhere', {}],
    ['/api/items?limit=x', {}],
    ['/api/agent/fetch', wrong],
  ] as const)
    expect(await (await stall.fetch(path, init)).text()).not.toMatch(
      /\.ts\b|\$bunfs|\bat \w+ \(|stack|expected|summary/i,
    );
});

test('a large answer reaches a slow pipe whole', async () => {
  const files = Object.fromEntries(Array.from({ length: 3000 }, (_, n) => [`books/big/part-${n}.md`, '']));
  const directory = stallDirectory({ ...files, 'books/big/item.yaml': 'title: t\n' });
  const slow = ['sh', '-c', '"$0" "$@" | (sleep 0.3; wc -c)', PROGRAM];
  const args = ['check', '--list', '--json'];
  const whole = await run(args, { cwd: directory });
  const piped = await run(args, { cwd: directory, program: slow });
  expect(whole.out.length).toBeGreaterThan(200_000);
  expect(Number(piped.out)).toBe(Buffer.byteLength(whole.out));
});

test.each(['account add b@example.org --json', 'account add b@example.org'])(
  '%s ends with 1 where its result cannot be written',
  async (words) => {
    const directory = stallDirectory();
    await (await serve(directory)).stop();
    const full = ['sh', '-c', '"$0" "$@" > /dev/full', PROGRAM];
    expect((await run(words.split(' '), { cwd: directory, program: full })).code).toBe(1);
  },
);
