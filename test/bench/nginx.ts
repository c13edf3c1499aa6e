// nginx with one worker over a folder: the peer for whatever is sent.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { own } from './child.ts';
import { scratch } from './stall-process.ts';

/** Set up for speed, or with nothing said, as nginx comes: no sendfile, a line in the access log a request. */
const SETTINGS = {
  tuned: 'access_log off; sendfile on; tcp_nopush on;',
  plain: 'access_log access.log;',
};

export async function startNginx(root: string, port: number, settings: keyof typeof SETTINGS = 'tuned') {
  return start(port, SETTINGS[settings], `root ${root};`);
}

/** nginx before a stall, as the Handbook sets it up; it keeps at most 8 MB of an answer in a temporary file. */
export async function startProxy(stall: string, port: number) {
  const forward = 'proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;';
  const limits = 'proxy_read_timeout 120s; proxy_max_temp_file_size 8m;';
  const location = `location / { proxy_pass ${stall}; proxy_http_version 1.1; ${forward} ${limits} }`;
  return start(port, SETTINGS.tuned, location);
}

async function start(port: number, settings: string, server: string) {
  const directory = scratch('nginx');
  const configuration = join(directory, 'nginx.conf');
  writeFileSync(
    configuration,
    `worker_processes 1; daemon off; user root; pid ${directory}/pid; error_log ${directory}/error.log;
events { worker_connections 4096; }
http { ${settings} keepalive_requests 100000000; default_type application/octet-stream;
  server { listen 127.0.0.1:${port}; ${server} } }
`,
  );
  const child = own(
    Bun.spawn(['nginx', '-p', directory, '-c', configuration], { stdio: ['ignore', 'ignore', 'ignore'] }),
  );
  const url = `http://127.0.0.1:${port}`;
  for (;;) {
    if (child.exitCode !== null) throw new Error(`nginx ended with ${child.exitCode}`);
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isUp) break;
    await Bun.sleep(20);
  }
  return {
    url,
    port,
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}
