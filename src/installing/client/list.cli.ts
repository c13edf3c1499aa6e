import { existsSync } from 'node:fs';
import { type Command } from '../../platform/cli/command.ts';
import { readerCommand } from './reader-command.ts';
import { NOTHING_INSTALLED } from './lock-file.ts';

export const listCommand: Command = readerCommand({
  name: 'list',
  summary: 'List what is installed on this machine, and where',
  async run(context, _, terminal) {
    const rows = (await context.manifests.list()).map(
      ({ kind, slug, version, url, installedAt, isNeed, folder }) => ({
        kind,
        slug,
        version,
        installed: installedAt.slice(0, 10),
        need: isNeed === true,
        from: url,
        folder: existsSync(folder) ? folder : `${folder} (gone)`,
      }),
    );
    terminal.list(rows, NOTHING_INSTALLED);
  },
});
