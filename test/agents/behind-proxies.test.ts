// An assistant signs in through nginx and Caddy with the Handbook's own lines, over TLS, and where a proxy signs readers in.
import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseNetworks } from '../../src/platform/http/address.ts';
import { openStall, type Stall, temporaryDirectory, until } from '../helpers/harness.ts';
import { freePort, startNginx } from '../installing/caching-nginx.ts';
import { callAt, connect, isGood, openAt, post, refresh } from './assistant.ts';

const NAME = 'stall.example.org';
const EMAIL = 'ada@example.org';
const CHAPTER = readFileSync(
  join(import.meta.dir, '../../content/books/handbook/2i-install-and-run.md'),
  'utf8',
);
const areThere = ['nginx', 'caddy', 'openssl'].every((name) => Bun.which(name) !== null);
if (!areThere)
  console.warn('SKIPPED: assistants behind proxies, for nginx, caddy or openssl is not installed');

/** A block of lines of a section of the Handbook. */
function printed(heading: string, place = 0): string {
  const [, section = ''] = CHAPTER.split(`## ${heading}\n`);
  return [...section.matchAll(/```\n([^]*?)```/g)][place]?.[1] ?? '';
}

/** A certificate for the stall's name, and its key. */
function certify() {
  const folder = temporaryDirectory();
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const request = '-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2'.split(' ');
  const name = ['-subj', `/CN=${NAME}`, '-addext', `subjectAltName=DNS:${NAME}`];
  Bun.spawnSync(['openssl', 'req', ...request, ...name, '-keyout', key, '-out', certificate]);
  return { key, certificate };
}

type Start = (port: number, stall: string, guard: string) => Promise<unknown>;

/** nginx with the block, its ports and its certificate. */
const nginx = (block: string): Start =>
  function start(port, stall, guard) {
    const { key, certificate } = certify();
    const lines = block
      .replaceAll(/^ *listen \[::\].*\n/gm, '')
      .replace('listen 443 ', `listen 127.0.0.1:${port} `)
      .replace(/ssl_certificate [^;]+/, `ssl_certificate ${certificate}`)
      .replace(/ssl_certificate_key [^;]+/, `ssl_certificate_key ${key}`)
      .replace('127.0.0.1:9091', guard)
      .replaceAll('127.0.0.1:7070', stall);
    return startNginx((_, plain) =>
      lines
        .replace('listen 80;', `listen 127.0.0.1:${plain}; location /livez { return 200; }`)
        .replace(/return 301 ([^;]+);/, 'location / { return 301 $1; }'),
    );
  };

/** Caddy with the block, its port and its certificate. */
const caddy = (block: string): Start =>
  async function start(port, stall, guard) {
    const [folder, { key, certificate }] = [temporaryDirectory(), certify()];
    const lines = block
      .replace(`${NAME} {`, `${NAME}:${port} {\n  tls ${certificate} ${key}`)
      .replaceAll('127.0.0.1:7070', stall)
      .replaceAll('127.0.0.1:9091', guard);
    const file = join(folder, 'Caddyfile');
    writeFileSync(file, `{\n  admin off\n  auto_https disable_redirects\n  default_sni ${NAME}\n}\n${lines}`);
    const child = Bun.spawn(['caddy', 'run', '--config', file, '--adapter', 'caddyfile'], {
      stdout: 'ignore',
      stderr: 'ignore',
      env: { ...process.env, HOME: folder, XDG_CONFIG_HOME: folder, XDG_DATA_HOME: folder },
    });
    afterAll(async () => {
      child.kill('SIGTERM');
      await child.exited;
    });
    await until(() =>
      passOn(port)('/livez').then(
        ({ ok }) => ok,
        () => false,
      ),
    );
  };

/** Requests to the stall's name, which leads to the proxy of this machine. */
const passOn =
  (port: number) =>
  (path: string, init: BunFetchRequestInit = {}): Promise<Response> =>
    fetch(`https://127.0.0.1:${port}${path}`, {
      ...init,
      headers: { ...(init.headers as Record<string, string>), Host: `${NAME}:${port}` },
      tls: { rejectUnauthorized: false },
    });

