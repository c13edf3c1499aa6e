// Moments at which a process is killed: after some time, or when it is about to make a system call (strace -e inject=).
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chance } from './chance.ts';

/** `file` limits the calls to one file of the data directory; `most` is the last of them that may be chosen. */
type Call = {
  readonly name: string;
  readonly calls: string;
  readonly file?: string;
  readonly most: number;
};

const CALLS: readonly Call[] = [
  { name: 'a body is linked', calls: 'link,linkat', most: 1 },
  { name: 'a file gets its name', calls: 'rename,renameat,renameat2', most: 8 },
  { name: 'a file is deleted', calls: 'unlink,unlinkat', most: 3 },
  { name: 'a folder is made', calls: 'mkdir,mkdirat', most: 3 },
  { name: 'rows are written', calls: 'pwrite64', file: 'bookstall.db-wal', most: 6 },
  { name: 'rows are synced', calls: 'fsync,fdatasync', file: 'bookstall.db-wal', most: 2 },
];

export type Moment = {
  readonly name: string;
  /** Milliseconds after the act began, or null if a call decides. */
  readonly delay: number | null;
  /** The words of strace that kill the process, for a call. */
  readonly words: (directory: string) => readonly string[];
};

/** A moment: one in four is a delay, the others are calls. */
export function chooseMoment(chance: Chance): Moment {
  if (chance.odds(0.25))
    return { name: 'some time has passed', delay: chance.between(0, 200), words: () => [] };
  const { name, calls, file, most } = chance.among(CALLS);
  const when = 1 + chance.below(most);
  return {
    name,
    delay: null,
    words: (directory) => [
      ...['strace', '-qq', '-f', '-o', '/dev/null'],
      ...(file === undefined ? [] : ['-P', join(directory, 'data', file)]),
      ...['-e', `trace=${calls}`, '-e', `inject=${calls}:signal=KILL:when=${when}`],
    ],
  };
}

/** The words of strace that kill a process at one of its calls on a file, by default writes or syncs of rows, up to the last of them that is given. */
export function killAtRows(
  directory: string,
  chance: Chance,
  calls: string,
  most: number,
  file = 'bookstall.db-wal',
): readonly string[] {
  return [
    ...['strace', '-qq', '-f', '-o', '/dev/null', '-P', join(directory, 'data', file)],
    ...['-e', `trace=${calls}`, '-e', `inject=${calls}:signal=KILL:when=${1 + chance.below(most)}`],
  ];
}

/** Attaches strace to a running process; resolves when it sees every thread. */
export async function attach(words: readonly string[], pid: number): Promise<void> {
  Bun.spawn([...words, '-p', String(pid)], { stdio: ['ignore', 'ignore', 'ignore'] });
  while (existsSync(`/proc/${pid}`) && !isTraced(pid)) await Bun.sleep(5);
}

function isTraced(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/task`).every(
      (task) => !/^TracerPid:\t0$/m.test(readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8')),
    );
  } catch {
    return false;
  }
}
