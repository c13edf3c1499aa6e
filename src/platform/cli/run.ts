import { parseArgs } from 'node:util';
import { didYouMean } from '../base/problem.ts';
import { Refusal } from '../base/refusal.ts';
import { COMMIT, VERSION } from '../base/version.ts';
import {
  type Command,
  createInput,
  createOutput,
  DONE,
  FAILED,
  NOT_SIGNED_IN,
  type Program,
  type Terminal,
  USAGE,
  usage,
  UsageError,
} from './command.ts';

const HELP: ReadonlySet<string> = new Set(['--help', '-h']);

export async function runCommand(
  program: Program,
  line: readonly string[],
  terminal: Terminal,
): Promise<number> {
  if (line[0] === '--version') return say(terminal.out, describeVersion(line[1] === '--json'));
  const commands = Object.values(program.groups).flat();
  const typed = line[0] === 'help' ? [...line.slice(1), '--help'] : line;
  const command = findCommand(commands, typed);
  const rest = typed.slice(command?.name.split(' ').length);
  const words = rest.includes('--') ? rest.slice(0, rest.indexOf('--')) : rest;
  if (typed.length === 0 || words.some((word) => HELP.has(word))) {
    // Loaded only here, since a server never shows help.
    const { help } = await import('./help.ts');
    const text = help(program, command, typed);
    if (text !== null) return say(terminal.out, text);
  }
  if (command === undefined) return say(terminal.err, unknown(commands, typed), USAGE);
  const input = parse(command, rest);
  if (typeof input === 'string')
    return say(
      terminal.err,
      `${input}\nUsage: ${usage(command)}\n"bookstall ${command.name} --help" lists the flags`,
      USAGE,
    );
  try {
    const outcome = (await command.run(input, createOutput(terminal, input))) ?? true;
    return typeof outcome === 'number' ? outcome : outcome ? DONE : FAILED;
  } catch (error) {
    return say(terminal.err, describeError(command, error), codeOf(error));
  }
}

function describeError({ name }: Command, error: unknown): string {
  if (error instanceof UsageError || error instanceof Refusal) return error.message;
  if (error instanceof Error && 'syscall' in error)
    return `Cannot run "${name}": ${error.message}; check what it names, its permissions and free space`;
  return `Internal error: ${error instanceof Error ? (error.stack ?? error.message) : error}`;
}

function codeOf(error: unknown): number {
  if (error instanceof UsageError) return USAGE;
  return error instanceof Refusal && error.kind === 'unauthenticated' ? NOT_SIGNED_IN : FAILED;
}

function describeVersion(asJson: boolean): string {
  const { bun, node } = process.versions;
  const runtime = bun === undefined ? { node } : { bun };
  if (asJson) return JSON.stringify({ version: VERSION, commit: COMMIT, ...runtime });
  const under = bun === undefined ? `Node ${node}` : `Bun ${bun}`;
  return `bookstall ${VERSION} (commit ${COMMIT ?? 'unknown'}, ${under})`;
}

function findCommand(commands: readonly Command[], typed: readonly string[]): Command | undefined {
  const [first = '', second = ''] = typed;
  return (
    commands.find(({ name }) => name === `${first} ${second}`) ?? commands.find(({ name }) => name === first)
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
    if (positionals.length < least) return `Cannot run "${command.name}": an argument is missing`;
    if (positionals.length > most)
      return `Cannot run "${command.name}" with "${positionals[most]}": there are too many arguments`;
    return createInput(values as Record<string, string | boolean | undefined>, positionals);
  } catch (error) {
    // Keeps only Node's first sentence: the rest explains arguments that begin with a dash, which few commands accept.
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('. ');
    const sentence = `Cannot run "${command.name}": ${reason.replace(/^[OU]/, (letter) => letter.toLowerCase())}`;
    const [, flag = ''] = /'--([^' ]+)'/.exec(sentence) ?? [];
    const hint = didYouMean(flag, Object.keys(command.options), '').replace('"', '"--');
    return hint === '' || Object.hasOwn(command.options, flag) ? sentence : `${sentence}. ${hint}`;
  }
}

function unknown(commands: readonly Command[], [first = '', second = '']: readonly string[]): string {
  const group = commands.filter(({ name }) => name.startsWith(`${first} `));
  if (group.length > 0)
    return `Cannot run "${first}${second === '' ? '' : ` ${second}`}". Did you mean one of these?\n${group.map((command) => `  ${usage(command)}`).join('\n')}`;
  const near = commands.find(({ name }) => name.startsWith(first.slice(0, 3)) || name.endsWith(` ${first}`));
  const names = commands.map(({ name }) => name);
  const guess = near === undefined ? didYouMean(first, names, '') : `Did you mean "${near.name}"?`;
  const hint = guess === '' ? '' : ` ${guess.replace('"', '"bookstall ')}`;
  return `Cannot run "${first}": there is no such command.${hint} "bookstall --help" lists them all`;
}

function say(write: (text: string) => void, text: string, code: number = DONE): number {
  write(`${text}\n`);
  return code;
}
