import { describe, expect, test } from 'bun:test';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  diagnose,
  type Expected,
  expectFindings,
  freePort,
  healthyStall,
  serveStall,
} from './examined-stall.ts';

const TRUST = /--trusted-proxies/;

type Note = { readonly startedAt: number; readonly pid: number; readonly [field: string]: unknown };

/** Rewrites what the running server says of itself. */
function rewriteNote(directory: string, change: (note: Note) => object): void {
  const file = join(directory, 'data/serve.json');
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, 'utf8')) as Note)));
}

/**
 * A proxy in front of `target`; `client` is the address it forwards, null where it says nothing of whom it speaks for. It keeps
 * the paths that begin with `hidden` to itself, and passes the headers `passed` on.
 */
function proxy(
  target: () => string,
  client: string | null,
  { hidden = 'nothing', passed = ['WWW-Authenticate'] }: { hidden?: string; passed?: readonly string[] } = {},
) {
  return Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const headers: Record<string, string> = client === null ? {} : { 'X-Forwarded-For': client };
      if (pathname.startsWith(hidden)) return new Response('<h1>Sign in</h1>');
      const answer = await fetch(`${target()}${pathname}${search}`, { headers });
      const kept = passed.map((name): [string, string] => [name, answer.headers.get(name) ?? '']);
      return new Response(await answer.text(), { status: answer.status, headers: kept });
    },
  });
}

const origin = (server: { readonly port?: number | undefined }): string => `http://127.0.0.1:${server.port}`;

describe('a server that', () => {
  test.each<[string, (note: Note) => object, Expected]>([
    [
      'is of another version',
      (note) => ({ ...note, version: '0.0.9' }),
      ['server', 'warn', /^The server is version 0\.0\.9, this program /, /^Restart the server/],
    ],
    [
      'says nothing of itself',
      () => ({ pid: 1 }),
      ['server', 'warn', /^A server runs as process \d+, and its settings are unknown$/, /restart it$/],
    ],
  ])('%s', async (_, change, finding) => {
    const directory = healthyStall();
    const { stop } = await serveStall(directory);
    rewriteNote(directory, change);
    expectFindings(await diagnose(directory), [finding]);
    await stop();
  });

  test('hangs does not answer, and the rest is told all the same', async () => {
    const directory = healthyStall();
    const { kill } = await serveStall(directory);
    kill('SIGSTOP');
    const diagnosis = await diagnose(directory);
    kill('SIGKILL');
    expectFindings(diagnosis, [
      [
        'server',
        'fail',
        /^The server, process \d+, does not answer at http:\S+ \(no answer in 5 s\)$/,
        /its log/,
      ],
    ]);
  });

  test('was killed is told as stopped, and its note is not believed', async () => {
    const directory = healthyStall();
    const server = await serveStall(directory, ['--base-url', 'https://stall.invalid']);
    server.kill('SIGKILL');
    await server.exited;
    const diagnosis = await diagnose(directory);
    expectFindings(diagnosis, []);
    expect(diagnosis.lines.find(({ check }) => check === 'server')?.sentence).toBe(
      'No server runs, and one could listen',
    );
  });

  test('belongs to another user cannot be told of', async () => {
    const directory = healthyStall();
    chmodSync(join(directory, 'data/serve.lock'), 0);
    expectFindings(await diagnose(directory), [
      ['server', 'warn', /^Cannot tell whether a server runs/, /as the user the stall runs as/],
    ]);
  });
});

test('the port is taken by another program', async () => {
  const other = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => {} } });
  expectFindings(await diagnose(healthyStall(), ['--port', String(other.port)]), [
    [
      'server',
      'fail',
      new RegExp(`^No server runs, and none could listen on 127\\.0\\.0\\.1:${other.port}: `),
      /another port with --port/,
    ],
  ]);
  other.stop(true);
});

describe('the base URL', () => {
  const PLAIN = /^Readers come by plain http/;
  test.each<[string, readonly string[], Record<string, string>, readonly Expected[]]>([
    [
      'is missing where others reach the server',
      ['--host', '0.0.0.0'],
      {},
      [['base URL', 'fail', PLAIN, /--base-url/]],
    ],
    [
      'is missing where the owner lets people sign in all the same',
      ['--host', '0.0.0.0'],
      { BOOKSTALL_INSECURE_HTTP: '1' },
      [['base URL', 'warn', PLAIN, /--base-url/]],
    ],
    [
      'is http where others reach the server',
      ['--base-url', 'http://stall.example.org', '--host', '0.0.0.0'],
      {},
      [['base URL', 'fail', PLAIN, /--base-url/]],
    ],
    [
      'is https',
      ['--base-url', 'https://stall.example.org', '--host', '0.0.0.0', '--trusted-proxies', '127.0.0.1'],
      {},
      [],
    ],
  ])('%s', async (_, flags, env, findings) => {
    expectFindings(await diagnose(healthyStall(), flags, { env }), findings);
  });

  test.each<[string, () => { url: string; close: () => void }, RegExp, RegExp]>([
    [
      'does not answer',
      () => ({ url: `http://127.0.0.1:${freePort()}`, close: () => {} }),
      /does not answer from here \(ECONNREFUSED\)$/,
      /^Check the proxy/,
    ],
    [
      'is answered by another program',
      () => serveAlways('<h1>Welcome</h1>'),
      /is answered by another server$/,
      /address of the name/,
    ],
    [
      'is answered by another stall',
      () => serveAlways(JSON.stringify({ items: [{ slug: 'free-book', digest: 'f00' }] })),
      /is answered by another server$/,
      /address of the name/,
    ],
    [
      'leads to a proxy that does not reach the server',
      () => serveAlways('Bad gateway', 502),
      /answers 502$/,
      /^Look whether the proxy passes requests on to http:\/\/127/,
    ],
  ])('%s', async (_, open, sentence, remedy) => {
    const directory = healthyStall();
    const { url, close } = open();
    const { stop } = await serveStall(directory, ['--base-url', url]);
    expectFindings(await diagnose(directory), [['base URL', 'warn', sentence, remedy]]);
    close();
    await stop();
  });
});

