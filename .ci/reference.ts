// Makes the man page and the Handbook's chapter of commands from the table of commands. `bun run reference` writes the chapter.
import { join } from 'node:path';
import { VERSION } from '../src/platform/base/version.ts';
import { type Command, JSON_FLAG, usage } from '../src/platform/cli/command.ts';
import { PROGRAM } from '../src/commands.ts';
import { SETTING } from '../src/platform/cli/help.ts';

const GROUPS = Object.entries(PROGRAM.groups);

const TELLS =
  'Results go to standard output, messages to standard error. ISO is a date such as 2026-12-01, or a time such as 2026-12-01T09:00:00Z; without a zone it is UTC. CENTS are minor units of the currency: 1900 is 19.00.';

const CODES: Readonly<Record<string, string>> = {
  0: 'done',
  1: 'failed or refused',
  2: 'the command line cannot be read',
  4: 'no key is saved for the stall, or the stall does not accept it',
};

const VARIABLES: Readonly<Record<string, string>> = {
  BOOKSTALL_KEY: 'the API key of a reader, instead of the one that "login" saved',
  NO_COLOR: 'no colours',
};

/** Writes the page `bookstall.1` in roff's man macros (man(7)), with a date such as 2026-11-23. */
export function manPage(date: string): string {
  const commands = GROUPS.map(
    ([group, those]) => `.SH ${group.toUpperCase()}\n${those.map(manEntry).join('')}`,
  );
  return `.TH BOOKSTALL 1 ${date} "Bookstall ${VERSION}" "User Commands"
.SH NAME
bookstall \\- a stall for books and agent skills
.SH SYNOPSIS
.B bookstall
.I command
.RI [ flags ]
.SH DESCRIPTION
${roff(TELLS)}
${commands.join('')}.SH EXIT STATUS
${manList(CODES)}.SH ENVIRONMENT
Flags name the variables that set them too.
${manList(VARIABLES)}`;
}

function manEntry(command: Command): string {
  const flags = Object.values(command.options).map(({ shown, about }) => [shown, about]);
  const examples = command.examples.map((line) => `${roff(line)}\n`).join('');
  return `.SS ${roff(usage(command))}\n${roff(textOf(command))}\n${manList(Object.fromEntries(flags))}.PP\n.EX\n${examples}.EE\n`;
}

function manList(entries: Readonly<Record<string, string>>): string {
  return Object.entries(entries)
    .map(([term, about]) => `.TP\n.B ${roff(term)}\n${roff(about)}\n`)
    .join('');
}

/** Escapes a text for roff: dashes that can be pasted, no line that is a request, and ASCII alone. */
function roff(text: string): string {
  return text
    .replaceAll('…', '...')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');
}

function textOf({ summary, about = '' }: Pick<Command, 'summary' | 'about'>): string {
  return `${summary}. ${about}`.trim();
}

/** Writes the Handbook's chapter of commands, in Markdown. */
export function referenceChapter(): string {
  const codes = Object.entries(CODES).map(([code, about]) => `- \`${code}\`: ${about}`);
  const groups = GROUPS.map(([group, those]) => `## ${group}\n\n${those.map(chapterEntry).join('\n')}`);
  return `# Commands

\`bookstall help\` lists all commands, and \`bookstall COMMAND --help\` explains one with all its flags. They, the man page and this chapter are made of one table. ${TELLS}

Nearly every command takes \`--json\`, which prints the result as JSON, and those for readers \`--url URL\`. [Settings](4b-settings.md) such as \`--content\` and \`--data\` are flags and variables alike; \`--help\` names those of a command.

The exit code says how a command ended:

${codes.join('\n')}

${groups.join('\n')}`;
}

/** Matches an example that shows no more than its command's words; the chapter leaves it out. */
const PLAIN = /^(?!.* -)[^'">]+$/;

function chapterEntry({ name, synopsis, options, examples, ...command }: Command): string {
  const lines = Object.values(options).flatMap(({ shown, about }) =>
    SETTING.test(about) || JSON_FLAG[shown] === about ? [] : `- \`${shown}\`: ${about}`,
  );
  const parts = [
    `### \`${`${name} ${synopsis}`.trim()}\``,
    textOf(command),
    examples.flatMap((line) => (PLAIN.test(line) ? [] : `    ${line}`)).join('\n'),
    lines.join('\n'),
  ];
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`;
}

if (import.meta.main)
  await Bun.write(join(import.meta.dir, '../content/books/handbook/4a-commands.md'), referenceChapter());
