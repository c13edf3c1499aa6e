import { parseArgs } from 'node:util';
import { Refusal } from '../refusal.ts';
import { COMMIT, VERSION } from '../version.ts';
import { type Command, DONE, FAILED, type Terminal, USAGE, UsageError } from './command.ts';
import { accountCommands } from './stall/account.ts';
import { backupCommand } from './stall/backup.ts';
import { askCommand } from './stall/ask.ts';
import { checkCommand } from './stall/check.ts';
import { doctorCommand } from './stall/doctor.ts';
import { grantCommands } from './stall/grant.ts';
import { keyCommands } from './stall/key.ts';
import { logCommands } from './stall/logs.ts';
import { initCommand, newCommand } from './stall/new.ts';
import { personalDataCommands } from './stall/personal-data.ts';
import { reindexCommand } from './stall/reindex.ts';
import { restoreCommand } from './stall/restore.ts';
import { serveCommand } from './stall/serve.ts';

const HELP: ReadonlySet<string> = new Set(['--help', '-h']);

/** Every command there is. */
const COMMANDS: readonly Command[] = [
  initCommand,
  serveCommand,
  checkCommand,
  newCommand,
  reindexCommand,
  doctorCommand,
  askCommand,
  ...accountCommands,
  ...personalDataCommands,
  ...keyCommands,
  ...grantCommands,
  ...logCommands,
  backupCommand,
  restoreCommand,
];

/** Runs what was typed and gives the exit code: 0 done, 1 failed or refused, 2 usage. */
export async function runCli(typed: readonly string[], terminal: Terminal): Promise<number> {
  if (typed[0] === '--version') return say(terminal.out, describeVersion(typed[1] === '--json'));
  if (typed.length === 0 || HELP.has(typed[0] ?? '') || typed[0] === 'help')
    return say(terminal.out, overview());
  const command = findCommand(typed);
  if (command === undefined) return say(terminal.err, unknown(typed), USAGE);
  const rest = typed.slice(command.name.split(' ').length);
  if (rest.some((word) => HELP.has(word)))
    return say(terminal.out, `${command.summary}.\n\n  ${usage(command)}`);
  const input = parse(command, rest);
  if (typeof input === 'string') return say(terminal.err, `${input}\nUsage: ${usage(command)}`, USAGE);
  try {
    return await command.run(input, terminal);
  } catch (error) {
    if (error instanceof UsageError) return say(terminal.err, error.message, USAGE);
    if (error instanceof Refusal) return say(terminal.err, error.message, FAILED);
    return say(terminal.err, describeError(command, error), FAILED);
  }
}

/** What the system refused in a sentence; anything else is our fault, and told whole. */
function describeError({ name }: Command, error: unknown): string {
  if (error instanceof Error && 'syscall' in error)
    return `Cannot run "${name}": ${error.message}; check what it names, its permissions and free space`;
  return `Internal error: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
}

/** What this program is made of; a build without git knows no commit. */
function describeVersion(asJson: boolean): string {
  const made = { version: VERSION, commit: COMMIT, bun: Bun.version };
  return asJson
    ? JSON.stringify(made)
    : `bookstall ${made.version} (commit ${made.commit ?? 'unknown'}, Bun ${made.bun})`;
}

function findCommand(typed: readonly string[]): Command | undefined {
  const [first = '', second = ''] = typed;
  return (
    COMMANDS.find(({ name }) => name === `${first} ${second}`) ?? COMMANDS.find(({ name }) => name === first)
  );
}

function parse(command: Command, rest: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...rest],
      options: command.options,
      allowPositionals: true,
      strict: true,
    });
    const [least, most] = command.words;
    if (positionals.length < least) return `Cannot run "${command.name}" with so few words`;
    if (positionals.length > most) return `Cannot run "${command.name}" with "${positionals[most]}"`;
    return { flags: values as Readonly<Record<string, string | boolean | undefined>>, words: positionals };
  } catch (error) {
    // Node adds how to pass words that begin with a dash, which no command takes.
    return error instanceof Error ? (error.message.split('. ')[0] ?? error.message) : String(error);
  }
}

function unknown([first = '', second = '']: readonly string[]): string {
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0)
    return `Cannot run "${first}${second === '' ? '' : ` ${second}`}". Did you mean one of these?\n${group.map((command) => `  ${usage(command)}`).join('\n')}`;
  const near = COMMANDS.find(({ name }) => name.startsWith(first.slice(0, 3)) || name.endsWith(` ${first}`));
  const hint = near === undefined ? '' : ` Did you mean "bookstall ${near.name}"?`;
  return `Cannot run "${first}": there is no such command.${hint} "bookstall --help" lists them all`;
}

function overview(): string {
  const lines = COMMANDS.map((command) => `  ${command.name.padEnd(16)}  ${command.summary}`);
  return `Bookstall ${VERSION}, a stall for books and agent skills\n\n${lines.join('\n')}\n\n"bookstall COMMAND --help" shows a command's options; the Handbook is the manual.`;
}

function usage({ name, synopsis }: Command): string {
  return `bookstall ${name}${synopsis === '' ? '' : ` ${synopsis}`}`;
}

function say(write: (text: string) => void, text: string, code: number = DONE): number {
  write(`${text}\n`);
  return code;
}