function serveAlways(body: string, status = 200) {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(body, { status }) });
  return { url: origin(server), close: () => void server.stop(true) };
}

describe('a proxy', () => {
  test.each<[string, string | null, readonly string[], readonly Expected[]]>([
    ['that is trusted and forwards', '203.0.113.7', ['--trusted-proxies', '127.0.0.1'], []],
    [
      'that is trusted and says nothing of the client',
      null,
      ['--trusted-proxies', '127.0.0.1'],
      [
        [
          'proxy',
          'warn',
          /^Requests come from the trusted proxy at 127\.0\.0\.1 without X-Forwarded-For: all readers share/,
          /proxy_set_header X-Forwarded-For/,
        ],
      ],
    ],
    [
      'that forwards and is not trusted',
      '203.0.113.7',
      [],
      [
        [
          'proxy',
          'warn',
          /^A proxy at 127\.0\.0\.1 forwards addresses and is not trusted/,
          /--trusted-proxies 127\.0\.0\.1$/,
        ],
      ],
    ],
    [
      'that is another than the trusted one',
      '203.0.113.7',
      ['--trusted-proxies', '10.0.0.0/8'],
      [
        [
          'proxy',
          'warn',
          /^A proxy at 127\.0\.0\.1 forwards addresses and is not trusted/,
          /--trusted-proxies 10\.0\.0\.0\/8,127\.0\.0\.1$/,
        ],
      ],
    ],
  ])('%s', async (_, name, flags, findings) => {
    const directory = healthyStall();
    let url = '';
    const front = proxy(() => url, name);
    const stall = await serveStall(directory, ['--base-url', origin(front), ...flags]);
    url = `http://127.0.0.1:${portOf(directory)}`;
    expectFindings(await diagnose(directory), findings);
    await front.stop(true);
    await stall.stop();
  });

  test.each([
    [
      'hides /.well-known',
      { hidden: '/.well-known/' },
      /oauth-authorization-server is not answered by this server$/,
    ],
    [
      'hides a part of it',
      { hidden: '/.well-known/oauth-protected-resource' },
      /oauth-protected-resource\/mcp\/library is not answered by this server$/,
    ],
    ['strips WWW-Authenticate', { passed: [] }, /\/mcp\/library is answered without WWW-Authenticate$/],
    ['signs in before /mcp', { hidden: '/mcp' }, /\/mcp\/library is answered without WWW-Authenticate$/],
  ])('that %s keeps assistants out', async (_, faults, sentence) => {
    const directory = healthyStall();
    let url = '';
    const front = proxy(() => url, '203.0.113.7', faults);
    const stall = await serveStall(directory, [
      '--base-url',
      origin(front),
      '--trusted-proxies',
      '127.0.0.1',
    ]);
    url = `http://127.0.0.1:${portOf(directory)}`;
    expectFindings(await diagnose(directory), [['base URL', 'warn', sentence, /^Have the proxy pass on /]]);
    await front.stop(true);
    await stall.stop();
  });

  test.each<[string, readonly string[], readonly Expected[]]>([
    [
      'must stand before an https base URL',
      ['--base-url', 'https://stall.example.org'],
      [
        [
          'proxy',
          'warn',
          /^https:\/\/stall\.example\.org means that a proxy is in front, and none is trusted/,
          TRUST,
        ],
      ],
    ],
    [
      'must stand before a base URL of another host',
      ['--base-url', 'http://stall.example.org'],
      [
        ['base URL', 'fail', /^Readers come by plain http/, /--base-url/],
        ['proxy', 'warn', /means that a proxy is in front/, TRUST],
      ],
    ],
    [
      'that stands there and is trusted is no finding',
      ['--base-url', 'https://stall.example.org', '--trusted-proxies', '127.0.0.1'],
      [],
    ],
    [
      'may not be everybody',
      ['--trusted-proxies', '10.0.0.1,0.0.0.0/0'],
      [['proxy', 'warn', /^Every address is trusted/, /addresses of your proxies alone/]],
    ],
  ])('%s', async (_, flags, findings) => {
    expectFindings(await diagnose(healthyStall(), flags), findings);
  });

  test('is no finding where the base URL is the server itself, which asks for no header', async () => {
    const directory = healthyStall();
    const port = String(freePort());
    const { stop } = await serveStall(directory, [
      '--port',
      port,
      '--base-url',
      `http://127.0.0.1:${port}`,
      '--trusted-proxies',
      '127.0.0.1',
    ]);
    expectFindings(await diagnose(directory), []);
    await stop();
  });
});

function portOf(directory: string): string {
  const { settings } = JSON.parse(readFileSync(join(directory, 'data/serve.json'), 'utf8')) as {
    settings: { port: string };
  };
  return settings.port;
}

test('what a server says of itself is closed to others, and gone when it stops', async () => {
  const directory = healthyStall();
  const file = Bun.file(join(directory, 'data/serve.json'));
  const { stop } = await serveStall(directory);
  expect((await file.stat()).mode & 0o777).toBe(0o600);
  expect(await file.text()).not.toContain('svc_');
  await stop();
  expect(await file.exists()).toBe(false);
});
