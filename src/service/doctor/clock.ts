import { readdirSync, statSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { readBackupRecord } from '../../store/backup/backup-record.ts';
import { fail, ok, type Result, warn } from './result.ts';
import { noteOf, type Subject } from './subject.ts';
import { THRESHOLD } from './threshold.ts';

/** A time in the past, and the thing that has it. */
type Memory = { readonly of: string; readonly at: number };

const BY_THE_NETWORK = 'Have the clock set by the network, on Linux with "timedatectl set-ntp true"';

/** Whether the clock can be right: keys, grants and links depend on it. */
export async function examineClock(subject: Subject): Promise<Result> {
  const now = subject.now();
  const [first, last] = THRESHOLD.years;
  const year = new Date(now).getUTCFullYear();
  if (year < first || year > last) return fail(`The clock says ${time(now)}`, BY_THE_NETWORK);
  const newest = (await listMemories(subject)).reduce((a, b) => (b.at > a.at ? b : a), { of: '', at: 0 });
  if (newest.at > now + THRESHOLD.clockStep)
    return fail(
      `The clock says ${time(now)}, but ${newest.of} is from ${time(newest.at)}`,
      `${BY_THE_NETWORK}; if it is right, it was wrong when that was written, and keys and grants of that time have wrong dates`,
    );
  const jump = jumpSinceStart(subject, now);
  if (Math.abs(jump) > THRESHOLD.clockJump)
    return warn(
      `The clock was set ${jump > 0 ? 'forward' : 'back'} by ${Math.round(Math.abs(jump) / 60_000)} minutes since the server started`,
      `${BY_THE_NETWORK}, check which keys and grants expired or began since, and restart the server`,
    );
  return ok(newest.at === 0 ? time(now) : `${time(now)}; ${newest.of} is from ${time(newest.at)}`);
}

async function listMemories({ config: { data }, database }: Subject): Promise<readonly Memory[]> {
  const newest = (await database())?.newest;
  const backup = Date.parse(readBackupRecord(data)?.at ?? '');
  return [
    { of: 'the newest row of the database', at: newest?.state === 'known' ? newest.value : 0 },
    { of: 'the last backup', at: Number.isNaN(backup) ? 0 : backup },
    ...listFiles(data),
  ];
}

function listFiles(data: string): readonly Memory[] {
  try {
    // To read a database is to touch its WAL's index.
    const names = readdirSync(data).filter((name) => !name.endsWith('-shm'));
    return names.map((name) => ({ of: `the file "${name}"`, at: statSync(join(data, name)).mtimeMs }));
  } catch {
    // The directory is missing or closed, or a file went away: the check of the directory reports it if it matters.
    return [];
  }
}

/** How far the clock went further than the time that passed, in milliseconds. */
function jumpSinceStart({ server }: Subject, now: number): number {
  const note = noteOf(server);
  return note === null ? 0 : now - note.startedAt - (uptime() - note.uptime) * 1000;
}

function time(at: number): string {
  return new Date(at).toISOString();
}
