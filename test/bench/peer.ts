// Bare servers of the same runtime, compiled with the flags of the stall's own build.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scripts } from '../../package.json';
import { freePort, own } from './child.ts';
import { scratch } from './stall-process.ts';

const SOURCE = join(import.meta.dir, 'peer-server.ts');
const FLAGS = scripts.build.split(' ').filter((word) => /^--(?!outfile)/.test(word));

let binary: string | null = null;

/** Starts a bare `Bun.serve` or Elysia that answers every request, or `/`, with these bytes. */
export async function startPeer(kind: 'bun' | 'elysia', body: Uint8Array) {
  const port = freePort();
  const file = join(scratch('peer-body'), 'body');
  writeFileSync(file, body);
  binary ??= await compile();
  const child = own(
    Bun.spawn([binary, kind, file, String(port)], { stdio: ['ignore', 'ignore', 'inherit'] }),
  );
  const url = `http://127.0.0.1:${port}/`;
  while (
    !(await fetch(url).then(
      () => true,
      () => false,
    ))
  ) {
    if (child.exitCode !== null) throw new Error(`The peer ended with ${child.exitCode}`);
    await Bun.sleep(20);
  }
  return {
    url,
    async stop(): Promise<void> {
      child.kill('SIGKILL');
      await child.exited;
    },
  };
}

async function compile(): Promise<string> {
  const outfile = join(scratch('peer'), 'peer');
  const child = Bun.spawn([process.execPath, 'build', ...FLAGS, `--outfile=${outfile}`, SOURCE], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if ((await child.exited) !== 0 || !existsSync(outfile)) throw new Error('Cannot compile the peer');
  return outfile;
}
