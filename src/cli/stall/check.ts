import { readSetting } from '../../config.ts';
import { defaultLimits } from '../../item/limit.ts';
import { type CheckedItem, checkContent, isRefused } from '../../service/check.ts';
import { type Command, DONE, FAILED, SWITCH, type Terminal, TEXT } from '../command.ts';

export const checkCommand: Command = {
  name: 'check',
  synopsis: '[--content DIR] [--list]',
  summary: 'Name every problem of every item; --list shows what would be distributed',
  options: { content: TEXT, list: SWITCH, json: SWITCH },
  words: [0, 0],
  async run({ flags }, terminal) {
    const items = checkContent(readSetting('content', flags, terminal.environment), defaultLimits);
    if (flags['json'] === true)
      terminal.out(
        `${JSON.stringify(flags['list'] === true ? items : items.map(({ files: _, ...item }) => item))}\n`,
      );
    else for (const item of items) writeItem(terminal, item, flags['list'] === true);
    const refused = items.filter(isRefused).length;
    terminal.err(
      `${items.length} items, ${refused === 0 ? 'all can be served' : `${refused} cannot be served`}\n`,
    );
    return refused === 0 ? DONE : FAILED;
  },
};

function writeItem(terminal: Terminal, item: CheckedItem, withFiles: boolean): void {
  const { kind, slug, files, problems } = item;
  terminal.out(`${kind}s/${slug}: ${files.length} files${isRefused(item) ? ', not served' : ''}\n`);
  for (const { severity, path, message, remedy } of problems)
    terminal.out(`  ${severity}  ${path === '' ? '' : `${path}: `}${message}. ${remedy}\n`);
  if (withFiles)
    for (const { path, size, sha256, executable } of files)
      terminal.out(`  ${sha256}  ${executable ? '0755' : '0644'}  ${String(size).padStart(9)}  ${path}\n`);
}
