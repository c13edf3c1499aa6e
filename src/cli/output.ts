import type { Input, Terminal } from './command.ts';

type Cell = string | number | boolean | null;
type Row = Readonly<Record<string, Cell>>;

/** A list as a table for people, or as one JSON array with `--json`; `whenEmpty` names the next step. */
export function writeList(
  terminal: Terminal,
  { flags }: Input,
  rows: readonly Row[],
  whenEmpty: string,
): void {
  if (flags['json'] === true) return terminal.out(`${JSON.stringify(rows)}\n`);
  if (rows.length === 0) return terminal.err(`${whenEmpty}\n`);
  const names = Object.keys(rows[0] ?? {});
  const lines = [
    names.map((name) => name.toUpperCase()),
    ...rows.map((row) => names.map((name) => show(row[name] ?? null))),
  ];
  const widths = names.map((_, n) => Math.max(...lines.map((line) => Bun.stringWidth(line[n] ?? ''))));
  for (const line of lines)
    terminal.out(
      `${line
        .map((cell, n) => cell + ' '.repeat((widths[n] ?? 0) - Bun.stringWidth(cell)))
        .join('  ')
        .trimEnd()}\n`,
    );
}

/** One thing that was done: a JSON value with `--json`, else the sentence. */
export function writeResult(terminal: Terminal, { flags }: Input, value: unknown, sentence: string): void {
  terminal.out(flags['json'] === true ? `${JSON.stringify(value)}\n` : `${sentence}\n`);
}

/** A time for people and programs alike: ISO 8601 UTC, or null. */
export function iso(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** A text that comes from others, as a terminal may show it: nothing of it steers the terminal. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}]/gu, '?');
}

/** How many rows lie in which tables, in words. */
export function rowsIn(tables: Readonly<Record<string, number>>): string {
  const counts = Object.entries(tables).filter(([, rows]) => rows > 0);
  const names = counts.map(([name, rows]) => `${name.replaceAll('_', ' ')} ${rows}`);
  return names.length === 0 ? 'no rows' : `rows: ${names.join(', ')}`;
}

function show(cell: Cell): string {
  return cell === null ? '-' : plain(String(cell));
}
