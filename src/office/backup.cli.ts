import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { readKeep } from '../platform/config/config.ts';
import { endRestored } from '../accounts/connection.ts';
import { type Backup, type Restored, restoreDatabase } from '../platform/store/backup.ts';
import { runBackup } from '../publishing/backup.ts';
import { withUnpacked } from '../publishing/backup-tar.ts';
import { stageBackupFolder } from '../publishing/backup-folder.ts';
import { type Input, readUsage, rowsIn, command } from '../platform/cli/command.ts';
import { refuseMissing, takeData } from '../platform/cli/admin-command.ts';
import { counted } from '../platform/base/text.ts';
import { settings } from '../platform/cli/settings.ts';

export const backupCommand = command({
  name: 'backup',
  synopsis: 'FILE|FOLDER',
  summary: 'Copy database and pushed items, also while the server runs',
  about: 'It leaves out the content directory and secrets.key: keep copies of them.',
  flags: { '--keep N': 'how many backups the folder keeps; older ones go', ...settings('data') },
  examples: ['bookstall backup /var/backups/bookstall --keep 7'],
  async run(input, terminal) {
    const to = targetOf(input);
    const dataDirectory = takeData(input, terminal);
    refuseMissing(dataDirectory);
    const backup = await runBackup({ dataDirectory, to, at: Date.now() });
    terminal.result(backup, describe(backup));
    terminal.err('Keep a copy of the content directory too.\n');
  },
});

/** Returns where a backup goes: into a folder with --keep, or if the name is one or ends in `/`; otherwise to a file. */
function targetOf(input: Input<'keep'>) {
  const name = input.word;
  const keep = input.text('keep');
  if (keep !== null) return { folder: name, keep: readUsage(() => readKeep(keep)) };
  const isFolder = existsSync(name) ? statSync(name).isDirectory() : name.endsWith('/');
  return isFolder ? { folder: name, keep: null } : { file: name };
}

const describe = ({ path, bytes, sha256, tables, pushed, lastGood, removed }: Backup): string =>
  [
    `Backed up to ${path}`,
    `  ${bytes} bytes, ${rowsIn(tables)}`,
    `  read again and sound; sha256 ${sha256}, also in ${path}.sha256`,
    ...(pushed + lastGood === 0
      ? []
      : [`  beside it, in ${path}.files: ${describeBeside(pushed, lastGood)}`]),
    ...removed.map((name) => `  removed ${name}`),
  ].join('\n');

const describeBeside = (pushed: number, lastGood: number): string =>
  [
    ...(pushed === 0 ? [] : [counted(pushed, 'pushed item')]),
    ...(lastGood === 0
      ? []
      : [`last good editions of ${counted(lastGood, 'item')} whose folder has an error`]),
  ].join(', ');

export const restoreCommand = command({
  name: 'restore',
  synopsis: 'FILE',
  summary: 'Verify a backup, and make it the database',
  flags: { '--replace': 'if there is a database, which is kept under another name', ...settings('data') },
  examples: ['bookstall restore /var/backups/bookstall/bookstall-20261120T190439395Z.db --replace'],
  async run(input, terminal) {
    const job = { dataDirectory: takeData(input, terminal), replace: input.has('replace'), at: Date.now() };
    const restore = (file: string): Restored => ({
      ...restoreDatabase({ ...job, file }, stageBackupFolder, (db) => endRestored(db, job.at)),
      path: resolve(input.word),
    });
    const isTar = input.word.endsWith('.tar');
    const restored = isTar ? await withUnpacked(input.word, job.dataDirectory, restore) : restore(input.word);
    terminal.result(restored, describeRestored(restored));
    terminal.err(AFTER_RESTORE);
  },
});

const AFTER_RESTORE = `Everything is as it was when the backup was made: keys and grants that were revoked since are valid again, accounts that were
disabled or removed since are back, and what was added since is missing. Assistants must sign in again. Look through "bookstall account list" and "bookstall
grant list" before you start the server.
`;

const describeRestored = ({ path, bytes, tables, hasChecksum, kept, pushed, left }: Restored): string =>
  [
    `Restored ${path}`,
    `  ${bytes} bytes, ${rowsIn(tables)}`,
    `  sound; ${hasChecksum ? 'its checksum matches' : 'no checksum file found'}`,
    ...(pushed === 0
      ? []
      : [`  ${counted(pushed, 'pushed item')}, proven by ${pushed === 1 ? 'its hash' : 'their hashes'}`]),
    ...(left.length === 0 ? [] : [`  left as they are, without --replace: ${left.join(', ')}`]),
    ...(kept === null
      ? []
      : [
          `  the database before is kept as ${kept}${existsSync(`${kept}.files`) ? `, items that were replaced in ${kept}.files` : ''}`,
        ]),
  ].join('\n');
