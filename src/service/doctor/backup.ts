import { stat } from 'node:fs/promises';
import { DAY } from '../../duration.ts';
import { readBackupRecord } from '../../store/backup/backup-record.ts';
import { fail, ok, type Result, size, warn } from './result.ts';
import type { Subject } from './subject.ts';
import { THRESHOLD } from './threshold.ts';

const MAKE_ONE =
  'Make one with "bookstall backup FILE", or have the server do it with "bookstall serve --backup-every 24h"';

/** Whether there is a backup, not too old, and still of the size it had when it was proven; its bytes are not read. */
export async function examineBackup({ config: { data }, now }: Subject): Promise<Result> {
  const record = readBackupRecord(data);
  if (record === null) return warn('No backup is recorded', MAKE_ONE);
  const { at, path, bytes } = record;
  const days = Math.floor((now() - Date.parse(at)) / DAY);
  const found = await sizeOf(path);
  if (found !== undefined && found !== bytes)
    return fail(
      `The last backup "${path}" has ${found} bytes, and had ${bytes} when it was proven`,
      'Make another with "bookstall backup FILE", and find out which program changes files there',
    );
  if (now() - Date.parse(at) > THRESHOLD.oldestBackup)
    return warn(`The last backup is ${days} days old: "${path}"`, MAKE_ONE);
  if (found === undefined)
    return warn(
      `The last backup "${path}" is not there any more`,
      'If you moved it, keep it safe; otherwise make another with "bookstall backup FILE"',
    );
  return ok(`Made at ${at}, ${size(bytes)}: "${path}"`);
}

/** Undefined if there is no such file. */
function sizeOf(path: string): Promise<number | undefined> {
  return stat(path).then(
    (file) => file.size,
    (error: unknown) => {
      const code = error instanceof Error && 'code' in error ? error.code : null;
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw error;
    },
  );
}
