import { askLocally } from '../../app.ts';
import { readLimits, readSetting } from '../../config.ts';
import { isTooLong, LONGEST_QUESTION } from '../../passages/query.ts';
import { Refusal } from '../../refusal.ts';
import { type Command, DONE, readUsage, SWITCH, TEXT, UsageError } from '../command.ts';
import { plain } from '../output.ts';

export const askCommand: Command = {
  name: 'ask',
  synopsis: '--local BOOK QUESTION [--content DIR] [--json]',
  summary: 'Ask a book of a content directory, by its slug and without a server',
  options: { local: SWITCH, content: TEXT, 'max-files': TEXT, 'max-bytes': TEXT, json: SWITCH },
  words: [2, 2],
  async run({ flags, words: [slug = '', query = ''] }, terminal) {
    if (flags['local'] !== true)
      throw new UsageError(
        'Cannot ask a stall over the network with this version: add --local to ask a book here',
      );
    refuseUnaskable(query);
    const content = readSetting('content', flags, terminal.environment);
    const limits = readUsage(() => readLimits(flags, terminal.environment));
    for await (const event of askLocally({ content, slug, query, limits })) {
      if (flags['json'] === true) terminal.out(`${JSON.stringify(event)}\n`);
      else if (event.type === 'chunk') terminal.out(event.text.split('\n').map(plain).join('\n'));
      else {
        terminal.out('\n');
        for (const { n, path, start, end } of event.citations)
          terminal.out(`[${n}] ${plain(path)}, characters ${start} to ${end}\n`);
      }
    }
    return DONE;
  },
};

function refuseUnaskable(query: string): void {
  if (query.trim() === '') throw new Refusal('invalid-request', 'Cannot ask a blank question: write one');
  if (isTooLong(query))
    throw new Refusal(
      'invalid-request',
      `Cannot ask a question of more than ${LONGEST_QUESTION} characters: shorten it`,
    );
}
