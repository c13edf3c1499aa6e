// Ranges and anchors of an include, https://rust-lang.github.io/mdBook/format/mdbook.html#including-portions-of-a-file

/** The part of a file that an include names: all, lines (from 1, the end included), or an anchor. */
export type LineRange =
  { readonly anchor: string } | { readonly first: number; readonly last: number | null };

/** Reads the part after the path: '' is the whole file, `2:10` lines, `setup` an anchor. */
export function parseLineRange(text: string): LineRange {
  const [start = '', end] = text.split(':');
  if (start !== '' && !/^\d+$/.test(start)) return { anchor: start };
  const first = Math.max(1, Number(start || '1'));
  if (end === undefined) return { first, last: start === '' ? null : first };
  return { first, last: /^\d+$/.test(end) ? Number(end) : null };
}

const ANCHOR_END = /ANCHOR_END:\s*([\w_-]+)/;
const ANCHOR = /ANCHOR:\s*([\w_-]+)/;

/** The lines of a range, without those that mark anchors if an anchor is named; null if the text has no such anchor. */
export function takeLines(text: string, range: LineRange): string | null {
  const lines = text.split(/\r?\n/);
  if (lines.at(-1) === '') lines.pop();
  if ('first' in range) return lines.slice(range.first - 1, range.last ?? undefined).join('\n');
  return takeAnchor(lines, range.anchor);
}

function takeAnchor(lines: readonly string[], anchor: string): string | null {
  const taken: string[] = [];
  let isInside = false;
  let isThere = false;
  for (const line of lines) {
    const end = ANCHOR_END.exec(line)?.[1];
    const start = end === undefined ? ANCHOR.exec(line)?.[1] : undefined;
    if (end === anchor) break;
    if (start === anchor) isInside = isThere = true;
    else if (isInside && end === undefined && start === undefined) taken.push(line);
  }
  return isThere ? taken.join('\n') : null;
}
