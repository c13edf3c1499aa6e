import { askLocally } from './local-book.ts';
import { readLimits, readSetting } from '../platform/config/config.ts';
import type { Citation } from '../asking/answer.ts';
import { shownQuote } from '../reading/shown-text.rule.ts';
import { plain, plainLines } from '../platform/cli/terminal-text.ts';
import { isTooLong, LONGEST_QUESTION } from '../asking/question-words.rule.ts';
import { Refusal } from '../platform/base/refusal.ts';
import {
  type Command,
  command,
  type Flags,
  type Input,
  readUsage,
  type Output,
} from '../platform/cli/command.ts';
import { settings } from '../platform/cli/settings.ts';

const LOCAL = {
  '--local': 'ask a book of the content directory, without a stall',
  ...settings('content', 'max-files', 'max-bytes'),
};

/** Makes the reader's command `ask`, which with --local also asks a book of a content directory. */
export const askCommand = (askOverHttp: Command): Command => ({
  ...askOverHttp,
  options: { ...command<Flags>({ ...askOverHttp, flags: LOCAL }, {}).options, ...askOverHttp.options },
  run: (input, terminal) =>
    input.has('local') ? askHere(input, terminal) : askOverHttp.run(input, terminal),
});

async function askHere({ flags, words: [slug = '', ...question] }: Input, terminal: Output): Promise<void> {
  const query = question.join(' ');
  refuseUnaskable(query);
  const content = readSetting('content', flags, terminal.environment);
  const limits = readUsage(() => readLimits(flags, terminal.environment));
  for await (const event of askLocally({ content, slug, query, limits })) {
    if (terminal.isJson) terminal.json(event);
    else if (event.type === 'chunk') terminal.out(plainLines(event.text));
    else {
      terminal.out('\n');
      for (const { n, ...place } of event.citations) terminal.out(`[${n}] ${placeOf(place)}\n`);
      if (event.nearest === undefined) continue;
      const { quote, ...place } = event.nearest;
      terminal.out(`\nThe nearest place is:\n${plainLines(shownQuote(quote))}\n${placeOf(place)}\n`);
    }
  }
}

const placeOf = ({ path, start, end }: Pick<Citation, 'path' | 'start' | 'end'>): string =>
  `${plain(path)}, characters ${start} to ${end}`;

function refuseUnaskable(query: string): void {
  if (query.trim() === '') throw Refusal.invalid('Cannot ask a blank question: write one');
  if (isTooLong(query))
    throw Refusal.invalid(`Cannot ask a question of more than ${LONGEST_QUESTION} characters: shorten it`);
}
