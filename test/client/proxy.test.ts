import { afterAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { proxyFor } from '../../src/client/proxy.ts';
import { buildProgram, PROGRAM, run } from '../binary/program.ts';
import { openStall, temporaryDirectory } from '../harness.ts';
import { unpackClient } from './node-package.ts';

// A busy machine starts programs slowly.
setDefaultTimeout(300_000);

await buildProgram();
const stall = await openStall();
const reader = await stall.reader('ann@example.org');
const unpacked = await unpackClient(stall);

const certificate = await selfSigned();
const secure = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  tls: certificate,
  fetch: (request) => stall.fetch(new URL(request.url).pathname, { headers: request.headers }),
});

/** A forward proxy: what it was asked, and whether the key was in sight. */
const asked: { line: string; authorization: string | undefined; isKeySeen: boolean }[] = [];
const proxy = http.createServer((incoming, outgoing) => {
  note(incoming);
  const { 'proxy-authorization': _, ...headers } = incoming.headers;
  http.get(incoming.url ?? '', { headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
    answer.pipe(outgoing);
  });
});
proxy.on('connect', (incoming: http.IncomingMessage, socket: net.Socket) => {
  note(incoming);
  const upstream = net.connect(secure.port ?? 0, '127.0.0.1', () => {
    socket.write('HTTP/1.1 200 Connection Established\r\n\r\n');
    upstream.pipe(socket).pipe(upstream);
  });
  upstream.on('error', () => socket.destroy());
  socket.on('error', () => upstream.destroy());
});
await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
const address = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
afterAll(() => Promise.all([proxy.close(), secure.stop(true)]));

function note({ method, url, headers }: http.IncomingMessage): void {
  const isKeySeen = headers.authorization !== undefined;
  asked.push({ line: `${method} ${url}`, authorization: headers['proxy-authorization'], isKeySeen });
}

const PROGRAMS = [
  { name: 'the binary', program: [PROGRAM] },
  { name: 'the package under Node', program: ['node', join(unpacked, 'package/bookstall.mjs')] },
];

describe.each(PROGRAMS)('$name', ({ program }) => {
  const whoami = async (more: Readonly<Record<string, string>>) => {
    asked.length = 0;
    const env = { HOME: temporaryDirectory(), BOOKSTALL_KEY: reader.key, ...more };
    return run(['whoami', '--json'], { env, program });
  };

  test('asks an http stall through HTTP_PROXY, with its name and password', async () => {
    const { code, out } = await whoami({
      BOOKSTALL_URL: stall.url,
      HTTP_PROXY: `http://me:p%40ss@${address}`,
    });
    expect({ code, email: JSON.parse(out || '{}').email }).toEqual({ code: 0, email: 'ann@example.org' });
    expect(asked.map(({ line }) => line)).toEqual([`GET ${stall.url}/api/cli/library`]);
    expect(asked[0]?.authorization).toBe(`Basic ${btoa('me:p@ss')}`);
  });

  test('tunnels to an https stall through HTTPS_PROXY, which sees no key', async () => {
    const url = `https://localhost:${secure.port}`;
    const trust = { NODE_EXTRA_CA_CERTS: certificate.file };
    const { code, err } = await whoami({ BOOKSTALL_URL: url, https_proxy: `http://${address}`, ...trust });
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(asked.map(({ line, isKeySeen }) => ({ line, isKeySeen }))).toEqual([
      { line: `CONNECT localhost:${secure.port}`, isKeySeen: false },
    ]);
  });

  test('refuses an https stall with an untrusted certificate', async () => {
    const { code, err } = await whoami({ BOOKSTALL_URL: `https://localhost:${secure.port}` });
    expect(code).toBe(1);
    expect(err).toContain('Cannot reach https://localhost:');
  });

  test('times out on a proxy that opens a tunnel and then sends nothing', async () => {
    const mute = http.createServer().on('connect', (_: unknown, socket: net.Socket) => {
      socket.on('error', () => {});
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
    });
    await new Promise<void>((resolve) => mute.listen(0, '127.0.0.1', resolve));
    const proxy = `http://127.0.0.1:${(mute.address() as AddressInfo).port}`;
    const { code, err } = await whoami({
      BOOKSTALL_URL: 'https://stall.example',
      HTTPS_PROXY: proxy,
      BOOKSTALL_TIMEOUT: '1',
    });
    mute.closeAllConnections();
    mute.close();
    expect(code).toBe(1);
    expect(err).toContain('has sent nothing for 1 s');
  });

  test('connects directly if NO_PROXY names the host', async () => {
    const { code } = await whoami({
      BOOKSTALL_URL: stall.url,
      HTTP_PROXY: `http://${address}`,
      NO_PROXY: 'example.org,127.0.0.1',
    });
    expect({ code, asked }).toEqual({ code: 0, asked: [] });
  });
});

test.each([
  ['https://a.example', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['https://a.example', { https_proxy: 'p:1', HTTPS_PROXY: 'q:2' }, 'http://p:1/'],
  ['https://a.example', { HTTP_PROXY: 'http://p:1' }, null],
  ['http://a.example', { HTTP_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['https://a.example', { ALL_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['https://a.example', { HTTPS_PROXY: '' }, null],
  ['https://a.example', { HTTPS_PROXY: 'p:1', NO_PROXY: '*' }, null],
  ['https://a.example', { HTTPS_PROXY: 'p:1', no_proxy: '.example' }, null],
  ['https://a.example', { HTTPS_PROXY: 'p:1', NO_PROXY: 'b.example, a.example' }, null],
  ['https://aa.example', { HTTPS_PROXY: 'p:1', NO_PROXY: 'a.example' }, 'http://p:1/'],
  ['https://a.example:444', { HTTPS_PROXY: 'p:1', NO_PROXY: 'a.example:444' }, null],
  ['https://a.example', { HTTPS_PROXY: 'p:1', NO_PROXY: 'a.example:444' }, 'http://p:1/'],
])('%s with %j goes through %p', (url, environment, expected) => {
  expect(proxyFor(new URL(url), environment)?.href ?? null).toBe(expected);
});

test('a proxy that is no address is refused', () => {
  expect(() => proxyFor(new URL('https://a.example'), { HTTPS_PROXY: 'socks5://p:1' })).toThrow(
    'http://HOST:PORT',
  );
});

async function selfSigned() {
  const directory = temporaryDirectory();
  const [key, file] = [join(directory, 'key.pem'), join(directory, 'cert.pem')];
  const words = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 1 -subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout ${key} -out ${file}`;
  await Bun.spawn(['openssl', ...words.split(' ')], { stdio: ['ignore', 'ignore', 'ignore'] }).exited;
  return { key: await Bun.file(key).text(), cert: await Bun.file(file).text(), file };
}
