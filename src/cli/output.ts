import { plain } from '../client/terminal-text.ts';
import type { Input, Terminal } from './command.ts';
import { printableJson } from '../item/problem.ts';

type Cell = string | number | boolean | null;
type Row = Readonly<Record<string, Cell>>;

/** Writes a list as a table, or with `--json` as one JSON array; `whenEmpty` names the next step. */
export function writeList(
  terminal: Terminal,
  { flags }: Input,
  rows: readonly Row[],
  whenEmpty: string,
): void {
  if (flags['json'] === true) return terminal.out(`${printableJson(rows)}\n`);
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

/** Writes a result: the sentence, or with `--json` the value. */
export function writeResult(terminal: Terminal, { flags }: Input, value: unknown, sentence: string): void {
  terminal.out(flags['json'] === true ? `${printableJson(value)}\n` : `${sentence}\n`);
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

function show(cell: Cell): string {
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
