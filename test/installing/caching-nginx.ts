// A real nginx that keeps whatever it may, in front of a stall.
import { afterAll } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { temporaryDirectory, until } from '../helpers/harness.ts';

const CHAPTER = readFileSync(
  join(import.meta.dir, '../../content/books/handbook/3b-connect-your-agent.md'),
  'utf8',
);
const [, section = ''] = CHAPTER.split("## Keep links out of a proxy's logs\n");

/** The lines of the Handbook that mask links in a log of nginx and of Caddy. */
export const [nginxLogLines = '', caddyLogLines = '']: readonly string[] = [
  ...section.matchAll(/```\n([^]*?)```/g),
].map(([, block = '']) => block);

/** A port that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Whether a stall answers there. */
export function isUp(url: string): Promise<boolean> {
  return fetch(`${url}/livez`).then(
    ({ ok }) => ok,
    () => false,
  );
}

/** Starts nginx for the length of the file, with the blocks that `write` gives for a folder of its own and a port. */
export async function startNginx(write: (folder: string, port: number) => string): Promise<string> {
  const folder = temporaryDirectory();
  const port = await freePort();
  const places = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((one) => `${one}_temp_path ${join(folder, one)};`)
    .join('\n');
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; ${process.getuid?.() === 0 ? 'user root;' : ''} worker_processes 1; pid ${join(folder, 'pid')}; error_log ${join(folder, 'error.log')} crit;
     events {} http { ${places} ${write(folder, port)} }`,
  );
  const nginx = Bun.spawn(['nginx', '-c', join(folder, 'nginx.conf'), '-p', folder], {
    stdout: 'ignore',
    stderr: 'inherit',
  });
  afterAll(async () => {
    nginx.kill('SIGTERM');
    await nginx.exited;
  });
  const url = `http://127.0.0.1:${port}`;
  await until(() => isUp(url));
  return url;
}

/**
 * Starts it for the length of the file; `log` is its access log. It keeps an answer of any status that does not say otherwise,
 * of POST too, for all who ask for the same address in the same round: the header X-Round begins with an empty cache.
 */
export async function startCachingNginx(
  stallUrl: string,
): Promise<{ readonly url: string; readonly log: string }> {
  const log = join(temporaryDirectory(), 'access.log');
  const url = await startNginx(
    (folder, port) => `proxy_cache_path ${join(folder, 'cache')} keys_zone=shared:1m;
     ${nginxLogLines.replace('/var/log/nginx/stall.log', log)}
     server { listen 127.0.0.1:${port}; location / { proxy_pass ${stallUrl}; proxy_cache shared; proxy_cache_valid any 1m;
       proxy_cache_methods GET HEAD POST; proxy_cache_key $http_x_round$request_method$request_uri$request_body;
       add_header X-Cache $upstream_cache_status always; } }`,
  );
  return { url, log };
}
