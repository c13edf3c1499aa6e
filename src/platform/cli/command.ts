import type { Environment } from '../config/secret-variable.ts';
import { Refusal } from '../base/refusal.ts';
import { plain } from './terminal-text.ts';
import { printableJson } from '../base/problem.ts';
import type { Log } from '../base/log.ts';

/** The terminal of a command: results go to `out`, messages to `err`. `exit` ends the process at a second Ctrl-C or signal. */
export type Terminal = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly isTerminal: boolean;
  /** Whether results may be coloured: they go to a terminal and NO_COLOR (https://no-color.org) is not set. */
  readonly isColoured: boolean;
  readonly environment: Environment;
  /** The address of the stall from which this program was downloaded as an npm package, if it was. */
  readonly packageStall?: string | null;
  readonly exit: (code: number) => void;
};

export type OutputRow = Readonly<Record<string, string | number | boolean | null>>;

export type Output = Terminal & {
  readonly isJson: boolean;
  readonly json: (value: unknown) => void;
  readonly list: (rows: readonly OutputRow[], whenEmpty: string) => void;
  readonly result: (value: unknown, sentence: string) => void;
};

/**
 * The flags of a command, each with its description. A flag is written as in help: `--until ISO`, `--item SLUG …` if it may be
 * repeated, or `-g, --global` with a short form.
 */
export type Flags = Readonly<Record<string, string>>;

/** The name of a flag, such as "global" of `-g, --global`. */
type NameOf<Flag> = string extends Flag
  ? string
  : Flag extends `-${string}, --${infer Name}` | `--${infer Name} ${string}` | `--${infer Name}`
    ? Name extends `${infer First} ${string}`
      ? First
      : Name
    : never;

export type Input<Name extends string = never> = {
  readonly flags: Environment;
  readonly words: readonly string[];
  readonly word: string;
  readonly has: (name: Name) => boolean;
  readonly text: (name: Name) => string | null;
  readonly texts: (name: Name) => readonly string[];
};

type Option = {
  readonly type: 'string' | 'boolean';
  readonly multiple: boolean;
  readonly short?: string;
  readonly shown: string;
  readonly about: string;
};

/** One command. `name` is one or two words; `words` is the minimum and maximum number of its arguments. */
export type Command = {
  readonly name: string;
  readonly synopsis: string;
  /** A line for the list of commands, of at most 60 characters. */
  readonly summary: string;
  readonly about?: string;
  /** Examples for help: complete command lines to paste. By default, one is made from the synopsis. */
  readonly examples: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  readonly words: readonly [least: number, most: number];
  readonly run: (input: Input<string>, terminal: Output) => Outcome | Promise<Outcome>;
};

/** All commands of a program in groups. `first` names the commands that help shows to beginners. */
export type Program = {
  readonly first: readonly string[];
  readonly groups: Readonly<Record<string, readonly Command[]>>;
};

/** The definition of a command. The number of its arguments follows from the synopsis, unless `words` gives it. */
type Definition<Own> = Pick<Command, 'name' | 'summary' | 'about'> &
  Partial<Pick<Command, 'synopsis' | 'words' | 'examples'>> & { readonly flags?: Own };

type Run<Given extends readonly unknown[]> = {
  readonly run: (...given: Given) => Outcome | Promise<Outcome>;
};

export type CommandIn<Context, Own> = Definition<Own> & Run<[Context, Input<NameOf<keyof Own>>, Output]>;

const FLAG = /^(?:-(\w), )?--([\w-]+)(?: (\S+))?( …)?$/;
/** The maximum number of arguments of a command whose synopsis ends in `…`. */
const MOST_WORDS = 1000;

const SAMPLES: Readonly<Record<string, string>> = {
  EMAIL: 'ada@example.org',
  SLUG: 'field-notes',
  EDITION: '1.2.0',
  ID: '3',
  'ID|REF': '7KQ2M-X4TRD',
};

export const JSON_FLAG: Flags = { '--json': 'print the result as JSON' };

export function command<Own extends Flags = Record<never, string>>(
  { synopsis = '', flags, ...definition }: Definition<Own> & Run<[Input<NameOf<keyof Own>>, Output]>,
  common: Flags = JSON_FLAG,
): Command {
  const options = Object.entries<string>({ ...flags, ...common, ...flags }).map(
    ([shown, about]): [string, Option] => {
      const [, short, name = '', value, repeats] = FLAG.exec(shown) ?? [];
      const type = value === undefined ? 'boolean' : 'string';
      return [name, { type, multiple: repeats !== undefined, ...(short && { short }), shown, about }];
    },
  );
  const words = synopsis.match(/(?<!\S|--\S+ )\[?[A-Za-z]\S*/g) ?? [];
  const needed = words.filter((word) => !word.startsWith('['));
  const most = words.some((word) => /…\]?$/.test(word)) ? MOST_WORDS : words.length;
  const example = ['bookstall', definition.name, ...needed.map((word) => SAMPLES[word] ?? word)].join(' ');
  return {
    words: [needed.length, most],
    examples: [example],
    ...definition,
    synopsis,
    options: Object.fromEntries(options),
  };
}

export function usage({ name, synopsis, options }: Command): string {
  const flags = Object.keys(options).length === 0 ? '' : ' [FLAGS]';
  return `bookstall ${name}${synopsis === '' ? '' : ` ${synopsis}`}${flags}`;
}

