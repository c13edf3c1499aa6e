import type { ContentMap, Piece } from './content-map.ts';

/** A cell's words, `\|` undone, and where they come from. */
export type Cell = { readonly content: string; readonly map: ContentMap };

/** The cells of the table's row from `start` to `end` of a text (GFM 0.29 §4.10). */
export function splitRow(text: string, start: number, end: number): readonly Cell[] {
  const cells: Cell[] = [];
  const [first, last] = trimmed(text, start, end);
  let from = first;
  for (let at = first; at <= last; at++) {
    if (at < last && (text[at] !== '|' || (text[at - 1] === '\\' && at > first))) continue;
    cells.push(readCell(text, from, at));
    from = at + 1;
  }
  if (text[first] === '|') cells.shift();
  if (cells.at(-1)?.content === '') cells.pop();
  return cells;
}

function trimmed(text: string, start: number, end: number): readonly [number, number] {
  let [from, to] = [start, end];
  while (from < to && /\s/.test(text[from]!)) from++;
  while (to > from && /\s/.test(text[to - 1]!)) to--;
  return [from, to];
}

function readCell(text: string, start: number, end: number): Cell {
  const [from, to] = trimmed(text, start, end);
  const map: Piece[] = [];
  let content = '';
  // Of an escaped pipe the backslash goes.
  for (const part of text.slice(from, to).split(/\\(?=\|)/)) {
    const before = map.at(-1);
    const source = before === undefined ? from : before.source + before.length + 1;
    map.push({ at: content.length, length: part.length, source });
    content += part;
  }
  return { content, map };
}
