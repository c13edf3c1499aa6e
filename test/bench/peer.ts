// Bare servers of the same runtime.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buildBare } from './bare-build.ts';
import { freePort, own } from './child.ts';
import { scratch } from './stall-process.ts';

let binary: string | null = null;

/** Starts a bare `Bun.serve` or Elysia that answers every request, or `/`, with these bytes. */
export async function startPeer(kind: 'bun' | 'elysia', body: Uint8Array) {
  const port = freePort();
  const file = join(scratch('peer-body'), 'body');
  writeFileSync(file, body);
  binary ??= buildBare('peer-server.ts');
  const child = own(
    Bun.spawn([binary, kind, file, String(port)], { stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const url = `http://127.0.0.1:${port}/`;
  while (!(await isAnswered(url))) {
    if (child.exitCode !== null) throw new Error(`The peer ended with ${child.exitCode}`);
    await Bun.sleep(20);
  }
  return {
    url,
    pid: child.pid,
    async stop(): Promise<void> {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}

function isAnswered(url: string): Promise<boolean> {
  return fetch(url).then(
    () => true,
    () => false,
  );
}