/** The result of a command: an exit code, false if something failed, or true or undefined if it succeeded. */
type Outcome = number | boolean | void;

/** Exit codes, as the Handbook's chapter for readers and agents lists them. */
export const DONE = 0;
export const FAILED = 1;
export const USAGE = 2;
export const NOT_SIGNED_IN = 4;

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export function readUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Refusal ? new UsageError(error.message) : error;
  }
}

export function refuse(problem: string): never {
  throw Refusal.invalid(problem);
}

/** Reads standard input to its end; '' if it has more than `most` characters. */
export async function readStdin(most: number): Promise<string> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > most) return '';
  }
  return text;
}

export const createInput = (flags: Environment, words: readonly string[]): Input<string> => ({
  flags,
  words,
  word: words[0] ?? '',
  has: (name) => flags[name] === true,
  text(name) {
    const value = flags[name];
    return typeof value === 'string' ? value : null;
  },
  texts(name) {
    const values: unknown = flags[name];
    return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
  },
});

export function createOutput(terminal: Terminal, { flags }: Input): Output {
  const isJson = flags['json'] === true;
  const json = (value: unknown) => terminal.out(`${printableJson(value)}\n`);
  return {
    ...terminal,
    isJson,
    json,
    list: (rows, whenEmpty) => (isJson ? json(rows) : writeTable(terminal, rows, whenEmpty)),
    result: (value, sentence) => (isJson ? json(value) : terminal.out(`${sentence}\n`)),
  };
}

function writeTable(terminal: Terminal, rows: readonly OutputRow[], whenEmpty: string): void {
  if (rows.length === 0) return terminal.err(`${whenEmpty}\n`);
  const names = Object.keys(rows[0] ?? {});
  const lines = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => plain(String(row[name] ?? '-')))),
  ];
  const widths = names.map((_, n) => Math.max(...lines.map((line) => widthOf(line[n] ?? ''))));
  for (const line of lines)
    terminal.out(
      `${line
        .map((cell, n) => cell + ' '.repeat((widths[n] ?? 0) - widthOf(cell)))
        .join('  ')
        .trimEnd()}\n`,
    );
}

export const iso = (time: number | null): string | null =>
  time === null ? null : new Date(time).toISOString();

export function rowsIn(tables: Readonly<Record<string, number>>): string {
  const counts = Object.entries(tables).filter(([, rows]) => rows > 0);
  const names = counts.map(([name, rows]) => `${name.replaceAll('_', ' ')} ${rows}`);
  return names.length === 0 ? 'no rows' : `rows: ${names.join(', ')}`;
}

/** Returns a text's width in columns: two for East Asian characters and emoji, none for marks (roughly Unicode UAX #11). */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) if (!/\p{M}|\u200d/u.test(character)) width += WIDE.test(character) ? 2 : 1;
  return width;
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303e\uff01-\uff60\p{Emoji_Presentation}]/u;

/**
 * Opens the process's own terminal. `close` waits until all output is written and returns the exit code, which becomes 1
 * instead of 0 if the output could not be written. `exit` ends the process; only the program's entry files pass it.
 */
export function openTerminal(exit: Terminal['exit']) {
  const [out, err] = [openStream(process.stdout), openStream(process.stderr)];
  const terminal: Terminal = {
    out: out.write,
    err: err.write,
    isTerminal: process.stderr.isTTY,
    isColoured: process.stdout.isTTY && !process.env['NO_COLOR'],
    environment: process.env,
    exit,
  };
  return {
    terminal,
    close: async (code: number): Promise<number> =>
      (await out.end()) && (await err.end()) ? code : code || 1,
  };
}

/** Wraps a stream of the process. `write` never throws; `end` returns whether everything was written. */
function openStream(stream: NodeJS.WriteStream) {
  // An error of the stream, such as a closed pipe or a full disk, must not end a running server.
  const failed = new Promise<boolean>((resolve) => stream.on('error', () => resolve(false)));
  return {
    write: (text: string): void => void stream.write(text),
    /** Waits until everything is written: a pipe may still hold 64 KiB, which the process would lose. */
    end: (): Promise<boolean> =>
      Promise.race([failed, new Promise<boolean>((resolve) => stream.end(() => resolve(true)))]),
  };
}

const WIDTH = 30;

/** The minimum time between two lines about progress, in milliseconds; a bar is drawn twenty times as often. */
const INTERVAL = 1000;

export function drawBar(
  { err }: Terminal,
  shown: { readonly act: string; readonly things: string; readonly done: number; readonly all: number },
): void {
  const { act, things, done, all } = shown;
  const filled = Math.round((done / all) * WIDTH);
  const end = done === all ? '\r\u001b[K' : '';
  err(`\r${act} [${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${done} of ${all} ${things}${end}`);
}

export type Progress = (done: number, all: number) => void;

export function createProgress(terminal: Terminal, log: Log): Progress {
  const { isTerminal } = terminal;
  let shownAt = performance.now();
  return (done, all) => {
    // Measures from the start of each run, so that a short run shows nothing.
    if (done === 1) shownAt = performance.now();
    const isDue = performance.now() - shownAt >= (isTerminal ? INTERVAL / 20 : INTERVAL);
    if (!isDue && !(isTerminal && done === all)) return;
    shownAt = performance.now();
    if (isTerminal) drawBar(terminal, { act: 'Compiling', things: 'items', done, all });
    else log({ event: 'compiling', message: `Compiling: ${done} of ${all} items` });
  };
}
