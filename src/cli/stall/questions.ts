import { readLimits, readSetting } from '../../config/config.ts';
import { plain } from '../../client/terminal-text.ts';
import { listBookSections } from '../../service/local-book.ts';
import { command, readUsage, UsageError } from '../command.ts';
import { settings } from './settings.ts';

export const questionsCommand = command({
  name: 'questions',
  synopsis: 'SLUG',
  summary: 'List the questions that sections of a book answer',
  about:
    "They stand in questions.yaml beside item.yaml, in readers' words, and their sections are found by them. The skill write-questions tells a coding agent how to write them.",
  flags: {
    '--sections': 'print every section with its questions, as questions.yaml names them',
    ...settings('content', 'max-files', 'max-bytes'),
  },
  examples: ['bookstall questions field-notes --sections'],
  run({ flags, word: slug, has }, terminal) {
    if (!has('sections')) throw new UsageError('Cannot tell what to print: add --sections');
    const content = readSetting('content', flags, terminal.environment);
    const limits = readUsage(() => readLimits(flags, terminal.environment));
    const sections = listBookSections({ content, slug, limits });
    if (terminal.isJson) return terminal.json(sections);
    for (const { key, title, level, questions } of sections) {
      terminal.out(`${plain(key)}:  # ${'  '.repeat(level - 1)}${plain(title)}\n`);
      for (const question of questions) terminal.out(`  - ${plain(question)}\n`);
    }
    const bare = sections.filter(({ questions }) => questions.length === 0).length;
    terminal.err(`${bare} of ${sections.length} sections have no questions\n`);
  },
});
