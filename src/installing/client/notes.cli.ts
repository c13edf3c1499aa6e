import { fetchNotes, fetchNotesText, findItem } from './stall-calls.ts';
import { plainLines } from '../../platform/cli/terminal-text.ts';
import type { Command } from '../../platform/cli/command.ts';
import { readerCommand } from './reader-command.ts';

export const notesCommand: Command = readerCommand({
  name: 'notes',
  synopsis: '[SLUG]',
  summary: 'Show what you marked in a book and wrote beside it',
  flags: { '--markdown': 'print them as Markdown', '--csv': 'print them as CSV, as Readwise takes it' },
  examples: [
    'bookstall notes',
    'bookstall notes field-notes --markdown',
    'bookstall notes --csv > notes.csv',
  ],
  async run(context, input, terminal) {
    const stall = await context.stall();
    stall.requireKey();
    const [name] = input.words;
    const book = name === undefined ? null : await findItem(stall, name, ['book']);
    const format = (['markdown', 'csv'] as const).find((flag) => input.has(flag));
    if (format !== undefined) return terminal.out(plainLines(await fetchNotesText(stall, book, format)));
    const notes = await fetchNotes(stall, book);
    if (terminal.isJson) return terminal.json(notes.map(({ fields }) => fields));
    terminal.list(
      notes.map(({ path, state, exact, text }) => ({ path, state, words: brief(exact), note: brief(text) })),
      'No notes yet. Select words in a book that you read on the stall, and choose Highlight or Note',
    );
  },
});

function brief(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > 60 ? `${line.slice(0, 59).toWellFormed()}…` : line;
}
