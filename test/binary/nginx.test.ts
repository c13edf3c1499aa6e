import { afterAll, describe, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory } from '../helpers/harness.ts';
import { addReader, buildProgram, serve, stallDirectory } from './program.ts';

const CHAPTER = join(import.meta.dir, '../../content/books/handbook/2i-install-and-run.md');
const isThere = Bun.which('nginx') !== null && Bun.which('openssl') !== null;
if (!isThere) console.warn('SKIPPED: the nginx block of the Handbook, for nginx or openssl is not installed');

/** The nginx block as the Handbook prints it. */
function printedBlock(): string {
  const [, section = ''] = readFileSync(CHAPTER, 'utf8').split('## Behind nginx\n');
  return /```\n([^]*?)```/.exec(section)?.[1] ?? '';
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** nginx in front of a stall, with the printed block and, for this machine, its own ports and a self-signed certificate. */
async function startNginx(stallPort: string, [http, https]: readonly [number, number]): Promise<void> {
  const folder = temporaryDirectory();
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const request = [
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-days',
    '2',
  ];
  const name = ['-subj', '/CN=stall.example.org', '-addext', 'subjectAltName=DNS:stall.example.org'];
  Bun.spawnSync(['openssl', 'req', ...request, ...name, '-keyout', key, '-out', certificate]);
  const block = printedBlock()
    .replaceAll(/^ *listen \[::\].*\n/gm, '')
    .replace('listen 80;', `listen 127.0.0.1:${http};`)
    .replace('listen 443 ', `listen 127.0.0.1:${https} `)
    .replace(/ssl_certificate [^;]+/, `ssl_certificate ${certificate}`)
    .replace(/ssl_certificate_key [^;]+/, `ssl_certificate_key ${key}`)
    .replace('127.0.0.1:7070', `127.0.0.1:${stallPort}`);
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((place) => `${place}_temp_path ${join(folder, place)};`)
    .join('\n');
  const file = join(folder, 'nginx.conf');
  writeFileSync(
    file,
    `daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''} worker_processes 1; pid ${join(folder, 'pid')}; error_log stderr;
     events {} http { access_log off; ${places}\n${block} }`,
  );
  const nginx = Bun.spawn(['nginx', '-c', file, '-p', folder], { stdout: 'ignore', stderr: 'inherit' });
  afterAll(async () => {
    nginx.kill('SIGTERM');
    await nginx.exited;
  });
  for (;;) {
    if (nginx.exitCode !== null) throw new Error('nginx did not start');
    const answer = await fetch(`http://127.0.0.1:${http}/`, { redirect: 'manual' }).catch(() => null);
    if (answer !== null) return;
    await Bun.sleep(20);
  }
}

describe.skipIf(!isThere)('the nginx block of the Handbook', async () => {
  if (!isThere) return;
  await buildProgram();
  const [http, https] = [await freePort(), await freePort()];
  const origin = `https://stall.example.org:${https}`;
  const settings = [
    '--base-url',
    origin,
    '--trusted-proxies',
    '127.0.0.1',
    '--log',
    'json',
    '--budget',
    '3/60',
  ];
  const directory = stallDirectory();
  const stall = await serve(directory, settings);
  const { port } = JSON.parse(readFileSync(join(directory, 'data/serve.json'), 'utf8')).settings;
  await startNginx(port, [http, https]);
  const reader = await addReader(stall, 'reader@example.org', 'paid-book');

  /** The output of curl for a request to the stall's name, from another address than nginx's, which is trusted. */
  const curl = async (path: string, ...words: string[]): Promise<string> => {
    const resolve = ['--resolve', `stall.example.org:${https}:127.0.0.1`];
    const child = Bun.spawn(
      ['curl', '-sSk', '--interface', '127.0.0.2', ...resolve, ...words, `${origin}${path}`],
      {
        stderr: 'inherit',
      },
    );
    return child.stdout.text();
  };
  const key = ['-H', `Authorization: Bearer ${reader.key}`];

  test('sends http to https', async () => {
    const answer = await fetch(`http://127.0.0.1:${http}/skills/x?a=1`, {
      headers: { Host: 'stall.example.org' },
      redirect: 'manual',
    });
    expect(answer.status).toBe(301);
    expect(answer.headers.get('Location')).toBe('https://stall.example.org/skills/x?a=1');
  });

  test('passes pages on over HTTP/2', async () => {
    const page = await curl('/', '-w', '%{http_code} %{http_version}');
    expect(page).toContain('<title>');
    expect(page).toEndWith('200 2');
  });

  test('passes a question and its event stream on', async () => {
    const body = JSON.stringify({ book_id: 'paid-id', query: 'What is this?' });
    const words = [...key, '-H', 'Content-Type: application/json', '-d', body];
    expect(await curl('/api/agent/fetch', ...words)).toContain('event: done\n');
  });

  test('leaves it to the stall to refuse a large body', async () => {
    const file = join(temporaryDirectory(), 'grants.txt');
    writeFileSync(file, 'x'.repeat(1_900_000));
    const words = [...key, '-H', 'Content-Type: application/json', '--data-binary', `@${file}`];
    // The stall closes before it has read everything: nginx may report 502, but has not refused the body itself.
    expect(await curl('/api/agent/fetch', ...words)).not.toContain('413 Request Entity Too Large');
  });

  test('names the reader, whom a forged header does not change', async () => {
    const status = (from: string) =>
      curl(
        '/api/install/free-book',
        '-o',
        '/dev/null',
        '-w',
        '%{http_code}',
        '-H',
        `X-Forwarded-For: ${from}`,
      );
    const answers = [await status('203.0.113.1'), await status('203.0.113.2'), await status('203.0.113.3')];
    expect(answers).toEqual(['200', '200', '200']);
    expect(await status('203.0.113.4')).toBe('429');
    expect(stall.err.text()).not.toContain('"event":"proxy-header"');
  });
});
