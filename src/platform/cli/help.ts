import { VERSION } from '../base/version.ts';
import { type Command, type Program, usage } from './command.ts';

const WIDTH = 80;

/** Matches the end of a flag's description that names its environment variable, in brackets. */
export const SETTING = /\((?:default \S+; )?BOOKSTALL_\w+\)$/;

/**
 * Returns help for `command`. Without one, lists the commands to begin with (no words), all (a flag), or a group's (its first
 * word and a flag, as in `key --help`); else null.
 */
export function help(
  program: Program,
  command: Command | undefined,
  [first, second]: readonly string[],
): string | null {
  if (command !== undefined) return describe(command);
  const title = `Bookstall ${VERSION}, a stall for books and agent skills`;
  if (first === undefined)
    return `${title}\n\nTo begin with\n${listFirst(program)}\n\n"bookstall help" lists all commands, "bookstall COMMAND --help" explains one.`;
  const groups = Object.entries(program.groups);
  if (first.startsWith('-'))
    return `${title}\n\n  bookstall COMMAND [FLAGS]\n\n${groups.map(([name, commands]) => `${name}\n${list(commands)}`).join('\n\n')}\n\n"bookstall COMMAND --help" explains a command, with its flags and an example.`;
  const some = groups.flatMap(([, commands]) => commands.filter(({ name }) => name.startsWith(`${first} `)));
  return some.length === 0 || !second?.startsWith('-') ? null : list(some);
}

function listFirst({ first, groups }: Program): string {
  const commands = Object.values(groups).flat();
  return list(first.flatMap((name) => commands.filter((command) => command.name === name)));
}

const list = (commands: readonly Command[]): string =>
  commands.map(({ name, summary }) => `  ${name.padEnd(16)}  ${summary}`).join('\n');

function describe(command: Command): string {
  const options = Object.values(command.options);
  const examples = command.examples.map((line) => `\n  ${line}`).join('');
  const parts = [
    `${command.summary}.`,
    `  ${usage(command)}`,
    wrap(command.about ?? '', WIDTH).join('\n'),
    flagLines(
      'Flags',
      options.filter(({ about }) => !SETTING.test(about)),
    ),
    flagLines(
      'Settings, each a flag or a variable of the environment',
      options.filter(({ about }) => SETTING.test(about)),
    ),
    `Examples${examples}`,
  ];
  return parts.filter((part) => part !== '').join('\n\n');
}

function flagLines(title: string, options: readonly Command['options'][string][]): string {
  const width = Math.max(...options.map(({ shown }) => shown.length)) + 2;
  const lines = options.flatMap(({ shown, about }) =>
    // Keeps an environment variable and its default on one line.
    wrap(
      about.replace(SETTING, (end) => end.replaceAll(' ', '\u00a0')),
      WIDTH - width - 2,
    ).map((text, n) => `\n  ${(n === 0 ? shown : '').padEnd(width)}${text.replaceAll('\u00a0', ' ')}`),
  );
  return options.length === 0 ? '' : `${title}${lines.join('')}`;
}

const wrap = (text: string, width: number): readonly string[] =>
  text.match(new RegExp(`\\S.{0,${width - 1}}(?= |$)`, 'g')) ?? [];
