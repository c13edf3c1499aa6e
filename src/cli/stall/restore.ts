import { readSetting } from '../../config/config.ts';
import { type Restored, restoreDatabase } from '../../store/backup.ts';
import { type Command, SWITCH, TEXT } from '../command.ts';
import { rowsIn } from '../output.ts';

export const restoreCommand: Command = {
  name: 'restore',
  synopsis: 'FILE [--data DIR] [--replace]',
  summary:
    'Verify a backup and make it the database; --replace if there is one, which is kept under another name',
  options: { data: TEXT, replace: SWITCH, json: SWITCH },
  words: [1, 1],
  async run(input, terminal) {
    const restored = restoreDatabase({
      file: input.words[0] ?? '',
      dataDirectory: readSetting('data', input.flags, terminal.environment),
      replace: input.flags['replace'] === true,
      at: Date.now(),
    });
    terminal.result(restored, describe(restored));
    terminal.err(NEXT);
  },
};

const NEXT = `Everything is as it was when the backup was made: keys and grants that were revoked since are valid again, accounts that were
disabled or removed since are back, and what was added since is missing. Look through "bookstall account list" and "bookstall
grant list" before you start the server.
`;

function describe({ path, bytes, tables, hasChecksum, kept }: Restored): string {
  return [
    `Restored ${path}`,
    `  ${bytes} bytes, ${rowsIn(tables)}`,
    `  sound; ${hasChecksum ? 'its checksum matches' : 'no checksum file found'}`,
    ...(kept === null ? [] : [`  the database before is kept as ${kept}`]),
  ].join('\n');
}
