// Makes system calls on one file of the data directory fail (strace -e inject=), and counts the failures.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Server } from './program.ts';

/** A way to fail. `refused`: whether an acknowledged write needs the failing call; other failures must have no visible effect. */
export type Fault = {
  readonly file: 'bookstall.db' | 'bookstall.db-wal' | 'bookstall.db-shm';
  readonly calls: string;
  readonly error: 'EIO' | 'ENOSPC';
  readonly refused: boolean;
};

const tracedTo = (directory: string): string => join(directory, 'injected');

/** The command line that runs a command with calls failing from its start. */
export function failing(directory: string, { file, calls, error }: Fault): readonly string[] {
  const path = join(directory, 'data', file);
  const words = ['-qq', '-f', '-o', tracedTo(directory), '-P', path, '-e', `trace=${calls}`];
  return ['strace', ...words, '-e', `inject=${calls}:error=${error}`];
}

/** How often the fault occurred. */
export function metIn(directory: string): number {
  return readFileSync(tracedTo(directory), 'utf8').split('(INJECTED)').length - 1;
}

/** Makes calls of a running server fail until it is told to stop. */
export async function inject(
  { server, directory }: { readonly server: Server; readonly directory: string },
  { file, calls, error }: Fault,
) {
  const path = join(directory, 'data', file);
  const words = [
    '-qq',
    '-f',
    '-o',
    tracedTo(directory),
    '-p',
    String(server.pid),
    '-P',
    path,
    '-e',
    `trace=${calls}`,
  ];
  const strace = Bun.spawn(['strace', ...words, '-e', `inject=${calls}:error=${error}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  while (!isTraced(server.pid)) await Bun.sleep(5);
  return async (signal: NodeJS.Signals = 'SIGINT'): Promise<void> => {
    strace.kill(signal);
    await strace.exited;
  };
}

function isTraced(pid: number): boolean {
  return readdirSync(`/proc/${pid}/task`).every((task) => {
    const status =
      existsSync(`/proc/${pid}/task/${task}/status`) &&
      readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8');
    return status !== false && !/^TracerPid:\t0$/m.test(status);
  });
}
