import { keyPrefix } from '../../access/key.ts';
import { fetchLibrary } from '../../client/catalog.ts';
import { plain } from '../../client/terminal-text.ts';
import { type Command } from '../command.ts';
import { readerCommand } from './reader-command.ts';

export const whoamiCommand: Command = readerCommand({
  name: 'whoami',
  synopsis: '[--url URL] [--json]',
  summary: 'Show the stall, the account and the key in use',
  examples: ['bookstall whoami', 'bookstall whoami --json'],
  async run(context, _, terminal) {
    const stall = await context.stall();
    const prefix = keyPrefix(stall.requireKey());
    const { email, subscriberId } = await fetchLibrary(stall);
    const variable = await context.variableOf(stall.url);
    const from = variable === null ? 'file' : 'environment';
    const source = variable ?? context.signIns.file;
    terminal.result(
      { url: stall.url, email, subscriberId, key: prefix, from },
      `${plain(email)} at ${stall.url}, by the key ${prefix}… of ${source}`,
    );
  },
});
