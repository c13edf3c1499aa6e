import type { Source } from './source.ts';

/** `length` characters of a block's content from `at` on are those of the source from `source` on. */
export type Piece = { readonly at: number; readonly length: number; readonly source: number };

/** Where a block's content comes from, in order; characters the parser made up lie in no piece. */
export type ContentMap = readonly Piece[];

/** The map of a content whose lines are ends of the source's lines from `firstLine` on: without quote marks and indentation. */
export function mapLines(content: string, { original, lines }: Source, firstLine: number): ContentMap {
  const pieces: Piece[] = [];
  let at = 0;
  content.split('\n').forEach((text, n) => {
    const line = lines[firstLine + n];
    const piece = line === undefined ? null : findEnd(text, at, original, line.start, line.end);
    if (piece !== null) pieces.push(piece);
    at += text.length + 1;
  });
  return pieces;
}

/** The map of a heading's content: also without the marks that close it. */
export function mapHeading(content: string, { original, lines }: Source, lineNumber: number): ContentMap {
  const line = lines[lineNumber];
  if (line === undefined) return [];
  const closing = /[ \t]#+[ \t]*$/.exec(original.slice(line.start, line.end));
  const ends = closing === null ? [line.end] : [line.start + closing.index, line.end];
  const piece = ends.map((end) => findEnd(content, 0, original, line.start, end)).find((one) => one !== null);
  return piece == null ? [] : [piece];
}

function findEnd(text: string, at: number, original: string, start: number, end: number): Piece | null {
  // The parser writes a tab that is half indentation as spaces.
  const rest = text.trimStart();
  for (const shown of rest.length === text.length ? [text] : [text, rest]) {
    for (const to of [end, end - trailingBlanks(original, start, end)]) {
      const from = to - shown.length;
      if (from < start || !original.startsWith(shown, from)) continue;
      return { at: at + text.length - shown.length, length: shown.length, source: from };
    }
  }
  return null;
}

function trailingBlanks(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /\s/.test(text[at - 1]!)) at--;
  return end - at;
}

/** Calls `found` for every stretch of the content from `from` to `to` that comes from the source; `missed` for the others. */
export function trace(
  map: ContentMap,
  from: number,
  to: number,
  found: (from: number, to: number, source: number) => void,
  missed: (from: number, to: number) => void,
): void {
  let at = from;
  for (let n = firstPiece(map, from); n < map.length && at < to; n++) {
    const piece = map[n]!;
    if (piece.at >= to) break;
    const end = Math.min(to, piece.at + piece.length);
    if (piece.at > at) missed(at, piece.at);
    at = Math.max(at, piece.at);
    if (end > at) found(at, end, piece.source + at - piece.at);
    at = Math.max(at, end);
  }
  if (at < to) missed(at, to);
}

/** Where `length` characters of the content from `at` on are together in the source; null where they are not. */
export function placeOf(map: ContentMap, at: number, length: number): number | null {
  const piece = map[firstPiece(map, at)];
  const holds = piece !== undefined && piece.at <= at && at + length <= piece.at + piece.length;
  return holds ? piece.source + at - piece.at : null;
}

/** The first piece that ends after `from`. */
function firstPiece(map: ContentMap, from: number): number {
  let [low, high] = [0, map.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { at, length } = map[middle]!;
    if (at + length <= from) low = middle + 1;
    else high = middle;
  }
  return low;
}
