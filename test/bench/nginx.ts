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
  const directory = scratch('nginx');
  const configuration = join(directory, 'nginx.conf');
  writeFileSync(
    configuration,
    `worker_processes 1; daemon off; user root; pid ${directory}/pid; error_log ${directory}/error.log;
events { worker_connections 4096; }
http { ${SETTINGS[settings]} keepalive_requests 100000000; default_type application/octet-stream;
  server { listen 127.0.0.1:${port}; root ${root}; } }
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
    async stop(): Promise<void> {
      child.kill('SIGTERM');
      await child.exited;
    },
  };
}
