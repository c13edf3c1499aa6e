import { type SearchedText, searchStall } from './stall-calls.ts';
import { plain } from '../../platform/cli/terminal-text.ts';
import { shownText, SNIPPET } from '../../reading/shown-text.rule.ts';
import { type Command, UsageError } from '../../platform/cli/command.ts';
import { readerCommand } from './reader-command.ts';

export const searchCommand: Command = readerCommand({
  name: 'search',
  synopsis: 'WORDS…',
  summary: 'Search the texts that you may read',
  about: 'It finds words, not meanings: give several that may stand in the text.',
  flags: { '--item SLUG …': 'search this book alone; may be repeated' },
  examples: ['bookstall search vacation holidays days off', 'bookstall search --item field-notes heron'],
  async run(context, input, terminal) {
    const words = input.words.join(' ').trim();
    if (words === '') throw new UsageError('Cannot search for nothing: give words');
    const { results, answer } = await searchStall(await context.stall(), words, input.texts('item'));
    if (terminal.isJson) return terminal.json(answer);
    if (results.length === 0)
      return terminal.err('Nothing found. Try other words that may stand in the text, or fewer\n');
    terminal.out(results.map(show).join('\n'));
  },
});

function show({ title, path, heading, text: written, first: at, url }: SearchedText): string {
  const text = shownText(written).replace(/\s+/g, ' ');
  // `shownText` may have removed marks before the word, so its place is searched for again.
  const [word = ''] = written.slice(at).split(/[^\p{L}\p{N}]/u, 1);
  const first = Math.max(0, text.indexOf(word));
  const start = first < SNIPPET / 2 ? 0 : text.lastIndexOf(' ', first - SNIPPET / 3) + 1;
  const cut = text.slice(start, start + SNIPPET).toWellFormed();
  const words = `${start > 0 ? '… ' : ''}${cut}${start + SNIPPET < text.length ? ' …' : ''}`;
  const place = [title, heading === '' ? path : heading].join(', ');
  return `${plain(place)}\n    ${plain(words)}\n    ${plain(url)}\n`;
}
