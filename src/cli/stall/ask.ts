import { askLocally } from '../../app.ts';
import { readLimits, readSetting } from '../../config/config.ts';
import { plain, plainLines } from '../../client/terminal-text.ts';
import { isTooLong, LONGEST_QUESTION } from '../../passages/question-words.ts';
import { Refusal } from '../../refusal.ts';
import { type Command, DONE, type Input, readUsage, SWITCH, type Terminal, TEXT } from '../command.ts';
import { askCommand as askOverHttp } from '../reader/ask.ts';
import { printableJson } from '../../item/problem.ts';

/** The reader's `ask`, and with --local the same of a content directory. */
export const askCommand: Command = {
  ...askOverHttp,
  synopsis: `${askOverHttp.synopsis} | --local BOOK QUESTION… [--content DIR] [--json]`,
  options: { ...askOverHttp.options, local: SWITCH, content: TEXT, 'max-files': TEXT, 'max-bytes': TEXT },
  run: (input, terminal) =>
    input.flags['local'] === true ? askHere(input, terminal) : askOverHttp.run(input, terminal),
};

async function askHere(
  { flags, words: [slug = '', ...question] }: Input,
  terminal: Terminal,
): Promise<number> {
  const query = question.join(' ');
  refuseUnaskable(query);
  const content = readSetting('content', flags, terminal.environment);
  const limits = readUsage(() => readLimits(flags, terminal.environment));
  for await (const event of askLocally({ content, slug, query, limits })) {
    if (flags['json'] === true) terminal.out(`${printableJson(event)}\n`);
    else if (event.type === 'chunk') terminal.out(plainLines(event.text));
    else {
      terminal.out('\n');
      for (const { n, path, start, end } of event.citations)
        terminal.out(`[${n}] ${plain(path)}, characters ${start} to ${end}\n`);
    }
  }
  return DONE;
}

function refuseUnaskable(query: string): void {
  if (query.trim() === '') throw new Refusal('invalid-request', 'Cannot ask a blank question: write one');
  if (isTooLong(query))
    throw new Refusal(
      'invalid-request',
      `Cannot ask a question of more than ${LONGEST_QUESTION} characters: shorten it`,
    );
}
