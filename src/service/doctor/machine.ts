import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { SECOND } from '../../duration.ts';
import { readBackupRecord } from '../../store/backup.ts';
import { valueOf } from '../../store/database-check.ts';
import { readOpenFilesLimit } from '../server-start.ts';
import { databaseFile, fail, noteOf, ok, type Result, skip, type Subject, warn } from './doctor.ts';

/** The user that runs the stall, and whether the doctor runs as the same one. */
export function examineUser({ config, server }: Subject): Result {
  const own = process.getuid?.();
  if (own === undefined) return skip('This system has no user ids');
  const owned = [databaseFile(config), config.data].find((path) => existsSync(path));
  const runner = noteOf(server)?.uid ?? (owned === undefined ? own : statSync(owned).uid);
  if (runner === 0)
    return warn(
      server.state === 'running' ? 'The server runs as root' : 'The stall belongs to root',
      'Give it a user of its own: "chown -R" the data directory to that user, and start the server as that user',
    );
  if (own !== runner)
    return warn(
      `The doctor runs as user ${own}, the stall as user ${runner}: the doctor may not see all that the stall sees`,
      `Run it as that user: sudo -u '#${runner}' bookstall doctor`,
    );
  return ok(`The stall runs as user ${runner}`);
}

/** NTP steps a clock by less. */
const CLOCK_STEP = 60 * SECOND;
/** No stall was run before. */
const FIRST_YEAR = 2026;
const BY_THE_NETWORK = 'Have the clock set by the network, on Linux with "timedatectl set-ntp true"';

/** Whether the clock can be right: keys, grants and links depend on it. */
export async function examineClock({ config: { data }, database, now }: Subject): Promise<Result> {
  const at = now();
  if (new Date(at).getUTCFullYear() < FIRST_YEAR) return fail(`The clock says ${time(at)}`, BY_THE_NETWORK);
  const { newest: row } = await database();
  const newest = [
    { of: 'the newest row of the database', from: valueOf(row) ?? 0 },
    { of: 'the last backup', from: Date.parse(readBackupRecord(data)?.at ?? '1970-01-01') },
    ...listFiles(data),
  ].reduce((a, b) => (b.from > a.from ? b : a));
  if (newest.from > at + CLOCK_STEP)
    return fail(
      `The clock says ${time(at)}, but ${newest.of} is from ${time(newest.from)}`,
      `${BY_THE_NETWORK}; if it is right, it was wrong when that was written, and keys and grants of that time have wrong dates`,
    );
  return ok(newest.from === 0 ? time(at) : `${time(at)}; ${newest.of} is from ${time(newest.from)}`);
}

function listFiles(data: string): readonly { readonly of: string; readonly from: number }[] {
  try {
    // To read a database is to touch its WAL's index.
    const names = readdirSync(data).filter((name) => !name.endsWith('-shm'));
    return names.map((name) => ({ of: `the file "${name}"`, from: statSync(join(data, name)).mtimeMs }));
  } catch {
    // The directory is missing or closed, or a file went away: the check of the directory reports it if it matters.
    return [];
  }
}

const time = (at: number): string => new Date(at).toISOString();

/** 2,000 readers, each with a connection and an archive open, and the stall's own files. */
const WANTED_FILES = 2 * 2000 + 64;

/** Whether 2,000 readers fit into the limit of open files. */
export function examineOpenFiles({ server }: Subject): Result {
  const note = noteOf(server);
  const limit = note === null ? readOpenFilesLimit() : note.openFiles;
  if (limit === null) return skip('This system does not say');
  const sentence = `${note === null ? 'A server started from here' : 'The server'} may have ${limit} files and connections open`;
  if (limit >= WANTED_FILES) return ok(sentence);
  return warn(
    `${sentence}, too few for 2,000 readers`,
    'Raise it to 65536: "LimitNOFILE=65536" in a systemd unit, "--ulimit nofile=65536" for Docker, "ulimit -n 65536" in a shell; then restart the server',
  );
}
