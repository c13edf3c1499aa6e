import { keyPrefix } from '../../access/key.ts';
import { fetchLibrary } from '../../client/catalog.ts';
import { requireKey } from '../../client/client-context.ts';
import { plain } from '../../client/terminal-text.ts';
import { type Command, DONE } from '../command.ts';
import { writeResult } from '../output.ts';
import { readerCommand } from './reader-command.ts';

export const whoamiCommand: Command = readerCommand({
  name: 'whoami',
  synopsis: '[--url URL] [--json]',
  summary: 'Show the stall, the account and the key in use',
  examples: ['bookstall whoami', 'bookstall whoami --json'],
  options: {},
  words: [0, 0],
  async run(context, input, terminal) {
    const stall = await context.stall();
    const prefix = keyPrefix(requireKey(stall));
    const { email, subscriberId } = await fetchLibrary(stall);
    const from = (await context.signIns.read()).stalls[stall.url]?.key === stall.key ? 'file' : 'environment';
    const source = from === 'file' ? context.signIns.file : 'BOOKSTALL_KEY';
    writeResult(
      terminal,
      input,
      { url: stall.url, email, subscriberId, key: prefix, from },
      `${plain(email)} at ${stall.url}, by the key ${prefix}… of ${source}`,
    );
    return DONE;
  },
});
