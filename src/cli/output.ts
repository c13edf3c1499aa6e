import { plain } from '../client/terminal-text.ts';
import type { Input, Output, Row, Terminal } from './command.ts';
import { printableJson } from '../item/problem.ts';

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
