import { existsSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { DAY } from '../../platform/base/duration.ts';
import { filesFolder, readBackupRecord } from '../../platform/store/backup.ts';
import { fail, ok, type Result, type Subject, warn } from './subject.ts';
import { counted, formatBytes } from '../../platform/base/text.ts';

const OLDEST_BACKUP = 7 * DAY;
const MAKE_ONE =
  'Make one in the office, under Settings, Backups, which also says how often, or with "bookstall backup FILE" or BOOKSTALL_BACKUP_EVERY=24h';

/** Checks that a recent backup exists and has the size that it had when it was verified. Does not read its content. */
export async function examineBackup({
  config: { data },
  now,
}: Pick<Subject, 'config' | 'now'>): Promise<Result> {
  const record = readBackupRecord(data);
  if (record === null) return warn('No backup is recorded', MAKE_ONE);
  const { at, path, bytes, pushed = 0 } = record;
  const age = now() - Date.parse(at);
  const found = await stat(path).then(
    (file) => file.size,
    () => null,
  );
  if (found !== null && found !== bytes)
    return fail(
      `The last backup "${path}" has ${found} bytes, and had ${bytes} when it was proven`,
      'Make another with "bookstall backup FILE", and find out which program changes files there',
    );
  if (age > OLDEST_BACKUP)
    return warn(`The last backup is ${Math.floor(age / DAY)} days old: "${path}"`, MAKE_ONE);
  if (found === null)
    return warn(
      `The last backup "${path}" is not there any more, or hidden from this user`,
      'If you moved it, keep it safe; otherwise make another with "bookstall backup FILE"',
    );
  if (pushed > 0 && !existsSync(filesFolder(path)))
    return fail(
      `The last backup lacks the folder "${filesFolder(path)}", which has its ${counted(pushed, 'pushed item')}`,
      'Put the folder back, or make another with "bookstall backup FILE"',
    );
  const items = pushed === 0 ? '' : ` with ${counted(pushed, 'pushed item')}`;
  return ok(`Made at ${at}, ${formatBytes(bytes)}${items}: "${path}"`);
}
