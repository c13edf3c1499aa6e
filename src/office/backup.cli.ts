import { existsSync, statSync } from 'node:fs';
import { pushedDirectory } from '../publishing/pushed.ts';
import { readKeep } from '../platform/config/config.ts';
import { type Backup, type Restored, restoreDatabase, runBackup } from '../platform/store/backup.ts';
import { listLastGood } from '../publishing/last-good.ts';
import { type Input, readUsage, rowsIn, command } from '../platform/cli/command.ts';
import { refuseMissing, takeData } from '../platform/cli/admin-command.ts';
import { counted } from '../platform/base/text.ts';
import { settings } from '../platform/cli/settings.ts';

export const backupCommand = command({
  name: 'backup',
  synopsis: 'FILE|FOLDER',
  summary: 'Copy the database, also while the server runs, and prove it',
  about: 'It holds no content and no pushed items; keep a copy of those too.',
  flags: { '--keep N': 'how many backups the folder keeps; older ones go', ...settings('data') },
  examples: ['bookstall backup /var/backups/bookstall --keep 7'],
  async run(input, terminal) {
    const to = targetOf(input);
    const dataDirectory = takeData(input, terminal);
    refuseMissing(dataDirectory);
    const beside = await listLastGood(dataDirectory);
    const backup = await runBackup({ dataDirectory, to, at: Date.now(), beside });
    terminal.result(backup, describe(backup));
    const editions = beside.filter((path) => path.startsWith('editions/')).length;
    if (editions > 0)
      terminal.err(
        `Beside it, in ${backup.path}.files, are the last good editions of ${counted(editions, 'item')} whose folder has an error.\n`,
      );
    const pushed = existsSync(pushedDirectory(dataDirectory))
      ? `, and of "${pushedDirectory(dataDirectory)}", the items that were pushed`
      : '';
    terminal.err(`Keep a copy of the content directory too${pushed}.\n`);
  },
});

/** Returns a backup's target: a folder if the name is that of one, or if --keep is given; otherwise a file. */
function targetOf(input: Input) {
  const name = input.word;
  const keep = input.text('keep');
  if (keep !== null) return { folder: name, keep: readUsage(() => readKeep(keep)) };
  const isFolder = existsSync(name) ? statSync(name).isDirectory() : name.endsWith('/');
  return isFolder ? { folder: name, keep: null } : { file: name };
}

const describe = ({ path, bytes, sha256, tables, removed }: Backup): string =>
  [
    `Backed up to ${path}`,
    `  ${bytes} bytes, ${rowsIn(tables)}`,
    `  read again and sound; sha256 ${sha256}, also in ${path}.sha256`,
    ...removed.map((name) => `  removed ${name}`),
  ].join('\n');

export const restoreCommand = command({
  name: 'restore',
  synopsis: 'FILE',
  summary: 'Verify a backup, and make it the database',
  flags: { '--replace': 'if there is a database, which is kept under another name', ...settings('data') },
  examples: ['bookstall restore /var/backups/bookstall/bookstall-20261120T190439395Z.db --replace'],
  run(input, terminal) {
    const restored = restoreDatabase({
      file: input.word,
      dataDirectory: takeData(input, terminal),
      replace: input.has('replace'),
      at: Date.now(),
    });
    terminal.result(restored, describeRestored(restored));
    terminal.err(AFTER_RESTORE);
  },
});

const AFTER_RESTORE = `Everything is as it was when the backup was made: keys and grants that were revoked since are valid again, accounts that were
disabled or removed since are back, and what was added since is missing. Look through "bookstall account list" and "bookstall
grant list" before you start the server.
`;

const describeRestored = ({ path, bytes, tables, hasChecksum, kept }: Restored): string =>
  [
    `Restored ${path}`,
    `  ${bytes} bytes, ${rowsIn(tables)}`,
    `  sound; ${hasChecksum ? 'its checksum matches' : 'no checksum file found'}`,
    ...(kept === null ? [] : [`  the database before is kept as ${kept}`]),
  ].join('\n');
