import type { Settings } from '../config/config.ts';
import { Refusal } from '../refusal.ts';

/** A command's output: results go to `out`, messages to `err`. `exit` ends the process at once, for a second signal. */
export type Terminal = {
  readonly out: (text: string) => void;
  readonly err: (text: string) => void;
  readonly isTerminal: boolean;
  /** Whether results may be coloured: they go to a terminal and NO_COLOR (https://no-color.org) is not set. */
  readonly isColoured: boolean;
  readonly environment: Settings;
  /** The stall that served this program as a package. */
  readonly packageStall?: string | null;
  readonly exit: (code: number) => void;
};

/** A row of a table: its columns by name. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** A command's terminal, which writes lists and results for people, or with `--json` as JSON. */
export type Output = Terminal & {
  readonly isJson: boolean;
  /** Writes a table or a JSON array; `whenEmpty` names the next step. */
  readonly list: (rows: readonly Row[], whenEmpty: string) => void;
  /** Writes the sentence or the value. */
  readonly result: (value: unknown, sentence: string) => void;
};

/** The flags and arguments after a command's name. */
export type Input = { readonly flags: Settings; readonly words: readonly string[] };

/** A flag: as `parseArgs` reads it, and for `--help` the name of its value and what it is for. */
export type Option = {
  readonly type: 'string' | 'boolean';
  readonly multiple?: boolean;
  readonly value?: string;
  readonly about?: string;
};

/** One command: `name` is one or two words, `words` the least and greatest number of arguments; `run` gives the exit code, `DONE` without one. */
export type Command = {
  readonly name: string;
  readonly synopsis: string;
  readonly summary: string;
  /** Whole lines to paste, shown by --help. */
  readonly examples?: readonly string[];
  readonly options: Readonly<Record<string, Option>>;
  readonly words: readonly [least: number, most: number];
  readonly run: (input: Input, terminal: Output) => Promise<number | void>;
};

/** Exit codes, as the Handbook's chapter for readers and agents lists them. */
export const DONE = 0;
export const FAILED = 1;
export const USAGE = 2;
export const NOT_SIGNED_IN = 4;

/** The command line cannot be read: the exit code is `USAGE`. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The result of `read`; its refusal becomes a usage error. */
export function readUsage<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Refusal ? new UsageError(error.message) : error;
  }
}

/** An optional text. */
export const TEXT = { type: 'string' } as const;
export const SWITCH = { type: 'boolean' } as const;

/** The text of a flag, or null if it was not given. */
export function textOf({ flags }: Input, name: string): string | null {
  const value = flags[name];
  return typeof value === 'string' ? value : null;
}

/** The texts of a flag that may be repeated. */
export function textListOf({ flags }: Input, name: string): readonly string[] {
  const values: unknown = flags[name];
  return Array.isArray(values) ? values.filter((value) => typeof value === 'string') : [];
}
