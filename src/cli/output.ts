import { plain } from '../client/terminal-text.ts';
import type { Input, Output, Row, Terminal } from './command.ts';
import { printableJson } from '../item/problem.ts';
import { createDeferred } from '../client/deferred.ts';
import type { Log } from '../log.ts';
import type { Progress } from '../service/publish/publish.ts';

/** The output of a command with these flags. */
export function createOutput(terminal: Terminal, { flags }: Input): Output {
  const isJson = flags['json'] === true;
  const json = (value: unknown) => terminal.out(`${printableJson(value)}\n`);
  return {
    ...{ ...terminal, isJson },
    list: (rows, whenEmpty) => (isJson ? json(rows) : writeTable(terminal, rows, whenEmpty)),
    result: (value, sentence) => (isJson ? json(value) : terminal.out(`${sentence}\n`)),
  };
}

function writeTable(terminal: Terminal, rows: readonly Row[], whenEmpty: string): void {
  if (rows.length === 0) return terminal.err(`${whenEmpty}\n`);
  const names = Object.keys(rows[0] ?? {});
  const lines = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => show(row[name] ?? null))),
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

/** A time as ISO 8601 UTC, or null. */
export function iso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** The number of rows in each table, in words. */
export function rowsIn(tables: Readonly<Record<string, number>>): string {
  const counts = Object.entries(tables).filter(([, rows]) => rows > 0);
  const names = counts.map(([name, rows]) => `${name.replaceAll('_', ' ')} ${rows}`);
  return names.length === 0 ? 'no rows' : `rows: ${names.join(', ')}`;
}

function show(cell: Row[string]): string {
  return cell === null ? '-' : plain(String(cell));
}

/** The width in terminal columns: two for East Asian characters and emoji, none for marks (roughly Unicode UAX #11). */
function widthOf(text: string): number {
  let width = 0;
  for (const character of text) if (!/\p{M}|\u200d/u.test(character)) width += WIDE.test(character) ? 2 : 1;
  return width;
}

const WIDE =
  /[\p{Script=Han}\p{Script=Hangul}\p{Script=Hiragana}\p{Script=Katakana}\u3000-\u303e\uff01-\uff60\p{Emoji_Presentation}]/u;

/**
 * The process's own terminal. `close` waits until all output is written and gives the exit code: 1 for a command that
 * succeeded but whose output could not be written. `exit` ends the process; only the entry points pass it.
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
    async close(code: number): Promise<number> {
      return (await out.end()) && (await err.end()) ? code : code || 1;
    },
  };
}

/** A stream of the process. `write` never throws; `end` waits until everything is written and tells whether it was. */
function openStream(stream: NodeJS.WriteStream) {
  const ended = createDeferred<boolean>();
  // A closed pipe or a full disk must not end a running server.
  stream.on('error', () => ended.resolve(false));
  return {
    write: (text: string): void => void stream.write(text),
    /** A pipe buffers 64 KiB; without waiting, the end of the process would lose the rest. */
    end(): Promise<boolean> {
      stream.end(() => ended.resolve(true));
      return ended.promise;
    },
  };
}

const WIDTH = 30;

/** Milliseconds between two log lines. */
const INTERVAL = 1000;

/** Shows the progress of compiling: a bar at a terminal, otherwise at most one line a second. */
export function createProgress({ err, isTerminal }: Terminal, log: Log): Progress {
  let shownAt = performance.now();
  const write = (done: number, all: number): void => {
    const filled = Math.round((done / all) * WIDTH);
    const end = done === all ? '\r\u001b[K' : '';
    err(`\rCompiling [${'#'.repeat(filled)}${'.'.repeat(WIDTH - filled)}] ${done} of ${all} items${end}`);
  };
  return (done, all) => {
    // The clock starts with each run: a short one shows nothing.
    if (done === 1) shownAt = performance.now();
    const isDue = performance.now() - shownAt >= (isTerminal ? INTERVAL / 20 : INTERVAL);
    if (!isDue && !(isTerminal && done === all)) return;
    shownAt = performance.now();
    if (isTerminal) write(done, all);
    else log({ event: 'compiling', message: `Compiling: ${done} of ${all} items` });
  };
}