async function open(start: Start, signsIn: boolean) {
  const port = await freePort();
  const origin = `https://${NAME}:${port}`;
  const guard = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ headers }) =>
      /who=ada/.test(headers.get('cookie') ?? '')
        ? new Response('', { headers: { 'Remote-Email': EMAIL } })
        : new Response('', { status: 401 }),
  });
  afterAll(() => guard.stop(true));
  const proxySignIn = { header: 'Remote-Email', signUp: true, signOut: null };
  const stall = await openStall({
    config: {
      baseUrl: origin,
      trustedProxies: parseNetworks('127.0.0.1'),
      ...(signsIn && { proxySignIn }),
    },
  });
  await start(port, stall.app.localOrigin.slice('http://'.length), `127.0.0.1:${guard.port}`);
  await stall.reader(EMAIL, 'paid-book');
  return { origin, stall, place: { url: origin, fetch: passOn(port) } };
}

/** The cookies of the reader's browser: of the stall, and where a proxy signs in, of that. */
async function sessionOf(stall: Stall, place: Awaited<ReturnType<typeof open>>['place'], signsIn: boolean) {
  if (!signsIn) return stall.signIn(EMAIL);
  const headers = { Cookie: 'who=ada', 'Sec-Fetch-Mode': 'navigate' };
  const answer = await place.fetch('/sign-in', { headers, redirect: 'manual' });
  const [cookie = ''] = (answer.headers.get('set-cookie') ?? '').split(';');
  return { Cookie: `who=ada; ${cookie}` };
}

/** The block with its place for people, which a proxy signs in. */
const signingNginx = printed('Behind nginx').replace(
  / {2}location \/ \{[^}]*\}\n/,
  printed('Sign-in by the proxy', 2),
);

describe.skipIf(!areThere)('an assistant signs in, reads, refreshes and ends its connection', () => {
  test.each([
    ['nginx', nginx(printed('Behind nginx')), false],
    ['Caddy', caddy(printed('Behind Caddy')), false],
    ['nginx, which signs readers in', nginx(signingNginx), true],
    ['Caddy, which signs readers in', caddy(printed('Sign-in by the proxy', 1)), true],
  ] as const)('behind %s', async (_, start, signsIn) => {
    const { origin, stall, place } = await open(start, signsIn);
    const refused = await place.fetch('/mcp/library', { method: 'POST' });
    const metadata = `${origin}/.well-known/oauth-protected-resource/mcp/library`;
    expect([refused.status, refused.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${metadata}", scope="library"`,
    ]);
    const read = async (path: string) => (await place.fetch(`/.well-known/${path}`)).json();
    expect(await read('oauth-protected-resource/mcp/library')).toMatchObject({
      resource: `${origin}/mcp/library`,
      authorization_servers: [origin],
    });
    expect(await read('oauth-authorization-server')).toMatchObject({
      issuer: origin,
      authorization_endpoint: `${origin}/authorize`,
    });
    const away = await openAt(place, (await sessionOf(stall, place, signsIn)) as { readonly Cookie: string });
    const { body } = await (await connect(away)).exchange({ resource: `${origin}/mcp/library` });
    const params = { name: 'read_chapter', arguments: { item: 'paid-book', path: '01.md' } };
    for (const path of ['/mcp', '/mcp/library']) {
      const answer = await callAt(place, path, body['access_token'], { method: 'tools/call', params });
      expect(await answer.text()).toContain('The grey heron of paid');
    }
    const next = (await refresh(away, body['refresh_token'])).body;
    expect(await isGood(away, next['access_token'])).toBeTrue();
    await post(place, '/revoke', { token: String(next['refresh_token']), client_id: away.client });
    expect(await isGood(away, next['access_token'])).toBeFalse();
  });
});
