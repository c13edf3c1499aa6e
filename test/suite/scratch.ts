import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system in memory that every Linux has. Tests spend much of their time waiting for a disk to sync databases. */
const MEMORY = '/dev/shm';

/** More than all tests write at a time; a container often has only 64 MB there. */
const ROOM = 4 * 2 ** 30;

/** Makes a directory for all that a run of tests writes, in memory if there is room. `TMPDIR` has priority. */
export function openScratch() {
  const isChosen = process.env['TMPDIR'] !== undefined;
  const directory = mkdtempSync(join(!isChosen && isRoomy(MEMORY) ? MEMORY : tmpdir(), 'bookstall-run-'));
  // Some tests run programs as an ordinary user.
  chmodSync(directory, 0o1777);
  return { directory, remove: () => rmSync(directory, { recursive: true, force: true, maxRetries: 5 }) };
}

function isRoomy(path: string): boolean {
  if (!existsSync(path)) return false;
  const { bavail, bsize } = statfsSync(path);
  const mount = readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .findLast((line) => line.split(' ')[1] === path);
  const options = mount?.split(' ')[3]?.split(',') ?? ['ro'];
  return bavail * bsize >= ROOM && !options.includes('ro') && !options.includes('noexec');
}
